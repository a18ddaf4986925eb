"""The deals that all tables of a round play: which of them are open, and what each table made of those.

This is the one way by which pages and files come to know anything of such a deal. What is sealed is not read here: of a deal
that some table has still to play nothing is told but that, and how many tables have played it.

How far the tables of an online round are: for the desk, which has to know whom a table waits for.

Nothing of the cards, and no points: of a game with sealed deals not even the desk learns more than how far it is.

The state of a tournament as those may read it who must not know sealed deals: everybody but the desk.

What a game brought is reported once all its deals are open. A director may have written something earlier at a table whose
deals others have still to play; then those lines wait behind the veil until the last deal of the round is open, as if the
table were still playing: in pages, standings, files and feeds alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, cast

from accounts.models import Player
from domain.pace import State as SeatState
from domain.tournament.state import CONFIRMED, DRAFT, PLAYING, Line, Phase, Round, State, Table
from games import permissions as watching_permissions
from games import projections
from games.models import Game, GameHand
from games.services import boards, seats
from tournaments.online import reporting
from tournaments.read_models import Names

ENDED: Final = (GameHand.Status.PLAYED, GameHand.Status.THROWN_IN, GameHand.Status.PASSED)


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """A deal of a round. `played` of `tables` have played it; it is open (`opened_at`) once there is none left to."""

    number: int
    commitment: str
    played: int
    tables: int
    opened_at: datetime | None

    @property
    def is_open(self) -> bool:
        """Whether everybody may see it."""
        return self.opened_at is not None


@dataclass(frozen=True, slots=True)
class Shared:
    """The deals of a round, and the round as it may be seen: lines of open deals only. `games` by the table's number, in its order."""

    deals: tuple[SharedDeal, ...]
    round: Round
    games: Mapping[int, Game] = field(default_factory=dict)

    def deal(self, number: int) -> SharedDeal | None:
        """One of them."""
        return next((each for each in self.deals if each.number == number), None)

    @property
    def open_numbers(self) -> frozenset[int]:
        """The numbers of the deals that are open."""
        return frozenset(each.number for each in self.deals if each.is_open)


def shared_of(round: Round) -> Shared:
    """What may be known of the deals of a duplicate round. Three queries; none where no deals were laid yet."""
    if not round.board_set:
        return Shared((), _bare(round))
    laid = boards.opened(round.board_set)
    tables = {table.game: number for number, table in round.tables.items() if table.game}
    found = Game.objects.filter(public_id__in=tables).select_related("board_set")
    games = dict(sorted((tables[game.public_id], game) for game in found))  # no two share a number
    ended: dict[int, set[int]] = {number: set() for number in laid}
    rows = GameHand.objects.filter(game__in=games.values(), status__in=ENDED)
    for game, number in rows.values_list("game", "number"):
        if number in ended:
            ended[number].add(game)
    playing = {game.pk for game in games.values() if game.status == Game.Status.PLAYING}
    open_ = {number for number, opened_at in laid.items() if opened_at is not None}
    return Shared(
        deals=tuple(
            SharedDeal(
                board.number,
                board.commitment,
                len(ended.get(board.number, ())),
                len(playing | ended.get(board.number, set())),
                laid.get(board.number),
            )
            for board in round.boards
        ),
        round=_opened(round, games, open_),
        games=games,
    )


def sealed_sets(rounds: Collection[Round]) -> frozenset[str]:
    """Which of these rounds have deals that are not all open yet, by their keys. One query; none without shared deals."""
    sets = {each.board_set: each.key for each in rounds if each.board_set}
    if not sets:
        return frozenset()
    return frozenset(sets[name] for name in boards.with_sealed(sets))


def _opened(round: Round, games: Mapping[int, Game], open_: Collection[int]) -> Round:
    """The round with lines of open deals only: those reported, or, where nothing is yet, those of the table's game."""
    found: dict[int, tuple[tuple[int, Line], ...]] = {}
    for number, game in games.items():
        table = round.tables[number]
        if open_ and table.state != CONFIRMED and not table.lines:
            found[number] = tuple(each for each in _played(game, table) if each[0] in open_)
    tables = {}
    for number, table in round.tables.items():
        if found.get(number):
            tables[number] = replace(table, lines=found[number], state=CONFIRMED)
        else:
            tables[number] = replace(table, lines=tuple(each for each in table.lines if each[0] in open_))
    return replace(round, tables=tables)


def _played(game: Game, table: Table) -> Iterator[tuple[int, Line]]:
    """The deals a game has played so far, as it will report them."""
    for line in reporting.lines_of(game, table):
        said = cast("Mapping[str, Any]", line)
        yield int(said["deal"]), Line(tuple(said["scores"]), writer=-1)


