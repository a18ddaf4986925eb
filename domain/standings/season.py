"""A season: several evenings of one or more clubs, added up, with a record of the evenings that counted."""

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
      the places they share, rounded down. A pair has one place, which brings both of them its points.
    * `by` ``field``: one point for every ranked entrant who did not do better, including oneself: the first of 24 gets
      24, the last 1, equals the same.
    * `by` ``sum``: the result of the evening itself, such as card points.

    The `best` evenings count (0: all). `attendance` points are added for every evening, whether it counts or not. A
    person who came to fewer than `fewest` evenings is listed without a rank.
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
    """One person's evening: the rank (0: was there, not ranked) and the result that `sum` adds up.

    The two of a pair have the same `entrant`, and one place together. Without it everybody has their own.
    """

    person: str
    rank: int
    result: int
    entrant: str = ""


@dataclass(frozen=True, slots=True)
class PastEvening:
    """An evening that is over. `date` (as ``2026-11-21`` or ``2026-11-21T19:30``) gives its order in the season; `club` is
    only passed on."""

    id: str
    date: str
    club: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """The points of one evening for one person, and whether the evening counts."""

    evening: str
    club: str
    rank: int
    points: int
    counted: bool


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A line of the season. `rank` 0: too few evenings.

    `values` are compared in order: the total, then the best evening that counts, the second best and so on, then the
    number of evenings. An evening that the person missed is worth 0.
    """

    rank: int
    person: str
    shared: bool
    total: int
    attended: int
    values: tuple[int, ...]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Counting:
    """The evenings of a person that count now and did not before, and those that no longer do."""

    person: str
    now: tuple[str, ...]
    no_longer: tuple[str, ...]


def season(evenings: Sequence[PastEvening], rules: SeasonRules) -> tuple[SeasonRow, ...]:
    """The list of the season. It does not depend on the order in which evenings are given.

    A person's best evenings count, the earlier of equally good ones. The evening of a pair must be given for each of
    the two. Raises DomainError if an evening, or a person within one, occurs twice, or if a rank is below 0.
    """
    once("evenings", tuple(each.id for each in evenings))
    by_person: dict[str, list[Share]] = defaultdict(list)
    for evening in sorted(evenings, key=lambda each: (each.date, each.id)):
        once(f"evenings[{evening.id}]", tuple(each.person for each in evening.places))
        points = _points(evening, rules)
        for place in evening.places:
            by_person[place.person].append(Share(evening.id, evening.club, place.rank, points[place.person], False))
    most = min(rules.best or len(evenings), len(evenings))
    rows = [_row(person, shares, rules, most) for person, shares in by_person.items()]
    regulars = [row for row in rows if row.attended >= rules.fewest]
    others = [row for row in rows if row.attended < rules.fewest]
    values = [row.values for row in regulars]
    ranked = [
        replace(row, rank=1 + sum(each > row.values for each in values), shared=values.count(row.values) > 1)
        for row in regulars
    ]
    ranked.sort(key=lambda row: (row.rank, row.person))
    others.sort(key=lambda row: (-row.total, row.person))
    return (*ranked, *others)


def counting_changes(before: Sequence[SeasonRow], after: Sequence[SeasonRow]) -> tuple[Counting, ...]:
    """The persons for whom other evenings count than before, in the order of the new list."""
    old = {row.person: _counted(row) for row in before}
    changed: list[Counting] = []
    for row in after:
        was, now = old.get(row.person, ()), _counted(row)
        new, gone = (tuple(each for each in a if each not in b) for a, b in ((now, was), (was, now)))
        if new or gone:
            changed.append(Counting(row.person, new, gone))
    return tuple(changed)


def _counted(row: SeasonRow) -> tuple[str, ...]:
    return tuple(share.evening for share in row.shares if share.counted)


def _points(evening: PastEvening, rules: SeasonRules) -> dict[str, int]:
    ranks = [place.rank for place in evening.places if place.rank]
    points: dict[str, int] = {}
    for place in evening.places:
        refuse_if(place.rank < 0, "negative", f"evenings[{evening.id}]", id=place.person)
        if rules.by == SUM:
            points[place.person] = place.result
        elif not place.rank:
            points[place.person] = 0
        elif rules.by == FIELD:
            points[place.person] = sum(rank >= place.rank for rank in ranks)
        else:
            equal = len({each.entrant or each.person for each in evening.places if each.rank == place.rank})
            points[place.person] = sum(rules.place_points[place.rank - 1 : place.rank - 1 + equal]) // equal
    return points


def _row(person: str, shares: list[Share], rules: SeasonRules, most: int) -> SeasonRow:
    best_first = sorted(range(len(shares)), key=lambda index: (-shares[index].points, index))
    chosen = best_first[: rules.best or None]
    counted = tuple(replace(each, counted=index in chosen) for index, each in enumerate(shares))
    points = [shares[index].points for index in chosen]
    total = sum(points) + rules.attendance * len(shares)
    values = (total, *points, *[0] * (most - len(points)), len(shares))
    return SeasonRow(0, person, False, total, len(shares), values, counted)
