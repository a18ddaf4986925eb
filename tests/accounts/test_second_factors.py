"""Whoever may do more than others needs more than a password for it, on a real site."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn.internal import auth as webauthn
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from fido2.cose import ES256
from fido2.webauthn import Aaguid, AttestedCredentialData

from accounts import permissions
from accounts.models import Player
from clubs import permissions as clubs
from clubs.models import Club
from clubs.permissions import Act
from clubs.services import common
from tests.accounts.conftest import PASSWORD, MakeUser, confirm_password, sign_in
from tests.clubs import kit
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def onna(make_user: MakeUser, settings) -> Player:
    settings.ROLES_NEED_SECOND_FACTOR = True
    player = make_user("onna@example.org").player
    for role in (permissions.EDITOR, permissions.MODERATOR):
        permissions.grant(player, role)
    return player


def may_anything(player: Player) -> bool:
    found = Player.objects.get(pk=player.pk)
    return permissions.may(found, permissions.MODERATOR) or bool(permissions.languages(found))


def test_a_role_rests_until_there_is_a_second_factor(onna):
    assert not may_anything(onna)
    assert permissions.role_rests(onna)
    TOTP.activate(onna.user, "ABCDEFGHIJKLMNOP")
    assert may_anything(onna)
    assert not permissions.role_rests(onna)


def test_recovery_codes_alone_are_none(onna):
    Authenticator.objects.create(user=onna.user, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert not may_anything(onna)


def test_a_moderator_without_one_reads_no_report_and_is_told_why_at_the_sign_in(onna):
    client = Client()
    page = client.get(sign_in(client, "onna@example.org", PASSWORD)["Location"], follow=True).content.decode()
    assert "You have a role here. It rests until" in page
    assert client.get(reverse("accounts:reports")).status_code in (403, 404)
    TOTP.activate(onna.user, "ABCDEFGHIJKLMNOP")
    assert client.get(reverse("accounts:reports")).status_code == 200


def test_asking_costs_one_query(onna, django_assert_num_queries):
    found = Player.objects.get(pk=onna.pk)
    with django_assert_num_queries(1):
        permissions.may(found, permissions.MODERATOR)
        permissions.languages(found)


def test_whoever_gives_a_role_hears_of_it_and_so_do_those_who_run_the_site(onna, settings, mailoutbox, capsys):
    settings.ADMINS = [("", "ida@example.org")]
    call_command("grant", "onna@example.org", "administrator")
    assert "It rests until they have set up a passkey" in capsys.readouterr().out
    (letter,) = mailoutbox
    assert (letter.subject, letter.to) == ("A role was given", ["ida@example.org"])
    assert "onna@" not in letter.body


def test_who_runs_a_club_is_offered_a_passkey_until_they_have_one():
    people = kit.staffed()
    client = kit.browser(people.president)
    address = f"/c/{people.club.slug}/"
    way = f'href="{reverse("mfa_add_webauthn")}"'
    assert way in client.get(address).content.decode()
    assert way not in Client().get(address).content.decode()
    Authenticator.objects.create(user=people.president.user, type=Authenticator.Type.WEBAUTHN, data={})
    assert way not in client.get(address).content.decode()


def demanding() -> kit.People:
    """A club whose president has an app, and demands as much of everybody with a role."""
    people = kit.staffed()
    TOTP.activate(people.president.user, "ABCDEFGHIJKLMNOP")
    people.club.demands_second_factor = True
    common.edit(people.club, people.president, people.club, request_id=kit.rid())
    return people


def test_where_a_club_demands_it_a_role_rests_until_there_is_a_second_factor():
    people = demanding()
    club = Club.objects.get()
    assert clubs.standing(club, people.president).acts == frozenset(Act)
    for player in (people.secretary, people.director):
        assert clubs.standing(club, player).acts == frozenset()
        with refuses("role-rests"):
            clubs.check_may(player, club, Act.RUN_TOURNAMENTS)
    assert not clubs.standing(club, people.member).rests
    with refuses("not-allowed"):
        clubs.check_may(people.member, club, Act.RUN_TOURNAMENTS)
    TOTP.activate(people.director.user, "ABCDEFGHIJKLMNOP")
    assert clubs.standing(club, people.director).is_staff


def test_whose_role_rests_is_told_so_on_the_pages_and_gets_at_no_list():
    people = demanding()
    tonight = reverse("club-tournaments:tonight", args=[people.club.slug])
    evening = kit.post(kit.browser(people.president), tonight)["Location"]
    client, address = kit.browser(people.secretary), f"/c/{people.club.slug}/"
    way = f'href="{reverse("mfa_add_webauthn")}"'
    page = client.get(address).content.decode()
    assert "Your role rests" in page
    assert way in page
    for path in (f"{address}members/", f"{address}members/members.csv", f"{address}edit/", evening):
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert "Mia" not in answer.content.decode()
        assert "Your role in this club rests" in answer.content.decode()
        assert way in answer.content.decode()
    TOTP.activate(people.secretary.user, "ABCDEFGHIJKLMNOP")
    assert "Mia" in client.get(f"{address}members/").content.decode()
    assert "Your role rests" not in client.get(address).content.decode()


def test_nobody_demands_it_who_has_none_and_so_shuts_themselves_out():
    people = kit.staffed()
    given = Club.objects.get()
    given.demands_second_factor = True
    with refuses("own-factor-first"):
        common.edit(people.club, people.president, given, request_id=kit.rid())
    assert not Club.objects.get().demands_second_factor


def test_a_moderator_who_closes_a_club_says_once_more_who_they_are(make_user: MakeUser, caplog):
    people, moderator = kit.staffed(), make_user("onna@example.org").player
    permissions.grant(moderator, permissions.MODERATOR)
    address = reverse("club:close", args=[people.club.slug])
    answer = kit.post(kit.browser(moderator), address)
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    people.club.refresh_from_db()
    assert people.club.closed_at is None
    client = Client()
    sign_in(client, "onna@example.org", PASSWORD)
    confirm_password(client)
    caplog.set_level("INFO", "security")
    assert kit.post(client, address)["Location"] == reverse("clubs:list")
    assert not type(people.club).objects.filter(closed_at=None).exists()
    assert f"club closed player={moderator.public_id}" in caplog.text


def told(client: Client) -> str:
    """Why an address is refused at the sign-up."""
    page = client.post(reverse("account_signup"), {"email": "onna@example.org", "password1": PASSWORD})
    errors = page.context["form"].errors.as_data()["email"]
    return "limit" if errors[0].code == "limit" else "taken"


def test_trying_addresses_at_the_sign_up_ends(monkeypatch, make_user: MakeUser):
    from accounts import forms

    monkeypatch.setattr(forms, "SIGN_UP_TRIES_AN_HOUR", 3)
    make_user("onna@example.org")
    client = Client()
    for _time in range(3):
        assert told(client) == "taken"
    assert told(client) == "limit"


@pytest.mark.parametrize("has_passkey", [False, True])
def test_the_second_step_speaks_of_a_passkey_only_to_who_has_one(
    make_user: MakeUser, monkeypatch: pytest.MonkeyPatch, has_passkey: bool
):
    user = make_user()
    TOTP.activate(user, "ABCDEFGHIJKLMNOP")
    if has_passkey:
        passkey = AttestedCredentialData.create(Aaguid.NONE, b"number", ES256({3: -7}))
        monkeypatch.setattr(webauthn, "get_credentials", lambda _user: [passkey])  # a real one takes a real device
    client = Client()
    page = client.get(sign_in(client)["Location"]).content.decode()
    assert ("passkey" in page.partition("<main")[2].partition("</main>")[0]) is has_passkey
    assert "recovery codes" in page
