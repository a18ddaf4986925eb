"""The tricks that lie before a position, as a pattern: who follows, who trumps, who throws off; cards come later.

A trick in which everybody follows suit is legal whatever else they hold. One in which somebody does not forbids them
that suit, and perhaps trumps, from then on; so the pattern is made backwards from the position, whose hands are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.engine import Card, CardSet
from games.engine.cards import BIT, FOOL_BIT, LANE_OF, LANES, SUIT_CARDS, TRUMPS
from rules.examples.matching import Wanting


@dataclass(slots=True)
class PastTrick:
    """One earlier trick: `slots[place]` wants the card of that place; `winner` takes it, `leader` led it."""

    lane: int
    leader: int
    winner: int
    slots: list[Wanting]

    def settle(self) -> None:
        """Exchange cards of the same suit so that the winner wins."""
        decisive = [slot for slot in self.slots if LANE_OF[slot.given[0]] == TRUMPS]
        if self.lane != TRUMPS and not decisive:
            decisive = [slot for slot in self.slots if LANE_OF[slot.given[0]] == self.lane]
        best = max(decisive, key=lambda slot: slot.given[0])
        own = self.slots[self.winner]
        if own.given[0] in (slot.given[0] for slot in decisive):
            own.given, best.given = best.given, own.given


class Past:
    """Patterns of the latest tricks before a position, each found by chance; bans on what is held afterwards add up.

    `known[place]` are the cards a place is known to hold at the position, `bans[place]` what it cannot hold then.
    """

    def __init__(self, known: Sequence[CardSet], bans: Sequence[CardSet], *, high_fool: bool, chance: Random) -> None:
        self.known = known
        self.bans = list(bans)
        self.high_fool = high_fool
        self.chance = chance
        self.tricks: list[PastTrick] = []  # the latest first
        self.winner = 0  # who must win the next one that is added

    def all_follow(self, lane: int) -> None:
        """Add a trick in which everybody follows."""
        seats = len(self.known)
        self._add(lane, [Wanting(1, LANES[lane]) for _ in range(seats)], self.chance.randrange(seats))

    def with_fool(self, lane: int) -> None:
        """Add a trick to which somebody plays the Fool."""
        seats = len(self.known)
        slots = [Wanting(1, LANES[lane]) for _ in range(seats)]
        others = [place for place in range(seats) if place != self.winner]
        player = self.winner if self.high_fool else self.chance.choice(others)
        slots[player] = Wanting(1, FOOL_BIT)
        leader = self.chance.choice([place for place in range(seats) if place != player])
        self._add(lane, slots, leader)

    def not_all_follow(self, lane: int, *, thrown: Card | None = None, thrower: int | None = None) -> bool:
        """Add a trick in which somebody does not follow; False if that cannot be. `thrower` throws off `thrown` (or any)."""
        seats = len(self.known)
        slots = [Wanting(1, LANES[lane]) for _ in range(seats)]
        banned = [0] * seats
        can_trump = [place for place in range(seats) if lane != TRUMPS and not self.known[place] & LANES[lane]]
        can_throw = [place for place in range(seats) if self._can_throw(place, lane)]
        if thrower is not None and thrower not in can_throw and not self._withholds(thrower, lane):
            return False
        free = [place for place in range(seats) if place != thrower]
        trumping = [place for place in free if place in can_trump and self.chance.random() < 0.3]
        if trumping and self.winner not in trumping:
            trumping = [self.winner] if self.winner in can_trump and self.winner != thrower else []
        throwing = [place for place in free if place in can_throw and place not in trumping and place != self.winner]
        throwing = [place for place in throwing if self.chance.random() < 0.4]
        if self.winner == thrower:
            return False
        if thrower is not None:
            throwing.append(thrower)
        if not trumping and not throwing:
            return False
        following = [place for place in range(seats) if place not in trumping and place not in throwing]
        if not following:
            return False
        for place in trumping:
            slots[place].takes = LANES[TRUMPS]
            banned[place] = LANES[lane]
        for place in throwing:
            slots[place].takes = SUIT_CARDS & ~LANES[lane]
            banned[place] = LANES[lane] | LANES[TRUMPS]
            if self.high_fool and place != thrower:
                banned[place] |= FOOL_BIT
        if thrower is not None and thrown is not None:
            slots[thrower].takes = BIT[thrown]
        self._add(lane, slots, self.chance.choice(following), banned)
        return True

    def _can_throw(self, place: int, lane: int) -> bool:
        held = LANES[lane] | LANES[TRUMPS] | (FOOL_BIT if self.high_fool else 0)
        return not self.known[place] & held

    def _withholds(self, place: int, lane: int) -> bool:
        """Whether the Fool may be the only trump there: who throws something off withholds it."""
        return self.high_fool and not self.known[place] & (LANES[lane] | LANES[TRUMPS])

    def _add(self, lane: int, slots: list[Wanting], leader: int, banned: Sequence[CardSet] = ()) -> None:
        for place, ban in enumerate(banned):
            self.bans[place] |= ban
            for trick in self.tricks:
                trick.slots[place].takes &= ~ban
        self.tricks.append(PastTrick(lane, leader, self.winner, slots))
        self.winner = leader


ALL_LANES: Final = (0, 1, 2, 3, TRUMPS)
