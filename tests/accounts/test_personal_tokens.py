"""Tokens for programs: shown once, kept as a digest, ended by time, by their owner and with the account."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.core import serializers
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import privacy, tokens
from accounts.models import PersonalToken, Player
from accounts.tokens import PLAY, READ, TABLES
from tests.accounts.conftest import MakeUser, confirm_password, sign_in

pytestmark = pytest.mark.django_db
PAGE = "accounts:programs"


@pytest.fixture
def onna(make_user: MakeUser) -> Player:
    return make_user().player


@pytest.fixture
def signed_in(client: Client, onna: Player) -> Client:
    sign_in(client)
    confirm_password(client)
    return client


def test_the_database_knows_the_digest_only(onna):
    token, raw = tokens.issue_token(onna, "bot", [PLAY])
    stored = serializers.serialize("json", PersonalToken.objects.all())
    assert raw.startswith(tokens.MARK)
    assert raw not in stored
    assert raw[len(tokens.MARK) :] not in stored
    assert tokens.find_token(raw) == token
    assert token.scopes == [READ, PLAY]


@pytest.mark.parametrize(
    "spoil", [lambda raw: raw[:-1], lambda raw: raw + "x", lambda raw: raw[:-4] + "____", str.upper]
)
def test_another_text_finds_nothing(onna, spoil):
    _token, raw = tokens.issue_token(onna, "bot", [])
    assert tokens.find_token(spoil(raw)) is None


def test_a_token_ends_with_its_time(onna):
    _token, raw = tokens.issue_token(onna, "bot", [], days=7)
    now = timezone.now()
    assert tokens.find_token(raw, now=now + timedelta(days=6, hours=23)) is not None
    assert tokens.find_token(raw, now=now + timedelta(days=7, seconds=1)) is None


def test_a_token_ends_when_it_is_revoked_by_its_owner_alone(onna, make_user):
    token, raw = tokens.issue_token(onna, "bot", [])
    other = make_user("other@example.org").player
    assert tokens.revoke_token(other, token.pk) is None
    assert tokens.find_token(raw) is not None
    assert tokens.revoke_token(onna, token.pk) == token
    assert tokens.find_token(raw) is None
    assert tokens.revoke_token(onna, token.pk) is None


def test_a_token_ends_with_the_account(onna):
    _token, raw = tokens.issue_token(onna, "bot", [])
    onna.user.is_active = False
    onna.user.save()
    assert tokens.find_token(raw) is None
    onna.user.is_active = True
    onna.user.save()
    assert tokens.find_token(raw) is not None
    privacy.erase(onna.user)
    assert tokens.find_token(raw) is None
    assert not PersonalToken.objects.exists()


def test_its_use_is_noted_once_a_minute(onna):
    token, raw = tokens.issue_token(onna, "bot", [])
    now = timezone.now()
    for seconds, noted in ((0, 0), (59, 0), (61, 61)):
        tokens.find_token(raw, now=now + timedelta(seconds=seconds))
        token.refresh_from_db()
        assert token.last_used_at == now + timedelta(seconds=noted)


def test_one_person_has_so_many_and_no_more(onna):
    made = [tokens.issue_token(onna, f"{number}", [])[0] for number in range(tokens.MOST)]
    with pytest.raises(tokens.TooManyTokens):
        tokens.issue_token(onna, "one more", [])
    tokens.revoke_token(onna, made[0].pk)
    tokens.issue_token(onna, "one more", [])


def test_a_scope_that_there_is_not_is_refused(onna):
    with pytest.raises(ValueError, match="admin"):
        tokens.issue_token(onna, "bot", ["admin"])


def test_the_export_tells_of_tokens_without_giving_them_away(onna):
    token, raw = tokens.issue_token(onna, "my bot", [TABLES])
    told = privacy.as_file(privacy.export_of(onna))[2].decode()
    (program,) = json.loads(told)["programs"]
    assert (program["name"], program["scopes"]) == ("my bot", [READ, TABLES])
    assert raw not in told
    assert token.digest not in told


# the page


def test_the_page_shows_a_new_token_once(signed_in, onna):
    answer = signed_in.post(reverse(PAGE), {"name": "  My   bot ", "scopes": [PLAY], "days": "30"})
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    shown = re.search(r'value="(troccas_[^"]+)"', answer.text)
    assert shown
    raw = shown[1]
    token = tokens.find_token(raw)
    assert token
    assert token.expires_at
    assert (token.player, token.name, token.scopes) == (onna, "My bot", [READ, PLAY])
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    again = signed_in.get(reverse(PAGE)).text
    assert "My bot" in again
    assert raw not in again


def test_a_token_without_an_end_can_be_chosen(signed_in, onna):
    signed_in.post(reverse(PAGE), {"name": "bot", "days": ""})
    assert PersonalToken.objects.get().expires_at is None


@pytest.mark.parametrize(
    "form", [{"name": ""}, {"name": "\u202e"}, {"name": "x", "scopes": "all"}, {"name": "x", "days": "9999"}]
)
def test_a_form_that_makes_no_sense_makes_no_token(signed_in, form):
    assert signed_in.post(reverse(PAGE), form).status_code == 422
    assert not PersonalToken.objects.exists()


def test_revoking_on_the_page(signed_in, onna):
    token, raw = tokens.issue_token(onna, "bot", [])
    answer = signed_in.post(reverse("accounts:revoke-token", args=[token.pk]), follow=True)
    assert "revoked" in answer.text
    assert tokens.find_token(raw) is None


def test_nobody_revokes_the_token_of_another(signed_in, make_user):
    token, raw = tokens.issue_token(make_user("other@example.org").player, "bot", [])
    signed_in.post(reverse("accounts:revoke-token", args=[token.pk]))
    assert tokens.find_token(raw) is not None


def test_the_page_asks_who_it_is(client, onna, settings):
    assert client.get(reverse(PAGE)).status_code == 302
    sign_in(client)
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0
    answer = client.post(reverse(PAGE), {"name": "bot"})
    assert answer.status_code == 302
    assert not PersonalToken.objects.exists()
