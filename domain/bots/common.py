"""Common parts of the strategies of computer players: advice, and what the rules of a game mean for their judgement.

Reasons are short stable codes, which the site puts into words for learners. `Dice` makes small free choices (which
phrase, where to cut) that differ from game to game but can be reproduced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from domain.engine.actions import Action
from domain.engine.cards import FOOL, FOOL_BIT, LANE_OF, LANES, NO_LANE, TRUMPS, Card, CardSet, Lane, values
from domain.engine.counting import GroupsOf
from domain.engine.fool import HighFool
from domain.engine.ruleset import Ruleset
from domain.engine.state import NOBODY
from domain.engine.tricks import winning_place
from domain.engine.view import UNKNOWN, View


class Reason(StrEnum):
    """The main reason for a choice. The values are stable: translations and records of lessons depend on them."""

    # the deal and the talk
    FEWER_ROUNDS = "fewer-rounds"
    ALL_ROUNDS = "all-rounds"
    LEAVE_THE_CARDS = "leave-the-cards"
    CUT_THE_PACK = "cut-the-pack"
    STRONG_HAND = "strong-hand"
    PARTNER_IS_STRONG = "partner-is-strong"
    WEAK_HAND = "weak-hand"
    FAIR_HAND = "fair-hand"
    NOT_SO_BAD = "not-so-bad"
    # the scart
    MAKE_A_VOID = "make-a-void"
    SAVE_POINTS = "save-points"
    LAY_LOW = "lay-low"
    # the Tapp
    ANY_PACKETS = "any-packets"
    CALL_THE_STRONGEST = "call-the-strongest"
    # the play
    ONLY_CARD = "only-card"
    LEAD_KING = "lead-king"
    LEAD_HIGH = "lead-high"
    LEAD_LOW = "lead-low"
    LEAD_TO_PARTNER = "lead-to-partner"
    DRAW_TRUMPS = "draw-trumps"
    KING_AND_JACK = "king-and-jack"
    BRING_BAGAT_HOME = "bring-bagat-home"
    PROTECT_BAGAT = "protect-bagat"
    PARTNER_WINS_SMEAR = "partner-wins-smear"
    PARTNER_WINS_LOW = "partner-wins-low"
    WIN_CHEAPLY = "win-cheaply"
    WIN_HIGH = "win-high"
    WIN_WITH_TRUMP = "win-with-trump"
    HELP_PARTNER = "help-partner"
    LOSE_CHEAPLY = "lose-cheaply"
    AVOID_POINTS = "avoid-points"
    FOOL_SAVES = "fool-saves"
    FOOL_IN_TIME = "fool-in-time"
    # the jack
    CALL_THE_JACK = "call-the-jack"
    LEAVE_THE_COURT = "leave-the-court"
    NOTHING_TO_CALL = "nothing-to-call"
    JACK_COMES_HOME = "jack-comes-home"
    KEEP_THE_JACK = "keep-the-jack"
    TAKE_THE_BEST = "take-the-best"


@dataclass(frozen=True, slots=True)
class Advice:
    """An action and the main reason for it."""

    action: Action
    reason: Reason


_USUAL: Final = 71.5 / 19  # points of an average trick of Troccas for four, for which the weights were found

_ALONE: Final = 1.5


def fool_is_high(rules: Ruleset) -> bool:
    """Whether the Fool is the highest trump (Troggu) and not an excuse."""
    return isinstance(rules.play, HighFool)


def sides_supposed(view: View) -> tuple[int, ...]:
    """The side of each seat: the one that the viewer knows, or else the most likely one.

    While a partner is secret, each of the others is probably not the partner: the Tappist takes all for foes, and his
    opponents take each other for friends.
    """
    return tuple([1 if side == UNKNOWN else side for side in view.sides])


def lane_of(card: Card, high_fool: bool) -> Lane:
    """The suit of a card, or the trumps; the Fool has no lane unless it is the highest trump."""
    return TRUMPS if high_fool and card == FOOL else LANE_OF[card]


def over(card: Card, high_fool: bool) -> CardSet:
    """The cards of the card's own suit, or trumps, that rank above it."""
    lane = lane_of(card, high_fool)
    ranked = LANES[lane] if lane != NO_LANE else 0
    if high_fool and lane == TRUMPS:
        ranked |= FOOL_BIT
    return ranked & -(1 << card + 1)


def takes(card: Card, best: Card, lane: Lane, high_fool: bool) -> bool:
    """Whether `card` takes the trick that `best` was winning, in which `lane` was led.

    If trumps had to follow a led Fool and nobody played one, the suit of `best` counts (docs/rules.md,
    `troccas-oinkers`).
    """
    if high_fool and FOOL in (card, best):
        return card == FOOL
    if lane == TRUMPS and LANE_OF[best] not in (TRUMPS, NO_LANE):
        lane = LANE_OF[best]
    if best == FOOL:
        return card != FOOL
    return winning_place((best, card), lane) == 1


def plays_last(view: View) -> bool:
    """Whether whoever has the turn plays the last card of the trick."""
    return len(view.trick) - (view.pair_at != NOBODY) == len(view.counts) - 1


def plain_trick(rules: Ruleset) -> float:
    """The card points of a trick with only low cards."""
    count = rules.count
    if isinstance(count, GroupsOf):
        return rules.seats * (count.size - count.less) / count.size
    return float(rules.seats)


def scale(rules: Ruleset) -> float:
    """The worth of taking a trick, compared with Troccas for four, where it is 1.

    This is the ratio of the points of an average trick, times 1.5 if everybody plays alone, since no partner takes any.
    """
    size = rules.pack.bit_count()
    tricks = (size - rules.scart - rules.tapp) // rules.seats
    points = values(rules.pack) - size + size * plain_trick(rules) / rules.seats
    alone = rules.bidding is None and len(set(rules.sides)) == rules.seats
    return points / tricks / _USUAL * (_ALONE if alone else 1.0)


Thing = TypeVar("Thing")


class Dice:
    """Random numbers that depend only on a seed, the seat, and the number of actions so far."""

    __slots__ = ("_key", "_thrown")

    def __init__(self, seed: bytes, view: View) -> None:
        self._key = b"%b|%d|%d" % (seed, -1 if view.seat is None else view.seat, len(view.history))
        self._thrown = 0

    def below(self, limit: int) -> int:
        """A number from 0 to `limit` - 1 (`limit` must be at least 1)."""
        self._thrown += 1
        digest = hashlib.sha256(b"%b|%d" % (self._key, self._thrown)).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def one_of(self, things: Sequence[Thing]) -> Thing:
        """One of `things`, which must not be empty."""
        return things[self.below(len(things))]
