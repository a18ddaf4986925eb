"""A season: several evenings, of one club or several, added up, with memory of what counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from domain.errors import refuse_if
from domain.standings.profile import once

PLACE: Final = "place"
FIELD: Final = "field"
SUM: Final = "sum"
BY: Final = (PLACE, FIELD, SUM)


@dataclass(frozen=True, slots=True)
class SeasonRules:
    """How evenings become a season.

    * `by` ``place``: `place_points` for the first, second, … place; later places get nothing. Equals get the average of
      the places they share, rounded down.
    * `by` ``field``: as many points as ranked entrants did not do better, oneself counted: the first of 24 gets 24, the
      last 1, equals the same.
    * `by` ``sum``: the result of the evening itself, such as card points.

    The `best` evenings count (0: all), `attendance` points are added for every evening, counted or not, and who came to
    fewer than `fewest` is listed without a rank.
    """

    by: str = PLACE
    place_points: tuple[int, ...] = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
    best: int = 0
    attendance: int = 0
    fewest: int = 0

    def __post_init__(self) -> None:
        refuse_if(self.by not in BY, "not-a-choice", "by", choices=", ".join(BY))
        refuse_if(list(self.place_points) != sorted(self.place_points, reverse=True), "wrong-order", "place_points")
        for field, value in (("best", self.best), ("attendance", self.attendance), ("fewest", self.fewest)):
            refuse_if(value < 0, "negative", field)


@dataclass(frozen=True, slots=True)
class Place:
    """One person's evening: the rank (0: was there, not ranked) and the result that `sum` adds up."""

    person: str
    rank: int
    result: int


@dataclass(frozen=True, slots=True)
class PastEvening:
    """An evening that is over. `date` as ``2026-11-21``, which is also its order in the season; `club` is told along."""

    id: str
    date: str
    club: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What one evening brought to one person, and whether it is among those that count."""

    evening: str
    club: str
    rank: int
    points: int
    counted: bool


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A line of the season. `values` are what ranks, in order: total, then the best evening, the second best, … of
    those counted, then the number of evenings. `rank` 0: too few evenings."""

    rank: int
    person: str
    shared: bool
    total: int
    attended: int
    values: tuple[int, ...]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Counting:
    """Evenings that count now and did not before, and those that no longer do."""

    person: str
    now: tuple[str, ...]
    no_longer: tuple[str, ...]


def season(evenings: Sequence[PastEvening], rules: SeasonRules) -> tuple[SeasonRow, ...]:
    """The list of the season. Nothing depends on the order in which evenings are given.

    Of a person's evenings the best count; of equally good ones the earlier. A pair's evening is given for each of the
    two. Raises DomainError if an evening, or a person within one, is there twice, or ranks are below 0.
    """
    once("evenings", tuple(each.id for each in evenings))
    found: dict[str, list[Share]] = defaultdict(list)
    for evening in sorted(evenings, key=lambda each: (each.date, each.id)):
        once(f"evenings[{evening.id}]", tuple(each.person for each in evening.places))
        points = _points(evening, rules)
        for place in evening.places:
            found[place.person].append(Share(evening.id, evening.club, place.rank, points[place.person], False))
    rows = [_row(person, shares, rules) for person, shares in found.items()]
    ranked = [row for row in rows if row.attended >= rules.fewest]
    others = [row for row in rows if row.attended < rules.fewest]
    better = [row.values for row in ranked]
    done = [
        replace(row, rank=1 + sum(each > row.values for each in better), shared=better.count(row.values) > 1)
        for row in ranked
    ]
    done.sort(key=lambda row: (row.rank, row.person))
    others.sort(key=lambda row: (-row.total, row.person))
    return (*done, *others)


def counting_changes(before: Sequence[SeasonRow], after: Sequence[SeasonRow]) -> tuple[Counting, ...]:
    """For whom another choice of evenings counts than before, in the order of the new list."""
    old = {row.person: _counted(row) for row in before}
    found: list[Counting] = []
    for row in after:
        was, now = old.get(row.person, ()), _counted(row)
        new, gone = (tuple(each for each in a if each not in b) for a, b in ((now, was), (was, now)))
        if new or gone:
            found.append(Counting(row.person, new, gone))
    return tuple(found)


def _counted(row: SeasonRow) -> tuple[str, ...]:
    return tuple(share.evening for share in row.shares if share.counted)


def _points(evening: PastEvening, rules: SeasonRules) -> dict[str, int]:
    ranks = [place.rank for place in evening.places if place.rank]
    given: dict[str, int] = {}
    for place in evening.places:
        refuse_if(place.rank < 0, "negative", f"evenings[{evening.id}]", id=place.person)
        if rules.by == SUM:
            given[place.person] = place.result
        elif not place.rank:
            given[place.person] = 0
        elif rules.by == FIELD:
            given[place.person] = sum(rank >= place.rank for rank in ranks)
        else:
            equal = ranks.count(place.rank)
            given[place.person] = sum(rules.place_points[place.rank - 1 : place.rank - 1 + equal]) // equal
    return given


def _row(person: str, shares: list[Share], rules: SeasonRules) -> SeasonRow:
    best = sorted(range(len(shares)), key=lambda place: (-shares[place].points, place))
    chosen = best[: rules.best or None]
    counted = tuple(replace(each, counted=place in chosen) for place, each in enumerate(shares))
    points = [shares[place].points for place in chosen]
    total = sum(points) + rules.attendance * len(shares)
    return SeasonRow(0, person, False, total, len(shares), (total, *points, len(shares)), counted)
