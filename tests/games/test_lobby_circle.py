"""Inviting people one knows: from their page, and whom one follows at the table."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import permissions as account_permissions
from accounts.models import Player
from games.lobby import text
from games.lobby.forms import NewTableForm
from games.lobby.models import Invitation, OpenTable
from games.lobby.selectors import open_tables
from people import services
from tests.games.lobby_kit import guest, join, lay, member

pytestmark = pytest.mark.django_db


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


def as_offered(form: NewTableForm) -> dict[str, Any]:
    return {field.name: field.value() for field in form if field.value() is not None and field.value() is not False}


def test_a_persons_page_leads_to_ones_tables_and_to_a_new_one():
    host, friend = member("Anna"), member("Beat")
    table = lay(host, note="Heute")
    full = lay(host)
    join(full, friend)
    client = client_of(host)
    invite = reverse("tables:invite", args=[friend.public_id])
    assert invite in client.get(reverse("accounts:person", args=[friend.public_id])).content.decode()
    page = client.get(invite).content.decode()
    assert reverse("lobby:invite", args=[table.public_id]) in page
    assert full.public_id not in page
    assert f"?invite={friend.public_id}" in page


def test_a_new_table_invites_the_person_it_was_opened_for():
    host, friend = member("Anna"), member("Beat")
    client, asked = client_of(host), {"invite": friend.public_id}
    page = client.get(reverse("tables:new"), asked).content.decode()
    assert f'name="invite" value="{friend.public_id}"' in page
    page = client.get(reverse("tables:new"), asked | {"game": "troccas"}).content.decode()
    assert f'name="invite" value="{friend.public_id}"' in page
    assert "Beat will be invited" in page
    address = f"{reverse('tables:new')}?game=troccas&pace={text.USUAL}&invite={friend.public_id}"
    answer = client.get(address)
    assert "Beat will be invited" in answer.content.decode()
    fields = as_offered(answer.context["form"])
    answer = client.post(address, fields | {"request_id": str(uuid.uuid4())}, follow=True)
    assert "Beat is invited." in answer.content.decode()
    assert Invitation.objects.get().player == friend


def test_a_table_that_cannot_invite_the_person_is_open_all_the_same():
    host, friend = member("Anna"), member("Beat")
    account_permissions.block(friend, host)
    client = client_of(host)
    address = f"{reverse('tables:new')}?game=troccas&pace={text.USUAL}&invite={friend.public_id}"
    fields = as_offered(client.get(address).context["form"])
    answer = client.post(address, fields | {"request_id": str(uuid.uuid4())}, follow=True)
    assert "Beat cannot be invited." in answer.content.decode()
    assert OpenTable.objects.filter(host=host).exists()


def test_strangers_sign_in_first_and_nobody_invites_a_computer():
    friend, computer = member("Beat"), Player.objects.create(computer="level-1")
    answer = Client().get(reverse("tables:invite", args=[friend.public_id]))
    assert answer["Location"].startswith(reverse("account_login"))
    client = client_of(member("Anna"))
    assert client.get(reverse("tables:invite", args=[computer.public_id])).status_code == 404


def test_everybody_one_follows_is_offered_at_the_table_once():
    host = member("Anna")
    friends = [member(f"Freund {name}") for name in "Abcdefghi"]
    for friend in friends:
        services.follow(host, friend)
    table = lay(host)
    client = client_of(host)
    page = client.get(f"/t/{table.public_id}/").content.decode()
    assert page.count('name="person"') == len(friends)
    assert "All whom you follow" in page
    client.post(f"/t/{table.public_id}/invite/", {"person": friends[0].public_id, "request_id": str(uuid.uuid4())})
    page = client.get(f"/t/{table.public_id}/").content.decode()
    assert page.count('name="person"') == len(friends) - 1


def test_who_has_blocked_the_host_is_not_offered():
    host, friend = member("Anna"), member("Beat")
    services.follow(host, friend)
    account_permissions.block(friend, host)
    assert open_tables.people_to_ask(lay(host), host) == []


def test_a_part_of_a_name_finds_those_who_agreed_or_are_known_and_the_whole_name_everybody():
    host = member("Anna")
    agreed, followed, follower, other = (member(f"Urs {name}") for name in ("Agnes", "Berta", "Clau", "Dora"))
    services.keep_preference(agreed, found_by_name=True)
    services.follow(host, followed)
    services.follow(follower, host)
    assert {player.name for player in open_tables.people_called("urs", host)} == {"Urs Agnes", "Urs Berta", "Urs Clau"}
    assert open_tables.people_called("urs dora", host) == [other]
    assert open_tables.people_called("u", host) == []


def test_a_guest_invites_from_a_page_too():
    visitor = guest("Gast")
    assert open_tables.tables_to_ask_to(visitor, member("Beat")) == []
