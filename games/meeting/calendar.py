"""Appointments as calendar entries (RFC 5545): one as a file, and all of a player for the calendar of their games."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Player
from core.calendars import new_calendar, new_event
from games.meeting import selectors
from games.meeting.models import Appointment
from games.text.figures import variant_name

if TYPE_CHECKING:
    from icalendar import Event

LASTS: Final = timedelta(hours=2)
"""How long an entry lasts. Nobody knows how long the game takes; this keeps the evening free."""
BACK: Final = timedelta(days=1)


def as_file(appointment: Appointment) -> bytes:
    """A calendar with only this appointment, in the reader's language."""
    calendar = new_calendar("games", translation.get_language() or settings.LANGUAGE_CODE)
    calendar.add_component(event_of(appointment))
    return calendar.to_ical()


def events_of(player: Player) -> list[Event]:
    """The appointments to which the player comes, including those that were cancelled since."""
    return [event_of(row) for row in selectors.agreed_by(player, timezone.now() - BACK)]


def event_of(appointment: Appointment) -> Event:
    address = settings.SITE_URL + reverse("meeting:appointment", args=[appointment.public_id])
    event = new_event(
        f"appointment-{appointment.public_id}",
        appointment.number,
        appointment.changed_at,
        starts=appointment.starts_at,
        ends=appointment.starts_at + LASTS,
        summary=variant_name((appointment.ruleset, appointment.table_size)),
        description=f"{_('The table opens ten minutes before.')}\n{address}",
        address=address,
        cancelled=appointment.state == Appointment.State.CANCELLED,
    )
    event.add("class", "PRIVATE")
    return event
