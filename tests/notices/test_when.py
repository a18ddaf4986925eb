"""The hours of a person, also when clocks change."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notices.preferences import next_digest, quiet_until

ZURICH = ZoneInfo("Europe/Zurich")
ZONES = [
    ZURICH,
    ZoneInfo("America/St_Johns"),
    ZoneInfo("Australia/Lord_Howe"),
    ZoneInfo("Pacific/Apia"),
    ZoneInfo("UTC"),
]
MOMENTS = st.datetimes(
    datetime.fromisoformat("2011-01-01"), datetime.fromisoformat("2030-01-01"), timezones=st.just(UTC)
)


def at(text: str, zone: ZoneInfo = ZURICH) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("now", "then"),
    [
        ("2026-11-24T06:59", "2026-11-24T07:00"),
        ("2026-11-24T07:00", "2026-11-25T07:00"),
        ("2026-03-28T12:00", "2026-03-29T07:00"),  # the night in which an hour is missing
        ("2026-10-24T12:00", "2026-10-25T07:00"),  # the night with an hour more
    ],
)
def test_the_daily_mail_comes_at_its_hour_on_the_clock(now, then):
    found = next_digest(at(now), 7, ZURICH)
    assert found.astimezone(ZURICH).replace(tzinfo=None).isoformat(timespec="minutes") == then


def test_in_the_hour_that_is_missing_it_comes_when_the_clock_has_jumped():
    found = next_digest(at("2026-03-28T12:00"), 2, ZURICH)
    assert found.astimezone(ZURICH).isoformat() == "2026-03-29T03:00:00+02:00"


def test_in_the_hour_that_comes_twice_it_comes_once():
    first = next_digest(at("2026-10-24T12:00"), 2, ZURICH)
    assert first == datetime(2026, 10, 25, 0, tzinfo=UTC)
    assert next_digest(first, 2, ZURICH) == datetime(2026, 10, 26, 1, tzinfo=UTC)


@given(
    MOMENTS,
    st.integers(0, 23),
    st.sampled_from(ZONES),
)
def test_the_next_daily_mail_is_ahead_and_less_than_two_days_away(moment, hour, zone):
    found = next_digest(moment, hour, zone)
    # Apia left out a whole day at the end of 2011.
    assert timedelta() < found - moment <= timedelta(hours=50)


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-11-24T21:59", None),
        ("2026-11-24T22:00", "2026-11-25T07:00:00+01:00"),
        ("2026-11-25T06:59", "2026-11-25T07:00:00+01:00"),
        ("2026-11-25T07:00", None),
        ("2026-03-28T23:00", "2026-03-29T07:00:00+02:00"),
        ("2026-10-24T23:00", "2026-10-25T07:00:00+01:00"),
    ],
)
def test_quiet_hours_go_over_midnight(now, until):
    found = quiet_until(at(now), time(22), time(7), ZURICH)
    assert (found and found.astimezone(ZURICH).isoformat()) == until


def test_quiet_hours_within_a_day():
    assert quiet_until(at("2026-11-24T12:30"), time(12), time(14), ZURICH) == at("2026-11-24T14:00")
    assert quiet_until(at("2026-11-24T14:00"), time(12), time(14), ZURICH) is None


@pytest.mark.parametrize("hour", [None, time(7)])
def test_without_quiet_hours_nothing_waits(hour):
    assert quiet_until(at("2026-11-24T03:00"), hour, hour, ZURICH) is None


@given(
    MOMENTS,
    st.integers(0, 23),
    st.integers(0, 23),
    st.sampled_from(ZONES),
)
def test_when_the_quiet_hours_are_over_they_are_over(moment, start, end, zone):
    found = quiet_until(moment, time(start), time(end), zone)
    if found is not None:
        assert moment < found <= moment + timedelta(hours=50)
        # Where the clock is set back to before the end they begin once more, but they end.
        again = quiet_until(found, time(start), time(end), zone)
        assert again is None or quiet_until(again, time(start), time(end), zone) is None
