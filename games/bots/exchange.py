"""Troggu: what the Tappist lays away after taking up the Tapp.

The cards laid away count for the Tappist's side, so they are points in safety, suits emptied, or cards without a use.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from games.bots.chance import Dice
from games.bots.facts import plain_trick, scale, sides_supposed
from games.bots.knowledge import know
from games.bots.reasons import Advice, Reason
from games.bots.worth import Worth, extra
from games.engine.actions import Action
from games.engine.cards import KINGS, LANES, SUIT_CARDS, Card, CardSet, cards_in, set_of, values
from games.engine.legal import LegalChoice
from games.engine.view import View

_VOID: Final = 1.0  # an emptied suit for each trump that can profit from it, up to three
_BARE_KING: Final = 1.5  # a king left without company


def exchange(view: View, dice: Dice) -> Advice:
    """The cards that save most and cost the hand least: whole suits first, then single cards, trumps only in need."""
    legal = view.legal
    assert isinstance(legal, LegalChoice)
    worth = Worth(
        know(view), view.held, sides_supposed(view), plain=plain_trick(view.ruleset), scale=scale(view.ruleset)
    )
    gains = {card: _gain(worth, card) for card in cards_in(legal.cards | legal.together)}
    best = max(
        _candidates(view.held, legal, gains),
        key=lambda chosen: sum(gains[card] for card in chosen) + _shape(worth, view.held & ~set_of(chosen)),
    )
    return Advice(Action(legal.verb, best), _why(view.held, best))


def _gain(worth: Worth, card: Card) -> float:
    """The card's points are safe; the trick it would have taken is lost."""
    return 2 * extra(card) * (1 - worth.home(card)) - worth.power(card)


def _candidates(held: CardSet, legal: LegalChoice, gains: dict[Card, float]) -> Iterator[tuple[Card, ...]]:
    """Sensible choices: any suits emptied that can be, with or without the honours that may go together, and filled up
    with the single cards that are spared most easily.
    """
    easiest = sorted(cards_in(legal.cards), key=lambda card: gains[card], reverse=True)
    for whole in {0, legal.together}:
        for several in range(5):
            for suits in combinations(range(4), several):
                chosen = whole
                for suit in suits:
                    chosen |= held & LANES[suit] & (legal.cards | whole)
                if chosen.bit_count() > legal.count:
                    continue
                rest = [card for card in easiest if not chosen >> card & 1]
                yield (*cards_in(chosen), *rest[: legal.count - chosen.bit_count()])


def _shape(worth: Worth, rest: CardSet) -> float:
    """What the hand that is kept looks like: empty suits are good while there are trumps, kings alone are not."""
    value = 0.0
    for suit in range(4):
        left = rest & LANES[suit]
        if not left:
            value += _VOID * worth.scale * min(3, worth.trumps) / 3
        elif left.bit_count() == 1 and left & KINGS:
            value -= _BARE_KING
    return value


def _why(held: CardSet, chosen: tuple[Card, ...]) -> Reason:
    away = set_of(chosen)
    rest = held & ~away
    if any(held & LANES[suit] and not rest & LANES[suit] for suit in range(4)):
        return Reason.MAKE_A_VOID
    return Reason.SAVE_POINTS if values(away & SUIT_CARDS) > len(chosen) else Reason.LAY_LOW
