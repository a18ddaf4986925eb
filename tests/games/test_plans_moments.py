"""When something is done for a player: as they would do it themselves, in their waking hours, and at no cost of time."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts import availability
from domain.engine.claims import forced, plainly_forced
from domain.pace import Kind, Rhythm, Terms
from domain.pace.counting import calendar_of
from games import projections
from games.plans import moments, services, tasks
from games.plans.language import read_plan
from games.plans.moments import due_at, usual_answers
from games.services import agreements
from games.services.rebuilding import rebuild
from tests.games.pace_kit import DAY, DAYS, act, asked, due, fresh, people, request, table, turned, until, work_at
from tests.games.plans_kit import QUIET, noted, play_to_forced, view_of
from tests.games.table_kit import person, seat_of

ZURICH = ZoneInfo("Europe/Zurich")
NIGHT = datetime(2026, 6, 3, 1, tzinfo=UTC)  # three o'clock in Zurich, from Tuesday to Wednesday
USUAL = calendar_of(DAYS, Rhythm())


@pytest.fixture
def players():
    found = people()
    found[0].forced_cards, found[0].small_cards = "always", "ask"
    found[0].save()
    return found


def drawn(start, free, usual=(), seed=0):
    return moments.moment(USUAL, start, free, usual, random.Random(seed))


# drawing


def test_nothing_is_done_at_night():
    for seed in range(300):
        moment = drawn(NIGHT, NIGHT + 2 * DAY, seed=seed).astimezone(ZURICH)
        assert (moment.day, 8 <= moment.hour < 13) == (3, True), moment


def test_an_answer_that_would_come_late_in_the_evening_may_come_the_next_morning():
    evening = datetime(2026, 6, 2, 19, tzinfo=UTC)  # an hour before the end of the day
    days = {drawn(evening, evening + 2 * DAY, seed=seed).astimezone(ZURICH).day for seed in range(200)}
    assert days == {2, 3}


def test_who_usually_takes_long_is_seen_to_take_long():
    long = [timedelta(hours=hours) for hours in range(10, 20)]
    start = datetime(2026, 6, 1, 8, tzinfo=UTC)
    waits = [USUAL.spent(start, drawn(start, start + 9 * DAY, long, seed)) for seed in range(300)]
    assert min(waits) >= timedelta(hours=7)
    assert max(waits) <= timedelta(hours=28)
    quick = [USUAL.spent(start, drawn(start, start + 9 * DAY, [timedelta(seconds=1)] * 20, seed)) for seed in range(50)]
    assert min(quick) >= moments.SHORTEST - timedelta(milliseconds=1)


def test_a_few_answers_are_no_habit():
    start = datetime(2026, 6, 1, 8, tzinfo=UTC)
    few = [timedelta(days=3)] * (moments.FEWEST_ANSWERS - 1)
    assert drawn(start, start + 9 * DAY, few) == drawn(start, start + 9 * DAY)


def test_at_most_half_of_what_costs_nothing_is_waited_away():
    start = datetime(2026, 6, 1, 8, tzinfo=UTC)
    free = USUAL.deadline(start, timedelta(hours=1))
    for seed in range(200):
        assert USUAL.spent(start, drawn(start, free, [DAY] * 20, seed)) <= timedelta(minutes=30)
    assert drawn(start, start, [DAY] * 20) == start, "the reserve is touched already: no time to lose"


# at tables


@pytest.mark.django_db
def test_a_forced_card_does_not_come_at_night_and_costs_nothing_of_the_reserve(players, monkeypatch):
    with turned(monkeypatch, NIGHT) as clock:
        game = play_to_forced(players, players[0])
        seat, row = seat_of(game, players[0]), noted(game)
        moment = row.due_at.astimezone(ZURICH)
        assert 8 <= moment.hour < 22
        before = projections.clock_of(game).seats[seat].bank
        clock.to(row.due_at)
        assert tasks.do_due(clock.now, 50) == 1
        assert fresh(game).number > game.number
        assert projections.clock_of(fresh(game)).seats[seat].bank == before == DAYS.bank
        assert rebuild(game.pk) == []


@pytest.mark.django_db
def test_the_hours_are_those_of_the_person(players, monkeypatch):
    availability.keep_week(players[0], ((20 * 60, 24 * 60),) * 7)
    with turned(monkeypatch):  # noon: they are not awake before eight in the evening
        game = play_to_forced(players, players[0])
        for seed in range(40):
            assert (
                due_at(game, players[0], view_of(game, players[0]), random.Random(seed)).astimezone(ZURICH).hour >= 20
            )


@pytest.mark.django_db
def test_on_live_tables_it_takes_seconds_and_less_than_the_time_of_an_action(players, monkeypatch):
    quick = Terms(Kind.LIVE, timedelta(seconds=5), timedelta(minutes=1))
    with turned(monkeypatch, NIGHT):
        game = play_to_forced(players, players[0])
        game.pace = quick.to_json()
        game.save()
        rebuild(game.pk)
        game = fresh(game)
        for seed in range(100):
            wait = due_at(game, players[0], view_of(game, players[0]), random.Random(seed)) - NIGHT
            assert timedelta(0) <= wait <= timedelta(seconds=2.5)


@pytest.mark.django_db
def test_a_last_card_is_played_at_once_since_everybody_sees_that_it_is_the_last(players, monkeypatch):
    with turned(monkeypatch, NIGHT):
        game = table(players, options=QUIET)
        while not (asked(game) == players[0] and plainly_forced(view_of(game, players[0]))):
            act(game)
        assert noted(game).due_at - fresh(game).acted_at < timedelta(seconds=2)


@pytest.mark.django_db
def test_after_a_pause_that_is_ended_early_it_is_not_forgotten(players, monkeypatch):
    with turned(monkeypatch) as clock:
        game = play_to_forced(players, players[0])
        agreements.propose_pause(game.pk, 0, clock.now + 30 * DAY, request_id=request(), by=players[0])
        for seat in (1, 2, 3):
            agreements.answer(game.pk, seat, agree=True, request_id=request(), by=players[seat])
        assert noted(game).due_at > clock.now + 30 * DAY
        clock.on(days=3)
        agreements.resume(game.pk, 2, request_id=request(), by=players[2])
        assert clock.now < noted(game).due_at < clock.now + 2 * DAY
        assert noted(game).due_at < projections.clock_of(fresh(game)).free_until(0, clock.now)


@pytest.mark.django_db
def test_a_pause_that_ends_by_itself_is_not_answered_in_the_same_moment(players, monkeypatch):
    with turned(monkeypatch) as clock:
        game = play_to_forced(players, players[0])
        agreements.propose_pause(game.pk, 0, clock.now + 3 * DAY, request_id=request(), by=players[0])
        for seat in (1, 2, 3):
            agreements.answer(game.pk, seat, agree=True, request_id=request(), by=players[seat])
        clock.to(due(fresh(game)))
        work_at(clock.now)
        assert noted(game).due_at > clock.now


@pytest.mark.django_db
def test_when_all_play_on_live_nobody_waits_for_hours(players):
    game = play_to_forced(players, players[0])
    agreements.offer_live(game.pk, 0, request_id=request(), by=players[0])
    for seat in (1, 2, 3):
        agreements.answer(game.pk, seat, agree=True, request_id=request(), by=players[seat])
    assert noted(game).due_at - timezone.now() < timedelta(seconds=8)


# habits


@pytest.mark.django_db
def test_habits_are_read_from_the_log_in_counted_time_and_only_from_ones_own_answers(players, monkeypatch):
    with turned(monkeypatch) as clock:
        game = table(players, options=QUIET)
        clock.to(fresh(game).acted_at)
        until(game, players[1])
        clock.on(hours=7)  # half of a waking day of fourteen hours
        act(game)
        until(game, players[1])
        clock.on(minutes=7)
        act(game)
        counted = [timedelta(seconds=round(one.total_seconds())) for one in usual_answers(players[1], USUAL)[:2]]
        assert counted == [timedelta(minutes=12), timedelta(hours=12)]
        other = person()
        assert usual_answers(other, USUAL) == []


@pytest.mark.django_db
def test_what_the_site_did_is_no_habit(players):
    game = play_to_forced(players, players[0])
    before = usual_answers(players[0], USUAL)
    assert tasks.carry_out(noted(game))
    assert usual_answers(players[0], USUAL) == before


@pytest.mark.django_db
def test_a_plan_and_a_forced_card_are_timed_alike(players, monkeypatch):
    with turned(monkeypatch):
        game = play_to_forced(players, players[0])
        view = view_of(game, players[0])
        assert services.schedule(game, players[0], view, random.Random(3))
        first = noted(game).due_at
        players[0].forced_cards = "ask"
        players[0].save()
        only = str(forced(view)).split()[1]
        services.set_plan(game, players[0], read_plan({"lines": [{"play": only}]}), view.held.bit_count())
        assert services.schedule(game, players[0], view, random.Random(3))
        assert noted(game).due_at == first
