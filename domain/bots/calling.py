"""The jack: calling it into the king's trick, answering with the Fool, taking a card back for king and jack."""

from __future__ import annotations

from domain.bots.facts import Dice
from domain.bots.playing import read
from domain.bots.reasons import Advice, Reason
from domain.bots.worth import extra
from domain.engine.actions import BARE, Action
from domain.engine.cards import BIT, CAVALIER, KING, LANE_SIZE, QUEEN, CardSet
from domain.engine.kernel import winning_place
from domain.engine.view import View


def call(view: View, dice: Dice) -> Advice:
    """The winner of a trick with a king gains the jack's points by calling it, whoever has it.

    `buob` would hand a queen or cavalier back to a jack-holder who played it, and those are worth more than the jack:
    when one of them was played by somebody else, `buob-sche` leaves it in the trick. A winner who knows that the jack
    cannot appear stays quiet.
    """
    lane = view.lane
    jack = BIT[lane * LANE_SIZE + KING - (view.ruleset.call.below_king if view.ruleset.call is not None else 3)]
    mine: CardSet = view.held | (view.scart or 0)
    if mine & jack:
        return Advice(BARE["quiet"], Reason.NOTHING_TO_CALL)
    courts = (lane * LANE_SIZE + QUEEN, lane * LANE_SIZE + CAVALIER)
    others = [card for place, card in enumerate(view.trick) if view.seat_of(place) != view.seat]
    if BARE["buob-sche"] in view.legal and any(card in courts for card in others):
        return Advice(BARE["buob-sche"], Reason.LEAVE_THE_COURT)
    return Advice(BARE["buob"], Reason.CALL_THE_JACK)


def answer_with_fool(view: View, dice: Dice) -> Advice:
    """With the jack and the Fool in the trick: the jack goes to the own side's trick, the Fool comes back for later.

    Into the other side's trick the jack is not given.
    """
    if BARE["give"] not in view.legal:
        return Advice(BARE["keep"], Reason.NOTHING_TO_CALL)
    assert view.seat is not None
    winner = view.seat_of(winning_place(view.trick, view.lane))
    if view.sides[winner] == view.sides[view.seat]:
        return Advice(BARE["give"], Reason.JACK_COMES_HOME)
    return Advice(BARE["keep"], Reason.KEEP_THE_JACK)


def take_back(view: View, dice: Dice) -> Advice:
    """The strongest numeral comes back to hand: with king and jack gone it may still win a trick.

    Where any card may come back, it is the one that is worth most in the hand and least missed in the trick.
    """
    if view.ruleset.pair is not None and view.ruleset.pair.takes_back == "any":
        situation = read(view)
        assert view.seat is not None
        ours = view.sides[view.seat_of(view.best)] == view.sides[view.seat]

        def gain(action: Action) -> float:
            card = action.cards[0]
            return situation.worth.keeping(card) - (extra(card) if ours else -extra(card))

        return Advice(max(view.legal, key=gain), Reason.TAKE_THE_BEST)
    return Advice(max(view.legal, key=lambda action: action.cards[0]), Reason.TAKE_THE_BEST)
