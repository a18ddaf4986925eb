"""What the learner has been asked so far in a hand, each question as it looked then: worked out from the learner's view.

The teacher keeps no notes: what has been explained already follows from these moments alone, so that a page that is
loaded again says the same. Pure, and nothing here is hidden from the learner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from domain.engine.actions import Action
from domain.engine.cards import (
    BIT,
    FOOL,
    FOOL_BIT,
    JACK,
    KING,
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
    cards_in,
    set_of,
    value_of,
)
from domain.engine.state import Happening
from domain.engine.tricks import winning_place
from domain.engine.view import View

_ASKED: Final = {
    "deal": "deal", "arrange": "arrange", "cut": "cut", "allow": "talk", "veto": "talk", "liber": "talk",
    "go": "decide", "throw-in": "decide", "scart": "scart", "play": "play", "buob": "call", "buob-sche": "call",
    "quiet": "call", "give": "fool", "keep": "fool", "take": "take",
}  # fmt: skip
_CALLS: Final = ("buob", "buob-sche")


@dataclass(frozen=True, slots=True)
class Moment:
    """One question to the learner at `seat`.

    `held` is what the learner held then, `lying` the trick before the own card (whose, which; of king and jack together
    only the king), `lane` what was to be followed, `led` the suits led before (a bit each), `news` what had happened
    since the question before, the calls of a jack among it. `trick` counts from 1, 0 before the play.
    """

    asked: str
    seat: int
    trick: int
    held: CardSet
    lane: Lane
    led: int
    lying: tuple[tuple[int, Card], ...]
    news: tuple[Happening, ...]

    @property
    def leads(self) -> bool:
        """Whether the learner plays the first card of a trick."""
        return self.asked == "play" and not self.lying

    @property
    def follows(self) -> CardSet:
        """The learner's cards of the suit (or the trumps) to be followed."""
        return self.held & LANES[self.lane] if self.lane != NO_LANE else 0

    @property
    def must_trump(self) -> bool:
        """Whether a suit is asked for that the learner does not hold, while holding trumps."""
        return NO_LANE < self.lane < TRUMPS and not self.follows and bool(self.held & TRUMP_CARDS)

    @property
    def is_free(self) -> bool:
        """Whether the learner can neither follow nor trump."""
        return self.lane != NO_LANE and not self.follows and not self.held & TRUMP_CARDS

    @property
    def choices(self) -> CardSet:
        """The cards that may be played alone."""
        if self.lane == NO_LANE or self.is_free:
            return self.held
        return (self.follows or self.held & TRUMP_CARDS) | self.held & FOOL_BIT

    @property
    def winner(self) -> int | None:
        """Whose card wins the trick as it lies; None while nobody's does."""
        if self.lane == NO_LANE:
            return None
        return self.lying[winning_place([card for _, card in self.lying], self.lane)][0]

    @property
    def partner_wins(self) -> bool:
        """Whether the trick lies with the player opposite."""
        return self.winner is not None and (self.winner - self.seat) % 2 == 0

    @property
    def best_to_give(self) -> int:
        """The most points among the cards that may be played and would not take the trick over."""
        if self.lane == NO_LANE:
            return 0
        cards = [card for _, card in self.lying]
        own = len(cards)
        given = [card for card in cards_in(self.choices & ~FOOL_BIT) if winning_place([*cards, card], self.lane) != own]
        return max(map(value_of, given), default=0)

    @property
    def pairs(self) -> CardSet:
        """The kings that may be played together with their jack."""
        kings = self.held & self.held << KING - JACK & KINGS
        if self.lane == NO_LANE:
            return set_of(king for king in cards_in(kings) if not self.led >> LANE_OF[king] & 1)
        return kings & LANES[self.lane] if not self.led >> self.lane & 1 else 0

    @property
    def lone_kings(self) -> CardSet:
        """The kings without their jack whose suit has not been led: one that is led may bring the jack."""
        kings = self.held & ~(self.held << KING - JACK) & KINGS
        return set_of(king for king in cards_in(kings) if not self.led >> LANE_OF[king] & 1)

    @property
    def cards_left(self) -> int:
        return self.held.bit_count()


def moments(view: View) -> tuple[Moment, ...]:
    """Every question put to the viewer so far, the open one included, oldest first. None for a watcher."""
    if view.seat is None:
        return ()
    return tuple(_moments(view, view.seat))


def _moments(view: View, me: int) -> Iterator[Moment]:
    held = _held_before(view, me)
    trick = _Trick(len(view.counts))
    news: list[Happening] = []
    for at, (seat, action) in enumerate(view.history):
        if action.verb == "play":
            trick.begin()
        if seat == me:
            yield trick.moment(_ASKED[action.verb], me, held[at], tuple(news))
            news = []
        if action.verb == "play":
            trick.add(seat, action)
        if action.verb in _CALLS:
            news.append(Happening(at + 1, "called", seat, trick.lane * LANE_SIZE + JACK))
        news += [event for event in view.happenings if event.after == at + 1]
    if view.turn == me and not view.over:
        if view.asked == "play":
            trick.begin()
        asked = "talk" if view.asked == "free" else view.asked
        yield trick.moment(asked, me, view.held, tuple(news))


class _Trick:
    """The trick as it grows while the history is read."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.number = 0
        self.lane: Lane = NO_LANE
        self.led = 0
        self.lying: list[tuple[int, Card]] = []

    def begin(self) -> None:
        """A card is about to be played: a complete trick makes way for the next."""
        if self.number == 0 or len(self.lying) == self.seats:
            if NO_LANE < self.lane < TRUMPS:
                self.led |= 1 << self.lane
            self.number += 1
            self.lane = NO_LANE
            self.lying = []

    def add(self, seat: int, action: Action) -> None:
        card = action.cards[0]
        if self.lane == NO_LANE and card != FOOL:
            self.lane = LANE_OF[card]
        self.lying.append((seat, card))

    def moment(self, asked: str, me: int, held: CardSet, news: tuple[Happening, ...]) -> Moment:
        return Moment(asked, me, self.number, held, self.lane, self.led, tuple(self.lying), news)


def _held_before(view: View, me: int) -> list[CardSet]:
    """What the viewer held before each action of the play, worked out backwards from what is held now.

    Before the play has begun it is what is held in the end of the deal, which no topic of the deal looks at.
    """
    held = view.held
    before: list[CardSet] = []
    for at in range(len(view.history) - 1, -1, -1):
        for event in view.happenings:
            if event.after != at + 1 or event.seat != me:
                continue
            if event.kind == "jack-given" and event.card is not None and event.back is not None:
                held = held & ~BIT[event.back] | BIT[event.card]
            elif event.kind == "taken-back" and event.back is not None:
                held &= ~BIT[event.back]
            elif event.kind == "jack-back" and event.card is not None:
                held &= ~BIT[event.card]
        seat, action = view.history[at]
        if seat == me and action.verb in ("play", "scart"):
            held |= set_of(action.cards)
        before.append(held)
    return before[::-1]
