"""All results that count for ratings, read from the logs of club tournaments and of games on this site.

The ids that the arithmetic uses for people are never shown, nor stored with a rating. All that the same people played
together on the same sides is one result.
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
"""Separates a game from the number of people if it is played in a form that its rules do not describe."""


class Kind(NamedTuple):
    """The name of the ratings, and the kind of comparison: one of `domain.rating.results.KINDS`."""

    name: str
    kind: str


def kind_of(ruleset_id: str, sides: Sequence[Sequence[object]]) -> Kind | None:
    """The ratings that a deal with these sides counts for; None if for none.

    What counts: games with partners, with the sides of their rules; games each alone, at tables of any size; and games
    with partners that were played each alone, which have ratings of their own (``troccas@5``). Ratings of one name are
    always of one kind.
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
    """The usual stake of this game, in Rappen; 0 if it is not played for money.

    A table online may agree on another stake; its scores are converted to this one.
    """
    default = next((option.default for option in rules.options if option.name == "stake"), 0)
    return default if isinstance(default, int) else 0


_PLAYER: Final = "player:"
_MEMBER: Final = "member:"
_COMPUTER: Final = "computer:"

Accounts = Mapping[str, int]
"""The key of the account that belongs to an entry in a club's list, by the public id of the entry."""


def player_id(key: int) -> str:
    """The id of a player with an account or a guest, the same wherever they play."""
    return f"{_PLAYER}{key}"


def computer_id(name: str) -> str:
    """The id of a computer player of this strength."""
    return f"{_COMPUTER}{name}"


def is_computer(person: str) -> bool:
    """Whether this id is that of a computer player."""
    return person.startswith(_COMPUTER)


def entry_id(person: str, accounts: Accounts) -> str:
    """The id of a person in a tournament: a computer player, or an entry in a club's list, perhaps with an account."""
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
    """The day in local time (`settings.TIME_ZONE`), counted from 1970-01-01."""
    return moment.astimezone(ZoneInfo(settings.TIME_ZONE)).toordinal() - _FIRST_DAY


def date_of(day: int) -> date:
    return date.fromordinal(day + _FIRST_DAY)


_COUNTED: Final = (GameHand.Status.PLAYED, GameHand.Status.PASSED)
"""The hands that are on the sheet of a table; deals that were thrown in are not (`tournaments.online.services`)."""


class SeatedLineup(NamedTuple):
    """A deal: who played at each place (empty if it does not count), the day, and whether its cards are shared."""

    people: tuple[str, ...]
    when: int
    shared: bool


Seated = Mapping[str, Mapping[int, SeatedLineup]]
"""Lineups by the public id of a game and the number of the deal on the sheet of its table."""


def games_of(state: State) -> set[str]:
    """The games that were created for tables of a tournament, including those that were called off."""
    tables = [table for phase in state.phases for each in phase.rounds for table in each.tables.values()]
    found = {table.game for table in tables} | {change.game for table in tables for change in table.changes}
    return found - {""}


def seated(games: Collection[str]) -> Seated:
    """Who sat where in the games with these public ids. Two queries, none without games.

    A deal does not count if it was passed, if it is sealed, or if somebody else made some of a seat's moves.
    """
    if not games:
        return {}
    lineups: dict[str, dict[int, SeatedLineup]] = {}
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
        of_game = lineups.setdefault(row.game.public_id, {})
        number = row.number if row.game.board_set_id is not None else len(of_game) + 1
        there = seats.get(row.pk, [])
        counts = len(there) == row.game.table_size and not row.deal.is_sealed and not any(shared for _, shared in there)
        people = tuple(who for who, _shared in there) if counts else ()
        of_game[number] = SeatedLineup(people, days.get(row.pk, 0), row.deal.origin == SHARED)
    return lineups


Lineup = tuple[tuple[str, ...], ...]
"""Who sat on which side, by the ids of `ratings.sources`."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal as it was written down, or `of` deals added up. `when`: the day, counted from 1970-01-01.

    `board` names the deal if other tables play the same one; `sides` are then in the order of the cards.
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
    """The results of one table or game: one for each lineup, and one for each shared deal. Their ids begin with `key`.

    Deals in which one person sat in two places (as a guest and with their account) are left out.
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
"""The number of tournaments that are read together."""


