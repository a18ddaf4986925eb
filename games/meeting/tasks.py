"""Hourly task of the worker: match wishes again, and delete old rows. Tasks that run more often are in the services."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from games.meeting.models import StandingWish
from games.meeting.services import appointments, wishes

KEPT: Final = timedelta(days=30)


def match_wishes_again(moment: datetime) -> None:
    """Match all wishes again, and delete old ones and old appointments. Called once an hour.

    Wishes can fit that did not before: evenings have come nearer, suspensions and blocks have ended.
    """
    wishes.seat_matching_wishes(moment)
    StandingWish.objects.filter(ended_at__lt=moment - KEPT).delete()
    appointments.forget(moment)
