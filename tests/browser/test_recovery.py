"""Who has forgotten their password gets in again by a letter, read from a real mail server, in a real browser."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Player, User
from tests.live import DESK, PATIENCE, PHONE, serious
from tests.long import looks
from tests.notices.post_office import mail_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import Sites
    from tests.notices.post_office import MailServer

pytestmark = pytest.mark.browser


def onna() -> None:
    """Onna has an account with a confirmed address."""
    user = User.objects.create_user("onna@example.org", "neun-und-dreissig")
    Player.objects.create(user=user, name="Onna")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def letter(server: MailServer, number: int) -> str:
    """The text of a letter, when it has come."""
    end = time.monotonic() + PATIENCE
    while len(server.letters) < number and time.monotonic() < end:
        time.sleep(0.05)
    text = server.letters[number - 1].get_body(("plain",))
    assert text is not None
    return str(text.get_content())


def link_in(text: str) -> str:
    found = re.search(r"https?://\S+/account/password/reset/key/\S+", text)
    assert found is not None, text
    return found[0]


def sound(page: Page) -> None:
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
@pytest.mark.slow
def test_a_forgotten_password_is_changed_by_a_letter_that_works_once(page: Page, sites: Sites, viewport, theme) -> None:
    from playwright.sync_api import expect

    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    with mail_server() as server:
        site = sites.start(EMAIL_URL=f"smtp://127.0.0.1:{server.port}")
        try:
            site.call(onna)
            page.goto(site.url + "/en/account/login/")
            page.get_by_role("link", name="Forgotten your password?").click()
            expect(page.get_by_role("heading", name="Forgotten your password?")).to_be_visible()
            sound(page)
            page.get_by_label("E-mail address").fill("onna@example.org")
            page.get_by_role("button", name="Send the link").click()
            expect(page.get_by_role("heading", name="Check your e-mail")).to_be_visible()
            sound(page)
            address = link_in(letter(server, 1))
            assert server.letters[0]["To"] == "onna@example.org"
            page.goto(address)
            expect(page.get_by_role("heading", name="Choose a new password")).to_be_visible()
            sound(page)
            fields = page.locator("main input[type=password]")
            for place in range(fields.count()):
                fields.nth(place).fill("vierzig-und-eins")
            page.get_by_role("button", name="Change password").click()
            expect(page.get_by_role("heading", name="Your password is changed")).to_be_visible()
            sound(page)
            assert "password" in letter(server, 2).lower(), "its owner is told that it was changed"
            page.goto(address)
            expect(page.get_by_role("heading", name="This link no longer works")).to_be_visible()
            sound(page)
            page.goto(site.url + "/en/account/login/")
            for password, fits in (("neun-und-dreissig", False), ("vierzig-und-eins", True)):
                page.get_by_label("E-mail address").fill("onna@example.org")
                page.get_by_label("Password", exact=True).fill(password)
                page.get_by_role("button", name="Sign in", exact=True).click()
                if not fits:
                    expect(page.locator(".errorlist")).to_be_visible()
            expect(page.locator(".site-header .account")).to_have_text("Onna")
        finally:
            sites.close(site)
