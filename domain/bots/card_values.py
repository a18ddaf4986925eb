"""Rules of thumb for cards: the chances of where they are and who wins a trick, and the worth of a card in the hand.

Cards that are not located are assumed to be spread evenly over the free places of the hands that can hold them (and the
scart). That is fast and accurate enough; the chances depend only on a `Knowledge`.

The worth of a card consists of its points, the chance that they come home later, and its power to take tricks. It is
counted in card points between the two sides: a point won that the others would have had counts two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from domain.bots.common import lane_of, over, plain_trick, scale, sides_supposed
from domain.bots.knowledge import Knowledge, know
from domain.engine.cards import (
    BAGAT,
    BIT,
    FIRST_TRUMP,
    FOOL,
    HONOURS,
    KINGS,
    LANE_OF,
    LANE_SIZE,
    LANES,
    NO_LANE,
    TRUMP_CARDS,
    TRUMPS,
    Card,
    CardSet,
    Lane,
    values,
)
from domain.engine.view import View

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
    # the places where these cards can lie: a hand that can hold any of them counts with all its free places
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

    If `best` is the Fool and not a trump, it lies there alone, and the next card wins so far.
    """
    high_fool = known.high_fool
    if lane == NO_LANE or (best == FOOL and not high_fool):
        return 1.0
    higher = over(best, high_fool)
    if best >= FIRST_TRUMP:
        higher &= known.trumps_at(seat)
        able = chance_of_any(known, seat, higher)
        return able if lane == TRUMPS else chance_void(known, seat, lane) * able
    if lane == TRUMPS:  # nobody has played a trump to a trump lead (of the Fool): the suit of `best` counts
        return chance_of_any(known, seat, higher | TRUMP_CARDS)
    void = chance_void(known, seat, lane)
    return chance_of_any(known, seat, higher) + void * chance_of_any(known, seat, known.trumps_at(seat))


