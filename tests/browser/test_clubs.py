"""A club from its founding to its house rules in a real browser: every page is sound, on the phone as at a desk."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.clubs import kit
from tests.live import DESK, PHONE, press, serious, session_of
from tests.long import looks, pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def sound(page: Page) -> None:
    assert serious(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_a_club_is_founded_and_looked_after(
    page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    page.goto(live_site.url + "/en/account/signup/?next=/en/clubs/new/")
    page.get_by_label("E-mail").fill(f"{theme}@example.ch")
    page.get_by_label("Password").fill("seventy-eight cards")
    press(page.get_by_role("main").get_by_role("button", name="Make an account"))
    page.wait_for_url("**/en/clubs/new/")  # so the address before ended, too
    sound(page)
    page.get_by_label("Name of the club").fill("Troccas Trun")
    page.get_by_label("First name").fill("Petra")
    press(page.get_by_role("button", name="Found the club"))
    page.wait_for_url("**/c/troccas-trun*/")
    home = page.url
    sound(page)

    page.goto(home + "members/new/")
    page.get_by_label("First name").fill("Maria")
    page.get_by_label("Last name").fill("Cadruvi")
    press(page.get_by_role("button", name="Enter"))
    page.wait_for_url("**/members/")
    press(page.get_by_role("link", name="Maria Cadruvi"))
    page.wait_for_url("**/members/*/")
    sound(page)

    page.goto(home + "calendar/new/")
    page.get_by_label("What", exact=True).fill("Club evening")
    page.get_by_label("Begins").fill((timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT19:30"))
    press(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("heading", name="Club evening")).to_be_visible()

    page.goto(home + "rules/edit/")
    sound(page)
    page.get_by_label("Rounds", exact=True).fill("0")
    press(page.get_by_role("button", name="Save as a new version"))
    expect(page.locator(".errorlist")).to_contain_text("1 to 100")
    sound(page)
    page.get_by_label("Rounds", exact=True).fill("4")
    press(page.get_by_role("button", name="Save as a new version"))
    page.wait_for_url("**/rules/")

    for path in pages(
        "edit/", "me/", "members/", "members/import/", "rules/", "rules/compare/", "calendar/", "news/", "seasons/",
        later=("close/", "requests/", "news/new/", "seasons/new/"),
    ):  # fmt: skip
        page.goto(home + path)
        sound(page)


def presided() -> tuple[str, str, str]:
    """A club: where its news are written, and its president's address and session."""
    petra = kit.person("Petra Pfister")
    assert petra.user is not None
    petra.user.set_password("seventy-eight cards")
    petra.user.save()
    return f"/c/{kit.club_of(petra).slug}/news/new/", petra.user.email, session_of(petra.user)


@pytest.mark.parametrize("about_oneself", [False, True], ids=["a page that says so", "straight to signing in"])
def test_what_was_written_stands_in_the_form_after_signing_in(
    page: Page, live_site: LiveSite, about_oneself: bool
) -> None:
    news, address, session = live_site.call(presided)
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_site.url}])
    page.goto(live_site.url + ("/en/you/profile/" if about_oneself else news))
    written, sends = page.locator("main textarea"), page.locator("main form button").last
    written.fill("A story that nobody writes twice.")
    page.context.clear_cookies(name="sessionid")
    press(sends)
    if not about_oneself:
        press(page.get_by_role("main").get_by_role("link", name="Sign in"))
    page.get_by_label("E-mail").fill(address)
    page.get_by_label("Password").fill("seventy-eight cards")
    press(page.get_by_role("main").get_by_role("button", name="Sign in", exact=True))
    expect(written).to_have_value("A story that nobody writes twice.")
    press(sends)
    page.goto(live_site.url + news)
    expect(written).to_have_value("")
