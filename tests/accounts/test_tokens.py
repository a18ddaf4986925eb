"""Guest tokens."""

from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import sessions
from accounts.models import GuestToken, Player

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def test_only_the_digest_of_a_token_is_stored() -> None:
    raw = sessions.issue_guest_token(Player.objects.create())
    row = GuestToken.objects.values().get()
    assert row["digest"] == sessions.digest_of(raw)
    assert all(raw not in str(value) for value in row.values())


def test_a_token_finds_its_player_in_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    player = Player.objects.create()
    raw = sessions.issue_guest_token(player)
    with django_assert_num_queries(1):
        token = sessions.find_guest_token(raw)
        assert token is not None
        assert token.player == player


def test_a_revoked_token_finds_nobody() -> None:
    player = Player.objects.create()
    raw = sessions.issue_guest_token(player)
    assert sessions.revoke_guest_tokens(player) == 1
    assert sessions.find_guest_token(raw) is None
    assert sessions.revoke_guest_tokens(player) == 0


def test_a_token_dies_180_days_after_its_last_use() -> None:
    raw = sessions.issue_guest_token(Player.objects.create())
    now = timezone.now()
    assert sessions.find_guest_token(raw, now=now + timedelta(days=179)) is not None
    assert sessions.find_guest_token(raw, now=now + timedelta(days=181)) is None


def test_use_prolongs_a_token_once_a_day() -> None:
    raw = sessions.issue_guest_token(Player.objects.create())
    token = sessions.find_guest_token(raw)
    assert token is not None
    now = timezone.now()
    assert not sessions.renew_guest_token(token, now=now + timedelta(hours=23))
    assert sessions.renew_guest_token(token, now=now + timedelta(days=100))
    assert sessions.find_guest_token(raw, now=now + timedelta(days=200)) is not None


@pytest.mark.services
@pytest.mark.parametrize("raw", ["", "x", "x" * 43, "\udc80" * 43, "' OR 1=1 --" * 4, "x" * 100_000])
def test_nonsense_finds_nobody(raw: str) -> None:
    sessions.issue_guest_token(Player.objects.create())
    assert sessions.find_guest_token(raw) is None


@pytest.mark.parametrize("change", [{"retired_at": timezone.now()}, {"merged_into_id": None}])
def test_the_token_of_a_guest_who_is_gone_finds_nobody(change: dict[str, object]) -> None:
    player = Player.objects.create()
    raw = sessions.issue_guest_token(player)
    if "merged_into_id" in change:
        change = {"merged_into_id": Player.objects.create().pk}
    Player.objects.filter(pk=player.pk).update(**change)
    assert sessions.find_guest_token(raw) is None
