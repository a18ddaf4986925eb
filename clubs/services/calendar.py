"""A club's calendar (its own dates and its tournaments), for pages and other programs (RFC 5545); and its news."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from clubs import evenings
from clubs.evenings import Entry
from clubs.models import Club, ClubDate, ClubEvent, News
from clubs.permissions import Act
from clubs.services import common
from core.calendars import new_calendar, new_event
from core.commands import command

if TYPE_CHECKING:
    from icalendar import Event


USUAL_LENGTH: Final = timedelta(hours=4)
"""How long an entry without an end is assumed to last."""


FIELDS: Final = ("title", "starts", "ends", "place", "text")
"""The fields of a date that the staff writes. `add` and `change` take them from an unsaved `ClubDate`."""


@command
def add(club: Club, by: Player, date: ClubDate, *, request_id: uuid.UUID) -> ClubDate:
    """Add a date. Raises ``club-gone``, ``not-allowed``, Suspended, ``request-reused``."""
    row = common.begin(club, by, "date.added", request_id, Act.CALENDAR, again=_date_before)
    added = ClubDate(club=row)
    _write(added, date)
    common.log(row, "date.added", actor=by, data={"date": added.public_id}, request_id=request_id)
    return added


@command
def change(club: Club, by: Player, public_id: str, date: ClubDate, *, request_id: uuid.UUID) -> ClubDate:
    """Change a date. Raises ``club-gone``, ``not-allowed``, Suspended, ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "date.changed", request_id, Act.CALENDAR, again=_date_before)
    changed = date_of(row, public_id)
    changed.sequence += 1
    _write(changed, date)
    common.log(row, "date.changed", actor=by, data={"date": public_id}, request_id=request_id)
    return changed


@command
def cancel(club: Club, by: Player, public_id: str, *, cancelled: bool, request_id: uuid.UUID) -> ClubDate:
    """Mark a date as cancelled, or as taking place after all.

    It stays in the list, so that other people's calendars learn of it. Raises ``club-gone``, ``not-allowed``,
    Suspended, ``no-such-entry``, ``request-reused``.
    """
    row = common.begin(club, by, "date.cancelled", request_id, Act.CALENDAR, again=_date_before)
    date = date_of(row, public_id)
    date.cancelled, date.sequence, date.changed_at = cancelled, date.sequence + 1, timezone.now()
    date.save()
    data = {"date": public_id, "cancelled": cancelled}
    common.log(row, "date.cancelled", actor=by, data=data, request_id=request_id)
    return date


@command
def remove(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Delete a date; it disappears from other people's calendars too. Raises ``club-gone``, ``not-allowed``,
    ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "date.removed", request_id, Act.CALENDAR)
    date_of(row, public_id).delete()
    common.log(row, "date.removed", actor=by, data={"date": public_id}, request_id=request_id)


def _date_before(event: ClubEvent) -> ClubDate:
    return date_of(event.club, str(event.data.get("date", "")))


def date_of(club: Club, public_id: str) -> ClubDate:
    """One date. Raises ``no-such-entry``."""
    return common.first_of(ClubDate.objects.filter(club=club, public_id=public_id), "no-such-entry")


def entries(club: Club) -> list[Entry]:
    """Everything in the calendar: the club's own dates and its tournaments, ordered by their beginning."""
    return merged(club, ClubDate.objects.filter(club=club), evenings.source().dates(club))


def merged(club: Club, dates: Iterable[ClubDate], tournaments: Sequence[Entry]) -> list[Entry]:
    """The club's dates and its tournaments in one list, ordered by their beginning, then by id."""
    own = [entry_of(club, date) for date in dates]
    return sorted([*own, *tournaments], key=lambda entry: (entry.starts, entry.id))


def upcoming(entries: Iterable[Entry], now: datetime | None = None) -> list[Entry]:
    """The entries that are still to come or going on, in the order given."""
    moment = now or timezone.now()
    return [entry for entry in entries if not _is_over(entry, moment)]


def past(entries: Iterable[Entry], now: datetime | None = None) -> list[Entry]:
    """The entries that are over, in reverse order: the latest first."""
    moment = now or timezone.now()
    return [entry for entry in reversed(list(entries)) if _is_over(entry, moment)]


