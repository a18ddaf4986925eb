"""A preview of an evening: its rounds, when it ends, what must repeat, and how odd tables are distributed."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from domain.errors import refuse_if
from domain.seating.field import FOUR, Entrant, Field, Past, Seating, Settings
from domain.seating.seat import IN_TWOS, PLANNED, seat

MOST_ROUNDS: Final = 60
_MIDNIGHT: Final = 24 * 60
_WARNINGS: Final = {"rotation-left": "no-rotation", "rounds-again": "plan-over", "decided": "plan-over"}
"""The warnings that remarks about a draw lead to."""


@dataclass(frozen=True, slots=True)
class Evening:
    """The plan of an evening.

    Times are in minutes; `start` is counted from midnight of the first day. `deals` is the number at a usual table.
    With a `clock` (0: none) no round takes longer than that.
    """

    entrants: int
    rounds: int
    method: str = "draw"
    deals: int = 8
    minutes_per_deal: int = 6
    between_rounds: int = 10
    start: int = 20 * 60
    clock: int = 0

    def __post_init__(self) -> None:
        for name, least, most in (
            ("entrants", 2, 2_000),
            ("rounds", 1, MOST_ROUNDS),
            ("deals", 1, 100),
            ("minutes_per_deal", 1, 120),
            ("between_rounds", 0, 240),
            ("start", 0, 24 * 60 - 1),
            ("clock", 0, 24 * 60),
        ):
            refuse_if(not least <= getattr(self, name) <= most, "out-of-range", name, least=least, most=most)


@dataclass(frozen=True, slots=True)
class RoundAhead:
    """A round of the dry run.

    `starts` and `ends` are minutes after midnight of the first day (1500 is one in the morning). `sizes` maps the size
    of a table to the number of tables. `partners` and `opponents` are the numbers of repeated pairings, `out` the
    number of entrants who sit out.
    """

    number: int
    starts: int
    ends: int
    sizes: dict[int, int]
    partners: int
    opponents: int
    out: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """The expected evening. `burdens` maps the times at an odd table or sitting out to the number of people.

    `warnings` are fixed words:

    * ``many-rounds``: more rounds than half the entrants; repeats and uneven pairings are to be expected (for pairs, a
      round robin is better).
    * ``partners-repeat``, ``opponents-repeat``: repeats cannot be avoided, or no way to avoid them was found.
    * ``sitting-out``: somebody sits out.
    * ``uneven``: some are burdened once more than others.
    * ``no-rotation``: there is no plan for this number; rounds would be drawn.
    * ``not-decided``: a knock-out has too few rounds for a winner.
    * ``not-all-meet``: a round robin has too few rounds for everybody to meet everybody.
    * ``late``: it ends after midnight.
    * ``rotation-fits``: with the rotation nobody would have a partner twice.
    * ``plan-over``: more rounds than the plan has; it would begin again, or a knock-out is decided earlier.
    """

    rounds: tuple[RoundAhead, ...]
    ends: int
    burdens: dict[int, int]
    warnings: tuple[str, ...]


def dry_run(evening: Evening, settings: Settings, *, seed: bytes = bytes(32)) -> Outlook:
    """Simulate the evening. Everybody stays to the end, and if it matters, the first at a table wins.

    It is drawn by the same code as the real evening, but with another seed: the repeats are an expectation, not a
    promise.
    """
    field = Field(tuple(Entrant(f"{number:05}") for number in range(1, evening.entrants + 1)))
    points: Counter[str] = Counter()
    burdens: Counter[str] = Counter({entrant.id: 0 for entrant in field.entrants})
    rounds: list[RoundAhead] = []
    warnings: set[str] = set()
    clock = evening.start
    for number in range(1, evening.rounds + 1):
        round_seed = seed if evening.method in PLANNED else hashlib.sha256(seed + number.to_bytes(4, "big")).digest()
        seating = seat(evening.method, field, settings, round_seed)
        warnings |= {_WARNINGS[remark] for remark in seating.remarks if remark in _WARNINGS}
        if "decided" in seating.remarks:
            break
        starts = clock + (evening.between_rounds if rounds else 0)
        lasts = evening.minutes_per_deal * _deals(seating, evening.deals)
        clock = starts + min(lasts, evening.clock or lasts)
        rounds.append(_round_ahead(seating, number, starts, clock))
        points.update([table.seats[0] for table in seating.tables] + list(seating.out))
        burdens.update([who for table in seating.tables if table.odd for who in table.seats] + list(seating.out))
        past = Past(tuple(table.seats for table in seating.tables), seating.out)
        field = replace(field, rounds=(*field.rounds, past), standing=tuple(sorted(points.items())))
        if evening.method == "knock-out":
            field = replace(field, absent=field.absent | {table.seats[1] for table in seating.tables})
    if evening.method == "knock-out" and len(field.present) > 1:
        warnings.add("not-decided")
    if evening.method == "round-robin" and evening.rounds < evening.entrants - 1 + evening.entrants % 2:
        warnings.add("not-all-meet")
    if evening.method != "knock-out":
        warnings |= _warnings(evening, rounds, burdens)
    if clock > _MIDNIGHT:
        warnings.add("late")
    draws = evening.method == "draw" and settings.shapes[0] == FOUR
    if draws and any(each.partners or each.opponents for each in rounds) and _rotation_fits(evening, settings, seed):
        warnings.add("rotation-fits")
    return Outlook(tuple(rounds), clock, dict(sorted(Counter(burdens.values()).items())), tuple(sorted(warnings)))


def _rotation_fits(evening: Evening, settings: Settings, seed: bytes) -> bool:
    """Whether with the rotation nobody has a partner twice, and everybody meets the others as rarely as possible."""
    outlook = dry_run(replace(evening, method="rotation"), settings, seed=seed)
    return not {"no-rotation", "plan-over", "partners-repeat"} & {*outlook.warnings}


def _deals(seating: Seating, deals: int) -> int:
    """The number of deals of the slowest table. If the dealer sits out, more deals are needed for everybody's share."""
    needed = (
        -(-deals * len(table.seats) // (len(table.seats) - 1)) if table.dealer_out else deals
        for table in seating.tables
    )
    return max(needed, default=0)


def _round_ahead(seating: Seating, number: int, starts: int, ends: int) -> RoundAhead:
    again = Counter(term.criterion for term in seating.repeats)
    return RoundAhead(
        number=number,
        starts=starts,
        ends=ends,
        sizes=dict(sorted(Counter(len(table.seats) for table in seating.tables).items())),
        partners=again["partner-again"],
        opponents=again["opponent-again"],
        out=len(seating.out),
    )


def _warnings(evening: Evening, rounds: list[RoundAhead], burdens: Counter[str]) -> set[str]:
    conditions = {
        "many-rounds": evening.method in IN_TWOS | {"draw", "standing"}
        and evening.method != "round-robin"
        and 2 * evening.rounds > evening.entrants,
        "partners-repeat": any(each.partners for each in rounds),
        "opponents-repeat": evening.method != "rotation" and any(each.opponents for each in rounds),
        "sitting-out": any(each.out for each in rounds),
        "uneven": len(set(burdens.values())) > 1,
    }
    return {warning for warning, true in conditions.items() if true}
