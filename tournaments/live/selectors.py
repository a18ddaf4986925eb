"""What phones and the big screen in the hall show: the ranking, the clock, the sheet of a table, the slides."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from clubs import text
from domain.engine.rulesets import ruleset
from domain.standings.criteria import RoundScore
from domain.tournament.score_sheets import DESK
from domain.tournament.scoring import ranking
from domain.tournament.state import (
    CONFIRMED,
    DRAFT,
    HANDED_IN,
    HERE,
    OUT,
    PLAYING,
    Line,
    Phase,
    Round,
    State,
    Table,
    sides_of,
)
from tournaments.models import Tournament
from tournaments.read_models import ClockSeen, Names, Seat, TableSeen, clock_seen

MOST_KEPT: Final = 32

Results = tuple[object, ...]
"""Everything that a ranking depends on."""

_kept: OrderedDict[str, tuple[Results, Ranks]] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class RankOf:
    """An entrant's line of the ranking over all phases. `rank` 0: not ranked. `values` by the criteria."""

    rank: int
    shared: bool
    phase: int
    values: tuple[tuple[str, int | None], ...]
    rounds: tuple[RoundScore, ...]


@dataclass(frozen=True, slots=True)
class Ranks:
    """The ranking by entrants, and whether it is final."""

    of: Mapping[str, RankOf]
    final: bool
    ranked: int


