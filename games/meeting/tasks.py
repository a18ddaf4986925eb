"""What the worker does once an hour: look again whose wishes fit, and forget what is long over. What is due at each look is with the services."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from games.meeting.models import StandingWish
from games.meeting.services import appointments, wishes

KEPT: Final = timedelta(days=30)


def look_again(moment: datetime) -> None:
    """Once an hour: evenings have come nearer, suspensions and blocks have ended; what is long over is deleted."""
    wishes.seat_those_who_fit(moment)
    StandingWish.objects.filter(ended_at__lt=moment - KEPT).delete()
    appointments.forget(moment)
