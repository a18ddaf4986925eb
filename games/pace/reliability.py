"""How far one can rely on somebody to play in time: from their last ninety days, and what is past weighs less each day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

WINDOW: Final = 90
"""Days after which everything is forgiven."""
FEWEST: Final = 10
"""Actions without which nothing is said about somebody."""
WEIGHT: Final = 10
"""One time that ran out weighs as much as so many actions in time: it has kept a whole table waiting."""
_STEADY: Final = 0.95
_MOSTLY: Final = 0.75


class Tally(NamedTuple):
    """One day of one player: how often they acted in games with a clock, and how often their time ran out."""

    day: date
    actions: int
    timeouts: int


class Level(StrEnum):
    """The figure in three steps, and one for those of whom nothing is known yet."""

    NEW = "new"
    STEADY = "steady"
    MOSTLY = "mostly"
    RARELY = "rarely"


def reliability(tallies: Iterable[Tally], today: date) -> float | None:
    """A figure from 0 (never in time) to 1 (always); None after too few actions to tell.

    Each day weighs one ninetieth less than the day after it, so that a bad week is half forgiven after six weeks and
    forgotten after thirteen.
    """
    kept = [tally for tally in tallies if 0 <= (today - tally.day).days < WINDOW]
    if sum(tally.actions + tally.timeouts for tally in kept) < FEWEST:
        return None
    weights = [1 - (today - tally.day).days / WINDOW for tally in kept]
    in_time = sum(weight * tally.actions for weight, tally in zip(weights, kept, strict=True))
    late = sum(weight * tally.timeouts for weight, tally in zip(weights, kept, strict=True)) * WEIGHT
    return in_time / (in_time + late)


def level_of(figure: float | None) -> Level:
    """The figure as it is told to people."""
    if figure is None:
        return Level.NEW
    return Level.STEADY if figure >= _STEADY else Level.MOSTLY if figure >= _MOSTLY else Level.RARELY
