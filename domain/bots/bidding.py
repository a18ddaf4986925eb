"""Strategies before the play: the scart of Troccas; the packets, bid, discard and call of a partner of Troggu.

Discards save points, empty suits, or get rid of useless cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from domain.bots.card_values import Worth, extra, worth_in
from domain.bots.common import Advice, Dice, Reason
from domain.engine.actions import BARE, Action
from domain.engine.cards import (
    BAGAT,
    BIT,
    FIRST_TRUMP,
    FOOL_BIT,
    JACK,
    KING,
    KINGS,
    LANE_SIZE,
    LANES,
    MUND,
    QUEENS,
    SUIT_CARDS,
    TRUMP_CARDS,
    Card,
    CardSet,
    cards_in,
    set_of,
    values,
)
from domain.engine.legal import LegalChoice
from domain.engine.view import View

_HIGH: Final = TRUMP_CARDS & -(1 << FIRST_TRUMP + 14)  # XV and above
# The strength from which a hand is played for the Tapp, by the numbers of players and of cards in the Tapp. From there
# on, computer players of this level who had to play won more than they lost, in hundreds of deals.
_TAKE: Final = {(3, 8): 7.2, (4, 10): 5.0, (4, 6): 8.4, (5, 7): 7.0, (6, 8): 6.6, (7, 6): 4.4, (8, 6): 4.6}
_TAKE_ELSEWHERE: Final = 7.0
_SOLO: Final = {3: 15.5}  # the strength for a Solo, by players: it must win clearly more often to be worth the risk
_SOLO_ELSEWHERE: Final = 14.5


def strength(held: CardSet) -> float:
    """The tricks that a hand should take by itself: with trumps, especially high ones, and the top courts of suits."""
    trumps = held & (TRUMP_CARDS | FOOL_BIT)
    value = 1.0 * trumps.bit_count() + 0.5 * (held & _HIGH).bit_count()
    value += 0.5 * (held >> MUND & 1) + 1.0 * bool(held & FOOL_BIT)
    value += 1.0 * (held & KINGS).bit_count() + 0.4 * (held & QUEENS).bit_count()
    value += 0.4 * sum(not held & LANES[suit] for suit in range(4))
    if held & BIT[BAGAT] and trumps.bit_count() < 3:
        value -= 0.5
    return value


def bid(view: View, dice: Dice) -> Advice:
    """Play for the Tapp with a hand that should win more than half of the points, solo with one that cannot fail."""
    verb = bid_of(view.held, len(view.counts), view.ruleset.tapp, taken=BARE["take"] not in view.legal)
    return Advice(BARE[verb], Reason.WEAK_HAND if verb == "pass" else Reason.STRONG_HAND)


def bid_of(held: CardSet, seats: int, tapp: int, *, taken: bool) -> str:
    """The bid with a hand at a table of `seats` with `tapp` cards in the Tapp; `taken`: somebody has the game."""
    value = strength(held)
    if value >= _SOLO.get(seats, _SOLO_ELSEWHERE):
        return "solo"
    return "take" if not taken and value >= _TAKE.get((seats, tapp), _TAKE_ELSEWHERE) else "pass"


def call_partner(view: View, dice: Dice) -> Advice:
    """Call the highest trump that the Tappist does not have: its holder is the strongest partner."""
    calls = [action for action in view.legal if not (view.held | (view.scart or 0)) & BIT[action.cards[0]]]
    return Advice(max(calls, key=lambda action: action.cards[0]), Reason.CALL_THE_STRONGEST)


def packets(view: View, dice: Dice) -> Advice:
    """Choose any packets: nobody gains by them."""
    return Advice(dice.one_of(list(view.legal)), Reason.ANY_PACKETS)


_VOID: Final = 1.0  # worth of an emptied suit, for each of up to three trumps to ruff with
_BARE_KING: Final = 1.5  # cost of a king that is the last card of its suit


def exchange(view: View, dice: Dice) -> Advice:
    """Discard the cards that save most and cost the hand least: whole suits, then single cards, last of all trumps."""
    best = exchanges(view)[0]
    return Advice(Action("discard", best), _why(view.held, best))


def exchanges(view: View) -> list[tuple[Card, ...]]:
    """Sensible choices of cards to discard for the Tapp, the best by rule of thumb first."""
    legal = view.legal
    assert isinstance(legal, LegalChoice)
    worth = worth_in(view)
    gains = {card: _gain(worth, card, 2) for card in cards_in(legal.cards | legal.together)}
    different = {set_of(chosen): chosen for chosen in _candidates(view.held, legal, gains)}
    return sorted(
        different.values(),
        key=lambda chosen: -sum(gains[card] for card in chosen) - _shape(worth, view.held & ~set_of(chosen)),
    )


def _gain(worth: Worth, card: Card, times: int) -> float:
    """The gain of discarding a card: its points are safe (counted `times` times), but its power in the hand is lost."""
    return times * extra(card) * (1 - worth.home(card)) - worth.power(card)


def _candidates(held: CardSet, legal: LegalChoice, gains: dict[Card, float]) -> Iterator[tuple[Card, ...]]:
    """Sensible choices: any suits that can be emptied, with or without the honours that may go together.

    Each choice is filled up with the single cards that are easiest to spare.
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
    """The value of the shape of the remaining hand: empty suits are good if there are trumps, bare kings are bad."""
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


_VOID_WORTH = (0.0, 2.0, 3.2, 4.0)  # of an emptied suit with 0–1, 2–3, 4–5 or more trumps to ruff with


def lay_away(view: View, dice: Dice) -> Advice:
    """Discard the cards that cost the hand least and save most. A dealer without a trump who may throw in does so."""
    legal = view.legal
    assert isinstance(legal, LegalChoice)
    if legal.otherwise:
        return Advice(legal.otherwise[0], Reason.WEAK_HAND)
    best = scarts(view)[0]
    return Advice(Action(legal.verb, best), _why_scart(view.held, best))


def scarts(view: View) -> list[tuple[Card, ...]]:
    """Every choice of cards for the scart, the best by rule of thumb first."""
    legal = view.legal
    assert isinstance(legal, LegalChoice)
    worth = worth_in(view)
    gains = {card: _gain(worth, card, 1) for card in cards_in(legal.cards)}
    profit = _VOID_WORTH[min(3, worth.trumps // 2)]
    return sorted(
        combinations(gains, legal.count),
        key=lambda chosen: -sum(gains[card] for card in chosen) - _shape_after_scart(view.held, chosen, profit),
    )


def _shape_after_scart(held: CardSet, chosen: tuple[Card, ...], profit: float) -> float:
    """The value of the shape of the remaining hand: emptied suits are good, bare kings are bad."""
    rest = held & ~set_of(chosen)
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
        king, jack = BIT[suit * LANE_SIZE + KING], BIT[suit * LANE_SIZE + JACK]
        if held & king and held & jack and not rest & jack:
            value -= 1.0  # king and jack would be played together
    return value


def _why_scart(held: CardSet, chosen: tuple[Card, ...]) -> Reason:
    rest = held & ~set_of(chosen)
    if any(extra(card) for card in chosen):
        return Reason.SAVE_POINTS
    if any(held & LANES[suit] and not rest & LANES[suit] for suit in range(4)) and rest & TRUMP_CARDS:
        return Reason.MAKE_A_VOID
    return Reason.LAY_LOW
