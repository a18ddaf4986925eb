"""What is sealed stays so: at random moments a deal is exchanged at one table, and nobody who does not sit there gets
another byte. And whatever people at the tables got is searched for cards they could not know."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.core.cache import caches
from django.db import connection, transaction
from django.urls import reverse
from django.utils import translation

from accounts.models import Player
from domain.engine import CODES, cards_in, ruleset
from domain.engine.hand import Hand
from games.models import Action, Deal, Game, GameHand
from games.selectors.clocks import forget_reliabilities
from notices import registry
from tests.games.api_kit import API, Program
from tests.games.store_kit import random_action
from tests.games.test_secrets import CHANGING
from tests.judging import scanning
from tests.judging.truth import Reading
from tests.tournaments.evenings.wire import Browser
from tests.tournaments.leagues.league import League
from tests.tournaments.leagues.players import Person

TRIES = 400
NOISE = ("x-request-id", "expires", "date", "last-modified")
"""Headers that hold the time by the real clock, or a number of their own."""
LANGUAGE = "en"


def other_course(game: Game, row: GameHand, moves: int, chance: random.Random) -> Hand | None:
    """Another deal, played otherwise, with as many moves; None if none is found."""
    rules = ruleset(game.ruleset, game.ruleset_version, game.table_size)
    for _try in range(TRIES):
        pack = list(cards_in(rules.pack))
        chance.shuffle(pack)
        hand = Hand(rules, row.dealer, pack, options=game.options)
        while not hand.over and len(hand.history) < moves:
            hand.push(random_action(hand, chance))
        finished = row.status == GameHand.Status.PLAYED
        # Whose turn it is everybody may know: the desk says for whom a table waits.
        same = _scores_otherwise(hand, row) if finished else not hand.over and hand.turn == game.to_act
        if len(hand.history) == moves and same:
            return hand
    return None


def _scores_otherwise(hand: Hand, row: GameHand) -> bool:
    """Whether it was played, and who sits there sees by the totals that it is another one."""
    result = hand.result
    return result is not None and result.status == "played" and list(result.scores) != row.scores


def exchange(game: Game, row: GameHand, hand: Hand) -> None:
    """Put another deal in the place of one, with its moves and what they brought; nobody may do that but in a savepoint."""
    pack, cut = hand.pack, hand.cut
    assert pack is not None
    uncut = [*pack[len(pack) - cut :], *pack[: len(pack) - cut]] if cut else list(pack)
    deal = Deal.objects.get(pk=row.deal_id)
    deal.pk = None
    deal.pack, deal.cut = " ".join(CODES[card] for card in uncut), cut
    deal.secret, deal.commitment, deal.table = bytes(32), "0" * 64, "another"
    deal.save(force_insert=True)
    result = hand.result
    changed = {} if result is None else {
        "points": list(result.points), "scores": list(result.scores), "parties": [list(p) for p in result.parties],
    }  # fmt: skip
    GameHand.objects.filter(pk=row.pk).update(deal=deal, **changed)
    moves = list(game.actions.filter(kind=Action.Kind.MOVE, hand_number=row.number).order_by("number"))
    players = {seat.number: seat.player_id for seat in game.seats.all()}
    with connection.cursor() as cursor:
        for entry, (seat, action) in zip(moves, hand.history, strict=True):
            cursor.execute(
                "UPDATE games_action SET text = %s, seat = %s, player_id = %s WHERE id = %s",
                [str(action), seat, players[seat], entry.pk],
            )
    totals = [0] * game.table_size
    for scores in GameHand.objects.filter(game=game).values_list("scores", flat=True):
        totals = [have + more for have, more in zip(totals, scores or [0] * game.table_size, strict=True)]
    turn = {} if hand.over else {"to_act": hand.turn, "asked": hand.asked}
    Game.objects.filter(pk=game.pk).update(totals=totals, **turn)


@dataclass
class Seal:
    """Looks at sealed deals of a league while it runs."""

    league: League
    chance: random.Random = field(init=False)
    exchanged: int = 0
    asked: int = 0
    told: int = 0
    scanned: int = 0
    changed_there: int = 0
    """How often those who sit there got something else, as they must."""
    programs: dict[int, Program] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.league.plan.seed + 5)
        self.stranger = self.league._browser(9_998)

    def peek(self) -> None:
        """At some moments, exchange a deal that is sealed and was played, or is, at a table."""
        if self.exchanged >= self.league.plan.exchanges or self.chance.random() > 0.4:
            return
        rows = [
            row
            for row in GameHand.objects.filter(
                game__online_table__tournament=self.league.books.tournament,
                deal__origin=Deal.Origin.SHARED,
                deal__opened_at=None,
                status__in=(GameHand.Status.PLAYED, GameHand.Status.OPEN),
            ).select_related("game", "deal")
            if row.deal.pack is not None
        ]
        self.chance.shuffle(rows)
        for row in rows[:4]:
            if self._try(row):
                return

    def _try(self, row: GameHand) -> bool:
        game = row.game
        moves = game.actions.filter(kind=Action.Kind.MOVE, hand_number=row.number).count()
        hand = other_course(game, row, moves, self.chance)
        if hand is None or moves < 8:
            return False
        viewers = dict(self._viewers(game))
        sitter = self._somebody_at(game)
        for _browser, person in viewers.values():
            if person is not None and person.player.pk not in self.programs:
                self.programs[person.player.pk] = Program(person.player)
        with transaction.atomic():
            for browser, person in viewers.values():
                self._all(game, row, browser, person)  # whatever a first visit changes
            before = {who: self._all(game, row, *viewer) for who, viewer in viewers.items()}
            there = self._at_table(game, sitter)
            exchange(game, row, hand)
            after = {who: self._all(game, row, *viewer) for who, viewer in viewers.items()}
            self.changed_there += there != self._at_table(game, sitter)
            transaction.set_rollback(True)
        for who, found in before.items():
            for path, answer in found.items():
                if after[who].get(path) != answer:
                    here = _first_difference(str(answer), str(after[who].get(path)))
                    self.league.check(False, f"{who} learns by {path} of deal {row.number} at {game.public_id}: {here}")
        self.exchanged += 1
        return True

    def _viewers(self, game: Game) -> Iterator[tuple[str, tuple[Browser, Person | None]]]:
        """Who does not sit there: a stranger, the director, people at other tables before and after this deal, somebody who
        has given up a seat there, somebody of the reserve."""
        league = self.league
        yield "a stranger", (self.stranger, None)
        yield "the director", (league.secretary.browser, None)
        replay = league.replay(game)
        once = {entry.player_id for entry in replay.entries if entry.text in ("sat", "substituted")}
        former = [league.acting.known[player] for player in once if player in league.acting.known]
        for person in former:
            if person.player.pk not in replay.sitting and not person.gone:
                yield "who has given up a seat there", (person.browser, person)
                break
        for other in league.all_games():
            if other.pk != game.pk:
                sitting = league.replay(other).sitting
                for person in [league.acting.known[player] for player in sitting if player in league.acting.known]:
                    if not person.gone and person.player.pk not in once:
                        yield f"who sits at {other.public_id}", (person.browser, person)
                        break
        if league.reserve:
            person = league.reserve[0]
            if person.player.pk not in once:
                yield "who plays nowhere", (person.browser, person)

    def _somebody_at(self, game: Game) -> Person | None:
        known = self.league.acting.known
        found = [known[player] for player in self.league.replay(game).sitting if player in known]
        return next((person for person in found if not person.gone), None)

    def _at_table(self, game: Game, person: Person | None) -> str:
        return "" if person is None else person.browser.get(f"/g/{game.public_id}/state.json").text

    def _all(self, game: Game, row: GameHand, browser: Browser, person: Person | None) -> dict[str, object]:
        """All that this viewer is answered: pages, files, feeds, programs, notices."""
        caches["pages"].clear()
        forget_reliabilities()  # a process keeps them for a minute, which may pass between two looks
        found: dict[str, object] = {}
        for path in self._paths(game, row, person):
            page = browser.get(path)
            self.asked += 1
            self.league.check(page.status < 500, f"{path} gave {page.status}")
            body = page.body if page.body.startswith(b"PK") else CHANGING.sub("", page.text)
            headers = {name: value for name, value in page.headers.items() if name not in NOISE}
            found[path] = page.status, body, headers
        if person is not None:
            found |= self._program(game, person.player)
            found |= self._notices(person.player)
        return found

    def _paths(self, game: Game, row: GameHand, person: Person | None) -> list[str]:
        at, key = self.league.secretary.at, self._key(game)
        turn = key.rpartition(".")[0]
        pages = [
            "", f"seating/{turn}/", "standings/", "standings/1/", "results.json", "news.atom", "draws/",
            *(f"results/{name}.csv" for name in ("ranking", "rounds", "deals", "entrants", "tables", "travellers")),
            f"rounds/{turn}/boards/", *(f"rounds/{turn}/boards/{number}/" for number in (row.number, row.number + 1)),
            f"rounds/{turn}/boards/tables/{key.rpartition('.')[2]}/", "enter/", "me/", "tournament.ics",
            "rounds/", f"rounds/{turn}/", f"tables/{key}/", "standings/", "standings/1/", "log/", "corrections/",
            *(f"entrant/{who}/" for who in self.league.books.sheet(key).owners[:2]),
        ]  # fmt: skip
        table = [
            "", "state.json", "since/0/", f"since/{game.number}/", "hands/", "record.json", "chat/", "watching/",
            f"hand/{row.number}/", f"hand/{row.number}/record.json", f"hand/{row.number}/picture.svg", "draw/", "why/",
        ]  # fmt: skip
        sitting = self._somebody_at(game)
        people = [sitting.player.public_id] if sitting is not None else []
        others = [
            reverse("watch"), reverse("mine:list"), reverse("mine:finished"), reverse("my-waiting"), "/en/",
            reverse("notices:list"), "/en/ratings/", "/en/you/statistics/", "/notices/bell.json", self.league.secretary.club,
            *(f"/en/people/{each}/" for each in people), *(f"/en/people/{each}/statistics/" for each in people),
        ]  # fmt: skip
        own = []
        if person is not None:
            own = [
                f"/g/{each.public_id}/{page}"
                for each in self.league.open_games()
                if each.pk != game.pk and person.player.pk in self.league.replay(each).sitting
                for page in ("", "state.json", "hands/")
            ]
        return [*(at + page for page in pages), *(f"/g/{game.public_id}/{page}" for page in table), *others, *own]

    def _key(self, game: Game) -> str:
        return next(
            sheet.key
            for turn in self.league.books.rounds
            for sheet in turn.sheets.values()
            if sheet.game == game.public_id
        )

    def _program(self, game: Game, player: Player) -> dict[str, object]:
        """What the API tells a program of theirs."""
        program = self.programs[player.pk]
        found: dict[str, object] = {}
        for path in (
            f"/games/{game.public_id}",
            f"/games/{game.public_id}/record",
            "/games",
            "/games?which=over",
            "/watch",
        ):
            answer = program.client.get(API + path, headers=program.headers)
            self.asked += 1
            self.league.check(answer.status_code != 401, f"the program of player {player.pk} is not let in")
            found[f"api {path}"] = answer.status_code, CHANGING.sub("", answer.content.decode())
        return found

    def _notices(self, player: Player) -> dict[str, object]:
        """Every notice of theirs of the last days, worded now."""
        found: dict[str, object] = {}
        rows = [row for row in self.league.told.values() if row.player_id == player.pk][-12:]
        with translation.override(LANGUAGE):
            for row in rows:
                wording = registry.find_wording(row.event)
                if wording is not None:
                    self.told += 1
                    true = wording.still_true(row.event, row.params, player)
                    found[f"notice {row.pk} {row.event}"] = true, wording.words(row.event, row.params, player, LANGUAGE)
        return found

    # what came over HTTP

    def scan(self) -> None:
        """No answer anybody got showed a card that their seat could not know then."""
        readings: dict[str, Reading] = {}
        for player, public_id, text in self.league.acting.heard:
            data = json.loads(text)
            number = data.get("number")
            if "question" not in data or number is None:
                continue
            if public_id not in readings:
                readings[public_id] = Reading(Game.objects.get(public_id=public_id))
            reading = readings[public_id]
            cards = scanning.in_data(data, reading.drawn)
            seats = reading.seats_of({player}, number)
            self.scanned += 1
            for seat in seats:
                shown = cards & reading.forbidden(number, seat)
                self.league.check(not shown, f"{public_id} at {number} showed seat {seat} the cards {sorted(shown)}")


def _first_difference(one: str, other: str) -> str:
    place = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, place - 60) : place + 60]!r} became …{other[max(0, place - 60) : place + 60]!r}"
