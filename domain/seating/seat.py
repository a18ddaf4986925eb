"""The entry point: seat a round of any format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from domain.errors import DomainError, refuse_if
from domain.seating.chance import Chance
from domain.seating.field import Field, Seating, Settings
from domain.seating.methods.draw import draw
from domain.seating.methods.knockout import knock_out
from domain.seating.methods.rotation import rotation
from domain.seating.methods.roundrobin import round_robin
from domain.seating.methods.swiss import standing, swiss

Method: TypeAlias = Callable[[Field, Settings, Chance], Seating]

METHODS: Final[dict[str, Method]] = {
    "draw": draw,
    "rotation": rotation,
    "round-robin": round_robin,
    "swiss": swiss,
    "standing": standing,
    "knock-out": knock_out,
}
PLANNED: Final = frozenset({"rotation", "round-robin", "knock-out"})
"""Formats with one plan for the whole phase: all rounds take the same seed and draw the same numbers from it."""
IN_TWOS: Final = frozenset({"round-robin", "swiss", "knock-out"})
"""Formats with one entrant against another; an entrant is a pair (or a player)."""


def chance_for(method: str, field: Field, seed: bytes, hall: str = "") -> Chance:
    """The random numbers of this draw. `hall` is what people in the hall added after the promise (dice, a word)."""
    label = method if method in PLANNED else f"{method}|{field.number}"
    return Chance(seed, f"{label}|{hall}")


def seat(method: str, field: Field, settings: Settings, seed: bytes, hall: str = "") -> Seating:
    """Seat the next round of `field`. The same input, in any order, gives the same round on every machine.

    Everybody present is seated exactly once or sits out. There is always a seating; repeats are listed in the result.
    `seed` has 32 bytes. Formats with a plan (`PLANNED`) need the same seed and hall in every round of a phase.
    Raises DomainError: ``unknown-method``, ``bad-seed``, ``no-table-of-two``, ``both-still-in`` (knock-out).
    """
    refuse_if(method not in METHODS, "unknown-method", "method", method=method)
    if method in IN_TWOS and not any(shape.size == 2 for shape in settings.shapes):
        raise DomainError("no-table-of-two", "shapes", method=method)
    return METHODS[method](field, settings, chance_for(method, field, seed, hall))
