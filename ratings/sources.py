"""Everything that counts for ratings, read from the logs: tournaments of clubs, and games on this site.

Nobody sees the ids by which people take part in the arithmetic, and none is stored with a rating. What the same people
played together, in the same sides, is one result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Max

from clubs.models import Member
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.rating.results import EACH, PARTNERS, Result
from domain.tournament.scoring import lane_of
from domain.tournament.state import CONFIRMED, DRAFT, Line, State, Table, each_alone, sides_of
from games.models import SHARED, Game, GameHand, PlayedSeat, sealed
from tournaments.models import Tournament
from tournaments.selectors import states_of

AT: Final = "@"
"""Parts a game from the number of people, where it is played in a form that its rules do not describe."""


class Kind(NamedTuple):
    """The name of the ratings, and what is compared: one of `domain.rating.results.KINDS`."""

    name: str
    kind: str


def kind_of(ruleset_id: str, sides: Sequence[Sequence[object]]) -> Kind | None:
    """Where a deal with these sides counts; None where it does not.

    Games of partners with the sides their rules give them, games each alone at tables of any size, and a game of partners
    that was played each alone, which has ratings of its own (``troccas@5``). Ratings of one name are always of one kind.
    """
    try:
        rules = ruleset(ruleset_id)
    except UnknownRuleset:
        return None
    sizes = [len(side) for side in sides]
    alone = len(sides) > 1 and set(sizes) == {1}
    if each_alone(ruleset_id):
        return Kind(ruleset_id, EACH) if alone else None
    if alone:
        return Kind(f"{ruleset_id}{AT}{len(sides)}", EACH)
    if sizes == [rules.seats // 2] * 2 and sum(sizes) == rules.seats:
        return Kind(ruleset_id, PARTNERS)
    return None


def usual_stake(rules: Ruleset) -> int:
    """For how many Rappen this game is usually played; 0 where it is not played for money.

    Online a table may agree on another stake: its scores are brought to this one.
    """
    default = next((option.default for option in rules.options if option.name == "stake"), 0)
    return default if isinstance(default, int) else 0


_PLAYER: Final = "player:"
_MEMBER: Final = "member:"
_COMPUTER: Final = "computer:"

Accounts = Mapping[str, int]
"""For the public id of an entry in a club's list, the key of the account of whose person it is."""


def player_id(key: int) -> str:
    """Somebody with an account, or a guest: one id, wherever they play."""
    return f"{_PLAYER}{key}"


def computer_id(name: str) -> str:
    """A computer player of this strength."""
    return f"{_COMPUTER}{name}"


def is_computer(person: str) -> bool:
    """Whether a tournament means a computer player by this."""
    return person.startswith(_COMPUTER)


def entry_id(person: str, accounts: Accounts) -> str:
    """Who stands in a tournament by this id: an entry of a club's list, whose person may have an account."""
    if is_computer(person):
        return person
    key = accounts.get(person)
    return f"{_MEMBER}{person}" if key is None else player_id(key)


def accounts() -> dict[str, int]:
    """The accounts of all entries of all clubs. One query."""
    rows = Member.objects.filter(player__isnull=False).values_list("public_id", "player", "player__merged_into")
    return {public_id: merged or player for public_id, player, merged in rows}


_FIRST_DAY: Final = date(1970, 1, 1).toordinal()


def day_of(moment: datetime) -> int:
    """The day on the clocks of the hall, counted from 1970-01-01."""
    return moment.astimezone(ZoneInfo(settings.TIME_ZONE)).toordinal() - _FIRST_DAY


def date_of(day: int) -> date:
    return date.fromordinal(day + _FIRST_DAY)


_COUNTED: Final = (GameHand.Status.PLAYED, GameHand.Status.PASSED)
"""The hands that stand on the sheet of a table; deals that were thrown in do not (`tournaments.online.services`)."""


class SeatedLineup(NamedTuple):
    """A deal: who played each place (nobody: it does not count), the day, and whether its cards are at other tables, too."""

    people: tuple[str, ...]
    when: int
    shared: bool


Seated = Mapping[str, Mapping[int, SeatedLineup]]
"""By the public id of a game, and the number of the deal on the sheet of its table."""


def games_of(state: State) -> set[str]:
    """The games that were laid for tables of a tournament, those that were let go among them."""
    tables = [table for phase in state.phases for each in phase.rounds for table in each.tables.values()]
    found = {table.game for table in tables} | {change.game for table in tables for change in table.changes}
    return found - {""}


