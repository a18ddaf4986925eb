"""Signing up, in and out, and the player's own page, as a browser without scripts meets them."""

import logging
import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import mail
from django.core.cache import cache
from django.db.models.signals import pre_save
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts import sessions
from accounts.models import GuestToken, Player, User
from tests.accounts.conftest import PASSWORD, Chairs, MakeUser, confirm_password, sign_in
from tests.live import ROOT, free_port

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    """Rate limits of earlier tests do not count."""
    cache.clear()
    with translation.override("en"):
        yield


def sign_up(client: Client, **fields: str) -> HttpResponse:
    data = {"email": "onna@example.org", "password1": PASSWORD, "name": "", **fields}
    return cast("HttpResponse", client.post(reverse("account_signup"), data))


def test_whoever_makes_an_account_in_passing_comes_back_to_where_they_were() -> None:
    leads_away = re.compile(r"""href="{% url 'account_signup' %}(?!\?next=)""")
    others = (path for path in (ROOT / "templates").rglob("*.html") if path.parent.name != "account")
    assert [path.name for path in others if leads_away.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("signed_up", [False, True])
def test_a_mail_server_that_is_away_hinders_nobody_and_the_page_says_what_to_do(
    client: Client, settings: Any, signed_up: bool
) -> None:
    """By whatever page a letter is asked for."""
    if signed_up:
        sign_up(client)
        client.logout()
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = "django.core.mail.backends.smtp.EmailBackend", "127.0.0.1"
    settings.EMAIL_PORT, settings.ACCOUNT_EMAIL_VERIFICATION = free_port(), "optional"
    if signed_up:
        answer = client.post(reverse("account_reset_password"), {"email": "onna@example.org"}, follow=True)
    else:
        answer = client.post(
            reverse("account_signup"), {"email": "onna@example.org", "password1": PASSWORD}, follow=True
        )
        assert "_auth_user_id" in client.session
    assert answer.status_code == 200
    assert "The e-mail could not be sent just now. Ask for another one in a few minutes." in answer.content.decode()
    assert User.objects.get().email == "onna@example.org"


def test_signing_up_makes_a_user_and_a_player_and_signs_in(client: Client) -> None:
    response = sign_up(client, name="  Onna  Maria ")
    assert response.status_code == 302
    assert response["Location"] == reverse("home")
    player = Player.objects.get()
    assert player.user == User.objects.get(email="onna@example.org")
    assert player.name == "Onna Maria"
    assert "Onna Maria" in client.get(reverse("accounts:you")).content.decode()


def test_of_two_who_sign_up_with_one_address_at_once_the_second_is_told(client: Client) -> None:
    def another_was_quicker(instance: User, **_: object) -> None:
        User.objects.bulk_create([User(email=instance.email)])  # says nothing to those who listen for a saved user

    pre_save.connect(another_was_quicker, sender=User)
    try:
        response = sign_up(client, name="Onna")
    finally:
        pre_save.disconnect(another_was_quicker, sender=User)
    assert response.status_code == 200
    assert "There is already an account with this e-mail address." in response.content.decode()
    assert not Player.objects.exists()
    assert not client.session.get("_auth_user_id")


def test_who_has_an_account_already_is_shown_the_ways_into_it(client: Client, make_user: MakeUser) -> None:
    make_user()
    page = sign_up(client).content.decode()
    for view, words in (("account_login", "Sign in"), ("account_reset_password", "Choose a new password")):
        assert f'<a href="{reverse(view)}">{words}</a>' in page


def test_a_guest_who_signs_up_stays_the_same_player_without_guest_cookie(
    client: Client, guest: Player, chairs: Chairs
) -> None:
    chairs.seats = {1: [guest.pk]}
    sign_up(client)
    assert Player.objects.get() == guest
    assert Player.objects.get().is_member
    assert chairs.seats == {1: [guest.pk]}
    assert client.cookies["guest"].value == ""
    assert not GuestToken.objects.filter(revoked_at=None).exists()


def test_a_guest_who_signs_in_becomes_the_member(
    client: Client, guest: Player, make_user: MakeUser, chairs: Chairs
) -> None:
    member = make_user().player
    chairs.seats = {1: [guest.pk]}
    raw = client.cookies["guest"].value
    assert sign_in(client).status_code == 302
    assert chairs.seats == {1: [member.pk]}
    guest.refresh_from_db()
    assert guest.merged_into == member
    assert client.cookies["guest"].value == ""
    assert sessions.find_guest_token(raw) is None


def test_after_signing_out_nobody_is_here(client: Client, guest: Player, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    client.post(reverse("account_logout"))
    assert reverse("account_signup") in client.get(reverse("accounts:you")).content.decode()
    assert client.cookies["guest"].value == ""


def test_a_wrong_password_leaves_the_guest_a_guest(client: Client, guest: Player, make_user: MakeUser) -> None:
    make_user()
    response = sign_in(client, password="wrong")
    assert response.status_code == 200
    assert "errorlist" in response.content.decode()
    guest.refresh_from_db()
    assert guest.merged_into is None
    assert sessions.find_guest_token(client.cookies["guest"].value) is not None


def test_signing_in_goes_on_to_a_page_of_this_site_only(make_user: MakeUser) -> None:
    make_user()
    assert sign_in(Client(), next="/g/abc/")["Location"] == "/g/abc/"
    assert sign_in(Client(), next="https://evil.example/")["Location"] == reverse("home")


def test_no_log_line_of_a_visit_shows_the_token(
    client: Client, guest: Player, make_user: MakeUser, caplog: pytest.LogCaptureFixture
) -> None:
    make_user()
    raw = client.cookies["guest"].value
    with caplog.at_level(logging.DEBUG):
        client.get(reverse("accounts:you"))
        sign_in(client)
        client.cookies["guest"] = raw
        client.get("/en/nothing-here/")
    assert raw not in caplog.text


def test_a_hidden_direction_override_in_a_name_is_refused_when_signing_up(client: Client) -> None:
    response = sign_up(client, name="Onna\u202eairaM")
    assert response.status_code == 200
    assert "Please use only characters that can be seen." in response.content.decode()
    assert not User.objects.exists()


def test_a_stranger_gets_a_page_that_says_what_to_do_and_nothing_is_made(client: Client) -> None:
    response = client.get(reverse("accounts:you"))
    assert response.status_code == 200
    assert reverse("account_signup") in response.content.decode()
    for method in (client.get, client.post):
        assert method(reverse("accounts:preferences"))["Location"].partition("?")[0] == reverse("accounts:you")
    assert not Player.objects.exists()


def test_forgetting_asks_once_then_ends_the_guest(client: Client, guest: Player, chairs: Chairs) -> None:
    chairs.seats = {1: [guest.pk, 99]}
    raw = client.cookies["guest"].value
    assert "Forget me" in client.get(reverse("accounts:forget")).content.decode()
    assert sessions.find_guest_token(raw) is not None
    response = client.post(reverse("accounts:forget"))
    assert response["Location"] == reverse("home")
    assert client.cookies["guest"].value == ""
    assert chairs.seats == {1: [99]}
    assert not Player.objects.exists()


def test_a_member_cannot_be_forgotten_by_a_click(client: Client, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    assert client.post(reverse("accounts:forget"))["Location"] == reverse("accounts:you")
    assert Player.objects.exists()


def test_changing_anything_needs_the_csrf_token(guest: Player, client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies["guest"] = client.cookies["guest"].value
    for name in ("accounts:preferences", "accounts:forget", "account_login", "account_signup", "account_logout"):
        assert strict.post(reverse(name)).status_code == 403
    assert Player.objects.exists()


def test_a_forgotten_password_is_replaced_by_mail(client: Client, make_user: MakeUser) -> None:
    user = make_user()
    assert client.post(reverse("account_reset_password"), {"email": user.email}, follow=True).status_code == 200
    link = re.search(r"http://testserver(/\S+)", str(mail.outbox[0].body))
    assert link is not None
    form = client.get(link[1], follow=True)
    path = form.redirect_chain[-1][0]
    new = "vierzig-und-eins"
    assert client.post(path, {"password1": new, "password2": new}, follow=True).status_code == 200
    assert sign_in(Client(), password=new).status_code == 302


def test_the_password_is_changed_with_the_present_one(client: Client, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    new = {"password1": "vierzig-und-eins", "password2": "vierzig-und-eins"}
    assert client.post(reverse("account_change_password"), {"oldpassword": "wrong", **new}).status_code == 200
    assert client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **new}).status_code == 302
    assert sign_in(Client(), password="vierzig-und-eins").status_code == 302


@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password", "accounts:you"])
def test_every_page_for_strangers_opens_in_every_language(client: Client, language: str, name: str) -> None:
    with translation.override(language):
        path = reverse(name)
    response = client.get(path)
    assert path.startswith(f"/{language}/")
    assert response.status_code == 200
    written_in = "de" if language == "rm-sursilv" else language
    assert f'<html lang="{written_in}"' in response.content.decode()


@pytest.mark.parametrize(
    "name",
    [
        "account_logout", "account_change_password", "account_email", "accounts:you", "accounts:profile",
        "accounts:preferences", "accounts:blocked", "accounts:export", "accounts:delete", "mfa_index",
        "mfa_activate_totp", "mfa_add_webauthn", "mfa_list_webauthn", "mfa_generate_recovery_codes", "usersessions_list",
    ],
)  # fmt: skip
def test_every_page_for_members_stands_in_our_frame(client: Client, make_user: MakeUser, name: str) -> None:
    make_user()
    sign_in(client)
    confirm_password(client)
    page = client.get(reverse(name)).content.decode()
    _header, found, main = page.partition('<main id="main"')
    assert found
    assert page.count("<h1") == 1
    assert " – Troccas & Troggu</title>" in page
    assert "placeholder=" not in main


def test_a_new_address_counts_once_its_link_was_opened(client: Client) -> None:
    sign_up(client)
    confirm_password(client)
    client.post(reverse("account_email"), {"action_add": "", "email": "Mengia@example.org"})
    assert mail.outbox[-1].to == ["mengia@example.org"]
    link = re.search(r"http://testserver(/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    assert "mengia@example.org" in client.get(link[1]).content.decode()
    client.post(link[1])
    assert User.objects.get().email == "mengia@example.org"
    assert sign_in(Client(), "mengia@example.org").status_code == 302
    assert sign_in(Client(), "onna@example.org").status_code == 200


def test_a_link_that_was_opened_twice_says_that_the_address_is_confirmed(client: Client) -> None:
    sign_up(client)
    confirmation = EmailConfirmationHMAC(EmailAddress.objects.get())
    link = reverse("account_confirm_email", args=[confirmation.key])
    assert client.post(link).status_code == 302
    for answer in (client.get(link), client.post(link)):
        assert answer.status_code == 200
        assert "there is nothing more to do" in answer.content.decode()
    page = client.get(reverse("account_confirm_email", args=["no-such-key"])).content.decode()
    assert "This link no longer works" in page


def test_a_confirmed_address_counts_until_the_new_one_is_confirmed(client: Client) -> None:
    sign_up(client)
    confirm_password(client)
    EmailAddress.objects.update(verified=True)
    client.post(reverse("account_email"), {"action_add": "", "email": "mengia@example.org"})
    page = client.get(reverse("account_email")).content.decode()
    assert "You sign in with onna@example.org." in page
    assert "mengia@example.org still has to be confirmed" in page
    client.post(reverse("account_email"), {"action_remove": "", "email": "mengia@example.org"})
    client.get(reverse("account_email"))  # shows once that it was removed
    assert "mengia" not in client.get(reverse("account_email")).content.decode()


def test_an_address_never_confirmed_is_replaced_at_once(client: Client) -> None:
    sign_up(client)
    confirm_password(client)
    client.post(reverse("account_email"), {"action_add": "", "email": "mengia@example.org"})
    page = client.get(reverse("account_email")).content.decode()
    assert "You sign in with mengia@example.org." in page
    assert "It is not confirmed yet" in page
    assert sign_in(Client(), "mengia@example.org").status_code == 302
    assert sign_in(Client(), "onna@example.org").status_code == 200


@pytest.mark.parametrize("confirmed", [True, False])
def test_no_account_takes_the_address_of_another_or_loses_its_last(
    client: Client, make_user: MakeUser, confirmed: bool
) -> None:
    make_user("mengia@example.org")
    sign_up(client)
    confirm_password(client)
    EmailAddress.objects.update(verified=confirmed)
    response = client.post(reverse("account_email"), {"action_add": "", "email": "MENGIA@example.org"})
    assert "There is already an account with this e-mail address." in response.content.decode()
    client.post(reverse("account_email"), {"action_remove": "", "email": "onna@example.org"})
    assert sorted(User.objects.values_list("email", flat=True)) == ["mengia@example.org", "onna@example.org"]


def test_a_password_manager_finds_the_page_to_change_a_password(client):
    answer = client.get("/.well-known/change-password", headers={"accept-language": "de"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/de/account/password/change/")
