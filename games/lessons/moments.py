"""A question to the learner as it looked when it was put: what the teacher chooses a topic by. Pure, and made of nothing but
what the learner saw then."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from domain.bots.advice import advise
from domain.bots.facts import Advice, fool_is_high, takes
from domain.engine.cards import (
    FOOL_BIT,
    KINGS,
    LANE_OF,
    LANES,
    NO_LANE,
    TRUMP_CARDS,
    TRUMPS,
    CardSet,
    cards_in,
    set_of,
    value_of,
)
from domain.engine.legal import LegalPlays
from domain.engine.state import NOBODY, Happening
from domain.engine.view import View


@dataclass(frozen=True)
class Moment:
    """One question to the learner, whose view it is; `advice` is the action suggested to them there."""

    view: View

    @cached_property
    def advice(self) -> Advice:
        return advise(self.view)

    @property
    def advised(self) -> CardSet:
        """The cards of the suggested action."""
        return set_of(self.advice.action.cards)

    @property
    def asked(self) -> str:
        return "talk" if self.view.asked == "free" else self.view.asked

    @property
    def trick(self) -> int:
        """The number of the trick, from 1; 0 before the play."""
        return len(self.view.tricks) + 1 if self.view.asked in ("play", "call", "fool", "take") else 0

    @property
    def trumps(self) -> CardSet:
        """The cards of the pack that count as trumps here: in Troggu the Fool among them."""
        return TRUMP_CARDS | FOOL_BIT if fool_is_high(self.view.ruleset) else TRUMP_CARDS

    @property
    def leads(self) -> bool:
        """Whether the learner plays the first card of a trick."""
        return self.view.asked == "play" and not self.view.trick

    @property
    def playable(self) -> CardSet:
        """The cards that may be played alone."""
        return self.view.legal.cards if isinstance(self.view.legal, LegalPlays) else 0

    @property
    def pairs(self) -> CardSet:
        """The kings that may be played together with their jack."""
        return self.view.legal.pairs if isinstance(self.view.legal, LegalPlays) else 0

    @property
    def in_suit(self) -> bool:
        """Whether a suit was led that the learner holds."""
        return NO_LANE < self.view.lane < TRUMPS and bool(self.view.held & LANES[self.view.lane])

    @property
    def must_trump(self) -> bool:
        """Whether a suit was led that the learner does not hold, while holding a trump that must be played."""
        suit = NO_LANE < self.view.lane < TRUMPS
        return suit and not self.in_suit and bool(self.view.held & TRUMP_CARDS)

    @property
    def trumps_led(self) -> bool:
        """Whether trumps were led, and the learner holds one that must be played."""
        return self.view.lane == TRUMPS and bool(self.view.held & TRUMP_CARDS)

    @property
    def is_free(self) -> bool:
        """Whether the learner can neither follow nor trump."""
        return self.view.lane != NO_LANE and not (self.in_suit or self.view.held & TRUMP_CARDS or self.fool_alone)

    @property
    def winner(self) -> int | None:
        """Whose card wins the trick as it lies; None while nobody's does."""
        return self.view.seat_of(self.view.best) if self.view.best != NOBODY and self.view.lane != NO_LANE else None

    @property
    def partner_wins(self) -> bool:
        """Whether the trick lies with somebody of whom the learner knows that they play together."""
        return self.winner is not None and self.winner in self.view.partners()

    @property
    def best_to_give(self) -> int:
        """The most points among the cards that may be played and would not take the trick over."""
        if self.view.lane == NO_LANE or self.view.best == NOBODY:
            return 0
        best, high = self.view.trick[self.view.best], fool_is_high(self.view.ruleset)
        given = cards_in(self.playable & ~FOOL_BIT)
        return max((value_of(card) for card in given if not takes(card, best, self.view.lane, high)), default=0)

    @property
    def fresh_kings(self) -> CardSet:
        """The learner's kings whose suit has not been led."""
        led = {trick.lane for trick in self.view.tricks}
        return set_of(king for king in cards_in(self.view.held & KINGS) if LANE_OF[king] not in led)

    @property
    def fool_alone(self) -> bool:
        """Whether the Fool, as the highest trump, is the learner's only one and not kept back yet, and a trump is asked for."""
        only = fool_is_high(self.view.ruleset) and self.view.held & (TRUMP_CARDS | FOOL_BIT) == FOOL_BIT
        return only and not self.view.fool_withheld and self.view.lane != NO_LANE and not self.in_suit

    @property
    def cards_left(self) -> int:
        return self.view.held.bit_count()


def happened(view: View, *kinds: str) -> Happening | None:
    """The latest that has happened of one of these kinds."""
    return next((event for event in reversed(view.happenings) if event.kind in kinds), None)


def called_by(view: View) -> int | None:
    """The seat that was the last to call a jack."""
    return next((seat for seat, action in reversed(view.history) if action.verb in ("buob", "buob-sche")), None)


def winning_card(view: View) -> int:
    """The card that won the trick before."""
    trick = view.tricks[-1]
    return trick.cards[trick.seats.index(trick.winner)]
