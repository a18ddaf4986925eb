"""A person's days: waking hours, vacation, the zone they live in."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from accounts import availability
from accounts.models import Absence, Player

pytestmark = [pytest.mark.django_db, pytest.mark.services]

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TODAY = date(2026, 11, 21)


@pytest.fixture
def player() -> Player:
    return Player.objects.create()


def away(player: Player, first: date, last: date, *, automatic: bool = False) -> Absence:
    return Absence.objects.create(player=player, first_day=first, last_day=last, automatic=automatic)


def test_without_a_word_one_plays_from_eight_to_ten_every_day_in_zurich(player: Player) -> None:
    rhythm = availability.availability_of(player, NOW)
    assert rhythm.zone.key == "Europe/Zurich"
    assert rhythm.waking == ((480, 1320),) * 7
    assert rhythm.absences == ()
    assert rhythm.vacation_left == 30


@pytest.mark.parametrize("stored", ["", "Nowhere/Atlantis", "../etc/passwd", "Europe"])
def test_a_zone_that_is_none_is_the_usual_one(player: Player, stored: str) -> None:
    player.time_zone = stored
    assert availability.zone_of(player).key == "Europe/Zurich"


def test_the_day_is_the_one_where_the_player_lives(player: Player) -> None:
    player.time_zone = "Pacific/Auckland"
    assert availability.today_of(player, NOW) == date(2026, 11, 22)
    player.time_zone = "America/Los_Angeles"
    assert availability.today_of(player, datetime(2026, 11, 21, 3, tzinfo=UTC)) == date(2026, 11, 20)


def test_many_rhythms_cost_one_query(django_assert_num_queries) -> None:
    players = [Player.objects.create() for _each in range(5)]
    away(players[2], TODAY, TODAY)
    with django_assert_num_queries(1):
        found = availability.availability_of_all(players, NOW)
    assert found[players[2].pk].absences == ((TODAY, TODAY),)
    assert found[players[0].pk].absences == ()


def test_vacation_counts_by_calendar_year_and_past_days_stay_used(player: Player) -> None:
    away(player, date(2026, 2, 1), date(2026, 2, 10))
    away(player, date(2026, 12, 28), date(2027, 1, 3))
    assert availability.vacation_left(player, 2026) == 30 - 10 - 4
    assert availability.vacation_left(player, 2027) == 27
    assert availability.vacation_left(player, 2028) == 30
    rhythm = availability.availability_of(player, NOW)
    assert rhythm.vacation_left == 16
    assert rhythm.absences == ((date(2026, 12, 28), date(2027, 1, 3)),)


def test_an_absence_needs_days_that_are_left_in_each_of_its_years(player: Player) -> None:
    away(player, date(2026, 1, 1), date(2026, 1, 28))
    availability.plan(player, date(2026, 12, 30), date(2027, 1, 20), now=NOW)
    with pytest.raises(ValidationError) as refused:
        availability.plan(player, date(2026, 12, 1), date(2026, 12, 1), now=NOW)
    assert refused.value.messages == ["That is 1 days of 2026, and 0 are left."]


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        (TODAY - timedelta(days=1), TODAY, "past"),
        (TODAY + timedelta(days=2), TODAY + timedelta(days=1), "order"),
        (TODAY + timedelta(days=360), TODAY + timedelta(days=367), "far"),
        (TODAY + timedelta(days=9), TODAY + timedelta(days=12), "taken"),
        (TODAY + timedelta(days=41), TODAY + timedelta(days=80), "spent"),
    ],
)
def test_an_absence_that_cannot_be_is_refused_with_its_reason(
    player: Player, first: date, last: date, code: str
) -> None:
    away(player, TODAY + timedelta(days=10), TODAY + timedelta(days=10))
    with pytest.raises(ValidationError) as refused:
        availability.plan(player, first, last, now=NOW)
    assert refused.value.code == code
    assert Absence.objects.count() == 1


def test_a_day_is_spent_once_and_days_in_a_row_are_one_absence(player: Player) -> None:
    for day in (TODAY, TODAY, TODAY + timedelta(days=1), TODAY + timedelta(days=5)):
        assert availability.spend_day(player, day)
    spans = list(Absence.objects.values_list("first_day", "last_day", "automatic"))
    assert spans == [(TODAY, TODAY + timedelta(days=1), True), (TODAY + timedelta(days=5),) * 2 + (True,)]
    assert availability.vacation_left(player, 2026) == 27


def test_when_the_vacation_is_used_up_no_day_is_spent(player: Player) -> None:
    away(player, date(2026, 3, 1), date(2026, 3, 30))
    assert not availability.spend_day(player, TODAY)
    assert availability.spend_day(player, date(2026, 3, 4)), "that day was taken already"
    assert availability.spend_day(player, date(2027, 1, 1)), "another year has its own days"


def test_coming_back_keeps_the_days_that_have_begun(player: Player) -> None:
    begun = away(player, TODAY - timedelta(days=3), TODAY + timedelta(days=3))
    just_begun = away(Player.objects.create(), TODAY, TODAY + timedelta(days=3))
    assert availability.end_absence(player, begun.pk, now=NOW)
    assert availability.end_absence(just_begun.player, just_begun.pk, now=NOW)
    begun.refresh_from_db()
    just_begun.refresh_from_db()
    assert begun.last_day == TODAY
    assert just_begun.last_day == TODAY
    assert not availability.end_absence(player, begun.pk, now=NOW)


def test_an_absence_that_has_not_begun_is_given_back_whole(player: Player) -> None:
    planned = availability.plan(player, TODAY + timedelta(days=2), TODAY + timedelta(days=8), now=NOW)
    assert availability.end_absence(player, planned.pk, now=NOW)
    assert availability.vacation_left(player, 2026) == 30


def test_a_week_must_leave_time_to_play() -> None:
    availability.check_week([(480, 720)] * 7)
    for week, code in [
        ([(480, 719)] * 7, "week"),
        ([(480, 599), *[(480, 1320)] * 6], "short"),
        ([None] * 7, "week"),
        ([(600, 600), *[(480, 1320)] * 6], "order"),
        ([(600, 1441), *[(480, 1320)] * 6], "order"),
    ]:
        with pytest.raises(ValidationError) as refused:
            availability.check_week(week)
        assert refused.value.code == code


@given(st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 720), st.integers(900, 1440))), min_size=7, max_size=7))
def test_a_kept_week_reads_as_it_was_written(days: list[tuple[int, int] | None]) -> None:
    assert availability.week_from([list(day) if day else None for day in days]) == tuple(days)


@pytest.mark.parametrize("stored", [None, [], {}, "week", [None]])
def test_a_week_that_is_none_is_the_usual_one(stored: object) -> None:
    assert availability.week_from(stored) == availability.USUAL_WEEK
