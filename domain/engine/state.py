"""The parts of a hand that everybody at the table sees: tricks, words, happenings, and the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from domain.engine.actions import Action
from domain.engine.cards import Card

NOBODY: Final = -1


class Trick(NamedTuple):
    """A finished trick as it was gathered: `cards[i]` came from `seats[i]`; `lane` is the suit that was led."""

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
    """Something everyone at the table sees that is not a decision.

    `after`: the number of actions before it. `kind`, `seat` and `card` say what happened, to whom and with which card;
    `back` is the card that goes back to the hand.
    """

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
