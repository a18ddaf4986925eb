"""The search field in a browser: suggestions by keyboard and pointer, the page in every size, and without script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

PAGES = ("/en/search/", "/en/search/?q=king+and+jack", "/de/search/?q=zaehlen&page=2", "/rm-sursilv/search/?q=qqqqqq")


def field(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("combobox")


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "dark"), (DESK, "light")))
def test_the_page_is_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for path in PAGES:
        page.goto(live_site.url + path)
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("viewport", [PHONE])
def test_suggestions_are_chosen_by_keyboard(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + "/en/search/")
    box = field(page)
    expect(box).to_have_attribute("aria-expanded", "false")
    box.fill("schwae")  # at once: letter by letter, each asks for a list of its own
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("Schwäärti")
    expect(box).to_have_attribute("aria-expanded", "true")
    assert serious(page) == []
    box.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", options.first.get_attribute("id") or "")
    box.press("ArrowUp")
    expect(page.get_by_role("option", selected=True)).to_have_count(0)
    box.press("Escape")
    expect(options.first).to_be_hidden()
    expect(box).to_have_value("schwae")
    box.press("ArrowDown")
    box.press("ArrowDown")
    box.press("Enter")
    page.wait_for_url("**/en/words/suits-swords/")


def test_that_nothing_is_suggested_is_said(page: Page, live_site: LiveSite) -> None:
    page.goto(live_site.url + "/en/search/")
    box = field(page)
    box.fill("tgaussetta")
    expect(page.get_by_role("main").get_by_role("search").get_by_role("status")).to_have_text("0 suggestions")
    expect(box).to_have_attribute("aria-expanded", "false")


def test_a_suggestion_in_the_header_opens_at_a_touch(page: Page, live_site: LiveSite) -> None:
    page.goto(live_site.url + "/en/")
    box = page.get_by_role("banner").get_by_role("combobox")
    box.fill("tappist")
    page.get_by_role("option").first.click()
    page.wait_for_url("**/en/words/tappist/")


def test_return_searches_for_what_was_typed(page: Page, live_site: LiveSite) -> None:
    page.goto(live_site.url + "/en/")
    box = page.get_by_role("banner").get_by_role("combobox")
    box.fill("naked fool")
    box.press("Enter")
    page.wait_for_url("**/en/search/?q=naked+fool")
    expect(page.locator(".found")).to_contain_text("the naked Fool")


def test_the_field_works_without_script(browser: Browser, live_site: LiveSite) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=DESK)
    page = context.new_page()
    page.goto(live_site.url + "/de/search/")
    page.get_by_role("main").get_by_role("searchbox").fill("schwaerti")
    press(page.get_by_role("main").get_by_role("button"))
    expect(page.locator(".found li").first.get_by_role("link")).to_have_attribute("href", "/de/words/suits-swords/")
    context.close()
