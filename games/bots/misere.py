"""Misere: everyone is alone and takes as few points as possible."""

from __future__ import annotations

from typing import Final

from games.bots.chance import Dice
from games.bots.facts import lane_of, over, plain_trick, takes
from games.bots.knowledge import Knowledge, know
from games.bots.odds import chance_void
from games.bots.reasons import Advice, Reason
from games.bots.worth import extra
from games.engine.actions import Action
from games.engine.cards import FIRST_TRUMP, FOOL_BIT, LANES, NO_LANE, TRUMP_CARDS, TRUMPS, Card, CardSet, Lane
from games.engine.legal import LegalPlays
from games.engine.view import View

_THROWN: Final = 1.0  # points above a low card that each player still to come may throw into another's trick
_TRUMP: Final = 0.6  # how often the lowest trump takes a trick all the same, because its holder has to use it


def avoid(view: View, dice: Dice) -> Advice:
    """The card that probably costs least: what it takes now, less what it would take if it were kept."""
    assert isinstance(view.legal, LegalPlays)
    plays = list(view.legal)
    if len(plays) == 1:
        return Advice(plays[0], Reason.ONLY_CARD)
    known = know(view)
    return Advice(max(plays, key=lambda action: _value(view, known, action)), Reason.AVOID_POINTS)


def _value(view: View, known: Knowledge, action: Action) -> float:
    card = action.cards[0]
    seats = len(view.counts)
    plain = plain_trick(view.ruleset)
    lane, mine = view.lane, True
    if lane == NO_LANE:
        lane = lane_of(card, high_fool=True)
    else:
        mine = takes(card, view.trick[view.best], lane, high_fool=True)
    kept = 1.0 if mine else 0.0
    to_come = [(known.seat + step) % seats for step in range(1, seats - len(view.trick))]
    for seat in to_come:
        kept *= 1.0 - _must_take(known, seat, card, lane)
    trick = plain + extra(card) + sum(map(extra, view.trick)) + _THROWN * len(to_come)
    return _danger(known, view.held, card, plain) - kept * trick


def _must_take(known: Knowledge, seat: int, best: Card, lane: Lane) -> float:
    """The chance that `seat` cannot stay below `best`: it has to trump, or holds nothing lower of the suit."""
    trumps = known.trumps_at(seat)
    if lane == TRUMPS:
        return _only_over(known, seat, best, trumps)
    void = chance_void(known, seat, lane)
    if best >= FIRST_TRUMP:
        return void * _only_over(known, seat, best, trumps)
    some = 1.0 - _missing(known, seat, trumps)
    return void * some + _only_over(known, seat, best, LANES[lane])


def _missing(known: Knowledge, seat: int, cards: CardSet) -> float:
    """The chance that `seat` has none of `cards`."""
    if known.located[seat] & cards:
        return 0.0
    places = sum(known.slots) + known.resting
    share = known.slots[seat] / places if places else 0.0
    return (1.0 - share) ** (cards & known.may_hold[seat]).bit_count()


def _only_over(known: Knowledge, seat: int, best: Card, cards: CardSet) -> float:
    """The chance that `seat` has some of `cards`, and none that is lower than `best`."""
    higher = cards & over(best, high_fool=True)
    return _missing(known, seat, cards & ~higher) * (1.0 - _missing(known, seat, higher))


def _danger(known: Knowledge, held: CardSet, card: Card, plain: float) -> float:
    """What the card would probably take if it were kept: the more, the more cards below it are out; and what it would
    carry in itself.
    """
    lane = lane_of(card, high_fool=True)
    cards = LANES[lane] | (FOOL_BIT if lane == TRUMPS else 0)
    out = known.unseen & cards
    higher = out & over(card, high_fool=True)
    share = 1.0 - higher.bit_count() / out.bit_count() if out else 1.0
    if lane == TRUMPS:
        share = _TRUMP + (1.0 - _TRUMP) * share
    elif held & cards & -(held & cards) & ~(1 << card) and not held & (TRUMP_CARDS | FOOL_BIT):
        share *= 0.7  # a lower card of the suit can go first
    return share * (plain + _THROWN) + 0.25 * extra(card)
