"""The clocks of a game: what of its log they follow, and when they have something done."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from domain.pace import Clock, Kind, Terms

MONDAY = datetime(2026, 6, 1, 10, tzinfo=UTC)  # noon in Zurich
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MILLISECOND = timedelta(milliseconds=1)


def begun(terms: Terms, people: int = 4) -> Clock:
    """The clocks of some people of whom the first is asked on Monday at noon."""
    clock = Clock(terms)
    for seat in range(people):
        clock.follow("sat", MONDAY, seat=seat)
    clock.ask(0, MONDAY)
    return clock


def test_live_play_that_is_offered_late_lasts_as_long_as_any_other():
    clock = begun(Terms(Kind.DAYS, DAY, 3 * DAY))
    late = MONDAY + 5 * HOUR
    clock.follow("live-begun", late)
    assert clock.deadline() == late + timedelta(minutes=2)
    assert clock.free_until(0, late) == late + timedelta(minutes=2)


def test_live_play_costs_nobody_time():
    clock = begun(Terms(Kind.DAYS, DAY, 3 * DAY))
    late = MONDAY + 5 * HOUR
    before = clock.deadline()
    assert before is not None
    spent = clock.spent(late)
    clock.follow("live-begun", late)
    ended = late + timedelta(minutes=2)
    clock.follow("live-ended", ended, seat=0)
    assert clock.spent(ended) == spent
    # Its two minutes of a day of fourteen waking hours are given back.
    after = clock.deadline()
    assert after is not None
    assert abs(after - before - timedelta(minutes=2)) <= MILLISECOND


def test_a_pause_that_begins_late_gives_its_time_back_too():
    clock = begun(Terms(Kind.DAYS, DAY, 3 * DAY))
    late, before = MONDAY + 5 * HOUR, clock.deadline()
    assert before is not None
    clock.follow("paused", late, data={"until": (late + HOUR).isoformat()})
    clock.follow("resumed", late + HOUR)
    after = clock.deadline()
    assert after is not None
    assert abs(after - before - HOUR) <= MILLISECOND


def test_a_reserve_for_each_hand_is_full_again_and_what_was_given_is_not_lost():
    clock = begun(Terms(Kind.DAYS, DAY, DAY, refills=True))
    clock.follow("more-time", MONDAY, seat=1, data={"seconds": 3 * 86400})
    clock.follow("move", MONDAY + 36 * HOUR, seat=0)
    assert clock.seats[0].bank < DAY
    for seat in range(4):
        clock.follow("ready", MONDAY + 40 * HOUR, seat=seat)
    assert [seat.bank for seat in clock.seats] == [DAY, 4 * DAY, DAY, DAY]


def test_reminders_come_when_a_sixth_and_half_of_the_time_for_the_move_are_gone_and_near_the_end():
    clock = begun(Terms(Kind.DAYS, DAY, 3 * DAY))
    spent = [clock.calendar(0).spent(MONDAY, moment) for moment in clock.reminders()]
    assert spent == [DAY / 6, DAY / 2, 4 * DAY * 4 / 5]


def test_what_was_spent_before_a_pause_brings_no_reminder_a_second_time():
    clock = begun(Terms(Kind.DAYS, DAY, 3 * DAY))
    sixth, half, _last = clock.reminders()
    between = sixth + (half - sixth) / 2
    clock.follow("paused", between, data={"until": (between + DAY).isoformat()})
    assert clock.reminders() == ()
    clock.follow("resumed", between + DAY)
    assert len(clock.reminders()) == 2
