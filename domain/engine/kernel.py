"""The hot rules, on plain non-negative ints below 2**63.

A hand comes as two words: `suits` (56 bits, four lanes of 14) and `trumps` (22 bits, I … XXI and the Fool on top). The
functions use nothing but int arithmetic and tuples, so that a compiled core can share this very source; everything
readable about the cards stands in `cards.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

FIRST_TRUMP = 56
FOOL = 77
TRUMPS_LANE = 4
LANE = 0x3FFF
REAL_TRUMPS = 0x1FFFFF
FOOL_WORD = 0x200000


def playable_with_excuse(suits: int, trumps: int, lane: int) -> tuple[int, int]:
    """What may be played from a hand where the Fool excuses: follow suit, else trump, else anything, and always the Fool.

    `lane` is the suit to follow (0–3), 4 for trumps, -1 when the player is free. Returns the two words of what is legal.
    """
    if lane < 0:
        return suits, trumps
    if lane < TRUMPS_LANE:
        following = suits & LANE << 14 * lane
        if following:
            return following, trumps & FOOL_WORD
    if trumps & REAL_TRUMPS:
        return 0, trumps
    return suits, trumps


def playable_with_high_fool(suits: int, trumps: int, lane: int, withheld: bool) -> tuple[int, int]:
    """What may be played from a hand where the Fool is the highest trump: follow suit, else trump, else anything.

    Who has no trump but the Fool may play anything in its place; a Fool once `withheld` is the last card to be played.
    `lane` and the result are as in `playable_with_excuse`.
    """
    if withheld and (suits or trumps & REAL_TRUMPS):
        trumps &= REAL_TRUMPS
    if 0 <= lane < TRUMPS_LANE:
        following = suits & LANE << 14 * lane
        if following:
            return following, 0
    if lane >= 0 and trumps & REAL_TRUMPS:
        return 0, trumps
    return suits, trumps


def winning_place(cards: Sequence[int], lane: int) -> int:
    """The place in `cards` of the card that takes the trick: the highest trump, else the highest of the suit led.

    The Fool never wins here. Cards are numbered as in `cards.py`, where the higher number is the stronger card.
    """
    best = -1
    place = 0
    low = lane * 14
    high = low + 14
    at = 0
    for card in cards:
        if card > best and card != FOOL and (card >= FIRST_TRUMP or low <= card < high):
            best = card
            place = at
        at += 1  # noqa: SIM113  # counting by hand is what compiles, and what is quick
    return place
