"""The token bucket."""

import threading
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.test import RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from accounts.middleware import address_of
from core import limits
from core.models import TokenBucket

pytestmark = [pytest.mark.django_db, pytest.mark.services]


@pytest.fixture
def mine() -> str:
    """A key of this test alone: several test runs may share one cache."""
    return uuid4().hex


def take(key: str, now: float, *, rate: float = 6, per: float = 60, burst: int = 3) -> bool:
    return limits.take(key, rate=rate, per=per, burst=burst, now=now)


def test_a_full_bucket_gives_its_burst_and_no_more(mine: str) -> None:
    assert [take(mine, 1000.0) for _try in range(5)] == [True, True, True, False, False]


def test_tokens_come_back_at_the_rate(mine: str) -> None:
    assert [take(mine, 1000.0) for _try in range(4)][-1] is False
    assert not take(mine, 1009.9)
    assert take(mine, 1010.1)
    assert not take(mine, 1010.2)


def test_a_bucket_never_holds_more_than_its_burst(mine: str) -> None:
    take(mine, 1000.0)
    assert [take(mine, 9000.0) for _try in range(4)] == [True, True, True, False]


def test_buckets_do_not_touch_each_other(mine: str) -> None:
    for _try in range(4):
        take(mine, 1000.0)
    assert take(mine + "b", 1000.0)


def test_a_clock_set_back_does_not_empty_a_bucket(mine: str) -> None:
    assert take(mine, 1000.0)
    assert take(mine, 400.0)


def test_any_text_can_be_a_key_and_only_its_digest_is_stored(mine: str) -> None:
    address = "2001:db8::/64"
    assert take(address + mine + " \u202e" + "x" * 400, 1000.0)
    assert not TokenBucket.objects.filter(key__contains=address).exists()
    assert TokenBucket.objects.filter(full_at=1010.0).exists()


def test_taking_is_one_statement(mine: str, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    take(mine, 1000.0)
    with django_assert_num_queries(1):
        assert take(mine, 1000.0)


def test_what_is_full_again_is_forgotten(mine: str) -> None:
    take(mine, 1000.0)
    take(mine + "b", 1500.0)
    limits.forget(datetime.fromtimestamp(1100, UTC))
    assert [row.full_at for row in TokenBucket.objects.all()] == [1510.0]


@pytest.mark.parametrize("wrong", [{"rate": 0}, {"per": 0}, {"burst": 0}, {"rate": -1}])
def test_a_limit_that_means_nothing_is_an_error(mine: str, wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        limits.take(mine, **{"rate": 1, "per": 1, "burst": 1, **wrong})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("there", [False, True])
def test_eight_at_once_share_one_bucket(mine: str, there: bool) -> None:
    if there:
        take(mine, 900.0)
    granted: list[bool] = []

    def ask() -> None:
        from django.db import connections

        granted.append(take(mine, 1000.0))
        connections.close_all()

    threads = [threading.Thread(target=ask) for _visitor in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(granted) == [False] * 5 + [True] * 3


@settings(deadline=None, max_examples=20)
@given(st.lists(st.floats(min_value=0, max_value=30), min_size=1, max_size=20))
def test_no_stretch_of_time_gives_more_than_burst_and_rate(pauses: list[float]) -> None:
    mine = uuid4().hex
    now, granted = 1000.0, 0
    for pause in pauses:
        now += pause
        granted += take(mine, now)
    assert granted <= 3 + (now - 1000.0) * 6 / 60 + 1e-6


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
    ],
)
def test_an_ipv6_visitor_is_a_whole_network(address: str, counts_as: str) -> None:
    assert address_of(RequestFactory(REMOTE_ADDR=address).get("/")) == counts_as


def test_a_visitor_without_address_is_refused() -> None:
    with pytest.raises(PermissionDenied):
        address_of(RequestFactory(REMOTE_ADDR="").get("/"))
