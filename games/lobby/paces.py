"""The paces that are offered when a table is laid, and the times one may choose from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.utils.translation import gettext as _

from domain.pace import Kind, Terms

DAY: Final = timedelta(days=1)
USUAL: Final = "day"


@dataclass(frozen=True, slots=True)
class Pace:
    """A pace one can choose with one click."""

    id: str
    name: str
    sentence: str
    terms: Terms


def offered() -> list[Pace]:
    """The paces in the order in which they are offered: days first, since people have other things to do."""
    return [
        Pace(
            "day",
            _("A few cards a day"),
            _("A day for each move, and three in reserve: nobody has to hurry."),
            Terms(Kind.DAYS, DAY, 3 * DAY),
        ),
        Pace(
            "slow",
            _("Now and then"),
            _("Three days for each move, and a week in reserve: for people with much else to do."),
            Terms(Kind.DAYS, 3 * DAY, 7 * DAY),
        ),
        Pace(
            "brisk",
            _("Several times a day"),
            _("Half a day for each move, and two days in reserve: for people who look in often."),
            Terms(Kind.DAYS, DAY / 2, 2 * DAY),
        ),
        Pace(
            "live",
            _("Now, without haste"),
            _("Everybody is here and plays: 45 seconds for each move, and ten minutes in reserve."),
            Terms(Kind.LIVE, timedelta(seconds=45), timedelta(minutes=10)),
        ),
        Pace(
            "fast",
            _("Now, and fast"),
            _("For those who know the game: 20 seconds for each move, and three minutes in reserve."),
            Terms(Kind.LIVE, timedelta(seconds=20), timedelta(minutes=3)),
        ),
    ]


def pace_of(id: str) -> Pace | None:
    """The pace with this id."""
    return next((pace for pace in offered() if pace.id == id), None)


ACTIONS: Final = {
    Kind.DAYS: tuple(DAY * days for days in (0.5, 1, 2, 3, 5, 7)),
    Kind.LIVE: tuple(timedelta(seconds=seconds) for seconds in (15, 20, 30, 45, 60, 90, 120, 300)),
}
BANKS: Final = {
    Kind.DAYS: tuple(DAY * days for days in (0, 1, 2, 3, 5, 7, 10, 14)),
    Kind.LIVE: tuple(timedelta(minutes=minutes) for minutes in (0, 1, 3, 5, 10, 15, 30)),
}
WAITS: Final = {
    Kind.DAYS: tuple(DAY * days for days in (1, 3, 7, 14)),
    Kind.LIVE: tuple(timedelta(minutes=minutes) for minutes in (15, 30, 60, 120)),
}
USUAL_WAIT: Final = {Kind.DAYS: 7 * DAY, Kind.LIVE: timedelta(minutes=30)}
VACATIONS: Final = (0, 3, 7, 14)