def _is_over(entry: Entry, moment: datetime) -> bool:
    return entry.over or end_of(entry) < moment


def end_of(entry: Entry) -> datetime:
    """When an entry ends; `USUAL_LENGTH` after its beginning if no end is given."""
    return entry.ends or entry.starts + USUAL_LENGTH


def entry_of(club: Club, date: ClubDate) -> Entry:
    return Entry(
        id=date.public_id,
        title=date.title,
        starts=date.starts,
        ends=date.ends,
        place=date.place,
        text=date.text,
        url=reverse("club:date", args=[club.slug, date.public_id]),
        cancelled=date.cancelled,
        sequence=date.sequence,
        changed_at=date.changed_at,
        tournament=False,
    )


def _write(row: ClubDate, date: ClubDate) -> None:
    common.copy_fields(date, row, FIELDS)
    row.changed_at = timezone.now()
    row.save()


@command
def publish(club: Club, by: Player, title: str, text: str, *, request_id: uuid.UUID) -> News:
    """Publish a piece of news at once. Raises ``club-gone``, ``not-allowed``, Suspended, ``request-reused``."""
    row = common.begin(club, by, "news.published", request_id, Act.NEWS, again=_news_before)
    news = News.objects.create(club=row, title=title, text=text)
    common.log(row, "news.published", actor=by, data={"news": news.public_id}, request_id=request_id)
    return news


@command
def change_news(club: Club, by: Player, public_id: str, title: str, text: str, *, request_id: uuid.UUID) -> News:
    """Change a piece of news. Its date stays, and feeds say that it was changed. Raises ``club-gone``, ``not-allowed``,
    Suspended, ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "news.changed", request_id, Act.NEWS, again=_news_before)
    news = news_of(row, public_id)
    news.title, news.text, news.changed_at = title, text, timezone.now()
    news.save()
    common.log(row, "news.changed", actor=by, data={"news": public_id}, request_id=request_id)
    return news


@command
def remove_news(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Delete a piece of news. Raises ``club-gone``, ``not-allowed``, ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "news.removed", request_id, Act.NEWS)
    news_of(row, public_id).delete()
    common.log(row, "news.removed", actor=by, data={"news": public_id}, request_id=request_id)


def all_news(club: Club) -> QuerySet[News]:
    """All news, the latest first."""
    return News.objects.filter(club=club).order_by("-at", "-pk")


def _news_before(event: ClubEvent) -> News:
    return news_of(event.club, str(event.data.get("news", "")))


def news_of(club: Club, public_id: str) -> News:
    """One piece of news. Raises ``no-such-entry``."""
    return common.first_of(News.objects.filter(club=club, public_id=public_id), "no-such-entry")


READ_AGAIN: Final = timedelta(hours=6)
MOST_ENTRIES: Final = 500


def calendar_as_ical(club: Club) -> bytes:
    """The dates and tournaments of the club, at most the latest 500. The same bytes as long as nothing changes."""
    calendar = new_calendar("clubs", club.language, club.name)
    calendar.add("refresh-interval", READ_AGAIN, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT6H")
    calendar.add("url", settings.SITE_URL + reverse("club:home", args=[club.slug]))
    for entry in entries(club)[-MOST_ENTRIES:]:
        calendar.add_component(_event(entry))
    return calendar.to_ical()


def entry_as_ical(club: Club, entry: Entry) -> bytes:
    """One entry, for adding to one's own calendar."""
    calendar = new_calendar("clubs", club.language, entry.title)
    calendar.add_component(_event(entry))
    return calendar.to_ical()


def _event(entry: Entry) -> Event:
    address = settings.SITE_URL + entry.url
    event = new_event(
        entry.id,
        entry.sequence,
        entry.changed_at,
        starts=entry.starts,
        ends=end_of(entry),
        summary=entry.title,
        description=f"{entry.text}\n\n{address}".strip(),
        address=address,
        cancelled=entry.cancelled,
    )
    if entry.place:
        event.add("location", entry.place)
    return event
