"""Calling the jack into the trick of its king, and king and jack played together.

Where the cavalier is called in its place, it is the cavalier that "jack" stands for here (`CallRule.below_king`).
pagat, "The Play": the first time a suit is led and its king lies in the trick without the jack, the trick's winner (our
reading; the text once says the king's player) may say `buob` or `buob-sche`. Every question here is asked so that being
asked tells nothing about hidden cards.
"""

from __future__ import annotations

from typing import Final

from games.engine.actions import BARE, Action
from games.engine.cards import BIT, CAVALIER, FOOL, KING, LANE_SIZE, QUEEN, Card
from games.engine.dealing import Asking
from games.engine.errors import Illegality, Rule
from games.engine.hand import NOBODY, Hand
from games.engine.legal import Legal, LegalWords
from games.engine.tricks import numerals_of_others

_CALLS: Final = LegalWords("call", (BARE["buob"], BARE["buob-sche"], BARE["quiet"]))
_PLAIN_CALLS: Final = LegalWords("call", (BARE["buob"], BARE["quiet"]))
_GIVE_OR_KEEP: Final = LegalWords("fool", (BARE["give"], BARE["keep"]))
_KEEP: Final = LegalWords("fool", (BARE["keep"],))


def called_card(hand: Hand) -> Card:
    """The card that a call in this trick is for: the jack of the suit led."""
    rule = hand.ruleset.call
    assert rule is not None
    return hand.lane * LANE_SIZE + KING - rule.below_king


class Call(Asking):
    """The winner of the trick calls for the jack, or stays quiet."""

    def open(self, hand: Hand) -> bool:
        """Ask the winner, if the complete trick allows the call."""
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
            place = (holder - hand.leader) % hand.seats
            played = hand.trick[place]
            rank = played % LANE_SIZE
            if played != FOOL and rank != KING:
                if action.verb == "buob-sche" and rank in (QUEEN, CAVALIER):
                    hand.happen("jack-kept", holder, jack)
                    hand.ruleset.play.gather(hand)
                else:
                    swap_in(hand, place, jack)
                return
        if FOOL in hand.trick:
            hand.turn = (hand.leader + hand.trick.index(FOOL)) % hand.seats
            hand.stage = ANSWER
            return
        hand.happen("no-jack", hand.turn, jack)
        hand.ruleset.play.gather(hand)


class FoolAnswer(Asking):
    """No jack has appeared and somebody played the Fool: that player is asked, with the jack or without."""

    def legal(self, hand: Hand) -> Legal:
        return _GIVE_OR_KEEP if hand.hands[hand.turn] & BIT[called_card(hand)] else _KEEP

    def broken(self, hand: Hand, action: Action, legal: Legal) -> Illegality | None:
        return Illegality(Rule.NO_JACK_TO_GIVE) if action.verb == "give" else None

    def apply(self, hand: Hand, action: Action) -> None:
        jack = called_card(hand)
        if action.verb == "give":
            swap_in(hand, hand.trick.index(FOOL), jack)
        else:
            hand.happen("no-jack", hand.turn, jack)
            hand.ruleset.play.gather(hand)


class TakeBack(Asking):
    """Who played king and jack together takes back a card that another played: as `PairRule.takes_back` says, a numeral
    of the suit or anything but the Fool.

    If there is none, the jack goes back to hand (our reading).
    """

    def _places(self, hand: Hand) -> list[int]:
        """The places of the cards that may be taken back."""
        rule = hand.ruleset.pair
        if rule is not None and rule.takes_back == "any":
            return [place for place, card in enumerate(hand.trick) if place != hand.pair_at and card != FOOL]
        return numerals_of_others(hand, hand.pair_at)

    def open(self, hand: Hand) -> bool:
        """Ask the player of the pair, or give the jack back."""
        if hand.pair_at == NOBODY:
            return False
        seat = (hand.leader + hand.pair_at) % hand.seats
        if self._places(hand):
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
        return LegalWords("take", tuple(Action("take", (hand.trick[place],)) for place in self._places(hand)))

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
        place = hand.trick.index(card)
        hand.hands[hand.turn] |= BIT[card]
        hand.happen("taken-back", hand.turn, jack, card)
        hand.ruleset.play.gather(hand, winner, (hand.turn, jack), place)


def swap_in(hand: Hand, place: int, jack: Card) -> None:
    """Put the jack into the trick for the card at `place`, which goes back to hand. The winner stays."""
    winner = hand.ruleset.play.winner(hand)
    seat = (hand.leader + place) % hand.seats
    back = hand.trick[place]
    hand.trick[place] = jack
    hand.hands[seat] ^= BIT[jack] | BIT[back]
    hand.happen("jack-given", seat, jack, back)
    hand.ruleset.play.gather(hand, winner)


CALL: Final = Call()
ANSWER: Final = FoolAnswer()
TAKE_BACK: Final = TakeBack()
