"""The Fool as an excuse: it never wins, stays with its side, and is paid for with a low card (pagat, "The Play").

Also the play of Troggu, in which the Fool is the highest trump, but may be withheld (pagat, "Troggu", The Play).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from domain.engine.actions import Action
from domain.engine.cards import (
    BIT,
    FIRST_TRUMP,
    FOOL,
    FOOL_BIT,
    LANE_OF,
    LANES,
    LOW_CARDS,
    SUIT_CARDS,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
    cards_in,
    value_of,
)
from domain.engine.errors import IllegalAction, Illegality, Rule
from domain.engine.hand import Hand
from domain.engine.state import NOBODY
from domain.engine.tricks import Tricks, playable_with_high_fool, winning_place


@dataclass(frozen=True, slots=True)
class Excuse:
    """The Fool goes to the tricks of the side that played it, which owes the other side a low card in return.

    The debt is paid at once if possible, else as soon as the owing side wins a trick with a low card. At the end it
    pays its least valuable card; if it has no trick, it loses the Fool to the winner of the trick in which it was
    played (our readings), unless `never_lost`. If `captured_last`, the last trick takes the Fool like any other card.

    A Fool that takes the trick itself (Troggu) belongs to its winner anyway: then nothing is owed.
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


class HighFool(Tricks):
    """The Tappist or soloist leads, in a Misere `dealer+1`. Players must follow suit, or else play a trump.

    A player whose only trump is the Fool may play another card when he must trump. From then on the Fool is withheld:
    it stays in his hand to the last trick and cannot win; if it is led there, the next card sets the suit.
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
