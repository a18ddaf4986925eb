"""Appointments as entries of calendars (RFC 5545): one as a file, and those of a person for the calendar of their games."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Player
from games.meeting import selectors
from games.meeting.models import Appointment
from games.text.figures import variant_name

if TYPE_CHECKING:
    from icalendar import Event

LASTS: Final = timedelta(hours=2)
"""Nobody knows how long a game takes: so long an evening is kept free."""
BACK: Final = timedelta(days=1)


def as_file(appointment: Appointment) -> bytes:
    """A calendar of this one appointment, in the reader's language."""
    from icalendar import Calendar  # noqa: PLC0415  # large, and seldom asked for

    calendar = Calendar()
    language = translation.get_language() or settings.LANGUAGE_CODE
    calendar.add("prodid", f"-//{_host()}//games//{language.upper()}")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add_component(event_of(appointment))
    return calendar.to_ical()


def events_of(player: Player) -> list[Event]:
    """Those to which the player comes, with those that were cancelled meanwhile."""
    return [event_of(row) for row in selectors.agreed_by(player, timezone.now() - BACK)]


def event_of(appointment: Appointment) -> Event:
    from icalendar import Event  # noqa: PLC0415  # as above

    address = settings.SITE_URL + reverse("meeting:appointment", args=[appointment.public_id])
    starts = appointment.starts_at.replace(microsecond=0)
    cancelled = appointment.state == Appointment.State.CANCELLED
    event = Event()
    event.add("uid", f"appointment-{appointment.public_id}@{_host()}")
    event.add("sequence", appointment.number)
    event.add("dtstamp", appointment.changed_at.replace(microsecond=0))
    event.add("last-modified", appointment.changed_at.replace(microsecond=0))
    event.add("dtstart", starts)
    event.add("dtend", starts + LASTS)
    event.add("summary", variant_name((appointment.ruleset, appointment.table_size)))
    event.add("description", f"{_('The table opens ten minutes before.')}\n{address}")
    event.add("url", address)
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    event.add("class", "PRIVATE")
    return event


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"
