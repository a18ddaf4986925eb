"""Administrators protect and rename pages, and give and take roles; nobody else does."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import permissions as account_permissions
from accounts.models import Grant
from tests.rules import door_kit as kit
from tests.rules.editing_kit import signed_in

pytestmark = pytest.mark.django_db

MANAGE = "/en/manage/article/deal/en/"


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    kit.world()


@pytest.mark.parametrize("address", [MANAGE, "/en/roles/"])
def test_these_pages_are_for_administrators(address):
    assert Client().get(address).status_code == 403
    assert signed_in(kit.editor()).get(address).status_code == 403
    assert signed_in(kit.administrator()).get(address).status_code == 200


def test_a_page_is_protected_and_opened_again():
    client = signed_in(kit.administrator())
    for level in ("admins", "open"):
        assert client.post(MANAGE, {"do": "protect", "protection": level}).status_code == 302
        assert kit.entry("article", "deal", "en").protection == level
    assert client.post(MANAGE, {"do": "protect", "protection": "nonsense"}).status_code == 422


def test_a_renamed_page_is_found_at_both_addresses():
    client = signed_in(kit.administrator())
    assert client.post(MANAGE, {"do": "rename", "slug": "dealing"}).status_code == 302
    assert Client().get("/en/rules/dealing/").status_code == 200
    answer = Client().get("/de/rules/deal/")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/de/rules/dealing/")
    assert "<code>deal</code>" in client.get(MANAGE).content.decode()


@pytest.mark.services
@pytest.mark.parametrize("slug", ["", "Not a slug", "../x", "a" * 81, "x\0"])
def test_an_address_that_cannot_be_is_refused(slug):
    assert signed_in(kit.administrator()).post(MANAGE, {"do": "rename", "slug": slug}).status_code == 422
    assert kit.entry("article", "deal", "en").slug == "deal"


def test_a_role_is_given_by_address_and_taken_away():
    member = kit.member()
    client = signed_in(kit.administrator())
    sent = {"email": "Onna@Example.org ", "role": "editor", "language": "rm-sursilv"}
    assert client.post("/en/roles/", sent).status_code == 302
    assert account_permissions.languages(member) == {"rm-sursilv"}
    held = Grant.objects.get(player=member)
    assert held.given_by.name == "ursula"
    assert client.post("/en/roles/", sent).status_code == 422
    assert client.post("/en/roles/", {"take": str(held.pk)}).status_code == 302
    assert not Grant.objects.filter(player=member).exists()


@pytest.mark.services
@pytest.mark.parametrize(
    "sent",
    [
        {"email": "nobody@example.org", "role": "editor"},
        {"email": "onna@example.org", "role": "king"},
        {"email": "onna@example.org", "role": "editor", "language": "xx"},
        {"email": "onna@example.org\0", "role": "king"},
        {"take": "999"},
        {"take": "x"},
        {},
    ],
)
def test_what_cannot_be_given_or_taken_is_said(sent):
    kit.member()
    answer = signed_in(kit.administrator()).post("/en/roles/", sent)
    assert answer.status_code == 422
    assert answer.context["said"]


def test_nobody_takes_the_last_key_from_themselves():
    ursula = kit.administrator()
    client = signed_in(ursula)
    answer = client.post("/en/roles/", {"take": str(Grant.objects.get(player=ursula).pk)})
    assert answer.status_code == 422
    assert Grant.objects.filter(player=ursula).exists()
