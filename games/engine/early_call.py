"""The jack called while the king is being played, as in the published rules of Troccas Online ("BUOB")."""

from __future__ import annotations

from typing import Final

from games.engine.actions import Action
from games.engine.cards import BIT, FOOL, KINGS, LANES, Card, CardSet
from games.engine.errors import IllegalAction, Illegality, Rule
from games.engine.hand import NOBODY, Hand
from games.engine.jack import called_card, swap_in
from games.engine.legal import Legal, LegalPlays
from games.engine.tricks import Tricks, numerals_of_others


class EarlyCall(Tricks):
    """As `Tricks`, but who plays a king to the first lead of its suit may call the jack with it (`play CK buob`).

    A holder of the jack who has yet to play must play it, and nothing else is legal.
    """

    def forced(self, hand: Hand) -> CardSet:
        """The jack, if it has been called from the player on turn; else nothing."""
        if hand.caller in (NOBODY, hand.turn):
            return 0
        return hand.hands[hand.turn] & BIT[called_card(hand)]

    def playable(self, hand: Hand) -> CardSet:
        return self.forced(hand) or super().playable(hand)

    def kings_that_call(self, hand: Hand) -> CardSet:
        """The kings with which the player on turn may call the jack."""
        if hand.lane >= 0 and not hand.first_lead:
            return 0
        kings = self.playable(hand) & KINGS
        if not kings:
            return 0
        for suit in range(4):
            if hand.led >> suit & 1 and suit != hand.lane:
                kings &= ~LANES[suit]
        if hand.lane >= 0:
            kings &= LANES[hand.lane]
        rule = hand.ruleset.call
        assert rule is not None
        gone = hand.out
        for card in hand.trick:
            gone |= BIT[card]
        return kings & ~(gone << rule.below_king)

    def legal(self, hand: Hand) -> Legal:
        knocks = self._knockable(hand) if hand.option.get("knock", False) else 0
        return LegalPlays(self.playable(hand), 0, knocks, calls=self.kings_that_call(hand))

    def why_not_card(self, hand: Hand, card: Card) -> Illegality | None:
        if self.forced(hand) & ~BIT[card]:
            return Illegality(Rule.JACK_CALLED, card=called_card(hand))
        return super().why_not_card(hand, card)

    def why_no_signal(self, hand: Hand, action: Action) -> Illegality | None:
        if action.signal != "buob":
            return super().why_no_signal(hand, action)
        if len(action.cards) == 1 and self.kings_that_call(hand) & BIT[action.cards[0]]:
            return None
        return Illegality(Rule.NO_CALL_NOW)

    def act(self, hand: Hand, action: Action) -> None:
        if hand.caller != NOBODY or action.signal:
            broken = self.why_illegal(hand, action)
            if broken is not None:
                raise IllegalAction(broken)
            if action.signal == "buob":
                hand.caller = hand.turn
                hand._playable = -1
        super().act(hand, action)


class AnswerToTheCall:
    """The trick in which the jack was called is complete: it is swapped in now, unless it was played.

    The holder gets back the card played, but a Fool stays. A caller who holds the jack himself puts it in for the lowest
    numeral of the suit that another played; if there is none, nothing happens (our reading).
    """

    def open(self, hand: Hand) -> bool:
        """Swap the jack in and gather the trick; False when there is nothing to swap."""
        caller, hand.caller = hand.caller, NOBODY
        if caller == NOBODY:
            return False
        jack = called_card(hand)
        if jack in hand.trick:
            return False
        holder = next((seat for seat, held in enumerate(hand.hands) if held & BIT[jack]), NOBODY)
        if holder == caller:
            own = (caller - hand.leader) % hand.seats
            numerals = numerals_of_others(hand, own)
            if numerals:
                self._take(hand, caller, jack, min(numerals, key=hand.trick.__getitem__))
                return True
        elif holder != NOBODY:
            place = (holder - hand.leader) % hand.seats
            if hand.trick[place] != FOOL:
                swap_in(hand, place, jack)
                return True
        hand.happen("no-jack", caller, jack)
        return False

    def _take(self, hand: Hand, caller: int, jack: Card, place: int) -> None:
        play = hand.ruleset.play
        back = hand.trick[place]
        hand.hands[caller] ^= BIT[jack] | BIT[back]
        hand.happen("taken-back", caller, jack, back)
        play.gather(hand, play.winner(hand), (caller, jack), place)


EARLY_CALL: Final = EarlyCall()
ANSWER_TO_THE_CALL: Final = AnswerToTheCall()
