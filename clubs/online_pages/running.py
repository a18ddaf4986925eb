"""How far the tables of an online round are: for the desk, which has to know whom a table waits for.

Nothing of the cards, and no points: of a game with sealed deals not even the desk learns more than how far it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from accounts.models import Player
from clubs.evening.state import CONFIRMED, Round, State, Table
from clubs.online import reporting
from clubs.tournaments.seen import Names
from games import clocks, directing
from games.models import Game
from games.pace import State as SeatState
from games.watching import rights


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
    """The entrants a table waits for; as `clubs.online.reporting` reckons, and nobody where it is decided."""
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
        game=game.public_id if game is not None and rights.may_see(game, viewer) else "",
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
    clock = clocks.of(game)
    if clock is None:
        return ()
    return tuple(
        Waits(
            people[seat],
            away=clock.seats[seat].state is SeatState.AWAY,
            sought=clock.seats[seat].state is SeatState.SOUGHT,
        )
        for seat in directing.waiting_seats(game)
        if seat < len(table.people)
    )