def seated(games: Collection[str]) -> Seated:
    """Who sat where in the games with these public ids. Two queries, none without games.

    A deal does not count that was passed, that is sealed, or where somebody else made part of a seat's moves.
    """
    if not games:
        return {}
    found: dict[str, dict[int, SeatedLineup]] = {}
    hands = GameHand.objects.filter(game__public_id__in=games, status__in=_COUNTED).select_related("game", "deal")
    seats: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    days: dict[int, int] = {}
    rows = PlayedSeat.objects.filter(hand__game__public_id__in=games).order_by("hand", "seat").values_list(
        "hand", "at", "player", "player__merged_into", "player__computer", "player__name", "shared"
    )  # fmt: skip
    for hand, at, player, merged, computer, name, shared in rows:
        days[hand] = day_of(at)
        seats[hand].append((computer_id(f"{computer} {name}") if computer else player_id(merged or player), shared))
    for row in hands.order_by("game", "number"):
        of_game = found.setdefault(row.game.public_id, {})
        number = row.number if row.game.board_set_id is not None else len(of_game) + 1
        there = seats.get(row.pk, [])
        counts = len(there) == row.game.table_size and not row.deal.is_sealed and not any(shared for _, shared in there)
        people = tuple(who for who, _shared in there) if counts else ()
        of_game[number] = SeatedLineup(people, days.get(row.pk, 0), row.deal.origin == SHARED)
    return found


Lineup = tuple[tuple[str, ...], ...]
"""Who sat on which side, by the ids of `ratings.sources`."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal as it was written down, or several added up (`of`). `when`: the day, from 1970-01-01.

    `board`: names the deal where other tables play the same one; then `sides` are in the order of the cards.
    """

    number: int
    kind: Kind
    sides: Lineup
    scores: tuple[int, ...]
    when: int
    of: int = 1
    board: str = ""


@dataclass(slots=True)
class _Sum:
    first: int
    scores: list[int]
    deals: int = 0
    when: int = 0


def results_of(key: str, deals: Iterable[Deal]) -> list[Result]:
    """The results of one table or game, whose id begins with `key`: one for each lineup, and one for each shared deal.

    Deals in which one person sat at two places (as a guest and with their account) are left out.
    """
    sums: dict[tuple[Kind, Lineup, str], _Sum] = {}
    for deal in sorted(deals, key=lambda each: each.number):
        people = [who for side in deal.sides for who in side]
        if len(set(people)) < len(people):
            continue
        found = sums.setdefault((deal.kind, deal.sides, deal.board), _Sum(deal.number, [0] * len(deal.scores)))
        found.scores = [have + more for have, more in zip(found.scores, deal.scores, strict=True)]
        found.deals += deal.of
        found.when = max(found.when, deal.when)
    return [
        Result(
            id=f"{key}/{found.first:03}",
            when=found.when,
            ruleset=kind.name,
            kind=kind.kind,
            deals=found.deals,
            sides=tuple(zip(lineup, found.scores, strict=True)),
            board=board,
        )
        for (kind, lineup, board), found in sums.items()
    ]


AT_ONCE: Final = 50
"""So many tournaments are read together."""


def of_tournaments(accounts: Accounts) -> Iterator[tuple[list[Result], set[str]]]:
    """What was played at every tournament, with the games on this site that belong to it.

    Two queries for each `AT_ONCE` of them, two more where some were played on this site. The day of a tournament is that
    of its announcement; but what was written before that day (by a slip in the date) was played by then.
    """
    rows = Tournament.objects.filter(status__in=(Tournament.Status.RUNNING, Tournament.Status.CLOSED))
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), AT_ONCE):
        found = list(rows.filter(pk__in=keys[start : start + AT_ONCE]).annotate(last=Max("events__at")).order_by("pk"))
        states = states_of(found)
        games = {each.pk: games_of(states[each.pk]) for each in found}
        online = seated({game for some in games.values() for game in some})
        for each in found:
            day = day_of(min(each.starts, each.last))
            yield of_state(each.public_id, states[each.pk], day, accounts, online), games[each.pk]


def of_state(tournament: str, state: State, day: int, accounts: Accounts, online: Seated) -> list[Result]:
    """What was played at the tables of a tournament (by its public id)."""
    found: list[Result] = []
    for played in [each for phase in state.phases for each in phase.rounds if each.status != DRAFT]:
        board = f"{tournament}/{played.key}" if played.board_set else ""
        for number, table in sorted(played.tables.items()):
            deals = of_table(table, day, accounts, online, board)
            found += results_of(f"e/{tournament}/{played.key}.{number:03}", deals)
    return found


