"""The hours of a person: quiet ones, and that of the daily mail, in their time zone, also when clocks change. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def at_local(day: date, hour: time, zone: ZoneInfo) -> datetime:
    """The moment (in UTC) at which clocks in `zone` show `hour` on `day`.

    The first of the two where that hour comes twice; where clocks jump over it, as long after the jump as it lies
    after its beginning (02:30 is then 03:30).
    """
    return datetime.combine(day, hour, tzinfo=zone).astimezone(UTC)


def next_digest(moment: datetime, hour: int, zone: ZoneInfo) -> datetime:
    """The next time after `moment` at which it is `hour` o'clock in `zone`: once on every day, also when clocks change."""
    day = moment.astimezone(zone).date()
    found = at_local(day, time(hour), zone)
    # Across the date line, or in a zone that skips a day, the first guess may lie behind.
    while found <= moment:
        day += timedelta(days=1)
        found = at_local(day, time(hour), zone)
    return found


def quiet_until(moment: datetime, start: time | None, end: time | None, zone: ZoneInfo) -> datetime | None:
    """When the quiet hours end if `moment` lies in them, else None.

    They go from `start` up to but not including `end`, over midnight if `end` is earlier. None and equal times mean
    that there are none.
    """
    if start is None or end is None or start == end:
        return None
    local = moment.astimezone(zone)
    clock = local.time()
    over_midnight = end < start
    within = clock >= start or clock < end if over_midnight else start <= clock < end
    if not within:
        return None
    day = local.date() + timedelta(days=1 if over_midnight and clock >= start else 0)
    found = at_local(day, end, zone)
    # The hour that comes twice: its first coming may be over while the clock still shows less than `end`.
    return found if found > moment else datetime.combine(day, end, tzinfo=zone).replace(fold=1).astimezone(UTC)
