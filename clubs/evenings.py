"""What clubs must know about tournaments, an app above them: a protocol that it registers for in `AppConfig.ready`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Protocol

from django.utils.formats import date_format

from clubs.models import Club, Season
from core.registry import Registry
from domain.standings.season import PastEvening


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the calendar: a date or a tournament. `id` never changes; `url` is a path of this site.

    `sequence` grows with every change, because calendars compare it. `over` is true if it was closed, whatever its
    time.
    """

    id: str
    title: str
    starts: datetime
    ends: datetime | None
    place: str
    text: str
    url: str
    cancelled: bool
    sequence: int
    changed_at: datetime
    tournament: bool
    over: bool = False


@dataclass(frozen=True, slots=True)
class Evening:
    """A tournament that counts for a season: its title, its page and its results.

    The persons of `past` are public ids of entries (`Member.public_id`) of any club. `only_for` is the key of the club
    whose members alone may read the title and the page; 0 if everybody may.
    """

    title: str
    url: str
    past: PastEvening
    only_for: int = 0

    def label(self, *, titled: bool = True) -> str:
        """The title with the day; only the day for those who may not read the title."""
        day = datetime.fromisoformat(self.past.date).date()
        return dated(self.title, day) if titled else short_day(day)


def short_day(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")


def dated(title: str, day: date) -> str:
    """The title of an evening with its day: evenings of a club often have the same title."""
    return f"{title} ({short_day(day)})"


class Evenings(Protocol):
    """What tournaments tell clubs: the module `tournaments.club_evenings`. Each function costs a few queries, regardless of the number of entries."""

    def dates(self, club: Club) -> Sequence[Entry]:
        """Every public tournament of the club: planned, running, over or cancelled."""

    def all_of(self, club: Club) -> Sequence[Entry]:
        """Every tournament of the club, also those that only its members see."""

    def of_season(self, season: Season) -> Sequence[Evening]:
        """The tournaments linked to the season that are over."""

    def counting(self, season: Season) -> Collection[str]:
        """The tournaments linked to the season, over or not, by `Entry.id`."""

    def named(self, members: Collection[int]) -> Collection[int]:
        """Those of these entries (keys) that appear in results or a planned tournament, so cannot be deleted."""

    def last_seen(self, members: Collection[int]) -> Mapping[int, date]:
        """The day of the last tournament of each of these entries (keys). Entries that were at none are left out."""

    def keeps_results(self, club: Club) -> bool:
        """Whether the club has any tournament that was played."""

    def closing(self, club: Club) -> None:
        """Cancel the tournaments that have not begun, and end those that are running: the club is being closed.

        Called in that transaction.
        """


sources: Final = Registry[Evenings]()


def source() -> Evenings:
    """The registered implementation."""
    return sources[0]
