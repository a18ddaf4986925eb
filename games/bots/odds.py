"""Chances from what is known: who may still hold what, and who will probably win a trick.

Cards that nobody has located are thought of as spread evenly over the free places of the hands that can hold them (and
the scart). That is quick and near enough; nothing in here looks at anything but a `Knowledge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.bots.facts import over
from games.bots.knowledge import Knowledge
from games.engine.cards import FIRST_TRUMP, FOOL, HONOURS, LANES, NO_LANE, TRUMP_CARDS, TRUMPS, Card, CardSet, Lane

_AFTER_A_FIGHT: Final = 0.6  # a card that has just beaten another is harder to beat than the one it beat


def chance_of_any(known: Knowledge, seat: int, cards: CardSet) -> float:
    """The chance that `seat` holds at least one of `cards`."""
    if known.located[seat] & cards:
        return 1.0
    open_cards = cards & known.may_hold[seat]
    places = known.slots[seat]
    if not open_cards or not places:
        return 0.0
    resting = known.resting if known.resting_honours or open_cards & ~HONOURS else 0
    # where every card of the set can lie: a hand that can hold any of them counts with its free places
    room = resting
    for other, slots in enumerate(known.slots):
        if slots and known.may_hold[other] & open_cards:
            room += slots
    count = open_cards.bit_count()
    missing = 1.0
    share = places / room
    if share >= 1.0:
        return 1.0
    for _ in range(count):
        missing *= 1.0 - share
    return 1.0 - missing


def chance_void(known: Knowledge, seat: int, lane: Lane) -> float:
    """The chance that `seat` holds no card of `lane`."""
    return 1.0 - chance_of_any(known, seat, LANES[lane])


def chance_to_beat(known: Knowledge, seat: int, best: Card, lane: Lane) -> float:
    """The chance that `seat` is able to beat `best`, the card that is winning a trick in which `lane` was led.

    A `best` that is the Fool and no trump lies there alone: whoever is next wins so far.
    """
    high_fool = known.high_fool
    if lane == NO_LANE or (best == FOOL and not high_fool):
        return 1.0
    higher = over(best, high_fool)
    if best >= FIRST_TRUMP:
        higher &= known.trumps_at(seat)
        able = chance_of_any(known, seat, higher)
        return able if lane == TRUMPS else chance_void(known, seat, lane) * able
    if lane == TRUMPS:  # no trump fell where trumps were asked for: the suit of `best` counts
        return chance_of_any(known, seat, higher | TRUMP_CARDS)
    void = chance_void(known, seat, lane)
    return chance_of_any(known, seat, higher) + void * chance_of_any(known, seat, known.trumps_at(seat))


def chance_to_win(known: Knowledge, best: Card, lane: Lane, ours: bool, to_come: Sequence[tuple[int, bool]]) -> float:
    """The chance that the own side takes the trick.

    `best` wins so far and is the own side's if `ours`; `to_come` are the seats still to play in their order, with
    whether each is on the own side.
    """
    chance = 1.0 if ours else 0.0
    fought = False
    for seat, friend in to_come:
        able = chance_to_beat(known, seat, best, lane)
        if fought:
            able *= _AFTER_A_FIGHT
        if friend:
            if chance < 1.0:
                chance += (1.0 - chance) * able * 0.9
                fought = fought or able > 0.3
        elif chance > 0.0:
            chance -= chance * able
            fought = fought or able > 0.3
    return chance
