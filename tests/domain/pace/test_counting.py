"""Counting time in somebody's days: by example, across changes of the clocks, and by what must always hold."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.pace import Clock, Kind, Rhythm, SeatClock, State, Terms
from domain.pace.counting import Calendar, calendar_of

DAY = timedelta(days=1)
DAYS = Terms(Kind.DAYS, 2 * DAY, 3 * DAY, vacation=7)
WORKDAYS = Terms(Kind.DAYS, 2 * DAY, weekends=False, holidays="GR", vacation=7)
LIVE = Terms(Kind.LIVE, timedelta(seconds=30), timedelta(minutes=5))
ZURICH = ZoneInfo("Europe/Zurich")
ALWAYS = tuple([(0, 1440)] * 7)


def at(text: str, zone: str = "Europe/Zurich") -> datetime:
    """A moment as a clock in `zone` shows it."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def deadline(start: datetime, allowance: timedelta, terms: Terms, rhythm: Rhythm) -> datetime:
    return calendar_of(terms, rhythm).deadline(start, allowance)


def spent(start: datetime, end: datetime, terms: Terms, rhythm: Rhythm) -> timedelta:
    return calendar_of(terms, rhythm).spent(start, end)


def shown(moment: datetime, zone: str = "Europe/Zurich") -> str:
    """What a clock in `zone` shows, to the nearest second."""
    return f"{(moment + timedelta(milliseconds=500)).astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M:%S}"


@pytest.mark.parametrize(
    ("asked", "days", "until"),
    [
        ("2026-06-01 20:00", 2, "2026-06-03 20:00:00"),  # whoever is asked at eight has until eight
        ("2026-06-01 03:00", 1, "2026-06-01 22:00:00"),  # in the night nothing counts
        ("2026-06-01 23:30", 1, "2026-06-02 22:00:00"),
        ("2026-06-01 08:00", 0.5, "2026-06-01 15:00:00"),  # half of the fourteen hours
        ("2026-06-01 15:00", 0.5, "2026-06-01 22:00:00"),
        ("2026-03-28 20:00", 1, "2026-03-29 20:00:00"),  # the clocks go forward that night …
        ("2026-10-24 20:00", 2, "2026-10-26 20:00:00"),  # … and back
        ("2026-12-31 12:00", 3, "2027-01-03 12:00:00"),
    ],
)
def test_a_day_is_one_day_of_the_person_who_is_asked(asked, days, until):
    assert shown(deadline(at(asked), days * DAY, DAYS, Rhythm())) == until


def test_a_day_on_which_the_clocks_change_is_worth_as_much_as_any_other():
    night_owl = Rhythm(waking=ALWAYS)
    assert shown(deadline(at("2026-03-29 00:00"), DAY / 2, DAYS, night_owl)) == "2026-03-29 12:30:00"  # of 23 hours
    assert shown(deadline(at("2026-10-25 00:00"), DAY / 2, DAYS, night_owl)) == "2026-10-25 11:30:00"  # of 25
    assert spent(at("2026-03-29 00:00"), at("2026-03-30 00:00"), DAYS, night_owl) == DAY


def test_hours_over_which_the_clocks_jump_leave_a_day_a_day():
    early = Rhythm(waking=tuple([(120, 180)] * 7))  # 02:00 to 03:00, which does not exist on that night
    assert spent(at("2026-03-29 00:00"), at("2026-03-30 00:00"), DAYS, early) == DAY
    assert shown(deadline(at("2026-03-29 00:00"), DAY, DAYS, early)) == "2026-03-29 04:00:00"


def test_waking_hours_move_a_deadline_but_do_not_give_more_days():
    evenings = Rhythm(waking=tuple([(18 * 60, 22 * 60)] * 7))
    assert shown(deadline(at("2026-06-01 20:00"), 2 * DAY, DAYS, evenings)) == "2026-06-03 20:00:00"
    assert shown(deadline(at("2026-06-01 09:00"), DAY, DAYS, evenings)) == "2026-06-01 22:00:00"


