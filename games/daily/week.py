"""Which game is played on which day, from when to when. Pure: days are those in Switzerland, also when clocks change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

ZONE: Final = ZoneInfo("Europe/Zurich")
CLOSES: Final = time(3)
"""Until when a game that was begun can be played to its end, on the morning after."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A game and how many sit at its table."""

    ruleset: str
    size: int


_TROCCAS: Final = Choice("troccas", 4)

WEEK: Final[tuple[tuple[Choice, ...], ...]] = (
    (_TROCCAS,),
    (Choice("troggu", 4), Choice("troggu-st-niklaus", 4), Choice("troggu-graechen", 4)),
    (_TROCCAS,),
    (Choice("troccas-3", 3), Choice("troccas-5", 5), Choice("troccas-6", 6)),
    (_TROCCAS,),
    (_TROCCAS,),
    (_TROCCAS,),
)
"""The order of the week, Monday first. Where a day names several games they take turns from week to week."""


def choice_on(day: date) -> Choice:
    """The game of a day."""
    offered = WEEK[day.weekday()]
    return offered[(day.toordinal() - 1) // 7 % len(offered)]


def lane_on(day: date) -> int:
    """Which cards the person holds: those of the seat so many after the dealer. Another from day to day."""
    return day.toordinal() % choice_on(day).size


def dealer_for(lane: int, size: int) -> int:
    """Who deals, so that the person at seat 0 holds the cards of this lane."""
    return -lane % size


def day_at(moment: datetime) -> date:
    """Which day it is in Switzerland."""
    return moment.astimezone(ZONE).date()


def begins(day: date) -> datetime:
    """The first moment of a day."""
    return _at(day, time(0))


def ends(day: date) -> datetime:
    """The moment from which the deal of a day cannot be begun any more: midnight."""
    return _at(day + timedelta(days=1), time(0))


def closes(day: date) -> datetime:
    """The moment at which the last games of a day are ended: three o'clock in the next morning."""
    return _at(day + timedelta(days=1), CLOSES)


def _at(day: date, clock: time) -> datetime:
    return datetime.combine(day, clock, tzinfo=ZONE).astimezone(UTC)
