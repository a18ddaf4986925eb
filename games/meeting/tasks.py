"""What the worker does: seat people whose wishes fit, open the tables of appointments, and forget what is long over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from games.meeting.models import StandingWish
from games.meeting.services import appointments, wishes

KEPT: Final = timedelta(days=30)


def do_due(moment: datetime) -> int:
    """What is due at a look. Three queries where nothing is."""
    return wishes.do_due(moment) + appointments.do_due(moment)


def look_again(moment: datetime) -> None:
    """Once an hour: evenings have come nearer, suspensions and blocks have ended; what is long over is deleted."""
    wishes.seat_those_who_fit(moment)
    StandingWish.objects.filter(ended_at__lt=moment - KEPT).delete()
    appointments.forget(moment)
