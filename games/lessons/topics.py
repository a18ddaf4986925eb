"""Which topic the lesson explains when. It depends only on the questions to the learner and what they saw at each of
them, and is chosen so that it agrees with the suggested card. Pure functions.

A topic of the play explains something new when it `fits`. It is explained once, and only if the suggestion `agrees`
with its text: the suggestion has its own reason from `domain.bots.advice`, and no text may contradict it. A stop is
explained while others are asked; they wait until the learner has read it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from domain.bots.advice import advise
from domain.bots.common import Advice, Reason, fool_is_high, takes
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
    """One question to the learner, with their view at that time; `advice` is the action suggested to them."""

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
        """The cards that count as trumps in this game, in Troggu including the Fool."""
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
        """The seat that is winning the trick; None if no card is."""
        return self.view.seat_of(self.view.best) if self.view.best != NOBODY and self.view.lane != NO_LANE else None

    @property
    def partner_wins(self) -> bool:
        """Whether the trick is being won by somebody whom the learner knows to be their partner."""
        return self.winner is not None and self.winner in self.view.partners()

    @property
    def best_to_give(self) -> int:
        """The highest value among the playable cards that would not take the trick; 0 if there is none."""
        if self.view.lane == NO_LANE or self.view.best == NOBODY:
            return 0
        best, high = self.view.trick[self.view.best], fool_is_high(self.view.ruleset)
        cards = cards_in(self.playable & ~FOOL_BIT)
        return max((value_of(card) for card in cards if not takes(card, best, self.view.lane, high)), default=0)

    @property
    def fresh_kings(self) -> CardSet:
        """The learner's kings whose suit has not been led."""
        led = {trick.lane for trick in self.view.tricks}
        return set_of(king for king in cards_in(self.view.held & KINGS) if LANE_OF[king] not in led)

    @property
    def fool_alone(self) -> bool:
        """Whether a trump must be played and the learner's only one is the Fool (as the highest), not kept back yet."""
        only = fool_is_high(self.view.ruleset) and self.view.held & (TRUMP_CARDS | FOOL_BIT) == FOOL_BIT
        return only and not self.view.fool_withheld and self.view.lane != NO_LANE and not self.in_suit

    @property
    def cards_left(self) -> int:
        return self.view.held.bit_count()


def happened(view: View, *kinds: str) -> Happening | None:
    """The latest event of one of these kinds; None if there is none."""
    return next((event for event in reversed(view.happenings) if event.kind in kinds), None)


def called_by(view: View) -> int | None:
    """The seat that last called a jack; None if nobody has."""
    return next((seat for seat, action in reversed(view.history) if action.verb in ("buob", "buob-sche")), None)


def winning_card(view: View) -> int:
    """The card that won the last trick."""
    trick = view.tricks[-1]
    return trick.cards[trick.seats.index(trick.winner)]


Fits: TypeAlias = Callable[[Moment], bool]

OWN: Final = "own"
"""Nothing new: the learner plays on."""
WATCH: Final = "watch"


def always(moment: Moment) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Topic:
    """Something to explain at a question of the play."""

    name: str
    fits: Fits
    agrees: Fits = always


@dataclass(frozen=True, slots=True)
class Stop:
    """Something to explain while others are asked."""

    name: str
    fits: Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class Plan:
    """The topics of a lesson, each list in order of precedence. Topics in `lasting` stay while the others play."""

    play: Sequence[Topic]
    stops: Sequence[Stop]
    lasting: Collection[str]
    before: Mapping[str, str]
    """The stop to show before the play, by what others are asked."""


# when a topic fits


def jack_came(view: View) -> bool:
    """Whether a jack that was called has come."""
    return called_by(view) is not None and happened(view, "jack-given") is not None


def fool_paid(view: View) -> bool:
    """Whether the Fool went back to its player from a trick of the other side."""
    return happened(view, "fool-owed", "fool-paid") is not None


def _may_give(moment: Moment) -> bool:
    return moment.best_to_give > 1


def _fool_may_save(moment: Moment) -> bool:
    return bool(moment.view.held & FOOL_BIT) and moment.winner is not None


# what the suggestion must be for a text to agree with it


def _is_fool(moment: Moment) -> bool:
    return moment.advised == FOOL_BIT


def _follows(moment: Moment) -> bool:
    return bool(moment.advised & LANES[moment.view.lane])


def _is_trump(moment: Moment) -> bool:
    return bool(moment.advised & moment.trumps)


def _is_pair(moment: Moment) -> bool:
    return moment.advised.bit_count() == 2


def _is_fresh_king(moment: Moment) -> bool:
    return bool(moment.advised & KINGS & moment.fresh_kings) and not _is_pair(moment)


def _is_low(moment: Moment) -> bool:
    return all(value_of(card) == 1 for card in cards_in(moment.advised)) and not _is_trump(moment)


def _gives_points(moment: Moment) -> bool:
    return moment.advice.reason == Reason.PARTNER_WINS_SMEAR


def _keeps_fool(moment: Moment) -> bool:
    return not moment.advised & FOOL_BIT


_TALK: Final = ("talk", "free", "decide")

