"""Inviting by an e-mail address: the letter, its caps, its secrecy, and the link for one person."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as post
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import permissions as account_permissions
from accounts.models import Player
from accounts.privacy import erase, export_of
from games.lobby import tasks
from games.lobby.models import AddressInvitation, Invitation, OpenTable
from games.lobby.selectors import waiting_table
from games.lobby.services import letters, tables
from notices import delivery, mail, outbox
from notices.models import Outbox, StoppedAddress
from tests.games.lobby_kit import guest, join, lay, member, sitting
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

ADDRESS = "Mengia.Caduff@Example.org"


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


def ask(table: OpenTable, host: Player, address: str = ADDRESS, language: str = "en") -> OpenTable:
    return letters.invite_address(table.pk, host, address, language=language, request_id=uuid.uuid4())


def link_in(letter, name: str = "t/letter") -> str:
    found = re.search(rf"https?://\S+/{name}/\S+", letter.body)
    assert found is not None
    return urlsplit(found[0]).path


def send(client: Client, table: OpenTable, address: str = ADDRESS, **more: str):
    fields = {"address": address, "language": "en", "request_id": str(uuid.uuid4())} | more
    return client.post(reverse("lobby:invite-address", args=[table.public_id]), fields)


# the letter


def test_a_letter_that_a_worker_took_while_the_clock_was_wrong_is_sent():
    host = member("Anna")
    ask(lay(host), host)
    AddressInvitation.objects.update(lease_until=timezone.now() + timedelta(days=400))
    assert tasks.send_letters() == 1


def test_the_letter_says_what_is_played_by_whom_and_has_one_link():
    host = member("Anna")
    table = lay(host, note="Am liebsten abends", options={"hands": 3}, computers=1)
    assert send(client_of(host), table).status_code == 303
    assert tasks.send_letters() == 1
    (letter,) = post.outbox
    assert letter.to == [ADDRESS]
    for part in ("Anna", "3 hands", "Pace:", "Am liebsten abends"):
        assert part in letter.body
    assert letter.body.count("/t/") == 1
    assert tasks.send_letters() == 0


def test_the_letter_speaks_the_language_that_was_chosen():
    host = member("Anna")
    table = lay(host)
    send(client_of(host), table, language="de")
    tasks.send_letters()
    assert "Guten Tag" in post.outbox[0].body


def test_the_address_is_forgotten_when_the_letter_has_gone_and_the_rest_with_the_table():
    host = member("Anna")
    table = lay(host)
    ask(table, host)
    assert AddressInvitation.objects.get().address == ADDRESS
    tasks.send_letters()
    row = AddressInvitation.objects.get()
    assert row.address == ""
    assert "mengia" not in row.digest.lower()
    tables.close(table.pk, host, request_id=uuid.uuid4())
    assert not AddressInvitation.objects.exists()


def test_no_letter_goes_out_about_a_table_that_is_over():
    host = member("Anna")
    table = lay(host)
    ask(table, host)
    OpenTable.objects.filter(pk=table.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    assert tasks.send_letters() == 0
    assert not post.outbox
    assert AddressInvitation.objects.get().address == ""


def test_a_server_that_is_away_is_tried_again_and_then_the_address_is_given_up(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    host = member("Anna")
    ask(lay(host), host)
    moment = timezone.now()
    for _try in range(8):
        assert tasks.send_letters(moment) == 0
        moment += timedelta(hours=7)
    assert AddressInvitation.objects.get().address == ""


# sitting down


def test_opening_the_link_changes_nothing_and_pressing_lets_a_guest_sit_down():
    host = member("Anna")
    table = lay(host, entry=OpenTable.Entry.INVITED)
    ask(table, host)
    tasks.send_letters()
    client, link = Client(), link_in(post.outbox[0])
    players = Player.objects.count()
    page = client.get(link)
    assert page.status_code == 200
    assert "Anna invites you" in page.content.decode()
    assert Player.objects.count() == players
    assert sitting(table) == {0: "Anna"}
    answer = client.post(link, {"name": "Mengia", "request_id": str(uuid.uuid4())})
    assert answer["Location"] == reverse("lobby:table", args=[table.public_id])
    assert sitting(table) == {0: "Anna", 1: "Mengia"}
    assert Player.objects.get(name="Mengia", computer="").is_guest
    assert client.get(link)["Location"] == reverse("lobby:table", args=[table.public_id])


def test_a_stranger_reads_on_in_the_language_of_the_letter_and_a_member_in_their_own():
    host = member("Anna")
    table = lay(host)
    ask(table, host, language="de")
    tasks.send_letters()
    link = link_in(post.outbox[0])
    english = {"HTTP_ACCEPT_LANGUAGE": "en"}
    page = Client().get(link, **english).content.decode()
    assert "Anna lädt dich zu einem Kartenspiel ein" in page
    assert '<html lang="de' in page
    known = Client()
    known.force_login(member("Beat").user)
    assert "Anna invites you" in known.get(link, **english).content.decode()


def test_a_second_opener_finds_a_plain_page():
    host = member("Anna")
    table = lay(host)
    ask(table, host)
    tasks.send_letters()
    link = link_in(post.outbox[0])
    Client().post(link, {"name": "Mengia", "request_id": str(uuid.uuid4())})
    second = Client()
    for answer in (second.get(link), second.post(link, {"name": "Clau", "request_id": str(uuid.uuid4())})):
        assert answer.status_code == 410
        page = answer.content.decode()
        assert "This invitation is over" in page
        assert "Anna" not in page
        assert "Mengia" not in page
    assert sitting(table) == {0: "Anna", 1: "Mengia"}
    row = AddressInvitation.objects.get()
    with refuses("letter-over"):
        letters.join_by_invitation(row, guest("Clau"), request_id=uuid.uuid4())


def test_without_a_name_nobody_sits_down_and_the_link_is_as_it_was():
    host = member("Anna")
    table = lay(host)
    ask(table, host)
    tasks.send_letters()
    client, link = Client(), link_in(post.outbox[0])
    assert client.post(link, {"name": " ", "request_id": str(uuid.uuid4())}).status_code == 422
    answer = client.post(link, {"name": "Comp\u202euter", "request_id": str(uuid.uuid4())})
    assert answer.status_code == 422
    assert not Player.objects.filter(user=None, computer="").exists()
    assert client.post(link, {"name": "Mengia", "request_id": str(uuid.uuid4())}).status_code == 303


@pytest.mark.parametrize("token", ["x", "bcd", "W10:1:2", "a" * 300])
def test_a_made_up_link_is_a_plain_page(token: str):
    assert Client().get(reverse("lobby:letter", args=[token])).status_code == 410


def test_the_link_is_over_with_the_table():
    host = member("Anna")
    table = lay(host)
    ask(table, host)
    tasks.send_letters()
    tables.close(table.pk, host, request_id=uuid.uuid4())
    assert Client().get(link_in(post.outbox[0])).status_code == 410


# caps


def test_one_person_invites_so_many_addresses_in_a_day():
    host = member("Anna")
    table = lay(host)
    for number in range(letters.A_DAY):
        ask(table, host, f"p{number}@example.org")
    with refuses("too-many-letters"):
        ask(table, host, "another@example.org")
    answer = send(client_of(host), table, "another@example.org")
    assert answer.status_code == 429
    assert 'value="another@example.org"' in answer.content.decode()


def test_one_address_gets_so_many_in_a_week_from_whomever_and_nobody_is_told():
    for number in range(letters.A_WEEK + 2):
        host = member(f"Host {number}")
        ask(lay(host), host, ADDRESS.lower() if number % 2 else ADDRESS.upper())
    assert tasks.send_letters() == letters.A_WEEK


def test_the_same_address_is_asked_once_for_a_table():
    host = member("Anna")
    table = lay(host)
    ask(table, host)
    ask(table, host, ADDRESS.upper())
    assert AddressInvitation.objects.count() == 1


def test_only_members_with_an_address_write_to_others(settings):
    visitor = guest("Gast")
    with refuses("letters-need-account"):
        ask(lay(visitor), visitor)
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    host = member("Anna")
    table = lay(host)
    with refuses("letters-need-account"):
        ask(table, host)
    EmailAddress.objects.create(user=host.user, email=host.user.email, verified=True, primary=True)
    ask(table, host)
    with refuses("not-host"):
        ask(table, member("Beat"))


def test_the_page_leads_to_what_is_missing_for_letters(settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    host = member("Anna")
    address = reverse("lobby:table", args=[lay(host).public_id])
    page = client_of(host).get(address).content.decode()
    assert f'href="{reverse("account_email")}"' in page
    assert reverse("account_signup") not in page
    assert 'name="address"' not in page
    EmailAddress.objects.create(user=host.user, email=host.user.email, verified=True, primary=True)
    page = client_of(host).get(address).content.decode()
    assert 'name="address"' in page
    assert f'href="{reverse("account_email")}"' not in page


def test_who_is_suspended_writes_to_nobody():
    host, judge = member("Anna"), member("Richterin")
    table = lay(host)
    account_permissions.suspend(host, timedelta(days=1), "spam", by=judge)
    with refuses("suspended"):
        ask(table, host)


def test_a_wrong_address_is_explained_and_kept():
    host = member("Anna")
    table = lay(host)
    answer = send(client_of(host), table, "mengia@")
    assert answer.status_code == 422
    assert 'value="mengia@"' in answer.content.decode()
    assert "Write a whole e-mail address" in answer.content.decode()
    assert not AddressInvitation.objects.exists()


def test_a_repeated_request_writes_one_letter():
    host = member("Anna")
    table, request_id = lay(host), uuid.uuid4()
    for _again in range(2):
        letters.invite_address(table.pk, host, ADDRESS, language="en", request_id=request_id)
    assert AddressInvitation.objects.count() == 1


# no more letters


def test_the_link_in_the_letter_stops_all_letters_for_ever():
    host = member("Anna")
    ask(lay(host), host)
    tasks.send_letters()
    stop = link_in(post.outbox[0], "no-letters")
    assert "no-letters" in post.outbox[0].extra_headers["List-Unsubscribe"]
    client = Client(enforce_csrf_checks=True)
    assert client.get(stop).status_code == 200
    assert not StoppedAddress.objects.exists()
    client.post(stop, {"List-Unsubscribe": "One-Click"})
    assert StoppedAddress.objects.get().digest == mail.digest_of(ADDRESS)
    assert "mengia" not in StoppedAddress.objects.get().digest.lower()
    other = member("Beat")
    ask(lay(other), other)
    assert AddressInvitation.objects.get(by=other).address == ""
    assert tasks.send_letters() == 0
    assert client.get(reverse("notices:no-letters", args=["nonsense"])).status_code == 404


def test_an_address_that_stops_while_its_letter_waits_gets_none():
    host = member("Anna")
    ask(lay(host), host)
    mail.stop_address(mail.digest_of(ADDRESS))
    assert tasks.send_letters() == 0
    assert not post.outbox


# secrecy


def shown(host: Player, table: OpenTable) -> str:
    """All that the host reads at the table, but for numbers that are new each time."""
    page = client_of(host).get(reverse("lobby:table", args=[table.public_id])).content.decode()
    page = re.sub(r'value="[^"]*"|content="[^"]*"|hx-headers=\'[^\']*\'|nonce="[^"]*"', "", page)
    return page.replace(table.public_id, "TABLE").replace(host.public_id, "HOST")


@pytest.mark.parametrize("who", ["account", "blocked", "stopped", "sitting", "declined"])
def test_the_host_cannot_tell_whether_an_address_has_an_account(who: str):
    """Two tables alike, one address without and one with an account: every answer and every page is the same."""
    host, friend = member("Anna"), member("Mengia")
    plain, known = lay(host), lay(host)
    OpenTable.objects.update(expires_at=plain.expires_at)  # a minute may begin between the two
    if who == "sitting":
        for table in (plain, known):
            join(table, friend)
    if who == "blocked":
        account_permissions.block(friend, host)
    if who == "stopped":
        mail.stop_address(mail.digest_of("nobody@example.org"))
    client = client_of(host)
    first, second = send(client, plain, "nobody@example.org"), send(client, known, friend.user.email)
    assert (first.status_code, second.status_code) == (303, 303)
    said = [str(message) for answer in (first, second) for message in answer.wsgi_request._messages]
    assert len(set(said)) == 1
    if who == "declined":
        for _twice in range(2):
            tables.decline(known.pk, friend, request_id=uuid.uuid4())
    client.get("/en/you/")  # the messages are read
    assert shown(host, plain) == shown(host, known)
    one, other = (OpenTable.objects.get(pk=table.pk) for table in (plain, known))
    assert one.number == other.number
    assert not Outbox.objects.filter(player=host, event="table.declined").exists()
    assert client.get("/en/people/").status_code == 200


def test_an_account_is_invited_and_told_as_by_name():
    host, friend = member("Anna"), member("Mengia")
    table = lay(host, entry=OpenTable.Entry.INVITED)
    ask(table, host, friend.user.email.upper())
    assert tasks.send_letters() == 0
    assert Invitation.objects.get().by_address
    assert "Anna invites you to this table." in client_of(friend).get(f"/t/{table.public_id}/").content.decode()
    moment = timezone.now().replace(hour=12) + timedelta(days=1)
    outbox.tell_due(moment)
    delivery.deliver_due(moment + timedelta(hours=2))
    assert [letter.to[0] for letter in post.outbox if friend.user.email in letter.to[0]]
    join(table, friend)
    assert sitting(table) == {0: "Anna", 1: "Mengia"}


def test_an_address_that_nobody_has_confirmed_is_no_account(settings):
    host, friend = member("Anna"), member("Mengia")
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    EmailAddress.objects.create(user=host.user, email=host.user.email, verified=True, primary=True)
    EmailAddress.objects.create(user=friend.user, email=friend.user.email, verified=False, primary=True)
    ask(lay(host), host, friend.user.email)
    assert not Invitation.objects.exists()
    assert tasks.send_letters() == 1


def test_who_is_asked_by_address_can_be_asked_by_name_as_anybody():
    host, friend = member("Anna"), member("Mengia")
    table = lay(host)
    ask(table, host, friend.user.email)
    tables.invite(table.pk, host, friend, request_id=uuid.uuid4())
    assert [one.name for one in waiting_table.waiting_table_of(table, host).guests] == ["Mengia"]
    assert not Invitation.objects.get().by_address


def test_what_is_kept_of_it_is_in_the_hosts_own_data():
    host = member("Anna")
    table = lay(host)
    ask(table, host)
    exported: Any = export_of(host)["games"]
    assert [row["table"] for row in exported["invited_by_letter"]] == [table.public_id]
    erase(host.user)
    assert not AddressInvitation.objects.exists()
