"""Calendars and their entries (RFC 5545), with what is the same in all of ours."""

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
    """An entry whose UID is `key` at this site; `number` grows with every change of it. Times are cut to whole seconds: a calendar
    knows no less, and must not round beyond them."""
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
