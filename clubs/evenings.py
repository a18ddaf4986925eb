"""What a club must know of its tournaments, which lie above it: a protocol they register with, from `AppConfig.ready`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Protocol

from clubs.models import Club, Season
from core.registry import Registry
from domain.standings.season import PastEvening


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the calendar, wherever it comes from. `id` stays the same for good; `url` is a path of this site.

    `sequence` grows with every change, for calendars that compare. `over`: it was closed, whatever its time.
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
    """A tournament that counts for a season: what it is called, where it is shown, and what it brought.

    The persons of `past` are public ids of entries (`Member.public_id`), of whichever club.
    """

    title: str
    url: str
    past: PastEvening


class Evenings(Protocol):
    """What tournaments tell clubs. Each costs a few queries, whatever the number of entries."""

    def dates(self, club: Club) -> Sequence[Entry]:
        """Every public tournament of the club, planned, running, over or cancelled."""

    def of_season(self, season: Season) -> Sequence[Evening]:
        """The tournaments linked to the season that are over."""

    def named(self, members: Collection[int]) -> Collection[int]:
        """Which of these entries (keys) stand in results or in a tournament that is planned: they cannot be deleted."""

    def last_seen(self, members: Collection[int]) -> Mapping[int, date]:
        """The day of the last tournament of each of these entries (keys); who was at none is left out."""

    def keeps_results(self, club: Club) -> bool:
        """Whether the club has tournaments in which people have played."""

    def closing(self, club: Club) -> None:
        """The club is being closed, in this very transaction: cancel what has not begun, end what runs."""


class _None:
    """A site without tournaments."""

    def dates(self, club: Club) -> Sequence[Entry]:
        return ()

    def of_season(self, season: Season) -> Sequence[Evening]:
        return ()

    def named(self, members: Collection[int]) -> Collection[int]:
        return ()

    def last_seen(self, members: Collection[int]) -> Mapping[int, date]:
        return {}

    def keeps_results(self, club: Club) -> bool:
        return False

    def closing(self, club: Club) -> None:
        """Nothing to do."""


sources: Final = Registry[Evenings]()
_none: Final[Evenings] = _None()


def source() -> Evenings:
    """Who speaks for tournaments."""
    return next(iter(sources), _none)
