"""Means and shares that say how far one can trust them: a figure never stands without how many hands it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

FEW: Final = 10
"""With fewer hands nothing is said: chance alone would make any figure."""


Variant = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of so many whole numbers, from their sum and the sum of their squares."""

    hands: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: Mean) -> Mean:
        """Both together."""
        return Mean(self.hands + other.hands, self.total + other.total, self.squares + other.squares)

    @property
    def enough(self) -> bool:
        """Whether there are enough hands to say something."""
        return self.hands >= FEW

    @property
    def mean(self) -> float:
        """The mean; 0 for nothing."""
        return self.total / self.hands if self.hands else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean, from the sample's variance; 0 for less than two hands."""
        if self.hands < 2:
            return 0.0
        variance = (self.squares - self.total * self.total / self.hands) / (self.hands - 1)
        return sqrt(max(0.0, variance) / self.hands)


@dataclass(frozen=True, slots=True)
class Share:
    """How many of so many."""

    count: int = 0
    of: int = 0

    @property
    def enough(self) -> bool:
        """Whether there are enough to say something."""
        return self.of >= FEW

    @property
    def percent(self) -> float:
        """In hundredths; 0 of nothing."""
        return 100 * self.count / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """Points per hand, and how many hands came out above the average of the table."""

    points: Mean
    won: int

    @property
    def above(self) -> Share:
        """The hands above the average of the table, as a share."""
        return Share(self.won, self.points.hands)

    def __add__(self, other: Result) -> Result:
        """Both together."""
        return Result(self.points + other.points, self.won + other.won)
