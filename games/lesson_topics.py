"""What the teacher explains when: at each question the first topic that fits it and has not come up before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from games.engine.cards import FOOL_BIT, NO_LANE, TRUMPS
from games.engine.view import View
from games.lesson_moments import Moment

Fits: TypeAlias = Callable[[Moment], bool]

OWN: Final = "own"
"""Nothing new: the learner plays on."""


def _jack_came(moment: Moment) -> bool:
    kinds = {news.kind for news in moment.news}
    return "called" in kinds and "jack-given" in kinds


def _fool_paid(moment: Moment) -> bool:
    return any(news.kind in ("fool-owed", "fool-paid") for news in moment.news)


def _in_suit(moment: Moment) -> bool:
    return NO_LANE < moment.lane < TRUMPS and bool(moment.follows)


def _smears(moment: Moment) -> bool:
    return moment.partner_wins and moment.best_to_give > 1


def _fool_may_save(moment: Moment) -> bool:
    lost = moment.winner is not None and not moment.partner_wins
    return bool(moment.held & FOOL_BIT) and lost and moment.trick > 2


OF_PLAY: Final[tuple[tuple[str, Fits], ...]] = (
    ("last", lambda moment: moment.cards_left == 1),
    # what has just happened
    ("jack-came", _jack_came),
    ("fool-debt", _fool_paid),
    # what the rules ask for now
    ("pair", lambda moment: bool(moment.pairs)),
    ("trump", lambda moment: moment.must_trump),
    ("free", lambda moment: moment.is_free),
    ("follow", _in_suit),
    # what plays well
    ("values", lambda moment: moment.trick > 1),
    ("smear", _smears),
    ("excuse", _fool_may_save),
    ("trumps-led", lambda moment: moment.lane == TRUMPS and bool(moment.follows)),
    ("lead-king", lambda moment: moment.leads and bool(moment.lone_kings)),
    ("lead", lambda moment: moment.leads),
    ("ranks", _in_suit),
    # when there is time for it
    ("explain", lambda moment: moment.trick > 3),
    ("laid-away", lambda moment: moment.trick > 4),
    ("memory", lambda moment: moment.trick > 6),
    ("half", lambda moment: moment.trick > 9),
)
"""The topics of the play, in the order of precedence. What a moment's news tell cannot wait, the rest can."""


_LASTING: Final = {topic for topic, _ in OF_PLAY} | {"call", "call-again", "fool", "take"}
"""What stays on the page while the others play their cards."""


def topics(told: Sequence[Moment]) -> tuple[str, ...]:
    """The topic of each question, in their order. A question that comes again has `-again` behind its topic."""
    found: list[str] = []
    for moment in told:
        if moment.asked == "play":
            fitting = (topic for topic, fits in OF_PLAY if topic not in found and fits(moment))
            found.append(next(fitting, OWN))
        else:
            found.append(f"{moment.asked}-again" if moment.asked in found else moment.asked)
    return tuple(found)


def between(view: View, last: str) -> str:
    """The topic while others act, after the question whose topic was `last` ("" before the first)."""
    if view.asked == "scart":
        return "scart-watch"
    if view.asked in ("deal", "arrange", "cut", "talk", "free", "decide"):
        return "dealing"
    return last if last in _LASTING else "watch"
