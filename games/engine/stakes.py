"""Settling in Rappen: stakes between the Tappist's side and the others, and the stakes of a Misere.

Source: pagat, "Troggu", "Scoring", "Misere" and "Variations". What tied players of a Misere pay is our reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.hand import NOBODY, Hand
from games.engine.tapp import MISERE, SOLO

HALF: Final = 57  # of the 114 points: who has more wins, with as many nobody does


@dataclass(frozen=True, slots=True)
class Stakes:
    """Each opponent and the Tappist's side settle for one stake of the option `stake`.

    Doubled if the losers have at most the option `double_at` points, trebled if they have no trick; a Solo doubles
    again. A called partner receives or pays two stakes, the Tappist the rest. In a Misere who takes most points pays
    each other a stake, or, if `fewest_win`, who takes fewest receives one from each; tied players each settle with
    everyone who is not tied.
    """

    fewest_win: bool = False

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        stake = int(hand.option["stake"])
        if hand.contract == MISERE:
            return self._misere(points, stake)
        if points[0] == HALF:
            return (0,) * hand.seats
        losers = int(points[0] > HALF)
        if not hand.side_tricks[losers]:
            stake *= 3
        elif points[losers] <= int(hand.option["double_at"]):
            stake *= 2
        if hand.contract == SOLO:
            stake *= 2
        each = stake if losers == 0 else -stake  # what an opponent of the Tappist gets
        scores = [each if side else 0 for side in hand.sides]
        if hand.partner != NOBODY:
            scores[hand.partner] = -2 * each
        scores[hand.tappist] = -sum(scores)
        return tuple(scores)

    def _misere(self, points: Sequence[int], stake: int) -> tuple[int, ...]:
        best = min(points) if self.fewest_win else max(points)
        tied = sum(taken == best for taken in points)
        if self.fewest_win:
            stake = -stake
        return tuple([stake * (tied if taken != best else tied - len(points)) for taken in points])
