"""The cards of a finished hand as they lie on the table, for the one-round deal that is not shuffled.

The tricks lie before the player who won them, in the order they were won, the latest on top; the scart lies at the
bottom of its side's cards; the losing side's cards go on top of the winners'. The Fool and the card paid for it have
changed places. (Our reading; the sources only say that the losers may order their cards and that nothing is shuffled.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from domain.engine.cards import FOOL, Card, CardSet, cards_in

if TYPE_CHECKING:
    from domain.engine.hand import Hand

# Cards that lie together in an order nobody noted, or one card whose place is known.
Group: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The tricks of a played hand by the seat that won them, first won first, and the scart of its dealer."""

    dealer: int
    sides: tuple[int, ...]
    tricks: tuple[tuple[int, Group], ...]
    scart: CardSet

    def pile(self, seat: int) -> tuple[Card, ...]:
        """The cards of the tricks that lie before `seat`, top first (inside a trick as they were played)."""
        return tuple(card for winner, cards in reversed(self.tricks) if winner == seat for card in cards)

    def groups(self, losing_side: int, first: int, arranged: Mapping[int, tuple[Card, ...]]) -> list[Group]:
        """The next pack, top first, in groups; each group is to be mixed by the secret of the hand.

        `first` is the seat whose pile comes first (the next dealer's right); an arranged pile is taken card by card.
        """
        seats = [(first + step) % len(self.sides) for step in range(len(self.sides))]
        lying: list[Group] = []
        for losing in (True, False):
            for seat in seats:
                if (self.sides[seat] == losing_side) is not losing:
                    continue
                if arranged.get(seat):
                    lying += [(card,) for card in arranged[seat]]
                else:
                    lying += [cards for winner, cards in reversed(self.tricks) if winner == seat]
            if (self.sides[self.dealer] == losing_side) is losing:
                lying.append(tuple(cards_in(self.scart)))
        return lying


def gathered_from(hand: Hand) -> Gathered | None:
    """What lies on the table after `hand`; None unless it was played to its end, and the game knows a deal from it."""
    if hand.result is None or hand.result.status != "played" or 1 not in hand.ruleset.batches:
        return None
    paid = next((happening.card for happening in hand.happenings if happening.kind == "fool-paid"), None)
    tricks = tuple([(trick.winner, trick.cards) for trick in hand.tricks])
    if paid is not None:
        swap = {paid: FOOL, FOOL: paid}
        tricks = tuple([(winner, tuple([swap.get(card, card) for card in cards])) for winner, cards in tricks])
    return Gathered(hand.dealer, hand.sides, tricks, hand.scart)
