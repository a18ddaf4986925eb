"""Waiting tables in the reader's language: the paces to choose from, what is agreed, what has happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.choices import LANGUAGES_SPOKEN
from accounts.models import Player
from domain.pace import Kind, Terms
from games import hooks
from games.forms import choice_words, words_of
from games.lobby.models import OpenTable, TableEvent
from games.selectors.clocks import agreed_clock
from games.text import common

DAY: Final = timedelta(days=1)
USUAL: Final = "day"


@dataclass(frozen=True, slots=True)
class Pace:
    """A pace that can be chosen with one click. `terms` is None if there is no clock."""

    id: str
    name: str
    sentence: str
    terms: Terms | None

    @property
    def kind(self) -> Kind:
        """Whether people play together now or as they find time; without a clock they play together, too."""
        return Kind.LIVE if self.terms is None else self.terms.kind


def _days(action: timedelta, bank: timedelta) -> Terms:
    """A pace of days: the reserve lasts for a hand, and vacation is announced, not assumed."""
    return Terms(Kind.DAYS, action, bank, refills=True, announced=True)


def offered_paces() -> list[Pace]:
    """The paces in the order in which they are offered: days first, since most people have little time."""
    return [
        Pace(
            "day",
            _("A few cards a day"),
            _("Half a day for each move, and a day and a half in reserve for each hand: nobody waits long."),
            _days(DAY / 2, 3 * DAY / 2),
        ),
        Pace(
            "slow",
            _("Now and then"),
            _("Two days for each move, and three in reserve for each hand: for people with much else to do."),
            _days(2 * DAY, 3 * DAY),
        ),
        Pace(
            "brisk",
            _("Several times a day"),
            _("Half a day for each move, and half a day in reserve for each hand: for people who look in often."),
            _days(DAY / 2, DAY / 2),
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
        Pace(
            "none",
            _("Now, without a clock"),
            _("Everybody is here, and nobody is hurried: for people who know each other."),
            None,
        ),
    ]


def pace_of(id: str) -> Pace | None:
    return next((pace for pace in offered_paces() if pace.id == id), None)


ACTIONS: Final = {
    Kind.DAYS: tuple(DAY * days for days in (0.5, 1, 2, 3, 5, 7)),
    Kind.LIVE: tuple(timedelta(seconds=seconds) for seconds in (15, 20, 30, 45, 60, 90, 120, 300)),
}
BANKS: Final = {
    Kind.DAYS: tuple(DAY * days for days in (0, 0.5, 1, 1.5, 2, 3, 5, 7, 10, 14)),
    Kind.LIVE: tuple(timedelta(minutes=minutes) for minutes in (0, 1, 3, 5, 10, 15, 30)),
}
WAITS: Final = {
    Kind.DAYS: tuple(DAY * days for days in (1, 3, 7, 14)),
    Kind.LIVE: tuple(timedelta(minutes=minutes) for minutes in (15, 30, 60, 120)),
}
USUAL_WAIT: Final = {Kind.DAYS: 7 * DAY, Kind.LIVE: timedelta(minutes=30)}
VACATIONS: Final = (0, 1, 2, 3, 7)
"""Days of vacation that start without an announcement, before a player first runs out of time."""


_SECOND: Final = timedelta(seconds=1)


def terms_of(table: OpenTable) -> Terms | None:
    """The agreed clock; None if there is none."""
    return Terms.from_json(table.pace) if table.pace else None


def pace_name(terms: Terms | None) -> str:
    if terms is None:
        return _("no clock")
    return _("live") if terms.kind is Kind.LIVE else _("days")


def pace_words(terms: Terms | None) -> str:
    """The pace in one line: the time for each move and the reserve."""
    if terms is None:
        return _("Nobody is hurried")
    times = {"each": span(terms.action, terms.kind), "reserve": span(terms.bank, terms.kind)}
    if not terms.bank:
        return _("%(each)s for each move, no reserve") % times
    if terms.refills:
        return _("%(each)s for each move, and %(reserve)s in reserve for each hand") % times
    return _("%(each)s for each move, and %(reserve)s in reserve") % times


def pace_details(terms: Terms | None) -> list[str]:
    """Everything that is agreed about time, as sentences."""
    if terms is None:
        return []
    return list(common.clock_terms(agreed_clock(terms, timezone.get_current_timezone_name())))


def span(time: timedelta, kind: Kind) -> str:
    return common.duration(time // _SECOND, str(kind))


def agreed(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """The options of the game: the name of each and its value, in words."""
    choices = choice_words()
    yes_or_no = {True: _("yes"), False: _("no")}
    return [
        (words_of(name)[0], yes_or_no[value] if isinstance(value, bool) else choices.get(str(value), str(value)))
        for name, value in options.items()
    ]


def club_names(tables: Iterable[OpenTable]) -> dict[str, str]:
    """The names of the clubs whose members may join these tables. At most one query; none without such a table."""
    slugs = {table.club for table in tables if table.entry == OpenTable.Entry.CLUB}
    return {slug: club.name for clubs in hooks.clubs if slugs for slug, club in clubs.named(slugs).items()}


def entry_words(table: OpenTable) -> str:
    """Who may sit down."""
    club = club_names([table]).get(table.club)
    return _("members of %(club)s") % {"club": club} if club else str(OpenTable.Entry(table.entry).label)


def language_name(code: str) -> str:
    return str(dict(LANGUAGES_SPOKEN).get(code, ""))


def until(moment: datetime, reader: Player | None) -> str:
    """ "until tomorrow 20:00", for a reader."""
    return _("until %(when)s") % {"when": common.moment_for(moment, reader)}


_EVENTS: Final = {
    "laid": gettext_lazy("%(actor)s has opened the table."),
    "joined": gettext_lazy("%(actor)s has sat down."),
    "moved": gettext_lazy("%(actor)s has taken another seat."),
    "left": gettext_lazy("%(actor)s has left."),
    "removed": gettext_lazy("%(player)s has been sent away."),
    "computer": gettext_lazy("%(player)s, a computer player, has sat down."),
    "invited": gettext_lazy("%(player)s has been invited."),
    "letter": gettext_lazy("%(actor)s has invited somebody by e-mail."),
    "declined": gettext_lazy("%(actor)s cannot come."),
    "extended": gettext_lazy("%(actor)s has let the table wait longer."),
    "full": gettext_lazy("Everybody is there."),
    "host": gettext_lazy("%(player)s is now the host of the table."),
    "started": gettext_lazy("The game has begun."),
    "expired": gettext_lazy("Time is up: the table has stopped waiting."),
    "closed": gettext_lazy("The table has been closed."),
}


def event_line(event: TableEvent) -> str:
    """One event as a sentence; empty if the page says it elsewhere."""
    line = str(_EVENTS.get(event.text, ""))
    return line % {"actor": _name_of(event.actor), "player": _name_of(event.player)} if line else ""


def _name_of(player: object) -> str:
    return str(getattr(player, "display_name", "")) or _("Somebody")
