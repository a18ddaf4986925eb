"""The Fool as an excuse: it never wins, stays with its side, and is paid for with a low card (pagat, "The Play")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine.cards import BIT, FOOL, FOOL_BIT, LOW_CARDS, cards_in, value_of
from games.engine.hand import NOBODY, Hand


@dataclass(frozen=True, slots=True)
class Excuse:
    """The Fool goes to the tricks of the side that played it; the other side is owed a low card from them.

    Paid at once if possible, else as soon as that side wins a trick with a low card. At the end the least valuable card
    is paid, and a side without any trick loses the Fool to the winner of the trick it was played to (our readings),
    unless the Fool `never_lost` stays all the same. If `captured_last`, the last trick takes the Fool like any card.

    A Fool that takes the trick itself (Troggu) is its winner's anyway: then nothing is owed.
    """

    never_lost: bool = False
    captured_last: bool = False

    def settle(self, hand: Hand, winner: int) -> None:
        trick = hand.tricks[-1]
        if FOOL in trick.cards and not (self.captured_last and not hand.hands[winner]):
            player = trick.seats[trick.cards.index(FOOL)]
            owner, creditor = hand.sides[player], hand.sides[winner]
            if owner != creditor:
                hand.side_cards[creditor] ^= FOOL_BIT
                hand.side_cards[owner] |= FOOL_BIT
                hand.owed_by, hand.owed_to, hand.fool_winner = owner, creditor, winner
                hand.happen("fool-owed", player)
        if hand.owed_by != NOBODY:
            low = hand.side_cards[hand.owed_by] & LOW_CARDS
            if low:
                self._pay(hand, (low & -low).bit_length() - 1)

    def finish(self, hand: Hand) -> None:
        if hand.owed_by == NOBODY:
            return
        if not hand.side_tricks[hand.owed_by]:
            if not self.never_lost:
                hand.side_cards[hand.owed_by] ^= FOOL_BIT
                hand.side_cards[hand.owed_to] |= FOOL_BIT
                hand.happen("fool-lost", hand.fool_winner)
            hand.owed_by = hand.owed_to = NOBODY
            return
        least = min(cards_in(hand.side_cards[hand.owed_by] & ~FOOL_BIT), key=lambda card: (value_of(card), card))
        self._pay(hand, least)

    def _pay(self, hand: Hand, card: int) -> None:
        hand.side_cards[hand.owed_by] ^= BIT[card]
        hand.side_cards[hand.owed_to] |= BIT[card]
        hand.happen("fool-paid", hand.fool_winner, card)
        hand.owed_by = hand.owed_to = NOBODY


EXCUSE: Final = Excuse()
