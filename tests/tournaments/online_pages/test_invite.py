"""Inviting people: by name or all members, each once; only from the desk."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Block
from clubs.models import Member
from notices.models import Outbox
from tests.tournaments.online_pages import kit
from tests.tournaments.online_pages.kit import League
from tournaments.models import TournamentInvitation

pytestmark = pytest.mark.django_db


@pytest.fixture
def night() -> League:
    """Nobody has entered; four people of the list have accounts, one of them is a member."""
    made = League.open_for(0, online=kit.online())
    made.tournament.entry = "everybody"
    made.tournament.save(update_fields=["entry"])
    for _each in range(4):
        made.person()
    Member.objects.filter(pk=made.people[0].pk).update(kind=Member.Kind.MEMBER)
    return made


@pytest.fixture
def desk(night) -> Client:
    client = Client()
    client.force_login(night.director.user)
    return client


def invited() -> set[str]:
    return {each.player.name for each in TournamentInvitation.objects.select_related("player")}


def test_people_are_invited_by_name_and_only_once(night, desk):
    page = night.address("invite/")
    assert "Nachname2" in desk.get(page).content.decode()
    for _again in range(2):
        answer = desk.post(page, {"do": "chosen", "who": [night.people[1].public_id, night.people[2].public_id]})
        assert answer.status_code == 303
    assert invited() == {"Person2", "Person3"}


def listed(desk: Client, night: League, find: str = "") -> tuple[list[str], list[str]]:
    """The last names of those who can be invited, and of those who were."""
    seen = desk.get(night.address("invite/"), {"find": find}).context
    people, invited = ([name.rpartition(" ")[2] for _id, name in seen[part]] for part in ("people", "invited"))
    return people, invited


def test_the_desk_sees_who_was_invited_and_not_itself(night, desk):
    desk.post(night.address("invite/"), {"do": "chosen", "who": [night.people[1].public_id]})
    assert listed(desk, night) == (["Nachname1", "Nachname3", "Nachname4"], ["Nachname2"])
    assert listed(desk, night, "nachname2") == ([], ["Nachname2"])
    page = desk.get(night.address("invite/"), {"find": "nachname2"}).content.decode()
    assert "Invited already" in page
    assert "Nobody with that name" not in page


def test_the_desk_does_not_learn_who_does_not_want_to_meet_it(night, desk):
    Block.objects.create(player=night.people[1].player, blocked=night.director)
    desk.post(night.address("invite/"), {"do": "chosen", "who": [night.people[1].public_id]})
    assert listed(desk, night)[1] == ["Nachname2"]
    assert not Outbox.objects.filter(event="tournament.invited").exists()


def test_all_members_are_invited(night, desk):
    desk.post(night.address("invite/"), {"do": "all"})
    assert invited() == {"Person1"}


def test_nobody_chosen_is_said(night, desk):
    answer = desk.post(night.address("invite/"), {"do": "chosen"})
    assert answer.status_code == 422
    assert "Choose whom to invite" in answer.content.decode()


def test_it_is_the_desks(night):
    client = Client()
    client.force_login(night.people[0].player.user)
    assert client.get(night.address("invite/")).status_code == 403
    assert client.post(night.address("invite/"), {"do": "all"}).status_code == 403
    assert not invited()
