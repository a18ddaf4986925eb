"""An account under which a program plays says so for everybody, and stays so; an app in which a person plays does not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import tokens
from accounts.models import Player
from games.models import PlayedSeat
from games.services.rebuilding import rebuild
from tests.accounts.conftest import MakeUser, confirm_password, sign_in
from tests.games import chat_kit, pace_kit
from tests.games.api_kit import Program
from tests.games.replay_kit import played
from tests.games.store_kit import store

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [chat_kit.member(name) for name in ("Anna", "Beat", "Clau", "Duri")]


def signed_in(player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


def by_hand(player) -> Program:
    """An app in which the player plays themselves."""
    program = Program(player)
    player.personal_tokens.update(by_hand=True)
    return program


def test_a_program_that_acts_marks_its_account_for_all_to_see(people):
    game = pace_kit.table(people)
    beat = Program(people[1])
    beat.ask(f"/games/{game.public_id}")
    assert not Player.objects.get(pk=people[1].pk).is_program, "to look is not to play"
    beat.say(f"/games/{game.public_id}/undo", 422, move=0)
    assert Player.objects.get(pk=people[1].pk).is_program
    watched = signed_in(people[0]).get(reverse("games:table", args=[game.public_id])).content.decode()
    assert "Program Beat" in watched
    seats = Program(people[2]).ask(f"/games/{game.public_id}")["seats"]
    assert {seat["name"]: seat["program"] for seat in seats} == {
        "Anna": False, "Program Beat": True, "Clau": False, "Duri": False,
    }  # fmt: skip
    line = Program(people[0]).ask("/games")["results"][0]
    assert [player["name"] for player in line["players"] if player["program"]] == ["Program Beat"]
    page = signed_in(people[0]).get(reverse("accounts:person", args=[people[1].public_id])).content.decode()
    assert "A program has played under this account" in page


def test_an_app_in_which_the_person_plays_marks_nothing(people):
    game = pace_kit.table(people)
    by_hand(people[1]).say(f"/games/{game.public_id}/undo", 422, move=0)
    assert not Player.objects.get(pk=people[1].pk).is_program


@pytest.fixture
def onna(client: Client, make_user: MakeUser) -> Player:
    """Somebody who is signed in and has just given their password."""
    player = make_user().player
    sign_in(client)
    confirm_password(client)
    return player


def test_an_account_is_marked_by_its_owner_and_stays_so(client, onna):
    assert client.get(reverse("accounts:mark-program")).status_code == 405
    client.post(reverse("accounts:mark-program"))
    since = Player.objects.get(pk=onna.pk).program_since
    assert since is not None
    client.post(reverse("accounts:mark-program"))
    assert Player.objects.get(pk=onna.pk).program_since == since
    assert "A program has played under this account since" in client.get(reverse("accounts:programs")).content.decode()


def test_a_token_for_an_app_is_made_on_the_page(client, onna):
    sent = {"name": "My phone", "scopes": [tokens.PLAY], "by_hand": "on", "days": "30"}
    page = client.post(reverse("accounts:programs"), sent).content.decode()
    assert onna.personal_tokens.get().by_hand
    assert "an app in which you play yourself" in page


def test_hands_in_which_a_program_plays_are_not_among_people_only(people):
    """What is rated, and the statistics of hands among people, read `people_only`."""
    game = store(played("troccas"), people)
    assert set(PlayedSeat.objects.values_list("people_only", flat=True)) == {True}
    people[0].program_since = timezone.now() + timedelta(days=1)
    people[0].save()
    rebuild(game.pk)
    assert set(PlayedSeat.objects.values_list("people_only", flat=True)) == {True}, "what came before stays as it was"
    people[0].program_since = timezone.now() - timedelta(days=3650)
    people[0].save()
    rebuild(game.pk)
    assert set(PlayedSeat.objects.values_list("people_only", flat=True)) == {False}
