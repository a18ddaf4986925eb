"""How people are sent to sign in, what they are told there, and where they come back to."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.accounts.conftest import PASSWORD, MakeUser

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
WHY = "You need to be signed in for that."


@pytest.fixture
def follow(make_user: MakeUser) -> str:
    """An address that takes POST only."""
    return reverse("people:follow", args=[make_user("gion@example.org").player.public_id])


@pytest.mark.parametrize("page", ["/en/people/?find=Gion", "/en/you/profile/"])
def test_the_page_for_signing_in_says_why_and_leads_back(client: Client, make_user: MakeUser, page: str) -> None:
    make_user()
    answer = client.get(page, follow=True)
    assert WHY in answer.content.decode()
    (address, _status), *_more = answer.redirect_chain
    assert (
        client.post(address.partition("?")[0], {"login": "onna@example.org", "password": PASSWORD, "next": page})[
            "Location"
        ]
        == page
    )
    assert WHY not in Client().get(reverse("account_login")).content.decode()


@pytest.mark.parametrize("view", ["people:preferences", "follow"])
def test_a_post_leads_back_to_the_page_with_its_form(client: Client, follow: str, view: str) -> None:
    address = follow if view == "follow" else reverse(view)
    answer = client.post(address, headers={"referer": "http://testserver/en/people/?find=Gion"})
    assert answer["Location"] == f"{reverse('account_login')}?next=/en/people/%3Ffind%3DGion"
    assert "evil" not in client.post(address, headers={"referer": "https://evil.example/"})["Location"]


def test_what_was_pressed_in_a_part_of_a_page_moves_the_page_and_not_the_part(client: Client, follow: str) -> None:
    answer = client.post(follow, headers={**HTMX, "referer": "http://testserver/en/people/"})
    assert (answer.status_code, answer.content) == (401, b"")
    assert answer["HX-Redirect"] == f"{reverse('account_login')}?next=/en/people/"
    assert "Location" not in answer


def test_what_a_page_asks_for_by_itself_moves_nothing(client: Client, make_user: MakeUser) -> None:
    answer = client.get(reverse("people:thread", args=[make_user().player.public_id]), headers=HTMX)
    assert answer.status_code == 401
    assert not {"Location", "HX-Redirect"} & set(answer.headers)
    assert WHY not in client.get(reverse("account_login")).content.decode()


@pytest.mark.parametrize("page", ["/en/you/preferences/", "/en/you/blocked/", "/en/you/statistics/"])
def test_who_is_shown_how_to_begin_comes_back_after_signing_in(client: Client, page: str) -> None:
    answer = client.get(page, follow=True)
    assert answer.redirect_chain == [(f"{reverse('accounts:you')}?next={page}", 302)]
    for way in ("account_login", "account_signup"):
        assert f'href="{reverse(way)}?next={page}"' in answer.content.decode()


@pytest.mark.parametrize("page", ["/en/reports/", "/en/roles/"])
def test_a_page_that_is_closed_offers_signing_in_only_to_who_is_not(
    client: Client, make_user: MakeUser, page: str
) -> None:
    way = f'href="{reverse("account_login")}?next={page}"'
    assert way in client.get(page).content.decode()
    client.force_login(make_user())
    answer = client.get(page)
    assert answer.status_code == 403
    assert "sign in" not in answer.content.decode().lower()
