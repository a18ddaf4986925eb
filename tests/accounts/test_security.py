"""Signing in by code and by second factor, sessions, and who is asked once more who they are. Passkeys: tests/browser."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.base import UpdateError
from django.core import mail
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import forms, middleware, tokens
from accounts.models import Player, Session, User
from accounts.sessions import SessionStore
from accounts.templatetags.people import name_of
from games.table import tasks
from games.webhooks.models import Webhook
from tests.accounts.conftest import PASSWORD, MakeUser, confirm_password, sign_in

pytestmark = pytest.mark.django_db

CODE = re.compile(r"^([0-9A-Z]{3,}-?[0-9A-Z]{3,})$", re.MULTILINE)


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def ask_for_code(client: Client, email: str) -> int:
    return client.post(reverse("account_request_login_code"), {"email": email}).status_code


def mailed_code() -> str:
    found = CODE.search(str(mail.outbox[-1].body))
    assert found is not None, mail.outbox[-1].body
    return found[1]


def code_of(secret: str, *, steps: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


def wrong_code(secret: str) -> str:
    """A code that the app does not show now, nor just before or soon."""
    right = {code_of(secret, steps=steps) for steps in range(-3, 4)}
    return next(code for number in range(10) if (code := f"{number}" * 6) not in right)


@pytest.fixture
def secret(make_user: MakeUser) -> str:
    """The secret of the app of a user who has set one up."""
    made = generate_totp_secret()
    user = make_user()
    TOTP.activate(user, made)
    RecoveryCodes.activate(user)
    return made


def test_a_mailed_code_signs_in_and_the_guest_comes_along(client: Client, guest: Player, make_user: MakeUser) -> None:
    member = make_user().player
    assert ask_for_code(client, "ONNA@example.org") == 302
    assert mail.outbox[-1].to == ["onna@example.org"]
    assert client.post(reverse("account_confirm_login_code"), {"code": mailed_code()}).status_code == 302
    assert signed_in(client)
    guest.refresh_from_db()
    assert guest.merged_into == member


def test_a_wrong_code_does_not_sign_in_and_three_of_them_end_it(client: Client, make_user: MakeUser) -> None:
    make_user()
    ask_for_code(client, "onna@example.org")
    right = mailed_code()
    for _each in range(3):
        client.post(reverse("account_confirm_login_code"), {"code": "ZZZ-ZZZ"})
    client.post(reverse("account_confirm_login_code"), {"code": right})
    assert not signed_in(client)


def test_a_code_works_in_the_browser_that_asked_for_it_only(client: Client, make_user: MakeUser) -> None:
    make_user()
    ask_for_code(client, "onna@example.org")
    thief = Client()
    thief.post(reverse("account_confirm_login_code"), {"code": mailed_code()})
    assert not signed_in(thief)


def test_asking_for_a_code_tells_nobody_whether_there_is_an_account(client: Client, make_user: MakeUser) -> None:
    make_user()
    answers = []
    for address in ("onna@example.org", "nobody@example.org"):
        visitor = Client()
        page = visitor.post(reverse("account_request_login_code"), {"email": address}, follow=True)
        answers.append(re.sub(r'value="[^"]*"|X-CSRFToken": "[^"]*"', "", page.content.decode().replace(address, "")))
    assert answers[0] == answers[1]
    assert CODE.search(str(mail.outbox[-1].body)) is None


def test_codes_by_mail_are_limited_for_each_address(make_user: MakeUser, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False  # ours alone, without allauth's
    make_user()
    answers = [ask_for_code(Client(), "onna@example.org") for _each in range(forms.CODES_TO_ONE + 1)]
    assert answers == [302] * forms.CODES_TO_ONE + [200]
    assert len(mail.outbox) == forms.CODES_TO_ONE


def test_accounts_from_one_address_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "SIGN_UPS_AN_HOUR", 2)
    for number in range(3):
        Client().post(reverse("account_signup"), {"email": f"a{number}@example.org", "password1": PASSWORD})
    assert User.objects.count() == 2


def test_the_time_zone_of_the_device_is_kept_when_signing_up(client: Client) -> None:
    data = {"email": "a@example.org", "password1": PASSWORD, "time_zone": "America/Lima"}
    client.post(reverse("account_signup"), data)
    assert Player.objects.get().time_zone == "America/Lima"
    Client().post(reverse("account_signup"), data | {"email": "b@example.org", "time_zone": "../x"})
    assert Player.objects.get(user__email="b@example.org").time_zone == ""


def test_with_an_app_the_password_alone_does_not_sign_in(client: Client, secret: str) -> None:
    assert sign_in(client)["Location"].startswith(reverse("mfa_authenticate"))
    assert not signed_in(client)
    assert client.post(reverse("mfa_authenticate"), {"code": wrong_code(secret)}).status_code == 200
    assert not signed_in(client)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert signed_in(client)


def test_a_mailed_code_does_not_replace_the_second_factor(client: Client, secret: str) -> None:
    ask_for_code(client, "onna@example.org")
    client.post(reverse("account_confirm_login_code"), {"code": mailed_code()})
    assert not signed_in(client)
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    assert signed_in(client)


def test_a_code_of_the_app_works_once(client: Client, secret: str) -> None:
    code = code_of(secret)
    sign_in(client)
    client.post(reverse("mfa_authenticate"), {"code": code})
    again = Client()
    sign_in(again)
    again.post(reverse("mfa_authenticate"), {"code": code})
    assert not signed_in(again)


def test_a_recovery_code_signs_in_once(secret: str) -> None:
    codes = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    for expected in (True, False):
        visitor = Client()
        sign_in(visitor)
        visitor.post(reverse("mfa_authenticate"), {"code": codes[0]})
        assert signed_in(visitor) is expected


@pytest.mark.django_db(transaction=True)  # the letter goes out once it is written
def test_setting_up_an_app_gives_recovery_codes_and_a_letter(client: Client, make_user: MakeUser) -> None:
    user = make_user()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    sign_in(client)
    assert client.get(reverse("mfa_activate_totp"))["Location"].startswith(reverse("account_reauthenticate"))
    confirm_password(client)
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    found = re.search(r'class="secret">([A-Z2-7]+)<', page)
    assert found is not None
    assert "data:image/svg+xml;base64," in page
    response = client.post(reverse("mfa_activate_totp"), {"code": code_of(found[1])})
    assert response["Location"] == reverse("mfa_view_recovery_codes")
    codes = client.get(response["Location"]).content.decode()
    assert len(re.findall(r"<li>\d{8}</li>", codes)) == 10
    assert "From now on you are asked for a code" in codes
    listed = client.get(reverse("mfa_download_recovery_codes")).content.decode().split()
    assert all(f"<li>{code}</li>" in codes for code in listed)
    assert mail.outbox[-1].subject == "Codes from an app"
    assert "signed in" in str(mail.outbox[-1].body)


@pytest.mark.parametrize(
    "name",
    [
        "account_email", "accounts:export", "accounts:delete", "mfa_add_webauthn", "mfa_activate_totp", "mfa_deactivate_totp",
        "mfa_generate_recovery_codes",
    ],
)  # fmt: skip
def test_what_matters_asks_once_more_who_it_is(client: Client, secret: str, name: str) -> None:
    if name == "mfa_activate_totp":
        Authenticator.objects.all().delete()
    client.force_login(User.objects.get())
    for method in (client.get, client.post):
        response = method(reverse(name), {"action_add": "", "email": "mengia@example.org"})
        if name == "account_email" and method == client.get:
            continue  # the page may be read; changing the address is what matters
        assert response.status_code == 302
        assert response["Location"].startswith(reverse("account_reauthenticate"))
    assert User.objects.exists()


def test_where_mail_works_a_second_factor_needs_a_confirmed_address(
    client: Client, make_user: MakeUser, settings
) -> None:
    user = make_user()
    sign_in(client)
    confirm_password(client)
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    for name in ("mfa_add_webauthn", "mfa_activate_totp"):
        assert client.get(reverse(name))["Location"] == reverse("account_email")
    EmailAddress.objects.update_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
    assert client.get(reverse("mfa_activate_totp")).status_code == 200


def test_with_a_second_factor_the_address_can_still_be_changed(client: Client, secret: str) -> None:
    client.force_login(User.objects.get())
    confirm_password(client)
    client.post(reverse("account_email"), {"action_add": "", "email": "mengia@example.org"})
    assert User.objects.get().email == "mengia@example.org"


def test_every_browser_is_listed_and_can_be_signed_out(client: Client, make_user: MakeUser) -> None:
    make_user()
    phone = Client(headers={"user-agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"})
    tablet = Client(headers={"user-agent": "Mozilla/5.0 (iPad; CPU OS 18_0) AppleWebKit Safari/605"})
    for browser in (client, phone, tablet):
        sign_in(browser)
    page = client.get(reverse("usersessions_list")).content.decode()
    assert "Firefox on Android" in page
    assert "Safari on iPad" in page
    other = UserSession.objects.get(user_agent__contains="Android")
    client.post(reverse("accounts:end-session", args=[other.pk]))
    assert not signed_in(phone)
    assert signed_in(tablet)
    client.post(reverse("usersessions_list"))
    assert not signed_in(tablet)
    assert signed_in(client)


def test_nobody_signs_out_the_browser_of_another(client: Client, make_user: MakeUser) -> None:
    make_user()
    make_user("gion@example.org")
    other = Client()
    sign_in(other, "gion@example.org")
    sign_in(client)
    row = UserSession.objects.get(user__email="gion@example.org")
    assert client.post(reverse("accounts:end-session", args=[row.pk])).status_code == 404
    assert signed_in(other)


def test_a_new_password_signs_out_all_other_browsers(client: Client, make_user: MakeUser) -> None:
    make_user()
    other = Client()
    sign_in(client)
    sign_in(other)
    new = {"oldpassword": PASSWORD, "password1": "vierzig-und-eins", "password2": "vierzig-und-eins"}
    client.post(reverse("account_change_password"), new)
    assert client.get(reverse("accounts:profile")).status_code == 200
    assert other.get(reverse("accounts:profile")).status_code == 302
    assert mail.outbox[-1].subject == "Your password is changed"


@pytest.mark.parametrize("contact", ["mailto:help@example.org", ""])
def test_a_letter_about_security_tells_its_reader_what_they_can_do(
    client: Client, make_user: MakeUser, settings, contact: str
) -> None:
    settings.SECURITY_CONTACT = contact
    make_user()
    reset_password(client)
    letter = mail.outbox[-1]
    body = str(letter.body)
    assert letter.subject == "Your password is changed"
    for view in ("account_reset_password", "usersessions_list"):
        assert f"http://testserver{reverse(view)}\n" in body
    assert ("help@example.org" in body) is bool(contact)
    assert "Troccas & Troggu\ntestserver" in body


@pytest.mark.parametrize("contact", ["mailto:help@example.org", ""])
def test_the_address_that_no_longer_opens_the_account_is_told_whom_to_write_to(
    client: Client, make_user: MakeUser, settings, contact: str
) -> None:
    settings.SECURITY_CONTACT = contact
    user = make_user()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    sign_in(client)
    confirm_password(client)
    client.post(reverse("account_email"), {"action_add": "", "email": "new@example.org"})
    client.post(
        reverse(
            "account_confirm_email", args=[EmailConfirmationHMAC(EmailAddress.objects.get(email="new@example.org")).key]
        )
    )
    (letter,) = [each for each in mail.outbox if each.subject == "Your e-mail address is changed"]
    body = str(letter.body)
    assert letter.to == ["onna@example.org"]
    assert "password" not in body
    assert ("help@example.org" if contact else f"http://testserver{reverse('privacy')}") in body


def test_what_stands_of_a_session_in_the_database_opens_nothing(client: Client, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    cookie = client.cookies["sessionid"].value
    keys = [Session.objects.get().session_key, UserSession.objects.get().session_key]
    assert keys[0] == keys[1] != cookie
    dumped = StringIO()
    call_command("dumpdata", "accounts.Session", "usersessions", stdout=dumped)
    assert cookie not in dumped.getvalue()
    thief = Client()
    thief.cookies["sessionid"] = keys[0]
    assert thief.get(reverse("accounts:profile")).status_code == 302
    assert client.get(reverse("accounts:profile")).status_code == 200
    assert Session.objects.count() == 1


def test_the_session_of_who_signs_in_is_another_than_the_one_they_came_with(
    client: Client, make_user: MakeUser
) -> None:
    make_user()
    planted = SessionStore()
    planted["from"] = "somebody who wants to know the session"
    planted.save()
    client.cookies["sessionid"] = planted.cookie or ""
    sign_in(client)
    assert signed_in(client)
    assert client.cookies["sessionid"].value != planted.cookie
    thief = Client()
    thief.cookies["sessionid"] = planted.cookie or ""
    assert not signed_in(thief)


def test_a_database_that_is_away_at_the_end_of_a_request_is_not_taken_for_a_session_that_was_ended(
    client: Client, make_user: MakeUser
) -> None:
    def away(execute, sql, params, many, context):
        if sql.startswith('UPDATE "accounts_session"'):
            raise OperationalError("the connection is closed")
        return execute(sql, params, many, context)

    make_user()
    sign_in(client)
    session = SessionStore(client.cookies["sessionid"].value)
    session["seen"] = 1
    with connection.execute_wrapper(away), pytest.raises(OperationalError):
        session.save()
    session.save()
    Session.objects.all().delete()
    with pytest.raises(UpdateError):
        session.save()


def test_a_session_notes_that_it_is_used_every_five_minutes(client: Client, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    key = client.session.session_key
    now = timezone.now() + middleware.SEEN_EVERY * 2
    assert middleware.note_session(key, now=now)
    assert not middleware.note_session(key, now=now + middleware.SEEN_EVERY / 2)
    assert middleware.note_session(key, now=now + middleware.SEEN_EVERY * 2)
    assert UserSession.objects.get().last_seen_at == now + middleware.SEEN_EVERY * 2
    assert not middleware.note_session(None, now=now)


def test_a_member_claims_a_guest_before_the_second_step_is_done_only_afterwards(
    client: Client, guest: Player, secret: str
) -> None:
    sign_in(client)
    guest.refresh_from_db()
    assert guest.merged_into is None
    client.post(reverse("mfa_authenticate"), {"code": code_of(secret)})
    guest.refresh_from_db()
    assert guest.merged_into == Player.objects.get(user__email="onna@example.org")


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140 Safari/537 Edg/140", "Edge on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537 Chrome/140 Safari/537", "Chrome on Linux"),
        ("Mozilla/5.0 (Macintosh) AppleWebKit Version/18 Safari/605", "Safari on Mac"),
        ("curl/8", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_called_as_people_call_it(told: str, name: str) -> None:
    assert name_of(told) == name


# The first proof of an address


@pytest.fixture
def begun(make_user: MakeUser) -> tuple[User, Client, str]:
    """An account that somebody opened with an address nobody has proven yet: its user, their browser, a token."""
    user = make_user()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    browser = Client()
    sign_in(browser)
    assert signed_in(browser)
    _token, raw = tokens.issue_token(user.player, "program", [tokens.PLAY])
    Webhook.objects.create(player=user.player, url="https://example.org/")
    return user, browser, raw


def is_open_to(user: User, browser: Client, raw: str) -> list[bool]:
    """Whether one still gets in by the old session, the old password, the old token, and is still called."""
    new = Client()
    sign_in(new)
    return [
        browser.get(reverse("account_email")).status_code == 200,
        signed_in(new),
        tokens.find_token(raw) is not None,
        Webhook.objects.filter(player=user.player).exists(),
    ]


def test_a_code_that_proves_the_address_ends_what_others_began_with_it(client: Client, begun) -> None:
    assert is_open_to(*begun) == [True] * 4
    ask_for_code(client, "onna@example.org")
    page = client.post(reverse("account_confirm_login_code"), {"code": mailed_code()}, follow=True)
    assert signed_in(client)
    assert "This is the first proof that the address is yours." in page.content.decode()
    assert is_open_to(*begun) == [False] * 4


def test_a_reset_that_proves_the_address_leaves_the_new_password_only(client: Client, begun) -> None:
    new = reset_password(client)
    assert is_open_to(*begun) == [False] * 4
    sign_in(client, password=new)
    assert signed_in(client)
    assert EmailAddress.objects.get().verified


def test_a_reset_of_a_proven_address_ends_sessions_and_tokens(client: Client, begun) -> None:
    EmailAddress.objects.update(verified=True)
    reset_password(client)
    assert is_open_to(*begun) == [False, False, False, True]


def reset_password(client: Client) -> str:
    client.post(reverse("account_reset_password"), {"email": "onna@example.org"})
    address = re.search(r"https?://[^/]+(/\S+/password/reset/key/\S+)", str(mail.outbox[-1].body))
    assert address
    page = client.get(address[1], follow=True)
    new = "sieben-und-achtzig"
    client.post(page.redirect_chain[-1][0], {"password1": new, "password2": new})
    return new


def confirm_address(browser: Client, **sent: str) -> None:
    user = User.objects.get()
    key = EmailConfirmationHMAC(EmailAddress.objects.get(user=user)).key
    browser.post(reverse("account_confirm_email", args=[key]), sent)
    assert EmailAddress.objects.get(user=user).verified


@pytest.mark.parametrize(("sent", "stays"), [({"mine": "yes"}, True), ({}, False)])
def test_the_link_asks_another_browser_who_opened_the_account(client: Client, begun, sent, stays: bool) -> None:
    key = EmailConfirmationHMAC(EmailAddress.objects.get()).key
    assert (
        "Yes, but somebody else opened it" in client.get(reverse("account_confirm_email", args=[key])).content.decode()
    )
    confirm_address(client, **sent)
    assert is_open_to(*begun) == [stays] * 4


def test_the_link_opened_where_one_is_signed_in_ends_nothing(begun) -> None:
    user, browser, raw = begun
    confirm_address(browser)
    assert is_open_to(user, browser, raw) == [True] * 4


def test_tokens_end_with_the_password_where_their_owner_wishes(begun) -> None:
    user, browser, raw = begun
    change = {"oldpassword": PASSWORD, "password1": "sieben-und-achtzig", "password2": "sieben-und-achtzig"}
    browser.post(reverse("account_change_password"), change)
    assert tokens.find_token(raw) is not None
    again = {"oldpassword": "sieben-und-achtzig", "password1": PASSWORD, "password2": PASSWORD, "end_tokens": "on"}
    browser.post(reverse("account_change_password"), again)
    assert tokens.find_token(raw) is None
    assert User.objects.get(pk=user.pk).check_password(PASSWORD)


def test_a_session_that_has_ended_leaves_nothing_of_its_browser(client: Client, make_user: MakeUser) -> None:
    make_user()
    sign_in(client)
    tasks.clean()
    assert UserSession.objects.count() == 1
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    tasks.clean()
    assert not Session.objects.exists()
    assert not UserSession.objects.exists()


# What a stranger cannot do to somebody


def test_wrong_passwords_of_a_stranger_keep_nobody_out(make_user: MakeUser, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/300s/key"}
    make_user()
    stranger, owner = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for _try in range(6):
        page = sign_in(stranger, password="wrong-wrong")
    assert "Too many failed login attempts" in page.content.decode()
    sign_in(stranger)
    assert not signed_in(stranger), "the stranger is kept out, even with the right one"
    sign_in(owner)
    assert signed_in(owner)


def test_an_address_without_account_is_written_to_once_a_day(settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    for number in range(4):
        visitor = Client(REMOTE_ADDR=f"192.0.2.{number}")
        visitor.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
        ask_for_code(visitor, "Nobody@example.org")
    assert len(mail.outbox) == 1


def test_links_for_new_passwords_are_limited_for_each_address(make_user: MakeUser, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    make_user()
    for number in range(forms.CODES_TO_ONE + 2):
        Client(REMOTE_ADDR=f"192.0.2.{number}").post(reverse("account_reset_password"), {"email": "onna@example.org"})
    assert len(mail.outbox) == forms.CODES_TO_ONE


# The log of it


def test_the_log_says_who_came_in_and_gives_no_address_away(client: Client, make_user: MakeUser, caplog) -> None:
    caplog.set_level("INFO", "security")
    user = make_user()
    sign_in(client, password="wrong-wrong")
    sign_in(client)
    client.post(reverse("account_logout"))
    said = [record.getMessage() for record in caplog.records if record.name == "security"]
    assert [line.split(" player=")[0] for line in said] == ["sign-in failed", "signed in", "signed out"]
    assert f"player={user.player.public_id} " in said[1]
    assert "127.0.0.1" not in " ".join(said)
    assert "onna" not in " ".join(said)
    assert len({line.rsplit("from=")[1] for line in said}) == 1