def of_tournaments(accounts: Accounts) -> Iterator[tuple[list[Result], set[str]]]:
    """The results of every tournament, with the games on this site that belong to it.

    Two queries for every `AT_ONCE` tournaments, and two more if some were played on this site. The day of a tournament
    is the announced one, or that of the last entry in its log if that is earlier (the date was mistyped).
    """
    rows = Tournament.objects.filter(status__in=(Tournament.Status.RUNNING, Tournament.Status.CLOSED))
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), AT_ONCE):
        batch = list(rows.filter(pk__in=keys[start : start + AT_ONCE]).annotate(last=Max("events__at")).order_by("pk"))
        states = states_of(batch)
        games = {each.pk: games_of(states[each.pk]) for each in batch}
        online = seated({game for some in games.values() for game in some})
        for each in batch:
            day = day_of(min(each.starts, each.last))
            yield of_state(each.public_id, states[each.pk], day, accounts, online), games[each.pk]


def of_state(tournament: str, state: State, day: int, accounts: Accounts, online: Seated) -> list[Result]:
    """The results of all tables of the tournament with this public id."""
    results: list[Result] = []
    for played in [each for phase in state.phases for each in phase.rounds if each.status != DRAFT]:
        board = f"{tournament}/{played.key}" if played.board_set else ""
        for number, table in sorted(played.tables.items()):
            deals = of_table(table, day, accounts, online, board)
            results += results_of(f"e/{tournament}/{played.key}.{number:03}", deals)
    return results


def of_table(table: Table, day: int, accounts: Accounts, online: Seated, board: str = "") -> Iterator[Deal]:
    """The deals of a confirmed table, with the people who sat there.

    `board` names the deals of the round if all its tables play the same ones. Left out are extra deals that decided a
    draw, deals with a wrong sum, and deals played on this site that do not count.
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
        shared_board = board if sat is not None and sat.shared and line.of == 1 else ""
        if shared_board:  # in the order of the cards, so that the first side of every table held the same ones
            order = sorted(range(len(sides)), key=lambda at: lane_of(table, at, number))
            sides = [sides[at] for at in order]
        yield Deal(
            number=number,
            kind=kind,
            sides=tuple(players for players, _score in sides),
            scores=tuple(score for _players, score in sides),
            when=sat.when if sat else day,
            of=line.of,
            board=f"{shared_board}/{number}" if shared_board else "",
        )


def _adds_up(table: Table, line: Line) -> bool:
    return table.total is None or sum(line.scores) == table.total * line.of


class Seat(NamedTuple):
    """A seat in a hand: who played it, and the result."""

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
    """The results of all games that count, except those with the public ids `without`. One query.

    A hand counts if only people played it, each seat by one person alone, and if its deal is not sealed because other
    tables still play it.
    """
    for game, seats in groupby(_seats(), key=attrgetter("game")):
        if game not in without:
            hands = [list(hand) for _number, hand in groupby(seats, key=attrgetter("hand"))]
            yield from results_of(f"g/{game}", [deal for hand in hands if (deal := _deal(hand)) is not None])


def _seats() -> Iterator[Seat]:
    """All seats of hands that may count, ordered by game, hand and seat."""
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
    """The hand as a deal; None if a seat is missing (somebody else made some of its moves), or if it counts nowhere."""
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
    if first.shared_deal:  # the same order of cards at every table: from the dealer on
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
    """What a side scored: card points or, in games for money, Rappen converted to the usual stake."""
    usual = usual_stake(rules)
    if kind.kind != EACH or not usual:
        return seat.points
    options = seat.options if isinstance(seat.options, dict) else {}
    stake = int(options.get("stake", usual)) or usual
    return seat.score // stake * usual


def results() -> list[Result]:
    """All results, in no particular order. Few queries: see `of_tournaments`.

    A game that was created for a table of a tournament counts only there, as its director decided, not by itself.
    """
    all_results: list[Result] = []
    tournament_games: set[str] = set()
    for played, games in of_tournaments(accounts()):
        all_results += played
        tournament_games |= games
    all_results += of_games(without=tournament_games)
    return all_results
