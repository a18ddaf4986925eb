"""Counting time in a person's own days, exactly.

A counted day is worth exactly one day: it passes evenly between the hour at which the person wakes and the hour at
which they stop, and not at all outside those hours. So "two days" are two days for everybody, whatever their hours, and
a deadline never falls into anybody's night. A day on which the clocks change is a day like any other.

Time is counted in milliseconds. Everything rests on one function, the time counted up to a moment; it never decreases
and skips no millisecond. That makes `spent` additive and `deadline` its exact inverse.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from domain.pace.terms import USUAL, WHOLE_DAY, Kind, Rhythm, Span, Terms, holidays

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICRO: Final = timedelta(microseconds=1)
_MILLI: Final = timedelta(milliseconds=1)
_DAY_MS: Final = 24 * 60 * 60 * 1000
_HOUR_US: Final = 60 * 60 * 1_000_000
_SATURDAY: Final = 5
_LEAST_DAYS: Final = 4
"""At least this many days of a week count for everybody: more days off would strain the others' patience."""
_KEPT: Final = 2000


class Calendar:
    """The moments that count for one person at one table. Made by `calendar_of`, which caches those in use."""

    __slots__ = ("_absences", "_always", "_canton", "_counted", "_edges", "_week", "_zone")

    def __init__(self, terms: Terms, rhythm: Rhythm) -> None:
        self._always = terms.kind is Kind.LIVE
        self._zone = ZoneInfo(rhythm.zone)
        self._week = _week(rhythm.waking, weekends=terms.weekends)
        self._canton = terms.holidays
        self._absences = tuple(
            (first.toordinal(), last.toordinal())
            for first, last in (rhythm.absences if terms.leaves_out_absences else ())
        )
        self._counted: dict[int, bool] = {}
        self._edges: dict[int, tuple[int, int]] = {}

    def spent(self, start: datetime, end: datetime) -> timedelta:
        """The time that counts between two moments; zero if `end` is not after `start`."""
        if end <= start:
            return timedelta(0)
        if self._always:
            return (_micros(end) // 1000 - _micros(start) // 1000) * _MILLI
        first, last = self._day_of(start), self._day_of(end)
        counted = sum(map(self._counts, range(first, last)))
        return (counted * _DAY_MS + self._progress(last, end) - self._progress(first, start)) * _MILLI

    def deadline(self, start: datetime, allowance: timedelta) -> datetime:
        """The first moment at which `allowance` is spent, counted from `start`; in UTC.

        Fractions of a millisecond in `allowance` are dropped. An allowance of zero or less is spent at once.
        """
        left = allowance // _MILLI
        if left <= 0:
            return start.astimezone(UTC)
        if self._always:
            return _EPOCH + timedelta(milliseconds=_micros(start) // 1000 + left)
        day = self._day_of(start)
        left += self._progress(day, start)
        while True:
            if self._counts(day):
                if left <= _DAY_MS:
                    begin, end = self._hours(day)
                    return _EPOCH + timedelta(microseconds=begin - (-left * (end - begin) // _DAY_MS))
                left -= _DAY_MS
            day += 1

    def day_at(self, moment: datetime) -> date:
        """The day of the person's calendar in which a moment lies."""
        return moment.astimezone(self._zone).date()

    def _day_of(self, moment: datetime) -> int:
        return moment.astimezone(self._zone).toordinal()

    def _progress(self, day: int, moment: datetime) -> int:
        """The milliseconds of `day` that have been counted at `moment`."""
        if not self._counts(day):
            return 0
        begin, end = self._hours(day)
        at = _micros(moment)
        if at <= begin:
            return 0
        return _DAY_MS if at >= end else (at - begin) * _DAY_MS // (end - begin)

    def _counts(self, day: int) -> bool:
        known = self._counted.get(day)
        if known is None:
            if len(self._counted) > _KEPT:
                self._counted.clear()
            known = self._counted[day] = self._is_counted(day)
        return known

    def _is_counted(self, day: int) -> bool:
        if self._week[(day + 6) % 7] is None or any(first <= day <= last for first, last in self._absences):
            return False
        when = date.fromordinal(day)
        return when not in holidays(self._canton, when.year) and _exists(when, self._zone)

    def _hours(self, day: int) -> tuple[int, int]:
        """When `day` begins to count and when it stops, in microseconds since 1970."""
        known = self._edges.get(day)
        if known is None:
            if len(self._edges) > _KEPT:
                self._edges.clear()
            span = self._week[(day + 6) % 7]
            assert span is not None
            begin, end = (self._at(day, minute) for minute in span)
            # If the clocks are put forward over all of a person's hours, one hour is left.
            known = self._edges[day] = (begin, max(end, begin + _HOUR_US))
        return known

    def _at(self, day: int, minute: int) -> int:
        if minute == WHOLE_DAY:
            day, minute = day + 1, 0
        hour, minute = divmod(minute, 60)
        return _micros(datetime.combine(date.fromordinal(day), time(hour, minute), tzinfo=self._zone))


@lru_cache(maxsize=4096)
def calendar_of(terms: Terms, rhythm: Rhythm) -> Calendar:
    return Calendar(terms, rhythm)


def _week(waking: tuple[Span | None, ...], *, weekends: bool) -> tuple[Span | None, ...]:
    """The hours that count on each day of a week, Monday first.

    Of too many days off, the first ones count after all.
    """
    missing = _LEAST_DAYS - sum(span is not None for span in waking)
    week: list[Span | None] = []
    for span in waking:
        fill = span is None and missing > 0
        missing -= fill
        week.append(USUAL if fill else span)
    if not weekends:
        week[_SATURDAY:] = (None, None)
    return tuple(week)


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICRO


def _exists(day: date, zone: ZoneInfo) -> bool:
    """Whether a day exists in a time zone: some zones have crossed the date line and skipped one."""
    noon = datetime.combine(day, time(12), tzinfo=zone)
    return noon.astimezone(UTC).astimezone(zone).date() == day
