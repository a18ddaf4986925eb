"""Queries that are put together once."""

import random
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models import Exists, F, Model, Q, QuerySet, Value
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Absence, Player
from core.models import LastRun, TokenBucket, existence_query
from core.prepared_queries import _INT, prepared, prepared_update

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@prepared
def runs_of(problems: int, name: str) -> QuerySet[LastRun]:
    return LastRun.objects.filter(problems=problems, name=name).annotate(twice=F("problems") * 2).order_by()


@prepared
def names_of(problems: int) -> QuerySet[LastRun, str]:
    return LastRun.objects.filter(problems=problems).order_by("name").values_list("name", flat=True)[:2]


@prepared
def which_are_there(name: str, key: str) -> QuerySet[Model, tuple[bool, ...]]:
    return existence_query(LastRun(name=name), TokenBucket.objects.filter(key=key), LastRun.objects.filter(name=name))


@prepared
def written_between(first: datetime, until: datetime, day: date) -> QuerySet[LastRun, str]:
    within = LastRun.objects.filter(Q(at__gte=first, at__lt=until) | Q(name="run 0", at__lt=until))
    known = Absence.objects.filter(last_day=day)
    return within.exclude(Exists(known)).order_by("name").values_list("name", flat=True)


@prepared_update
def add(problems: int, name: str, more: int, at: datetime) -> tuple[QuerySet[LastRun], Mapping[str, object]]:
    return LastRun.objects.filter(problems=problems, name__gt=name), {"problems": F("problems") + more, "at": at}


@pytest.fixture
def rows(a_moment: datetime) -> None:
    for number in range(6):
        LastRun.objects.create(name=f"run {number}", at=a_moment, problems=number % 2)
    TokenBucket.objects.create(key="full", full_at=0)


@pytest.fixture
def a_moment() -> datetime:
    return timezone.now()


def test_each_call_finds_what_the_query_finds_for_its_values(
    rows: None, a_moment: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    chance = random.Random(7)
    for _turn in range(60):
        problems, name = chance.randrange(3), f"run {chance.randrange(7)}"
        with django_assert_num_queries(1):
            found = runs_of(problems, name)
        expected = list(LastRun.objects.filter(problems=problems, name=name))
        assert found == expected
        assert [(row.at, vars(row)["twice"]) for row in found] == [(a_moment, problems * 2) for _row in expected]
        assert (
            names_of(problems) == sorted(LastRun.objects.filter(problems=problems).values_list("name", flat=True))[:2]
        )
        key = chance.choice(["full", "empty"])
        assert which_are_there("run 1", key) == [(key == "full", True)]


def test_each_call_changes_what_the_update_changes_for_its_values(
    rows: None, a_moment: datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    later = a_moment + timedelta(days=1)
    with django_assert_num_queries(2):
        assert add(1, "run 1", 5, later) == 2
        assert add(1, "run 1", 5, later) == 0
    add(0, "run 3", 2, a_moment)
    found = LastRun.objects.order_by("name").values_list("problems", "at")
    assert list(found) == [(0, a_moment), (1, a_moment), (0, a_moment), (6, later), (2, a_moment), (6, later)]


def test_days_and_moments_of_any_zone_are_values_too(rows: None, a_moment: datetime) -> None:
    hour, today = timedelta(hours=1), date(2026, 11, 27)
    in_nepal = a_moment.astimezone(ZoneInfo("Asia/Kathmandu"))
    for first, until, found in [
        (a_moment, a_moment + hour, 6),
        (in_nepal, in_nepal + hour, 6),
        (a_moment + hour / 2, a_moment + hour, 1),
        (a_moment - hour, a_moment, 0),
    ]:
        assert len(written_between(first, until, today)) == found
    player = Player.objects.create(name="Anna")
    Absence.objects.create(player=player, first_day=today, last_day=today)
    assert written_between(a_moment, a_moment + hour, today) == []
    assert len(written_between(a_moment, a_moment + hour, today + timedelta(days=1))) == 6


def test_nothing_that_was_found_is_kept(rows: None) -> None:
    assert names_of(1) == ["run 1", "run 3"]
    LastRun.objects.filter(name="run 1").delete()
    assert names_of(1) == ["run 3", "run 5"]


@pytest.mark.parametrize("values", [(True, "run 1"), (None, "run 1"), (1, 1.5), ("run 1", 1)])
def test_other_values_are_refused(rows: None, values: tuple[object, ...]) -> None:
    runs_of(1, "run 1")
    with pytest.raises(TypeError):
        runs_of(*values)


def test_a_value_that_the_database_is_not_told_as_it_is_is_refused() -> None:
    @prepared
    def ending_in(end: str) -> QuerySet[LastRun]:
        return LastRun.objects.filter(name__endswith=end)

    @prepared
    def without_use(_number: int) -> QuerySet[LastRun]:
        return LastRun.objects.all()

    for refused, value in ((ending_in, "1"), (without_use, 1)):
        with pytest.raises(TypeError, match="as it is"):
            refused(value)


def test_stand_ins_fit_into_the_smallest_columns_of_every_database() -> None:
    """A query for a number that its column cannot hold is none: Django answers it without asking."""
    least, most = BaseDatabaseOperations.integer_field_ranges["PositiveSmallIntegerField"]
    assert least <= _INT < _INT + 100 <= most


def test_what_stands_in_the_query_itself_stays(rows: None) -> None:
    @prepared
    def marked(problems: int) -> QuerySet[LastRun]:
        return LastRun.objects.filter(problems=problems, name__in=["run 1", "run 2"]).annotate(mark=Value(41))

    assert [(row.name, vars(row)["mark"]) for row in marked(1)] == [("run 1", 41)]
    assert [row.name for row in marked(0)] == ["run 2"]


@pytest.mark.django_db(transaction=True)
def test_threads_do_not_meet(rows: None) -> None:
    def ask(problems: int) -> list[str]:
        try:
            return [*names_of(problems), *names_of(1 - problems)]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(ask, [0, 1] * 20))
    both = {0: ["run 0", "run 2"], 1: ["run 1", "run 3"]}
    assert found == [both[problems] + both[1 - problems] for problems in [0, 1] * 20]
