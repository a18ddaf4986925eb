"""Days as ratings count them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings

_FIRST_DAY: Final = date(1970, 1, 1).toordinal()


def day_of(moment: datetime) -> int:
    """The day on the clocks of the hall, counted from 1970-01-01."""
    return moment.astimezone(ZoneInfo(settings.TIME_ZONE)).toordinal() - _FIRST_DAY


def date_of(day: int) -> date:
    """The date of a day that `day_of` counted."""
    return date.fromordinal(day + _FIRST_DAY)