def test_weekends_and_holidays_do_not_count_where_the_table_agreed_so():
    assert shown(deadline(at("2026-06-05 20:00"), DAY, WORKDAYS, Rhythm())) == "2026-06-08 20:00:00"
    assert shown(deadline(at("2026-06-05 20:00"), DAY, DAYS, Rhythm())) == "2026-06-06 20:00:00"
    # Maundy Thursday 2026: Good Friday, the weekend and Easter Monday are free.
    assert shown(deadline(at("2026-04-02 20:00"), DAY, WORKDAYS, Rhythm())) == "2026-04-07 20:00:00"
    assert spent(at("2026-04-03 00:00"), at("2026-04-04 00:00"), WORKDAYS, Rhythm()) == timedelta()


def test_absences_do_not_count_where_vacation_does():
    away = Rhythm(absences=((date(2026, 6, 2), date(2026, 6, 10)),))
    assert shown(deadline(at("2026-06-01 20:00"), DAY, DAYS, away)) == "2026-06-11 20:00:00"
    strict = Terms(Kind.DAYS, 2 * DAY)
    assert shown(deadline(at("2026-06-01 20:00"), DAY, strict, away)) == "2026-06-02 20:00:00"
    announced = Terms(Kind.DAYS, 2 * DAY, announced=True)
    assert shown(deadline(at("2026-06-01 20:00"), DAY, announced, away)) == "2026-06-11 20:00:00"


def test_a_day_of_vacation_taken_when_time_is_out_is_worth_a_day():
    asked = at("2026-06-01 20:00")
    out = deadline(asked, 2 * DAY, DAYS, Rhythm())
    rested = Rhythm().away_on(calendar_of(DAYS, Rhythm()).day_at(out))
    assert spent(out, deadline(asked, 2 * DAY, DAYS, rested), DAYS, Rhythm()) == DAY
    assert shown(deadline(asked, 2 * DAY, DAYS, rested)) == "2026-06-04 20:00:00"


def test_nobody_can_stretch_a_game_by_being_awake_on_one_day_a_week():
    sundays = Rhythm(waking=(None,) * 6 + ((600, 720),))
    days = [at(f"2026-06-0{number} 00:00") for number in range(1, 9)]
    counted = [spent(day, after, DAYS, sundays) > timedelta() for day, after in pairwise(days)]
    assert counted == [True] * 3 + [False] * 3 + [True]
    assert deadline(at("2026-06-01 09:00"), 5 * DAY, WORKDAYS, sundays) < at("2026-06-13 00:00")


def test_live_every_second_counts():
    start = at("2026-10-25 02:30") - timedelta(hours=1)
    assert deadline(start, timedelta(hours=3), LIVE, Rhythm()) - start == timedelta(hours=3)
    assert spent(start, start + timedelta(seconds=9), LIVE, Rhythm()) == timedelta(seconds=9)


def test_a_zone_that_left_a_day_out_left_it_out():
    apia = Rhythm("Pacific/Apia")  # went from the 29th to the 31st of December 2011
    assert shown(deadline(at("2011-12-29 12:00", "Pacific/Apia"), DAY, DAYS, apia), "Pacific/Apia") == (
        "2011-12-31 12:00:00"
    )


def test_reminders_come_at_a_sixth_at_half_and_with_a_fifth_left_of_the_time():
    clock = Clock(Terms(Kind.DAYS, 5 * DAY), [SeatClock(0 * DAY, State.HERE, Rhythm())])
    clock.ask(0, at("2026-06-01 20:00"))
    sixth, half, fifth = clock.reminders()
    assert shown(sixth) == "2026-06-02 17:40:00"  # of eleven hours and forty minutes two were left on Monday
    assert shown(half) == "2026-06-04 13:00:00"  # two days and a half: half a day is seven hours
    assert shown(fifth) == "2026-06-05 20:00:00"
    assert 5 * DAY - clock.spent(fifth) == DAY


