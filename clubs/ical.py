"""The public calendar of a club (RFC 5545). UIDs stay the same for good; SEQUENCE grows with every change."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from clubs.evenings import Entry
from clubs.models import Club
from clubs.services import calendar

if TYPE_CHECKING:
    from icalendar import Calendar, Event

READ_AGAIN: Final = timedelta(hours=6)
MOST: Final = 500


def feed(club: Club) -> bytes:
    """All dates and tournaments, the latest 500. The same bytes as long as nothing changes."""
    made = _empty(club, club.name)
    made.add("refresh-interval", READ_AGAIN, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", "PT6H")
    made.add("url", settings.SITE_URL + reverse("club:home", args=[club.slug]))
    for entry in calendar.entries(club)[-MOST:]:
        made.add_component(_event(entry))
    return made.to_ical()


def single(club: Club, entry: Entry) -> bytes:
    """One entry, to be put into a calendar by hand."""
    made = _empty(club, entry.title)
    made.add_component(_event(entry))
    return made.to_ical()


def _empty(club: Club, name: str) -> Calendar:
    from icalendar import Calendar  # noqa: PLC0415  # large, and seldom asked for

    made = Calendar()
    made.add("prodid", f"-//{_host()}//clubs//{club.language.upper()}")
    made.add("version", "2.0")
    made.add("calscale", "GREGORIAN")
    made.add("name", name)
    made.add("x-wr-calname", name)
    return made


def _event(entry: Entry) -> Event:
    from icalendar import Event  # noqa: PLC0415  # as above

    event = Event()
    event.add("uid", f"{entry.id}@{_host()}")
    event.add("sequence", entry.sequence)
    event.add("dtstamp", entry.changed_at.replace(microsecond=0))
    event.add("last-modified", entry.changed_at.replace(microsecond=0))
    event.add("dtstart", entry.starts.replace(microsecond=0))
    event.add("dtend", calendar.end_of(entry).replace(microsecond=0))
    event.add("summary", entry.title)
    if entry.place:
        event.add("location", entry.place)
    address = settings.SITE_URL + entry.url
    event.add("description", f"{entry.text}\n\n{address}".strip())
    event.add("url", address)
    event.add("status", "CANCELLED" if entry.cancelled else "CONFIRMED")
    return event


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"
