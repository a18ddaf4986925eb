"""What every entrant has: their rounds, their penalties, whom they met. What criteria look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

PLAYED: Final = "played"
PENDING: Final = "pending"
BYE: Final = "bye"
LATE: Final = "late"
ABSENT: Final = "absent"
LEFT: Final = "left"


@dataclass(frozen=True, slots=True)
class Meeting:
    """An opponent of one round, with the points of both as written at the table (no correction)."""

    opponent: str
    own: int
    theirs: int


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What one round brought to one entrant.

    `kind` is played, pending (their table is not confirmed, nothing counts yet), bye, late, absent or left. `difference`
    is own points less the opponents'. `deals` and `deals_won` count deals played by the entrant. `dropped`: it does not
    count, being among the worst.
    """

    round: int
    kind: str
    points: int = 0
    match: int = 0
    difference: int = 0
    deals: int = 0
    deals_won: int = 0
    won: bool = False
    table: int = 0
    meetings: tuple[Meeting, ...] = ()
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """An entrant's evening."""

    entrant: str
    rounds: tuple[RoundScore, ...]
    penalty_points: int = 0
    penalty_match: int = 0

    @property
    def kept(self) -> tuple[RoundScore, ...]:
        """The rounds that count."""
        return tuple(each for each in self.rounds if not each.dropped)

    @property
    def played(self) -> tuple[RoundScore, ...]:
        """The rounds played at a table that is confirmed, counted or dropped."""
        return tuple(each for each in self.rounds if each.kind == PLAYED)


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that was drawn, or cards that were cut: the order it put these entrants in, first the luckiest.

    `label` names the drawing, `seed` is the seed in hex it came from; empty if drawn by hand in the hall.
    """

    order: tuple[str, ...]
    label: str
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Everybody:
    """All sheets, and what the house rules say about comparing them. Later lots stand before earlier ones."""

    sheets: Mapping[str, Sheet]
    first: str
    head_to_head: str
    lots: tuple[Lot, ...] = ()
