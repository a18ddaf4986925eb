"""Calling the jack into the trick of its king, and king and jack played together.

In games where the cavalier is called instead, "jack" here means the cavalier (`CallRule.below_king`). pagat, "The
Play": when a suit is led for the first time and its king is in the trick without the jack, the trick's winner (our
reading; the text once says the king's player) may say `buob` or `buob-sche`. No question here reveals anything about
hidden cards by being asked.
"""

from __future__ import annotations

from typing import Final

from domain.engine.actions import BARE, Action
from domain.engine.cards import BIT, CAVALIER, FOOL, KING, KINGS, LANE_SIZE, LANES, NUMERALS, QUEEN, Card, CardSet
from domain.engine.dealing import Asking
from domain.engine.errors import IllegalAction, Illegality, Rule
from domain.engine.hand import Hand
from domain.engine.legal import Legal, LegalPlays, LegalWords
from domain.engine.state import NOBODY
from domain.engine.tricks import Tricks

_CALLS: Final = LegalWords("call", (BARE["buob"], BARE["buob-sche"], BARE["quiet"]))
_PLAIN_CALLS: Final = LegalWords("call", (BARE["buob"], BARE["quiet"]))
_GIVE_OR_KEEP: Final = LegalWords("fool", (BARE["give"], BARE["keep"]))
_KEEP: Final = LegalWords("fool", (BARE["keep"],))


def called_card(hand: Hand) -> Card:
    """The card that a call in this trick asks for: the jack of the suit led."""
    rule = hand.ruleset.call
    assert rule is not None
    return hand.lane * LANE_SIZE + KING - rule.below_king


def numerals_of_others(hand: Hand, own: int) -> list[int]:
    """The positions in the complete trick of the numerals of the suit led, except the position `own`."""
    numerals = NUMERALS & LANES[hand.lane]
    return [index for index, card in enumerate(hand.trick) if index != own and numerals & BIT[card]]


class Call(Asking):
    """The winner of the trick calls for the jack, or stays quiet."""

    def open(self, hand: Hand) -> bool:
        """Ask the winner if the complete trick allows the call. Returns whether it did."""
        if hand.pair_at != NOBODY or hand.lane * LANE_SIZE + KING not in hand.trick:
            return False
        jack = called_card(hand)
        if jack in hand.trick or hand.out & BIT[jack]:
            return False
        hand.turn = hand.ruleset.play.winner(hand)
        hand.stage = self
        return True

    def legal(self, hand: Hand) -> Legal:
        rule = hand.ruleset.call
        return _CALLS if rule is not None and rule.exempting else _PLAIN_CALLS

    def apply(self, hand: Hand, action: Action) -> None:
        if action.verb == "quiet":
            hand.ruleset.play.gather(hand)
            return
        jack = called_card(hand)
        holder = next((seat for seat, held in enumerate(hand.hands) if held & BIT[jack]), NOBODY)
        if holder != NOBODY:
            index = (holder - hand.leader) % hand.seats
            played = hand.trick[index]
            rank = played % LANE_SIZE
            if played != FOOL and rank != KING:
                if action.verb == "buob-sche" and rank in (QUEEN, CAVALIER):
                    hand.happen("jack-kept", holder, jack)
                    hand.ruleset.play.gather(hand)
                else:
                    swap_in(hand, index, jack)
                return
        if FOOL in hand.trick:
            hand.turn = (hand.leader + hand.trick.index(FOOL)) % hand.seats
            hand.stage = ANSWER
            return
        hand.happen("no-jack", hand.turn, jack)
        hand.ruleset.play.gather(hand)


class FoolAnswer(Asking):
    """If no jack appeared and somebody played the Fool, that player is asked, whether or not he has the jack."""

    def legal(self, hand: Hand) -> Legal:
        return _GIVE_OR_KEEP if hand.hands[hand.turn] & BIT[called_card(hand)] else _KEEP

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.NO_JACK_TO_GIVE) if action.verb == "give" else None

    def apply(self, hand: Hand, action: Action) -> None:
        jack = called_card(hand)
        if action.verb == "give":
            swap_in(hand, hand.trick.index(FOOL), jack)
        else:
            hand.happen("no-jack", hand.ruleset.play.winner(hand), jack)  # the winner is the caller
            hand.ruleset.play.gather(hand)


