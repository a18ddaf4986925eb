"""The scart: two cards laid away so that points are safe, suits become empty, and the strong cards stay."""

from __future__ import annotations

from itertools import combinations

from domain.bots.facts import Dice, plain_trick, scale
from domain.bots.knowledge import know
from domain.bots.reasons import Advice, Reason
from domain.bots.worth import Worth, extra
from domain.engine.actions import Action
from domain.engine.cards import BIT, JACK, KING, KINGS, LANE_SIZE, LANES, TRUMP_CARDS, Card, CardSet, cards_in
from domain.engine.legal import LegalChoice
from domain.engine.view import View

_VOID_WORTH = (0.0, 2.0, 3.2, 4.0)  # an emptied suit by the trumps that can profit from it: 0–1, 2–3, 4–5, more


def lay_away(view: View, dice: Dice) -> Advice:
    """The cards that cost the hand least and save most. A dealer without a trump who may throw in does so."""
    legal = view.legal
    assert isinstance(legal, LegalChoice)
    if legal.otherwise:
        return Advice(legal.otherwise[0], Reason.WEAK_HAND)
    rules = view.ruleset
    worth = Worth(know(view), view.held, view.sides, plain=plain_trick(rules), scale=scale(rules))
    gains = {card: _gain(worth, card) for card in cards_in(legal.cards)}
    profit = _VOID_WORTH[min(3, worth.trumps // 2)]
    best = max(
        combinations(gains, legal.count),
        key=lambda chosen: sum(gains[card] for card in chosen) + _shape(view.held, chosen, profit),
    )
    return Advice(Action(legal.verb, best), _why(view.held, best))


def _gain(worth: Worth, card: Card) -> float:
    """The card's points are safe in the scart; what it would have done in the hand is gone."""
    return extra(card) * (1 - worth.home(card)) - worth.power(card)


def _shape(held: CardSet, chosen: tuple[Card, ...], profit: float) -> float:
    """What the rest of the hand looks like: emptied suits are good, kings that stand bare are not."""
    rest = held
    for card in chosen:
        rest &= ~BIT[card]
    value = 0.0
    for suit in range(4):
        lane = LANES[suit]
        if not held & lane & ~rest:
            continue
        left = rest & lane
        if not left:
            value += profit
        elif left.bit_count() == 1:
            value += -1.0 if left & KINGS else 0.4 * profit
        if (
            held & BIT[suit * LANE_SIZE + KING]
            and not rest & BIT[suit * LANE_SIZE + JACK]
            and held & BIT[suit * LANE_SIZE + JACK]
        ):
            value -= 1.0  # king and jack would be played together
    return value


def _why(held: CardSet, chosen: tuple[Card, ...]) -> Reason:
    rest = held
    for card in chosen:
        rest &= ~BIT[card]
    if any(extra(card) for card in chosen):
        return Reason.SAVE_POINTS
    if any(held & LANES[suit] and not rest & LANES[suit] for suit in range(4)) and rest & TRUMP_CARDS:
        return Reason.MAKE_A_VOID
    return Reason.LAY_LOW