def ranks(public_id: str, state: State) -> Ranks:
    """The ranking of a tournament in `state`, from confirmed tables only."""
    results = _results(state)
    with _lock:
        before = _kept.get(public_id)
    # States share what did not change, so comparing is cheap; writing a deal does not change the ranking.
    if before is not None and before[0] == results:
        return before[1]
    places, final = ranking(state)
    all_ranks = [place.rank for place in places]
    computed = Ranks(
        of={
            place.row.entrant: RankOf(
                place.rank,
                place.rank > 0 and all_ranks.count(place.rank) > 1,
                place.phase,
                place.row.values,
                place.row.sheet.rounds,
            )
            for place in places
        },
        final=final,
        ranked=sum(rank > 0 for rank in all_ranks),
    )
    with _lock:
        _kept[public_id] = (results, computed)
        _kept.move_to_end(public_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return computed


def _results(state: State) -> Results:
    """Everything that the ranking depends on. Of a table that is not confirmed, only its people matter."""
    phases = tuple(
        (
            phase.plan,
            (phase.after, phase.carry, phase.entrants, phase.finished),
            tuple(
                (
                    round.number,
                    round.status == DRAFT,
                    round.byes,
                    tuple(
                        (number, table if table.state == CONFIRMED else table.people)
                        for number, table in round.tables.items()
                    ),
                )
                for round in phase.rounds
            ),
        )
        for phase in state.phases
    )
    return (phases, state.entrants, state.penalties, state.penalties_cancelled, state.lots)


LETTERS: Final = "ABCDEFGH"


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the table. `mark`: A or B if there are two sides (their colours), else empty. `total` so far."""

    index: int
    mark: str
    names: tuple[str, ...]
    short: str
    own: bool
    total: int


@dataclass(frozen=True, slots=True)
class Part:
    """One side of one deal: its names, its mark, and its points if they are written."""

    label: str
    mark: str
    own: bool
    score: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """A deal.

    `running`: the points of each usual side after it. `seen`: its scores as a form sends them back (`line_seen`).

    `writer` is "" for the director. `remark` is a code: split or struck by the house rules, or wrong-sum.
    """

    number: int
    extra: bool
    of: int
    dealer: str
    looks_on: tuple[str, ...]
    parts: tuple[Part, ...]
    written: bool
    running: tuple[int, ...]
    writer: str
    by_desk: bool
    seen: str
    remark: str


@dataclass(frozen=True, slots=True)
class SheetSeen:
    """A table's sheet for one of its sides. `next` is the first deal that is not written; 0 if all are.

    `may_extra`: the house rules decide a draw by an extra deal, and the sides are equal.
    """

    table: TableSeen
    sides: tuple[Side, ...]
    rows: tuple[Row, ...]
    next: int
    may_extra: bool
    in_rappen: bool
    minus: bool
    seen: str
    wrong_sum: str


def line_seen(line: Line | None) -> str:
    """A line as forms send it back, to notice whether it was changed meanwhile: "36,36"; empty if there is none."""
    return ",".join(map(str, line.scores)) if line else ""


def lines_seen(lines: Sequence[tuple[int, Line]]) -> str:
    """A whole sheet as forms send it back: "1:36,36;2:40,32"."""
    return ";".join(f"{number}:{line_seen(line)}" for number, line in lines)


def _rows(table: Table, seen: TableSeen, own: tuple[int, ...]) -> list[Row]:
    """The lines of the sheet with what each side has after it; `own` are the places of the viewer's side."""
    marks = side_marks(table)
    remarks = {problem.deal: problem.code for problem in seen.problems if problem.deal}
    order = {number: position for position, (number, _line) in enumerate(table.lines, 1)}
    running = [0] * len(table.sides)
    rows: list[Row] = []
    for deal in seen.sheet:
        line = deal.line
        places = sides_of(table, deal.number)
        if line and not line.extra:
            for index, (first, *_others) in enumerate(table.sides):
                # If somebody looks on in turn, each place counts by itself, as the first of its side.
                running[index] += sum(score for side, score in zip(places, line.scores, strict=True) if first in side)
        writer = _writer(table, deal.number, line) if line else DESK
        parts = tuple(
            Part(
                label=label(seen.seats, side),
                mark=_mark(table, side, position, marks),
                own=not set(side).isdisjoint(own),
                score=line.scores[position] if line else None,
            )
            for position, side in enumerate(places)
        )
        rows.append(
            Row(
                number=deal.number,
                extra=bool(line and line.extra),
                of=line.of if line else 1,
                dealer=deal.dealer,
                looks_on=deal.looks_on,
                parts=parts,
                written=line is not None,
                running=tuple(running),
                writer=seen.seats[writer].short if line and writer >= 0 else "",
                by_desk=bool(line and writer < 0),
                seen=line_seen(line),
                remark=remarks.get(order.get(deal.number, 0), ""),
            )
        )
    return rows


def _writer(table: Table, deal: int, line: Line) -> int:
    """The place that wrote a line, also where the director has corrected the sheet and left this line as it was."""
    for change in reversed(table.changes):
        before = dict(change.before).get(deal)
        if line.writer != DESK or before is None or replace(before, writer=DESK) != line:
            break
        line = before
    return line.writer


def sheet_seen(phase: Phase, table: Table, seen: TableSeen, place: int) -> SheetSeen:
    """The sheet as the side of `place` sees it."""
    own = next(index for index, side in enumerate(table.sides) if place in side)
    marks = side_marks(table)
    sides = tuple(
        Side(
            index=index,
            mark=marks[index],
            names=tuple(seat.name for seat in side),
            short=label(seen.seats, table.sides[index]),
            own=index == own,
            total=seen.sums[index],
        )
        for index, side in enumerate(seen.sides)
    )
    rows = _rows(table, seen, table.sides[own])
    extra_there = any(row.extra for row in rows)
    equal = len(table.sides) == 2 and not table.in_turn and seen.sums[0] == seen.sums[1]
    drawn = phase.plan.extra_deal and bool(table.lines) and table.played >= table.deals
    money = in_rappen(table.ruleset)
    return SheetSeen(
        table=seen,
        sides=sides,
        rows=tuple(rows),
        next=next((row.number for row in rows if not row.written), 0),
        may_extra=drawn and equal and not extra_there and table.state != HANDED_IN,
        in_rappen=money,
        minus=money or table.total in (0, None),
        seen=lines_seen(table.lines),
        wrong_sum=phase.plan.rules.wrong_sum,
    )


def label(seats: Sequence[Seat], side: Sequence[int]) -> str:
    """The short names of a side: "Maria C. & Gion D."."""
    return " & ".join(seats[place].short for place in side)


def side_marks(table: Table) -> tuple[str, ...]:
    """A and B if there are two sides; empty marks otherwise, where they would say nothing."""
    two = len(table.sides) == 2
    return tuple(LETTERS[index] if two else "" for index in range(len(table.sides)))


def in_rappen(ruleset_id: str) -> bool:
    """Whether this game is written in Rappen."""
    return any(option.name == "stake" for option in ruleset(ruleset_id).options)


def _mark(table: Table, side: Sequence[int], position: int, marks: Sequence[str]) -> str:
    if table.in_turn:
        return LETTERS[position]
    return marks[table.sides.index(tuple(side))]


SLIDES: Final = ("welcome", "names", "tables", "clock", "waiting", "ranking")
MOST_CRITERIA: Final = 2


@dataclass(frozen=True, slots=True)
class NameLine:
    """Where a person sits. `table` 0: they sit out. `phase` only if several parts play at once. Sorted by `order`."""

    name: str
    table: int
    phase: str
    order: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table with its sides, (mark, names) each, and its state."""

    number: int
    phase: str
    sides: tuple[tuple[str, str], ...]
    state: str


@dataclass(frozen=True, slots=True)
class RankLine:
    """A line of the ranking. `values` by `ScreenSeen.criteria`, as people read them."""

    rank: int
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScreenSeen:
    """Everything the screen can show. `slides`: those with something to show now, in the order in which they turn.

    `rounds`: the keys of the rounds being played, to notice when another one is published. `seated`: a round is being
    played. `waits`: the tables that are not confirmed.
    """

    title: str
    slides: tuple[str, ...]
    rounds: str
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
    """What the screen shows of a tournament, never a draft. No query except that of `names`."""
    rounds = _current(state)
    many = len({round.phase for round in rounds}) > 1
    lines: list[NameLine] = []
    tables: list[TableLine] = []
    for round in rounds:
        phase = state.phases[round.phase - 1].name if many else ""
        for number, table in sorted(round.tables.items()):
            named = state.named(table)
            lines += [NameLine(names.person(person), number, phase, names.order(person)) for person in named]
            marks = side_marks(table)
            seats = [Seat(0, person, "", "", names.short(person), 0, False) for person in named]
            sides = tuple((mark, label(seats, side)) for mark, side in zip(marks, table.sides, strict=True))
            tables.append(TableLine(number, phase, sides, table.state))
        lines += [
            NameLine(names.person(person), 0, phase, names.order(person))
            for id in round.byes
            for person in state.entrants[id].people(round.phase, round.number)
        ]
    ranked, criteria, final = _ranking(tournament, state, names)
    waits = tuple(line for line in tables if line.state != CONFIRMED)
    clock = next((found for round in rounds if (found := clock_seen(round)) is not None), None)
    moved = any(line.state != PLAYING for line in tables)
    has_content = {
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
        slides=tuple(name for name in SLIDES if has_content[name]),
        rounds=" ".join(round.key for round in rounds),
        names=tuple(sorted(lines, key=lambda line: (line.order, line.table))),
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
    """The rounds being played now: in every part the latest one that is published and not closed."""
    found = []
    for phase in state.phases:
        out = [round for round in phase.rounds if round.status == OUT]
        if out:
            found.append(out[-1])
    return found


def _ranking(tournament: Tournament, state: State, names: Names) -> tuple[tuple[RankLine, ...], tuple[str, ...], bool]:
    by_entrant = ranks(tournament.public_id, state)
    ranked = sorted(
        ((rank.rank, id, rank) for id, rank in by_entrant.of.items() if rank.rank),
        key=lambda each: (each[0], names.entrant_order(state.entrants[each[1]])),
    )
    played = any(score.kind == "played" for _rank, _id, rank in ranked for score in rank.rounds)
    if not ranked or not played:
        return (), (), False
    criteria = tuple(name for name, _value in ranked[0][2].values[:MOST_CRITERIA])
    lines = []
    for place, id, rank in ranked:
        values = dict(rank.values)
        shown = tuple(text.criterion_value(name, values.get(name)) for name in criteria)
        lines.append(RankLine(place, names.entrant(state.entrants[id]), shown))
    return tuple(lines), criteria, by_entrant.final