TROCCAS: Final = Plan(
    play=(
        Topic("last", lambda moment: moment.cards_left == 1),
        # what has just happened
        Topic("jack-came", lambda moment: jack_came(moment.view)),
        Topic("fool-debt", lambda moment: fool_paid(moment.view)),
        # what the rules demand now
        Topic("pair", lambda moment: bool(moment.pairs), _is_pair),
        Topic("trump", lambda moment: moment.must_trump, _is_trump),
        Topic("free", lambda moment: moment.is_free),
        Topic("follow", lambda moment: moment.in_suit, _follows),
        # what plays well
        Topic("smear", _may_give, _gives_points),
        Topic("excuse", _fool_may_save, _is_fool),
        Topic("trumps-led", lambda moment: moment.trumps_led, _is_trump),
        Topic("lead-king", lambda moment: moment.leads and bool(moment.fresh_kings), _is_fresh_king),
        Topic("lead-trump", lambda moment: moment.leads, _is_trump),
        Topic("lead", lambda moment: moment.leads, _is_low),
        Topic("ranks", lambda moment: moment.in_suit),
        # when there is time for it
        Topic("explain", lambda moment: moment.trick > 3),
        Topic("memory", lambda moment: moment.trick > 6),
        Topic("half", lambda moment: moment.trick > 9),
    ),
    stops=(
        Stop("dealing", lambda view: view.dealt == 1 and view.asked in _TALK),
        Stop("second-round", lambda view: view.dealt == 2 and view.asked in _TALK),
        Stop("third-round", lambda view: view.dealt == 3 and view.asked in _TALK),
        Stop("scart-watch", lambda view: view.asked == "scart"),
        Stop("trick-won", lambda view: bool(view.tricks)),
        Stop("jack-came", jack_came),
        Stop("fool-debt", fool_paid),
    ),
    lasting={"call", "call-again", "fool", "take"},
    before=dict.fromkeys(("deal", "arrange", "cut", "talk", "free", "decide"), "dealing") | {"scart": "scart-watch"},
)

TROGGU: Final = Plan(
    play=(
        Topic("last", lambda moment: moment.cards_left == 1),
        Topic("partner-shown", lambda moment: happened(moment.view, "partner-shown") is not None),
        Topic("fool-alone", lambda moment: moment.fool_alone, _keeps_fool),
        Topic("misere", lambda moment: moment.view.contract == "misere"),
        Topic("lead-first", lambda moment: moment.leads and moment.trick == 1),
        Topic("trump", lambda moment: moment.must_trump, _is_trump),
        Topic("free", lambda moment: moment.is_free),
        Topic("follow", lambda moment: moment.in_suit, _follows),
        Topic("smear", _may_give, _gives_points),
        Topic("high-fool", lambda moment: bool(moment.view.held & FOOL_BIT) and not moment.view.fool_withheld),
        Topic("trumps-led", lambda moment: moment.trumps_led, _is_trump),
        Topic("lead-king", lambda moment: moment.leads and bool(moment.fresh_kings), _is_fresh_king),
        Topic("lead-trump", lambda moment: moment.leads, _is_trump),
        Topic("lead", lambda moment: moment.leads, _is_low),
        Topic("secret", lambda moment: moment.view.called is not None and -1 in moment.view.sides),
        Topic("ranks", lambda moment: moment.in_suit),
        Topic("half", lambda moment: moment.trick > 3),
        Topic("explain", lambda moment: moment.trick > 3),
    ),
    stops=(
        Stop("bidding", lambda view: view.asked == "bid"),
        Stop("taken", lambda view: view.asked in ("discard", "partner")),
        Stop("trick-won", lambda view: bool(view.tricks)),
        Stop("partner-shown", lambda view: happened(view, "partner-shown") is not None),
    ),
    lasting=(),
    before={"cut": "dealing", "bid": "bidding", "discard": "taken", "partner": "taken"},
)


def plan_of(view: View) -> Plan:
    return TROGGU if fool_is_high(view.ruleset) else TROCCAS


@dataclass(frozen=True, slots=True)
class Course:
    """The learner's progress in the open hand.

    `view` is their present view; `asked` are all questions to them, including the open one, oldest first; `read` are
    the stops they have read, and `fresh` is the one read since their last answer, if any.
    """

    view: View
    asked: Sequence[Moment]
    read: Collection[str] = ()
    fresh: str = ""

    @property
    def mine(self) -> bool:
        """Whether it is the learner's turn."""
        return not self.view.over and self.view.turn == self.view.seat


def topics(course: Course) -> tuple[str, ...]:
    """The topic of each question, in order.

    A question of the same kind as an earlier one gets `-again` after its topic.
    """
    chosen: list[str] = []
    for moment in course.asked:
        if moment.asked == "play":
            explained = {*chosen, *course.read}
            fitting = (
                topic.name
                for topic in plan_of(course.view).play
                if topic.name not in explained and topic.fits(moment) and topic.agrees(moment)
            )
            chosen.append(next(fitting, OWN))
        else:
            chosen.append(f"{moment.asked}-again" if moment.asked in chosen else moment.asked)
    return tuple(chosen)


def stop_of(course: Course) -> str:
    """The stop that the learner must read before the others go on; empty if there is none."""
    if course.mine or course.view.over:
        return ""
    explained = {*course.read, *topics(course)}
    stops = plan_of(course.view).stops
    return next((stop.name for stop in stops if stop.name not in explained and stop.fits(course.view)), "")


def shown(course: Course) -> str:
    """The topic to show now."""
    if course.mine:
        return topics(course)[-1]
    plan = plan_of(course.view)
    stop = stop_of(course) or course.fresh or _before_the_play(course.view)
    if stop or not course.asked:
        return stop or WATCH
    last = topics(course)[-1]
    return last if last in plan.lasting or last in {topic.name for topic in plan.play} else WATCH


def _before_the_play(view: View) -> str:
    """The stop about what others are asked before the play, though it was read already; empty during the play."""
    plan = plan_of(view)
    if view.asked not in plan.before:
        return ""
    return next((stop.name for stop in plan.stops if stop.fits(view)), plan.before[view.asked])
