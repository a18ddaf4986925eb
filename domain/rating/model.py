"""How much luck there is in a game: the few numbers on which every rating rests."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from domain.errors import DomainError

DAYS_OF_A_MONTH: Final = 30
MEMORY: Final = 30.0  # months
SKILL: Final = 0.06  # of the luck of one deal, before results are known
CAP: Final = 2.5  # standard deviations by which one result may surprise, and no more


@dataclass(frozen=True, slots=True)
class Model:
    """Standard deviations, in points per deal above the mean of the table.

    * `skill`: how far players lie apart.
    * `deal`: how far the cards dealt move one deal; the same for every table that plays it.
    * `play`: how far one deal moves from table to table though cards and skill are the same.
    * `memory`: after so many months a result counts half, after twice as many a quarter: people change.
    * `table`: the number of sides these numbers are for. `results`: from how many they were estimated (0: from none).

    Raises DomainError unless skill, deal, play and memory are above 0.
    """

    skill: float
    deal: float
    play: float
    memory: float = MEMORY
    table: int = 2
    results: int = 0

    def __post_init__(self) -> None:
        for field, value in (("skill", self.skill), ("deal", self.deal), ("play", self.play), ("memory", self.memory)):
            if not value > 0:
                raise DomainError("not-positive", field)

    @property
    def luck(self) -> float:
        """The standard deviation of one deal among equals who play it once."""
        return sqrt(self.deal**2 + self.play**2)

    def kept(self, days: int) -> float:
        """Which part of what a result said is left after so many days."""
        return float(0.5 ** (max(days, 0) / (self.memory * DAYS_OF_A_MONTH)))


def model(luck: float, deal_share: float, skill: float = SKILL, *, table: int = 2, results: int = 0) -> Model:
    """The model in which a deal has this `luck` (standard deviation), of whose variance the cards dealt are
    `deal_share`, and skill is so many times the luck."""
    return Model(skill * luck, luck * sqrt(deal_share), luck * sqrt(1 - deal_share), table=table, results=results)


def within(value: float, bound: float) -> float:
    """The value, but no further from 0 than `bound`."""
    return max(-bound, min(bound, value))
