"""The play of Troggu: the Fool is the highest trump, but may be withheld (pagat, "Troggu", The Play)."""

from __future__ import annotations

from typing import Final

from games.engine.actions import Action
from games.engine.cards import (
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    LANE_OF,
    LANES,
    SUIT_CARDS,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
)
from games.engine.errors import IllegalAction, Illegality, Rule
from games.engine.hand import NOBODY, Hand
from games.engine.kernel import playable_with_high_fool, winning_place
from games.engine.tricks import Tricks


class HighFool(Tricks):
    """The Tappist or soloist leads, in a Misere `dealer+1`. Suit must be followed, else a trump be played.

    Whose only trump is the Fool may play another card where a trump is asked for. From then on the Fool is withheld: it
    stays in hand to the last trick, cannot win, and if it is led there, the next card sets the suit.
    """

    def enter(self, hand: Hand) -> bool:
        hand.leader = hand.turn = hand.after(hand.dealer) if hand.tappist == NOBODY else hand.tappist
        return True

    def playable(self, hand: Hand) -> CardSet:
        known = hand._playable
        if known >= 0:
            return known
        held = hand.hands[hand.turn]
        if hand.lane >= 0 or hand.fool_withheld:
            suits, trumps = playable_with_high_fool(
                held & SUIT_CARDS, held >> FIRST_TRUMP, hand.lane, hand.fool_withheld
            )
            held = suits | trumps << FIRST_TRUMP
        hand._playable = held
        return held

    def why_not_card(self, hand: Hand, card: Card) -> Illegality | None:
        broken = super().why_not_card(hand, card)
        if broken is not None and card == FOOL and hand.fool_withheld:
            return Illegality(Rule.FOOL_WITHHELD, card=FOOL)
        return broken

    def act(self, hand: Hand, action: Action) -> None:
        held = hand.hands[hand.turn]
        if held & FOOL_BIT:
            broken = self.why_illegal(hand, action)
            if broken is not None:
                raise IllegalAction(broken)
            if hand.lane >= 0 and not held & (TRUMP_CARDS | LANES[hand.lane]) and action.cards[0] != FOOL:
                hand.fool_withheld = True
        seat = hand.turn
        super().act(hand, action)
        if hand.called is not None and action.cards[0] == hand.called:
            hand.partner_known = True
            hand.happen("partner-shown" if seat == hand.partner else "alone-shown", seat, hand.called)

    def lead(self, hand: Hand, card: Card) -> None:
        if card != FOOL:
            hand.lane = LANE_OF[card]
        elif not hand.fool_withheld:
            hand.lane = TRUMPS

    def winning(self, hand: Hand) -> int:
        trick = hand.trick
        if FOOL in trick and not hand.fool_withheld:
            return trick.index(FOOL)
        return winning_place(trick, hand.lane)


HIGH_FOOL: Final = HighFool()
