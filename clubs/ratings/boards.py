"""Deals that several tables played: who else had the same cards, and what they made of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from clubs.ratings.results import Datum, Result

Others = Mapping[str, tuple[Result, ...]]
"""For the id of each result with a board: the other tables' results of it that are in the log."""


def others(results: Sequence[Result]) -> Others:
    """Who else played the same deals, in the order of `results`. Results whose board nobody else played are left out."""
    tables: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for each in results:
        if each.board:
            tables[each.ruleset, each.board].append(each)
    return {
        each.id: tuple(other for other in same if other.id != each.id)
        for same in tables.values()
        if len(same) > 1
        for each in same
    }


def datum(result: Result, elsewhere: Sequence[Result]) -> Datum | None:
    """The mean of what the other tables' sides made in the same seats, those of a given datum counted in; None if
    nobody else played the deals."""
    rows = [[float(score) for _, score in other.sides] for other in elsewhere]
    sums = [sum(column) for column in zip(*rows, strict=True)] or [0.0] * len(result.sides)
    tables = len(rows)
    if result.datum is not None:
        tables += result.datum.tables
        sums = [known + mean * result.datum.tables for known, mean in zip(sums, result.datum.scores, strict=True)]
    return Datum(tuple(each / tables for each in sums), tables) if tables else None


def gains(result: Result, known: Datum | None) -> tuple[float, ...]:
    """Each side's points per deal above the mean of the table, less the same of the datum: what it made of its cards."""
    mean = sum([score for _, score in result.sides]) / len(result.sides)
    own = [score - mean for _, score in result.sides]
    if known is None:
        return tuple(each / result.deals for each in own)
    middle = sum(known.scores) / len(known.scores)
    return tuple((each - (other - middle)) / result.deals for each, other in zip(own, known.scores, strict=True))