def of_table(table: Table, day: int, accounts: Accounts, online: Seated, board: str = "") -> Iterator[Deal]:
    """The deals of a confirmed table, with the people who sat there. `board` is what the deals of the round are called where
    all its tables play the same ones.

    A deal that decided a drawn round is none of them, nor one whose sum is wrong, nor one of this site that does not count.
    """
    if table.state != CONFIRMED:
        return
    game = online.get(table.game, {})
    for number, line in table.lines:
        if line.extra or not _adds_up(table, line):
            continue
        places = sides_of(table, number)
        kind = kind_of(table.ruleset, places)
        sat = game.get(number)
        if kind is None or (sat is not None and not sat.people):
            continue
        people = sat.people if sat else tuple(entry_id(person, accounts) for person in table.people)
        sides = [
            (tuple(people[place] for place in side), score) for side, score in zip(places, line.scores, strict=True)
        ]
        same = board if sat is not None and sat.shared and line.of == 1 else ""
        if same:  # in the order of the cards, so that the first side of every table held the same ones
            order = sorted(range(len(sides)), key=lambda at: lane_of(table, at, number))
            sides = [sides[at] for at in order]
        yield Deal(
            number=number,
            kind=kind,
            sides=tuple(players for players, _score in sides),
            scores=tuple(score for _players, score in sides),
            when=sat.when if sat else day,
            of=line.of,
            board=f"{same}/{number}" if same else "",
        )


def _adds_up(table: Table, line: Line) -> bool:
    return table.total is None or sum(line.scores) == table.total * line.of


class Seat(NamedTuple):
    """A seat in a hand: who played it, and what came of it."""

    game: str
    options: object
    hand: int
    dealer: int
    shared_deal: str
    seat: int
    player: int
    party: int
    points: int
    score: int
    ruleset: str
    size: int
    at: datetime


def of_games(without: Collection[str] = ()) -> Iterator[Result]:
    """What was played in all games that count, but not in those with these public ids. One query.

    A hand counts when it was played by people only, each seat by one person alone; of deals that other tables have too,
    when they are open.
    """
    for game, seats in groupby(_seats(), key=attrgetter("game")):
        if game not in without:
            hands = [list(hand) for _number, hand in groupby(seats, key=attrgetter("hand"))]
            yield from results_of(f"g/{game}", [deal for hand in hands if (deal := _deal(hand)) is not None])


def _seats() -> Iterator[Seat]:
    """All seats of hands that may count, by game, hand and seat."""
    rows = (
        PlayedSeat.objects.filter(hand__game__kind=Game.Kind.PLAY, people_only=True, shared=False)
        .exclude(sealed("hand__deal"))
        .order_by("hand__game", "hand__number", "seat")
        .values_list(
            "hand__game__public_id", "hand__game__options", "hand__number", "hand__dealer", "hand__deal__origin",
            "hand__deal__table", "hand__deal__ordinal", "seat", "player", "player__merged_into", "party", "points",
            "score", "ruleset", "table_size", "at",
        )
    )  # fmt: skip
    for row in rows.iterator(2000):
        game, options, hand, dealer, origin, table, ordinal, seat, player, merged, *_played = row
        board = f"{table}/{ordinal}" if origin == SHARED else ""
        yield Seat(game, options, hand, dealer, board, seat, merged or player, *row[10:])


def _deal(hand: Sequence[Seat]) -> Deal | None:
    """A hand; None for one in which a seat is missing (somebody else made some of its moves), or that counts nowhere."""
    first = hand[0]
    if len(hand) != first.size:
        return None
    try:
        rules = ruleset(first.ruleset, seats=first.size)
    except UnknownRuleset:
        return None
    parties = rules.parties(rules.sides)
    kind = kind_of(first.ruleset, parties)
    if kind is None:
        return None
    if first.shared_deal:  # everywhere in the order of the cards, from the dealer on
        parties = tuple(sorted(parties, key=lambda party: min((seat - first.dealer) % first.size for seat in party)))
    return Deal(
        number=first.hand,
        kind=kind,
        sides=tuple(tuple(player_id(hand[seat].player) for seat in party) for party in parties),
        scores=tuple(_score(hand[party[0]], kind, rules) for party in parties),
        when=day_of(first.at),
        board=first.shared_deal,
    )


def _score(seat: Seat, kind: Kind, rules: Ruleset) -> int:
    """What a side made: card points; in games for money Rappen, as if it had been for the usual stake."""
    usual = usual_stake(rules)
    if kind.kind != EACH or not usual:
        return seat.points
    options = seat.options if isinstance(seat.options, dict) else {}
    stake = int(options.get("stake", usual)) or usual
    return seat.score // stake * usual


def results() -> list[Result]:
    """All results, in no particular order. A few queries, however many they are: see `evenings.of_tournaments`.

    A game that was laid for a table of a tournament counts there, as its director says, and not once more by itself.
    """
    found: list[Result] = []
    games: set[str] = set()
    for played, theirs in of_tournaments(accounts()):
        found += played
        games |= theirs
    found += of_games(without=games)
    return found