def _bare(round: Round) -> Round:
    return replace(round, tables={number: replace(table, lines=()) for number, table in round.tables.items()})


@dataclass(frozen=True, slots=True)
class Waits:
    """Whom a table waits for. `away`: their time ran out, and a computer player acts; `sought`: a substitute is looked for."""

    name: str
    away: bool
    sought: bool


@dataclass(frozen=True, slots=True)
class TableRunning:
    """A table: its game, if the reader may see it, `played` of `deals`, whom it waits for and since when.

    `decided`: it counts. `forfeit` are names of those who kept it waiting; `corrected`: the director has written it.
    """

    key: str
    number: int
    people: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    begun: bool
    game: str
    sealed: bool
    over: bool
    played: int
    deals: int
    waits: tuple[Waits, ...]
    since: datetime | None
    decided: bool
    late: bool
    short: bool
    forfeit: tuple[str, ...]
    corrected: bool


def running(state: State, round: Round, names: Names, viewer: Player | None) -> tuple[TableRunning, ...]:
    """The tables of a round by their numbers. Three queries."""
    games = games_of(round)
    return tuple(
        _table(state, round, table, games.get(number), names, viewer) for number, table in sorted(round.tables.items())
    )


def games_of(round: Round) -> dict[int, Game]:
    """The games of a round by the numbers of their tables, with their seats. Two queries."""
    numbers = {table.game: number for number, table in round.tables.items() if table.game}
    rows = Game.objects.filter(public_id__in=numbers).select_related("board_set").prefetch_related("seats")
    return {numbers[game.public_id]: game for game in rows}


def waiting(state: State, table: Table, game: Game | None) -> list[str]:
    """The entrants a table waits for; as `tournaments.online.reporting` reckons, and nobody where it is decided."""
    if game is None or game.status != Game.Status.PLAYING or table.state == CONFIRMED:
        return []
    return reporting.who_keeps_waiting(state, table, game)


def _table(
    state: State, round: Round, table: Table, game: Game | None, names: Names, viewer: Player | None
) -> TableRunning:
    goes_on = game is not None and game.status == Game.Status.PLAYING and table.state != CONFIRMED
    people = tuple(names.person(person) for person in table.people)
    return TableRunning(
        key=f"{round.key}.{table.number}",
        number=table.number,
        people=people,
        sides=tuple(tuple(people[place] for place in side) for side in table.sides),
        begun=bool(table.game),
        game=game.public_id if game is not None and watching_permissions.may_see(game, viewer) else "",
        sealed=game is not None and game.is_sealed,
        over=game is not None and game.status != Game.Status.PLAYING,
        played=game.hands_played if game is not None else table.played,
        deals=table.deals,
        waits=_waits(table, game, people) if game is not None and goes_on else (),
        since=game.acted_at if game is not None and goes_on else None,
        decided=table.state == CONFIRMED,
        late=table.late and table.state != CONFIRMED,
        short=table.short,
        forfeit=tuple(names.entrant(state.entrants[id]) for id in table.forfeit),
        corrected=table.corrected,
    )


def _waits(table: Table, game: Game, people: tuple[str, ...]) -> tuple[Waits, ...]:
    clock = projections.clock_of(game)
    if clock is None:
        return ()
    return tuple(
        Waits(
            people[seat],
            away=clock.seats[seat].state is SeatState.AWAY,
            sought=clock.seats[seat].state is SeatState.SOUGHT,
        )
        for seat in seats.waiting_seats(game)
        if seat < len(table.people)
    )


def veiled(state: State) -> State:
    """The state without what tells something of a sealed deal. One query where deals are shared, none elsewhere."""
    rounds = [
        each
        for phase in state.phases
        for each in phase.rounds
        if each.board_set and each.status != DRAFT and any(table.lines for table in each.tables.values())
    ]
    sealed = sealed_sets(rounds)
    if not sealed:
        return state
    return replace(state, phases=tuple(_phase(phase, sealed) for phase in state.phases))


def _phase(phase: Phase, sealed: Collection[str]) -> Phase:
    return replace(
        phase,
        rounds=tuple(
            replace(each, tables={number: _redacted_table(table) for number, table in each.tables.items()})
            if each.key in sealed
            else each
            for each in phase.rounds
        ),
    )


def _redacted_table(table: Table) -> Table:
    if not table.lines:
        return table
    return replace(table, lines=(), state=PLAYING, confirmed_by="", short=False, dispute=None, changes=(), note="")
