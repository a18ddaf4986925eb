"""The big screen as data: seats by name and by table, tables one waits for, the ranking. Everything readable from afar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clubs.text import standings
from core.text import fold
from domain.tournament.state import CONFIRMED, HERE, OUT, PLAYING, Round, State
from tournaments.live.selectors import ClockSeen, clock_seen, label, ranks, side_marks
from tournaments.models import Tournament
from tournaments.read_models import Names, Seat

SLIDES: Final = ("welcome", "names", "tables", "clock", "waiting", "ranking")
MOST_CRITERIA: Final = 2


@dataclass(frozen=True, slots=True)
class NameLine:
    """Where somebody sits. `table` 0: sits out. `phase` only where several parts play at once."""

    name: str
    table: int
    phase: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table with its sides, (mark, names) each, and its state."""

    number: int
    phase: str
    sides: tuple[tuple[str, str], ...]
    state: str


@dataclass(frozen=True, slots=True)
class RankLine:
    """A line of the ranking; `values` by `ScreenSeen.criteria`, as people read them."""

    rank: int
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScreenSeen:
    """All the screen can show. `slides` are those that say something now, in the order in which they turn.

    `seated` tells whether a round is being played; `waits` are the tables that are not confirmed.
    """

    title: str
    slides: tuple[str, ...]
    names: tuple[NameLine, ...]
    tables: tuple[TableLine, ...]
    waits: tuple[TableLine, ...]
    done: int
    ranking: tuple[RankLine, ...]
    criteria: tuple[str, ...]
    final: bool
    clock: ClockSeen | None
    here: int
    expected: int
    seated: bool


def screen_seen(tournament: Tournament, state: State, names: Names, title: str) -> ScreenSeen:
    """What the screen shows of a tournament; drafts are never on it. No query but that of `names`."""
    rounds = _current(state)
    many = len({round.phase for round in rounds}) > 1
    lines: list[NameLine] = []
    tables: list[TableLine] = []
    for round in rounds:
        phase = state.phases[round.phase - 1].name if many else ""
        for number, table in sorted(round.tables.items()):
            lines += [NameLine(names.person(person), number, phase) for person in table.people]
            marks = side_marks(table)
            seats = [Seat(0, person, "", "", names.short(person), 0, False) for person in table.people]
            sides = tuple((mark, label(seats, side)) for mark, side in zip(marks, table.sides, strict=True))
            tables.append(TableLine(number, phase, sides, table.state))
        lines += [
            NameLine(names.person(person), 0, phase)
            for id in round.byes
            for person in state.entrants[id].people(round.phase, round.number)
        ]
    ranked, criteria, final = _ranking(tournament, state, names)
    waits = tuple(line for line in tables if line.state != CONFIRMED)
    clock = next((found for round in rounds if (found := clock_seen(round)) is not None), None)
    moved = any(line.state != PLAYING for line in tables)
    told = {
        "welcome": not rounds and not ranked,
        "names": bool(lines),
        "tables": bool(tables),
        "clock": clock is not None,
        "waiting": bool(waits) and moved,
        "ranking": bool(ranked),
    }
    people = [each for each in state.entrants.values() if each.members]
    return ScreenSeen(
        title=title,
        slides=tuple(name for name in SLIDES if told[name]),
        names=tuple(sorted(lines, key=lambda line: (fold(line.name), line.table))),
        tables=tuple(tables),
        waits=waits,
        done=len(tables) - len(waits),
        ranking=ranked,
        criteria=criteria,
        final=final,
        clock=clock,
        here=sum(len(each.members) for each in people if each.status == HERE),
        expected=sum(len(each.members) for each in people if each.status in (HERE, "expected")),
        seated=bool(rounds),
    )


def _current(state: State) -> list[Round]:
    """The rounds that are played now: of every part the latest that is out and not closed."""
    found = []
    for phase in state.phases:
        out = [round for round in phase.rounds if round.status == OUT]
        if out:
            found.append(out[-1])
    return found


def _ranking(tournament: Tournament, state: State, names: Names) -> tuple[tuple[RankLine, ...], tuple[str, ...], bool]:
    found = ranks(tournament.public_id, state)
    ranked = sorted(
        ((rank.rank, id, rank) for id, rank in found.of.items() if rank.rank),
        key=lambda each: (each[0], fold(names.entrant(state.entrants[each[1]]))),
    )
    played = any(score.kind == "played" for _rank, _id, rank in ranked for score in rank.rounds)
    if not ranked or not played:
        return (), (), False
    criteria = tuple(name for name, _value in ranked[0][2].values[:MOST_CRITERIA])
    lines = []
    for place, id, rank in ranked:
        values = dict(rank.values)
        said = tuple(standings.value(name, values.get(name)) for name in criteria)
        lines.append(RankLine(place, names.entrant(state.entrants[id]), said))
    return tuple(lines), criteria, found.final
