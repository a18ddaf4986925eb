"""The play of "How To Play Troccas!": the first lead is a trump, and a Fool that is led calls for trumps."""

from __future__ import annotations

from typing import Final

from games.engine.cards import BIT, FOOL, FOOL_BIT, LANE_OF, TRUMP_CARDS, TRUMPS, Card, CardSet
from games.engine.errors import Illegality, Rule
from games.engine.hand import Hand
from games.engine.kernel import winning_place
from games.engine.tricks import Tricks


class TrumpsFirst(Tricks):
    """As `Tricks`, but the first trick is led with a trump (or the Fool) by who has a trump.

    After a Fool that is led, trumps must be played. If none falls, the highest card of the next card's suit wins; nobody
    had to follow that suit, it does not count as led, and nothing is called or played together (our reading).
    """

    def playable(self, hand: Hand) -> CardSet:
        held = hand.hands[hand.turn]
        if hand.lane < 0 and not hand.tricks and held & TRUMP_CARDS:
            return held & (TRUMP_CARDS | FOOL_BIT)
        return super().playable(hand)

    def pairs(self, hand: Hand) -> CardSet:
        return super().pairs(hand) & self.playable(hand)

    def why_not_card(self, hand: Hand, card: Card) -> Illegality | None:
        if hand.lane < 0 and not self.playable(hand) & BIT[card]:
            return Illegality(Rule.MUST_LEAD_TRUMP, card=card)
        return super().why_not_card(hand, card)

    def lead(self, hand: Hand, card: Card) -> None:
        if card == FOOL:
            hand.lane = TRUMPS
        else:
            super().lead(hand, card)

    def winning(self, hand: Hand) -> int:
        return winning_place(hand.trick, self._suit_that_wins(hand))

    def _suit_that_wins(self, hand: Hand) -> int:
        trick = hand.trick
        if trick[0] != FOOL or len(trick) == 1 or any(LANE_OF[card] == TRUMPS for card in trick):
            return hand.lane
        return LANE_OF[trick[1]]

    def gather(
        self, hand: Hand, winner: int | None = None, extra: tuple[int, Card] | None = None, gone: int = -1
    ) -> None:
        hand.lane = self._suit_that_wins(hand)
        super().gather(hand, winner, extra, gone)


TRUMPS_FIRST: Final = TrumpsFirst()