def test_a_deadline_is_found_in_a_few_microseconds():
    terms, start, times = Terms(Kind.DAYS, 5 * DAY, holidays="VS", weekends=False), at("2026-06-05 20:00"), []
    calendar_of.cache_clear()
    for number in range(300):
        rhythm = Rhythm(waking=((480 + number % 60, 1320),) * 7, absences=((date(2026, 1, 1) + number * DAY,) * 2,))
        begun = time.process_time()
        Calendar(terms, rhythm).deadline(start, terms.action)
        times.append(time.process_time() - begun)
    assert sorted(times)[150] < 200e-6  # 30 µs on the machine it was written on, without anything kept


# what must always hold

ZONES = [
    "Europe/Zurich", "UTC", "America/St_Johns", "America/Sao_Paulo", "America/Havana", "America/Asuncion",
    "Asia/Kathmandu", "Asia/Tehran", "Asia/Beirut", "Asia/Gaza", "Asia/Amman", "Africa/Casablanca", "Africa/Cairo",
    "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Pacific/Kiritimati", "Antarctica/Troll",
    "Antarctica/Casey", "America/Scoresbysund", "Atlantic/Azores", "America/Los_Angeles",
]  # fmt: skip
spans = st.tuples(st.integers(0, 1380), st.integers(60, 1440)).map(lambda pair: (pair[0], min(1440, sum(pair))))
weeks = st.lists(st.one_of(st.none(), spans), min_size=7, max_size=7).map(tuple)
days = st.dates(date(2015, 1, 1), date(2035, 1, 1))
absences = st.lists(st.tuples(days, st.integers(0, 20)), max_size=3).map(
    lambda found: tuple(sorted((day, day + length * DAY) for day, length in found))
)
rhythms = st.builds(Rhythm, st.sampled_from(ZONES), weeks, absences)
terms = st.builds(
    Terms, st.just(Kind.DAYS), st.just(DAY), st.just(DAY), st.booleans(), st.sampled_from(["", "GR", "VS"]),
    st.sampled_from([0, 7]),
) | st.just(LIVE)  # fmt: skip
moments = st.datetimes(datetime(2015, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001  # they get one
near = st.integers(0, 40 * 24 * 3600 * 10**6).map(lambda micros: timedelta(microseconds=micros))
allowances = st.integers(0, 30 * 24 * 3600 * 1000).map(lambda millis: timedelta(milliseconds=millis))


@given(terms, rhythms, moments, allowances)
def test_a_deadline_is_where_the_allowance_is_spent_and_no_earlier(agreed, rhythm, start, allowance):
    until = deadline(start, allowance, agreed, rhythm)
    assert until >= start
    assert spent(start, until, agreed, rhythm) == allowance
    if allowance:
        assert spent(start, until - timedelta(microseconds=1), agreed, rhythm) < allowance


@given(terms, rhythms, moments, near, near)
def test_time_spent_adds_up_and_never_runs_backwards(agreed, rhythm, start, first, second):
    middle, end = start + first, start + first + second
    one, other = spent(start, middle, agreed, rhythm), spent(middle, end, agreed, rhythm)
    assert one >= timedelta(0)
    assert other >= timedelta(0)
    assert one + other == spent(start, end, agreed, rhythm)
    assert spent(end, start, agreed, rhythm) == timedelta(0)


@given(terms, rhythms, moments, near, allowances, allowances)
def test_more_time_and_a_later_start_never_make_a_deadline_earlier(agreed, rhythm, start, later, one, other):
    assert deadline(start, one, agreed, rhythm) <= deadline(start, one + other, agreed, rhythm)
    assert deadline(start, one, agreed, rhythm) <= deadline(start + later, one, agreed, rhythm)


@given(rhythms, moments, st.integers(0, 20))
def test_no_deadline_falls_outside_of_somebodys_hours(rhythm, start, number):
    until = deadline(start, number * DAY + timedelta(hours=1), DAYS, rhythm)
    hour_before = until - timedelta(microseconds=1)
    assert spent(hour_before, until, DAYS, rhythm) == timedelta(milliseconds=1)