class TakeBack(Asking):
    """The player of king and jack together takes back a card of another player.

    `PairRule.takes_back` says which: a numeral of the suit, or any card but the Fool. If there is none, the jack goes
    back to the hand (our reading).
    """

    def _positions(self, hand: Hand) -> list[int]:
        """The positions of the cards that may be taken back."""
        rule = hand.ruleset.pair
        if rule is not None and rule.takes_back == "any":
            return [index for index, card in enumerate(hand.trick) if index != hand.pair_at and card != FOOL]
        return numerals_of_others(hand, hand.pair_at)

    def open(self, hand: Hand) -> bool:
        """Ask the player of the pair, or give the jack back. Returns whether he is asked."""
        if hand.pair_at == NOBODY:
            return False
        seat = (hand.leader + hand.pair_at) % hand.seats
        if self._positions(hand):
            hand.turn = seat
            hand.stage = self
            return True
        jack = self._companion(hand)
        hand.hands[seat] |= BIT[jack]
        hand.happen("jack-back", seat, jack)
        return False

    def _companion(self, hand: Hand) -> Card:
        rule = hand.ruleset.pair
        assert rule is not None
        return hand.trick[hand.pair_at] - rule.below_king

    def legal(self, hand: Hand) -> Legal:
        return LegalWords("take", tuple(Action("take", (hand.trick[index],)) for index in self._positions(hand)))

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        if action.verb != "take" or not action.cards:
            return None
        rule = hand.ruleset.pair
        any_card = rule is not None and rule.takes_back == "any"
        return Illegality(Rule.OWN_OR_FOOL if any_card else Rule.NOT_TO_TAKE, card=action.cards[0])

    def apply(self, hand: Hand, action: Action) -> None:
        card = action.cards[0]
        jack = self._companion(hand)
        winner = hand.ruleset.play.winner(hand)
        index = hand.trick.index(card)
        hand.hands[hand.turn] |= BIT[card]
        hand.happen("taken-back", hand.turn, jack, card)
        hand.ruleset.play.gather(hand, winner, (hand.turn, jack), index)


def swap_in(hand: Hand, index: int, jack: Card) -> None:
    """Put the jack into the trick instead of the card at `index`, which goes back to the hand.

    The winner stays the same.
    """
    winner = hand.ruleset.play.winner(hand)
    seat = (hand.leader + index) % hand.seats
    back = hand.trick[index]
    hand.trick[index] = jack
    hand.hands[seat] ^= BIT[jack] | BIT[back]
    hand.happen("jack-given", seat, jack, back)
    hand.ruleset.play.gather(hand, winner)


CALL: Final = Call()
ANSWER: Final = FoolAnswer()
TAKE_BACK: Final = TakeBack()


class EarlyCall(Tricks):
    """As `Tricks`, but a player of a king to the first lead of its suit may call the jack with it (`play CK buob`).

    If the holder of the jack has not played yet, he must play it; nothing else is legal.
    """

    def forced(self, hand: Hand) -> CardSet:
        """The jack, if it has been called and the player on turn must play it; else nothing."""
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
    """When a trick with a called jack is complete, the jack is swapped in, unless it was played.

    The holder gets back the card he played, but a Fool stays. A caller who holds the jack himself puts it in for the
    lowest numeral of the suit from another player; if there is none, nothing happens (our reading).
    """

    def open(self, hand: Hand) -> bool:
        """Swap the jack in and gather the trick. Returns whether there was anything to swap."""
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
            index = (holder - hand.leader) % hand.seats
            if hand.trick[index] != FOOL:
                swap_in(hand, index, jack)
                return True
        hand.happen("no-jack", caller, jack)
        return False

    def _take(self, hand: Hand, caller: int, jack: Card, index: int) -> None:
        play = hand.ruleset.play
        back = hand.trick[index]
        hand.hands[caller] ^= BIT[jack] | BIT[back]
        hand.happen("taken-back", caller, jack, back)
        play.gather(hand, play.winner(hand), (caller, jack), index)


EARLY_CALL: Final = EarlyCall()
ANSWER_TO_THE_CALL: Final = AnswerToTheCall()
