"""What a hand is made of that everybody at the table sees: tricks, words, happenings, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from domain.engine.actions import Action
from domain.engine.cards import Card

NOBODY: Final = -1


class Trick(NamedTuple):
    """A finished trick as it was gathered: `cards[i]` lies there from `seats[i]`; `lane` is the suit that was led."""

    leader: int
    lane: int
    cards: tuple[Card, ...]
    seats: tuple[int, ...]
    winner: int


class Spoken(NamedTuple):
    """What one player said in the talk after one round of the deal (counted from 1)."""

    round: int
    seat: int
    action: Action


class Happening(NamedTuple):
    """Something everyone at the table sees that is no decision: after how many actions, what, whose, which card."""

    after: int
    kind: str
    seat: int
    card: Card | None = None
    back: Card | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a hand ended: `status` is `played`, `thrown-in` or `passed`; `points` per party, `scores` per seat."""

    status: str
    parties: tuple[tuple[int, ...], ...] = ()
    points: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
