"""The same deals at all tables of a round: what the others made of the same cards, and what a table gained on them.

In each deal a side holds a *lane*: who sits there counted from the dealer, so that the lane, not the seat, says which cards
they were. The *datum* of a lane is what it brings on average in this deal, a *gain* what a side has above it.

Whole points only: the datum is the mean rounded to the next whole point (halves to the even one), and at two sides of a game
with a control sum the other lane's datum is what is left to the sum, so that what one side of a table gains the other loses.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from clubs.evening import state
from clubs.evening.state import CONFIRMED, Round, Table

Gains: TypeAlias = "tuple[tuple[int, tuple[int, ...]], ...]"
"""(deal, the gain of each side) of a table, in order of the deals."""
Kind: TypeAlias = "tuple[str, int]"
Means: TypeAlias = "Mapping[tuple[Kind, int], Mapping[int, int]]"


@dataclass(frozen=True, slots=True)
class Line:
    """What one table made of a deal: of each side, in order of the table's sides, its lane, its score and its gain."""

    table: int
    lanes: tuple[int, ...]
    scores: tuple[int, ...]
    gains: tuple[int, ...]


def lane_of(table: Table, side_index: int, deal: int) -> int:
    """Which cards a side of a table holds in a deal: the least distance of its places from the dealer, 0 for the dealer's own."""
    people = len(table.people)
    dealer = (table.turn + deal - 1) % people
    return min((place - dealer) % people for place in table.sides[side_index])


def datum(round: Round, deal: int) -> Mapping[int, int]:
    """Lane -> what it brings on average, from all confirmed tables of the round with a line for this deal.

    Tables of another ruleset or size than the first one of the round do not count, nor does a line whose sum is wrong. Empty
    while no table has played it.
    """
    tables = [table for _, table in sorted(round.tables.items())]
    return _means(round, deal).get((_kind(tables[0]), deal), {}) if tables else {}


def gains(round: Round, table: Table) -> Gains:
    """The deals of a table in order, with what each of its sides gained on the datum; nothing where there is none."""
    return _gains(_means(round), table)


def all_gains(round: Round) -> dict[int, Gains]:
    """The gains of every table of a round, by its number."""
    means = _means(round)
    return {number: _gains(means, table) for number, table in round.tables.items()}


def traveller(round: Round, deal: int) -> tuple[Line, ...]:
    """What all confirmed tables of a round made of a deal, in order of the tables."""
    means = _means(round, deal)
    return tuple(
        Line(number, _lanes(table, deal), line.scores, dict(_gains(means, table))[deal])
        for number, table in sorted(round.tables.items())
        if table.state == CONFIRMED and (line := table.sheet.get(deal)) is not None
    )


def _gains(means: Means, table: Table) -> Gains:
    found = []
    for deal, line in table.lines:
        of_lane = means.get((_kind(table), deal), {})
        held = zip(_lanes(table, deal), line.scores, strict=True)
        found.append((deal, tuple(score - of_lane.get(lane, score) for lane, score in held)))
    return tuple(found)


def _means(round: Round, only: int = 0) -> Means:
    """The datum of every deal, or of the `only` one, among tables that can be compared."""
    scores: dict[tuple[Kind, int], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    kinds: dict[Kind, Table] = {}
    for table in round.tables.values():
        if table.state != CONFIRMED:
            continue
        kind = _kind(table)
        kinds[kind] = table
        for deal, line in table.lines:
            if (not only or deal == only) and _counts(table, line):
                of_lane = scores[kind, deal]
                for lane, score in zip(_lanes(table, deal), line.scores, strict=True):
                    of_lane[lane].append(score)
    return {(kind, deal): _datum(kinds[kind], of_lane) for (kind, deal), of_lane in scores.items()}


def _datum(table: Table, scores: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """The mean of every lane; at two sides with a control sum, of the second lane what is left to it."""
    # `round` goes to the even one of two whole numbers that are equally near.
    means = {lane: round(Fraction(sum(each), len(each))) for lane, each in sorted(scores.items())}
    if table.total is not None and len(table.sides) == 2 and len(means) == 2:
        first, second = means
        means[second] = table.total - means[first]
    return means


def _counts(table: Table, line: state.Line) -> bool:
    """Whether a line is one deal, and whole."""
    return line.of == 1 and not line.extra and (table.total is None or sum(line.scores) == table.total)


def _kind(table: Table) -> Kind:
    """What tables must have in common, so that the same deal can be compared."""
    return table.ruleset, len(table.people)


def _lanes(table: Table, deal: int) -> tuple[int, ...]:
    return tuple(lane_of(table, side, deal) for side in range(len(table.sides)))