def chance_to_win(known: Knowledge, best: Card, lane: Lane, ours: bool, to_come: Sequence[tuple[int, bool]]) -> float:
    """The chance that one's own side takes the trick.

    `best` wins so far; `ours`: it is that of one's own side. `to_come` are the seats still to play in their order, each
    with whether it is on one's own side.
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


@dataclass(frozen=True)
class Tuning:
    """The weights of the judgement, found by playing duplicate deals (`benchmarks/bots.py`)."""

    top: float = 0.75  # the highest card of a suit, for the trick it will take
    next: float = 1.2  # a card that may become the highest; less, the more cards are above it
    ruff: float = 2.2  # a trump, for its ability to ruff
    command: float = 3.0  # a trump, times the part of the unseen trumps that are below it
    cover: float = 1.5  # another trump beside the I, while they are few
    fool: float = 1.8  # the Fool kept for later, early in the hand
    rank: float = 0.35  # the highest rank of a suit compared with the lowest
    void: float = 0.8  # getting rid of the last card of a suit with trumps in hand
    bare_king: float = 0.4  # keeping the last card beside a king
    floor_home: float = 0.3  # the chance that the highest card of a suit comes home although a foe can trump it
    top_home: float = 0.6  # the increase of that chance if no foe can
    friend_home: float = 0.3  # the chance for a card that is not the highest: the partner may take it
    next_home: float = 0.65  # the increase of that chance if no foe can take it
    bagat_home: float = 0.3  # the chance for the I alone
    bagat_trump: float = 0.09  # the increase of that chance for each other trump beside it
    smear: float = 0.6  # what each friend to come adds to a trick of one's own side, and each foe to one of theirs
    lead: float = 0.3  # having the next lead
    lead_under: float = 2.5  # leading a court card under a higher one that is still out
    draw: float = (
        8.0  # leading a trump from a long hand: for each foe who probably has to spend one, minus each partner
    )
    draw_long: float = 4.0  # a hand with this many more trumps than the average of the others counts as fully long
    ruffed: float = 0.5  # leading a suit that the last player, a foe, is known to trump
    gift: float = 2.0  # leading a suit in which a foe is known to hold a higher card worth points
    long: float = 1.5  # a hand is long in trumps if the value of leading one is above this
    undrawn: float = 0.25  # leading a suit from such a hand
    throw: float = 0.3  # per point above a low card thrown into a trick that is probably lost


TUNING = Tuning()


def extra(card: Card) -> int:
    """The card points above those of a low card."""
    return values(BIT[card]) - 1


class Worth:
    """The judgement of one hand at one moment.

    `plain` is the number of points of a trick of low cards; `scale` is the worth of a trick compared with Troccas for
    four.
    """

    def __init__(
        self,
        known: Knowledge,
        held: CardSet,
        sides: tuple[int, ...],
        tuning: Tuning = TUNING,
        plain: float = 1.0,
        scale: float = 1.0,
    ) -> None:
        self.known = known
        self.held = held
        self.sides = sides
        self.tuning = tuning
        self.plain = plain
        self.scale = scale
        self.trumps = (held & known.trumps_at(known.seat)).bit_count()
        self.left = held.bit_count()
        self.foes = tuple(seat for seat, side in enumerate(sides) if side != sides[known.seat])
        self.friends = tuple(
            seat for seat, side in enumerate(sides) if side == sides[known.seat] and seat != known.seat
        )

    @cached_property
    def ruffless(self) -> tuple[float, ...]:
        """For each suit, the chance that no foe can trump a lead of it now."""
        safe = [1.0] * 4
        for lane in range(4):
            for foe in self.foes:
                trumps = chance_of_any(self.known, foe, self.known.trumps_at(foe))
                safe[lane] *= 1.0 - chance_void(self.known, foe, lane) * trumps
        return tuple(safe)

    def drawing(self) -> float:
        """The value of drawing the foes' trumps by leading one: the greater, the longer one's own trumps are.

        It is 0 for those who play alone, as duplicate deals have shown: drawing trumps from two foes helps each of
        them.
        """
        if not self.friends:
            return 0.0
        known = self.known
        others = [seat for seat in range(len(self.sides)) if seat != known.seat]
        longer = self.trumps - ((known.unseen & TRUMP_CARDS).bit_count() / len(others))
        if longer <= 0:
            return 0.0
        spent = sum(chance_of_any(known, foe, known.trumps_at(foe)) for foe in self.foes)
        spent -= sum(chance_of_any(known, friend, known.trumps_at(friend)) for friend in self.friends)
        return self.tuning.draw * self.scale * spent * min(1.0, longer / self.tuning.draw_long)

    @cached_property
    def is_long(self) -> bool:
        """Whether a good partner expects trumps to be drawn from this hand."""
        return self.drawing() > self.tuning.long * self.scale

    def home(self, card: Card) -> float:
        """The chance that the points of a held card come to one's own side if it is kept now."""
        if card == FOOL:
            return 1.0
        lane = LANE_OF[card]
        higher = self.known.unseen & over(card, self.known.high_fool)
        if lane == TRUMPS:
            if card == BAGAT:
                others = self.trumps - 1
                return min(0.9, self.tuning.bagat_home + self.tuning.bagat_trump * others)
            return 1.0 if not higher else 0.6
        safe = self.ruffless[lane]
        if not higher:
            return self.tuning.floor_home + self.tuning.top_home * safe
        foes_over = max(chance_of_any(self.known, foe, higher) for foe in self.foes)
        return self.tuning.friend_home + self.tuning.next_home * safe * (1.0 - foes_over)

    def power(self, card: Card) -> float:
        """The value of the tricks that the card may take later."""
        return self.scale * self._power(card)

    def _power(self, card: Card) -> float:
        tuning = self.tuning
        high_fool = self.known.high_fool
        if card == FOOL and not high_fool:
            return tuning.fool * min(1.0, (self.left - 1) / 10)
        lane = lane_of(card, high_fool)
        higher = over(card, high_fool)
        unseen = self.known.unseen & LANES[lane]
        if lane == TRUMPS:
            below = (unseen & ~higher).bit_count()
            share = below / unseen.bit_count() if unseen else 1.0
            worth = tuning.ruff + tuning.command * share
            if self.held & BIT[BAGAT] and card != BAGAT and self.trumps <= 4:
                worth += tuning.cover
            return worth
        above = (unseen & higher).bit_count()
        rank = (card % LANE_SIZE) / 13
        if not above:
            return tuning.top * self.ruffless[lane] + tuning.rank * rank
        return tuning.rank * rank + tuning.next * self.ruffless[lane] / (1 + above) ** 2

    def keeping(self, card: Card) -> float:
        """The value of keeping `card`, compared with a worthless card in its place."""
        if card == FOOL and not self.known.high_fool:
            return self.power(card)
        worth = extra(card) * (2 * self.home(card) - 1) + self.power(card)
        lane = lane_of(card, self.known.high_fool)
        if lane != TRUMPS:
            mates = self.held & LANES[lane] & ~BIT[card]
            if self.trumps and not mates:
                worth -= self.tuning.void
            elif mates & KINGS and mates.bit_count() == 1 and not HONOURS & BIT[card]:
                worth += self.tuning.bare_king  # the last card beside a king, which would be bare without it
        return worth


def worth_in(view: View) -> Worth:
    """The judgement of the viewer's present hand."""
    rules = view.ruleset
    return Worth(know(view), view.held, sides_supposed(view), TUNING, plain_trick(rules), scale(rules))
