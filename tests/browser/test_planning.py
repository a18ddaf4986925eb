"""A tournament from its announcement to its till in a real browser: every page is sound, on the phone as at a desk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import looks, pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def sound(page: Page) -> None:
    """Nothing serious for axe, nothing wider than the page."""
    assert serious(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px too wide"


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "dark"), (DESK, "light")))
@pytest.mark.slow
def test_a_tournament_is_announced_planned_and_opened(
    page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    page.goto(live_site.url + "/en/account/signup/?next=/en/clubs/new/")
    page.get_by_label("E-mail").fill(f"plan-{theme}@example.ch")
    page.get_by_label("Password").fill("seventy-eight cards")
    press(page.get_by_role("main").get_by_role("button", name="Make an account"))
    page.wait_for_url("**/en/clubs/new/")  # so the address before ended, too
    page.get_by_label("Name of the club").fill("Troccas Disentis")
    page.get_by_label("First name").fill("Petra")
    press(page.get_by_role("button", name="Found the club"))
    page.wait_for_url("**/c/troccas-disentis*/")

    page.goto(page.url + "tournaments/new/")
    for fold in page.locator("details.fold summary").all():
        fold.click()
    sound(page)
    expect(page.get_by_text("How pairs meet")).to_be_hidden()
    page.get_by_label("fixed pairs").check()
    expect(page.get_by_text("How pairs meet")).to_be_visible()
    expect(page.get_by_text("How tables are made")).to_be_hidden()
    leftover = page.locator(".for-pair").get_by_text("If the number does not fit")
    expect(leftover).to_be_visible()
    page.get_by_label("knock-out: losers are out").check()
    expect(leftover).to_be_hidden()
    page.get_by_label("single players; partners change").check()
    page.get_by_label("Name", exact=True).fill("Club evening")
    press(page.get_by_role("button", name="Announce it"))
    expect(page.locator(".errorlist")).to_contain_text("Write when it begins.")
    page.get_by_label("Date and time").fill("2036-11-28T19:30")
    page.get_by_label("Fee for each person").fill("10.–")
    press(page.get_by_role("button", name="Announce it"))
    page.wait_for_url(re.compile(r"/e/\w+/people/$"))
    base = page.url.removesuffix("people/")
    sound(page)

    page.goto(base + "people/add/")
    page.get_by_label("Petra").check()
    sound(page)
    press(page.get_by_role("button", name="Enter these"))
    page.wait_for_url("**/people/")
    sound(page)
    page.get_by_label("More about Petra").click()
    press(page.get_by_role("link", name="Substitute, fee, category"))
    sound(page)
    for address in pages("dry-run/", "codes/", "settings/", "enter/", later=("people/apart/", "cancel/")):
        page.goto(base + address)
        sound(page)
    page.goto(base + "people/")
    press(page.get_by_role("button", name="Open the door"))
    expect(page.get_by_text("The door is open.")).to_be_visible()
    page.get_by_role("button", name="Petra: here, not paid yet").click()
    expect(page.locator(".figures dd").first).to_have_text("1 / 1")
    sound(page)
    page.goto(base + "till/")
    page.get_by_text("Coins and notes").click()
    sound(page)
    press(page.get_by_role("button", name=re.compile(r"^paid\s*: Petra")))
    expect(page.get_by_text("Nobody who is here owes anything.")).to_be_visible()
