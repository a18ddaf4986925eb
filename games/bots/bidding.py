"""Troggu before the play: how to deal, whether to play for the Tapp, and which partner to call."""

from __future__ import annotations

from typing import Final

from games.bots.chance import Dice
from games.bots.reasons import Advice, Reason
from games.engine.actions import BARE
from games.engine.cards import BAGAT, BIT, FIRST_TRUMP, FOOL_BIT, KINGS, LANES, MUND, QUEENS, TRUMP_CARDS, CardSet
from games.engine.view import View

_HIGH: Final = TRUMP_CARDS & -(1 << FIRST_TRUMP + 14)  # XV and above
# From which strength a hand is played for the Tapp, by players and cards in the Tapp: there, computer players of this
# level who had to play won more than they lost, on deals by the hundred.
_TAKE: Final = {
    (3, 8): 7.2,
    (4, 10): 5.0,
    (4, 6): 8.4,
    (5, 7): 7.0,
    (6, 8): 6.6,
    (7, 6): 4.4,
    (8, 6): 4.6,
}
_TAKE_ELSEWHERE: Final = 7.0
_SOLO: Final = {3: 15.5}  # the same for a Solo, by players: it must win clearly more often to be worth the risk
_SOLO_ELSEWHERE: Final = 14.5


def strength(held: CardSet) -> float:
    """The tricks a hand promises to take alone: trumps, the more the higher, and the courts that lead their suits."""
    trumps = held & (TRUMP_CARDS | FOOL_BIT)
    value = 1.0 * trumps.bit_count() + 0.5 * (held & _HIGH).bit_count()
    value += 0.5 * (held >> MUND & 1) + 1.0 * bool(held & FOOL_BIT)
    value += 1.0 * (held & KINGS).bit_count() + 0.4 * (held & QUEENS).bit_count()
    value += 0.4 * sum(not held & LANES[suit] for suit in range(4))
    if held & BIT[BAGAT] and trumps.bit_count() < 3:
        value -= 0.5
    return value


def bid(view: View, dice: Dice) -> Advice:
    """Plays for the Tapp with a hand that should win more than half of the points, alone with one that cannot fail."""
    value = strength(view.held)
    if value >= _SOLO.get(len(view.counts), _SOLO_ELSEWHERE):
        return Advice(BARE["solo"], Reason.STRONG_HAND)
    if BARE["take"] in view.legal and value >= _TAKE.get((len(view.counts), view.ruleset.tapp), _TAKE_ELSEWHERE):
        return Advice(BARE["take"], Reason.STRONG_HAND)
    return Advice(BARE["pass"], Reason.WEAK_HAND)


def call_partner(view: View, dice: Dice) -> Advice:
    """Whoever has the highest trump that the Tappist has not is the strongest partner."""
    ready = [action for action in view.legal if not (view.held | (view.scart or 0)) & BIT[action.cards[0]]]
    return Advice(max(ready, key=lambda action: action.cards[0]), Reason.CALL_THE_STRONGEST)


def packets(view: View, dice: Dice) -> Advice:
    """However the cards are dealt, nobody gains by it."""
    return Advice(dice.one_of(list(view.legal)), Reason.ANY_PACKETS)
