"""Which topic is told when, and that it agrees with the card that is suggested beside it.

A topic of the play says what is new where it `fits`; it is told once, and only while the suggestion `agrees` with its text: the
suggestion itself has its reason from `domain.bots.advice`, and no text says otherwise. A stop is told while others are asked;
they wait until the learner has read it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from domain.bots.facts import Reason, fool_is_high
from domain.engine.cards import FOOL_BIT, KINGS, LANES, cards_in, value_of
from domain.engine.view import View
from games.lessons.moments import Moment, called_by, happened

Fits: TypeAlias = Callable[[Moment], bool]

OWN: Final = "own"
"""Nothing new: the learner plays on."""
WATCH: Final = "watch"


def always(moment: Moment) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Topic:
    """Something to be told at a question of the play."""

    name: str
    fits: Fits
    agrees: Fits = always


@dataclass(frozen=True, slots=True)
class Stop:
    """Something to be told while others are asked."""

    name: str
    fits: Callable[[View], bool]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is told in a lesson, each list in the order of precedence. `lasting` stays while the others play their cards."""

    play: Sequence[Topic]
    stops: Sequence[Stop]
    lasting: Collection[str]
    before: Mapping[str, str]
    """What is told while others are asked this, before the play."""


# what lies there


def _jack_came(moment: Moment) -> bool:
    return jack_came(moment.view)


def jack_came(view: View) -> bool:
    """Whether a jack that was called has come."""
    return called_by(view) is not None and happened(view, "jack-given") is not None


def fool_paid(view: View) -> bool:
    """Whether the Fool went home from a trick of the other side."""
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
        Topic("jack-came", _jack_came),
        Topic("fool-debt", lambda moment: fool_paid(moment.view)),
        # what the rules ask for now
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
    """How far the learner has come in the open hand: `view` is theirs now, `asked` every question they were put, the open one
    included, oldest first; `read` the stops they have read, and `fresh` the one read since their last answer, if any."""

    view: View
    asked: Sequence[Moment]
    read: Collection[str] = ()
    fresh: str = ""

    @property
    def mine(self) -> bool:
        """Whether the learner is asked."""
        return not self.view.over and self.view.turn == self.view.seat


def topics(course: Course) -> tuple[str, ...]:
    """The topic of each question, in their order. A question that comes again has `-again` behind its topic."""
    found: list[str] = []
    for moment in course.asked:
        if moment.asked == "play":
            told = {*found, *course.read}
            fitting = (
                topic.name
                for topic in plan_of(course.view).play
                if topic.name not in told and topic.fits(moment) and topic.agrees(moment)
            )
            found.append(next(fitting, OWN))
        else:
            found.append(f"{moment.asked}-again" if moment.asked in found else moment.asked)
    return tuple(found)


def stop_of(course: Course) -> str:
    """What the learner has to read before the others go on; empty where there is nothing."""
    if course.mine or course.view.over:
        return ""
    told = {*course.read, *topics(course)}
    fitting = (stop.name for stop in plan_of(course.view).stops if stop.name not in told and stop.fits(course.view))
    return next(fitting, "")


def shown(course: Course) -> str:
    """The topic that is shown now."""
    if course.mine:
        return topics(course)[-1]
    plan = plan_of(course.view)
    stop = stop_of(course) or course.fresh or plan.before.get(course.view.asked, "")
    if stop or not course.asked:
        return stop or WATCH
    last = topics(course)[-1]
    return last if last in plan.lasting or last in {topic.name for topic in plan.play} else WATCH
