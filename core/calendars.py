"""Calendars and their events (RFC 5545), with the properties that all of ours share."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from core.http import own_host

if TYPE_CHECKING:
    from icalendar import Calendar, Event


def new_calendar(part: str, language: str, name: str = "") -> Calendar:
    """An empty calendar of a part of the site."""
    from icalendar import Calendar  # noqa: PLC0415  # large, and seldom asked for

    calendar = Calendar()
    calendar.add("prodid", f"-//{own_host()}//{part}//{language.upper()}")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    if name:
        calendar.add("name", name)
        calendar.add("x-wr-calname", name)
    return calendar


def new_event(
    key: str,
    number: int,
    changed_at: datetime,
    *,
    starts: datetime,
    ends: datetime,
    summary: str,
    description: str,
    address: str,
    cancelled: bool = False,
) -> Event:
    """An event whose UID is `key` at this site. `number` (SEQUENCE) grows with every change.

    Times are cut to whole seconds, because a calendar knows nothing finer, and must not be rounded up.
    """
    from icalendar import Event  # noqa: PLC0415  # as above

    event = Event()
    event.add("uid", f"{key}@{own_host()}")
    event.add("sequence", number)
    event.add("dtstamp", changed_at.replace(microsecond=0))
    event.add("last-modified", changed_at.replace(microsecond=0))
    event.add("dtstart", starts.replace(microsecond=0))
    event.add("dtend", ends.replace(microsecond=0))
    event.add("summary", summary)
    event.add("description", description)
    event.add("url", address)
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    return event
