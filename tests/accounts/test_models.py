"""Users and players."""

import re

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import GuestToken, Player, User, new_public_id
from tests.accounts.conftest import PASSWORD, MakeUser

pytestmark = [pytest.mark.django_db, pytest.mark.services]


def test_an_address_is_stored_in_lower_case_and_belongs_to_one_user() -> None:
    User.objects.create_user("Onna@Example.ORG")
    assert User.objects.get().email == "onna@example.org"
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("ONNA@example.org")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(email="ONNA@EXAMPLE.ORG")])


def test_a_user_logs_in_whatever_the_capitals(make_user: MakeUser) -> None:
    user = make_user("onna@example.org")
    assert authenticate(None, email="Onna@Example.org", password=PASSWORD) == user
    assert authenticate(None, email="onna@example.org", password="wrong") is None
    assert User.objects.get_by_natural_key(" ONNA@example.org ") == user


def test_a_user_needs_an_address() -> None:
    with pytest.raises(ValueError, match="e-mail"):
        User.objects.create_user("  ")


def test_a_superuser_may_do_everything() -> None:
    user = User.objects.create_superuser("chief@example.org", "x")
    assert user.is_superuser
    assert user.is_staff


def test_a_computer_player_cannot_be_a_user(make_user: MakeUser) -> None:
    user = make_user(player=False)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.create(user=user, computer="level-1")


def test_kinds_of_players_exclude_each_other(make_user: MakeUser) -> None:
    guest, computer, member = Player(), Player(computer="level-1"), make_user().player
    kinds = [(player.is_guest, player.is_computer, player.is_member) for player in (guest, computer, member)]
    assert kinds == [(True, False, False), (False, True, False), (False, False, True)]


def test_names_on_screen_say_who_has_none_of_their_own(make_user: MakeUser) -> None:
    member = make_user().player
    member.number = 1234
    assert member.display_name == "Player 1234"
    member.name = "Onna Maria"
    assert member.display_name == "Onna Maria"
    assert Player(number=4821).display_name == "Guest 4821"
    assert Player(number=4821, retired_at=timezone.now()).display_name == "Former guest 4821"
    assert Player(computer="level-1").display_name == "Computer"
    assert Player(number=4821, merged_into=member).display_name == "Onna Maria"
    assert Player(number=4821, merged_into=member).current == member


def test_public_ids_are_long_random_and_without_vowels() -> None:
    ids = {new_public_id() for _each in range(500)}
    assert len(ids) == 500
    assert all(re.fullmatch(r"[2-9b-df-hjkmnp-tv-xz]{11}", public_id) for public_id in ids)


def test_no_text_form_shows_a_digest_or_an_address(make_user: MakeUser) -> None:
    player = make_user().player
    token = GuestToken.objects.create(player=player, digest="d" * 64)
    assert "d" * 8 not in str(token)
    assert "example.org" not in str(player)
