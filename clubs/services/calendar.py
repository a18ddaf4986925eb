"""The calendar of a club, as pages and other programs (RFC 5545) read it: its own dates and its tournaments. And its news."""

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
"""How long something without an end is taken to last."""


FIELDS: Final = ("title", "starts", "ends", "place", "text")
"""What is written of a date; `add` and `change` take it from a `ClubDate` that is not saved."""


@command
def add(club: Club, by: Player, date: ClubDate, *, request_id: uuid.UUID) -> ClubDate:
    """A new date. Raises ``club-gone``, ``not-allowed``, Suspended, ``request-reused``."""
    row = common.begin(club, by, "date.added", request_id, Act.CALENDAR, again=_date_before)
    made = ClubDate(club=row)
    _write(made, date)
    common.log(row, "date.added", actor=by, data={"date": made.public_id}, request_id=request_id)
    return made


@command
def change(club: Club, by: Player, public_id: str, date: ClubDate, *, request_id: uuid.UUID) -> ClubDate:
    """Change a date. Raises ``club-gone``, ``not-allowed``, Suspended, ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "date.changed", request_id, Act.CALENDAR, again=_date_before)
    found = date_of(row, public_id)
    found.sequence += 1
    _write(found, date)
    common.log(row, "date.changed", actor=by, data={"date": public_id}, request_id=request_id)
    return found


@command
def cancel(club: Club, by: Player, public_id: str, *, cancelled: bool, request_id: uuid.UUID) -> ClubDate:
    """Say that it does not take place, or does after all. Calendars of others are told, so it stays in the list.

    Raises ``club-gone``, ``not-allowed``, Suspended, ``no-such-entry``, ``request-reused``.
    """
    row = common.begin(club, by, "date.cancelled", request_id, Act.CALENDAR, again=_date_before)
    found = date_of(row, public_id)
    found.cancelled, found.sequence, found.changed_at = cancelled, found.sequence + 1, timezone.now()
    found.save()
    data = {"date": public_id, "cancelled": cancelled}
    common.log(row, "date.cancelled", actor=by, data=data, request_id=request_id)
    return found


@command
def remove(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Delete a date, and with it its trace in calendars. Raises ``club-gone``, ``not-allowed``, ``no-such-entry``,
    ``request-reused``."""
    row = common.begin(club, by, "date.removed", request_id, Act.CALENDAR)
    date_of(row, public_id).delete()
    common.log(row, "date.removed", actor=by, data={"date": public_id}, request_id=request_id)


def _date_before(event: ClubEvent) -> ClubDate:
    return date_of(event.club, str(event.data.get("date", "")))


def date_of(club: Club, public_id: str) -> ClubDate:
    """One date. Raises ``no-such-entry``."""
    return common.first_of(ClubDate.objects.filter(club=club, public_id=public_id), "no-such-entry")


def entries(club: Club) -> list[Entry]:
    """Everything in the calendar: the club's own dates and its tournaments, by their beginning."""
    return merged(club, ClubDate.objects.filter(club=club), evenings.source().dates(club))


def merged(club: Club, dates: Iterable[ClubDate], tournaments: Sequence[Entry]) -> list[Entry]:
    """The club's dates and its tournaments in one list, by their beginning, then by id."""
    own = [entry_of(club, date) for date in dates]
    return sorted([*own, *tournaments], key=lambda entry: (entry.starts, entry.id))


def upcoming(found: Iterable[Entry], now: datetime | None = None) -> list[Entry]:
    """What is still to come or going on, by its beginning."""
    moment = now or timezone.now()
    return [entry for entry in found if not _is_over(entry, moment)]


def past(found: Iterable[Entry], now: datetime | None = None) -> list[Entry]:
    """What is over, the latest first."""
    moment = now or timezone.now()
    return [entry for entry in reversed(list(found)) if _is_over(entry, moment)]


def _is_over(entry: Entry, moment: datetime) -> bool:
    return entry.over or end_of(entry) < moment


def end_of(entry: Entry) -> datetime:
    """When it ends; `USUAL_LENGTH` after its beginning where it does not say."""
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
    common.take_over(date, row, FIELDS)
    row.changed_at = timezone.now()
    row.save()


@command
def publish(club: Club, by: Player, title: str, text: str, *, request_id: uuid.UUID) -> News:
    """A new piece of news, at once. Raises ``club-gone``, ``not-allowed``, Suspended, ``request-reused``."""
    row = common.begin(club, by, "news.published", request_id, Act.NEWS, again=_news_before)
    made = News.objects.create(club=row, title=title, text=text)
    common.log(row, "news.published", actor=by, data={"news": made.public_id}, request_id=request_id)
    return made


@command
def change_news(club: Club, by: Player, public_id: str, title: str, text: str, *, request_id: uuid.UUID) -> News:
    """Change it; its time stays, and feeds say that it was changed. Raises ``club-gone``, ``not-allowed``, Suspended,
    ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "news.changed", request_id, Act.NEWS, again=_news_before)
    found = news_of(row, public_id)
    found.title, found.text, found.changed_at = title, text, timezone.now()
    found.save()
    common.log(row, "news.changed", actor=by, data={"news": public_id}, request_id=request_id)
    return found


@command
def remove_news(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Delete it. Raises ``club-gone``, ``not-allowed``, ``no-such-entry``, ``request-reused``."""
    row = common.begin(club, by, "news.removed", request_id, Act.NEWS)
    news_of(row, public_id).delete()
    common.log(row, "news.removed", actor=by, data={"news": public_id}, request_id=request_id)


def all_news(club: Club) -> QuerySet[News]:
    """All news, the latest first."""
    return News.objects.filter(club=club).order_by("-at", "-pk")


def _news_before(event: ClubEvent) -> News:
    return news_of(event.club, str(event.data.get("news", "")))


def news_of(club: Club, public_id: str) -> News:
    """One piece. Raises ``no-such-entry``."""
    return common.first_of(News.objects.filter(club=club, public_id=public_id), "no-such-entry")


READ_AGAIN: Final = timedelta(hours=6)
MOST_ENTRIES: Final = 500


def calendar_as_ical(club: Club) -> bytes:
    """All dates and tournaments, the latest 500. The same bytes as long as nothing changes."""
    made = new_calendar("clubs", club.language, club.name)
    made.add("refresh-interval", READ_AGAIN, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT6H")
    made.add("url", settings.SITE_URL + reverse("club:home", args=[club.slug]))
    for entry in entries(club)[-MOST_ENTRIES:]:
        made.add_component(_event(entry))
    return made.to_ical()


def entry_as_ical(club: Club, entry: Entry) -> bytes:
    """One entry, to be put into a calendar by hand."""
    made = new_calendar("clubs", club.language, entry.title)
    made.add_component(_event(entry))
    return made.to_ical()


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
