"""The pages of the API in a real browser: a token is made, copied, and tried on the spot."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser
PASSWORD = "seventy-eight cards"


@pytest.mark.parametrize("viewport", looks(PHONE, DESK))
@pytest.mark.parametrize("path", ["/en/api/", "/en/api/reference/"])
@pytest.mark.slow(but="/en/api/-viewport0")
def test_the_pages_fit_and_are_accessible(live_site: LiveSite, page: Page, path: str):
    page.goto(live_site.url + path)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious(page) == []


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_token_is_made_and_tried(live_site: LiveSite, page: Page):
    page.goto(live_site.url + "/en/account/signup/")
    page.get_by_label("E-mail").fill(f"{uuid4().hex[:10]}@example.ch")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Make an account").click()
    page.wait_for_url("**/en/")
    page.goto(live_site.url + "/en/you/programs/")
    if "reauthenticate" in page.url:  # the site asks who it is before it makes a token
        page.get_by_label("Password").fill(PASSWORD)
        press(page.get_by_role("button", name="Go on"))
    page.get_by_label("Name of the program").fill("Bot")
    page.get_by_label("begin games and act in them for you").check()
    press(page.get_by_role("button", name="Make the token"))
    shown = page.get_by_label("Copy it now")
    expect(shown).to_be_visible()
    raw = shown.input_value()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious(page) == []

    page.goto(live_site.url + "/en/api/reference/#shape-Legal")
    expect(page.locator("#shape-Legal dl")).to_be_visible()
    asked = page.locator("details", has=page.get_by_text("/api/v1/play/me", exact=True)).first
    asked.locator("summary").click()
    asked.get_by_role("button", name="Send").click()
    expect(asked.locator(".api-try pre")).to_contain_text("no-token")
    page.get_by_label("Your token").fill(raw)
    asked.get_by_role("button", name="Send").click()
    expect(asked.locator(".api-try pre")).to_contain_text('"games:play"')

    page.goto(live_site.url + "/en/you/programs/")
    expect(page.get_by_text("Bot", exact=True)).to_be_visible()
    assert raw not in page.content()
    press(page.get_by_role("button", name="Revoke"))
    expect(page.get_by_text("There is none yet.")).to_be_visible()
