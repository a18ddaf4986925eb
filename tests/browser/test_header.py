"""The head of every page in a real browser: it fits a phone in every language, says how much waits, and keeps itself right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_mine import act, lay
from tests.live import DESK, PHONE, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
@pytest.mark.slow
def test_it_fits_in_every_language_and_names_its_numbers(page: Page, live_site: LiveSite, viewport, theme) -> None:
    from playwright.sync_api import expect

    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    tables = lay(page, live_site)
    for path in ("/en/", "/de/rules/", "/rm-sursilv/my-games/", f"/g/{tables[1]}/"):
        page.goto(live_site.url + path)
        games, bell = page.locator(".site-header .my-games"), page.locator(".site-header .bell")
        expect(games.locator("[data-count]")).to_have_text("3")
        expect(bell.locator("[data-count]")).to_have_text("3")
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        for link in (games, bell):
            box = link.bounding_box()
            assert box is not None
            assert box["height"] >= 40
            assert box["width"] >= 40
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= viewport["width"]
        assert serious(page) == []
    page.goto(live_site.url + "/en/fair/")
    page.get_by_role("link", name=re.compile("My games 3 waiting for you")).click()
    expect(page.get_by_role("heading", name="My games")).to_be_visible()
    page.get_by_role("link", name=re.compile("Notices 3 unread")).click()
    expect(page.get_by_role("heading", name="Notices")).to_be_visible()


@pytest.mark.parametrize("viewport", [{"width": 320, "height": 640}])
def test_on_the_narrowest_phone_whoever_plays_has_all_of_it_in_one_line(
    page: Page, live_site: LiveSite, viewport
) -> None:
    tables = lay(page, live_site)
    for path in ("/de/", f"/g/{tables[1]}/"):
        page.goto(live_site.url + path)
        tops = page.locator(".site-header > :is(.wordmark, .waits, .account, .menu)").evaluate_all(
            "all => all.map((one) => Math.round((one.getBoundingClientRect().top + one.getBoundingClientRect().bottom) / 2))"
        )
        assert len(tops) == 5
        assert max(tops) - min(tops) < 8, path
        assert page.get_by_role("banner").get_by_role("link", name="Troccas").count() == 1


def test_both_numbers_follow_what_happens_on_any_page_and_so_does_the_title(page: Page, live_site: LiveSite) -> None:
    from playwright.sync_api import expect

    tables = lay(page, live_site)
    page.goto(live_site.url + "/en/fair/")
    games, bell = (page.locator(f".site-header {name} [data-count]") for name in (".my-games", ".bell"))
    expect(games).to_have_text("3")
    expect(page).to_have_title(re.compile(r"^\(3\) "))
    live_site.call(act, tables[1])  # she plays on another device
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(games).to_have_text("2")
    expect(bell).to_have_text("2")
    expect(page).to_have_title(re.compile(r"^\(2\) "))
