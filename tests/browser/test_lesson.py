"""The guided hand in a real browser: played to the end by the teacher's suggestions, on a phone, and without script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.table_player import hurry, reload_until_turn
from tests.live import PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("viewport", [PHONE])]

# The page may hear that it is our turn before it has the answer to what we did last; until then it takes nothing new.
YOURS_OR_OVER = ':is(#table[data-yours="yes"], #table:not([data-status="playing"])):not([aria-busy="true"])'


def begin(page: Page, site: LiveSite) -> None:
    page.goto(f"{site.url}/en/")
    press(page.get_by_role("button", name="Show me how"))
    page.get_by_role("heading", name="Learn Troccas by playing it").wait_for()


def on_turn(page: Page) -> bool:
    """Wait until something is asked; False when the hand is over."""
    page.wait_for_selector(YOURS_OR_OVER)
    return page.get_attribute("#table", "data-status") == "playing"


def follow(page: Page) -> None:
    """Ask for the suggestion and do it."""
    number = page.get_attribute("#table", "data-number")
    page.locator(".lesson-hint > summary").click()
    assert page.locator(".lesson-hint b").inner_text().strip()
    page.get_by_role("button", name="Do that").click()
    page.wait_for_selector(f'#table:not([data-number="{number}"])')


def test_the_lesson_is_played_to_its_end_by_its_suggestions(page: Page, live_site: LiveSite) -> None:
    begin(page, live_site)
    assert serious(page) == []
    hurry(live_site)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector('#table[data-asked="cut"]')
    told: list[str] = []
    while on_turn(page):
        topic = page.get_attribute(".lesson", "data-topic") or ""
        if topic in looks("follow", "cut", "talk", "pair", "call"):
            assert serious(page) == [], topic
        if topic != "own":
            assert told.count(topic) == 0, "nothing is explained twice"
        assert page.get_by_role("button", name="Do that").is_hidden(), "the suggestion waits to be asked for"
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        if page.get_attribute("#table", "data-asked") == "play" and topic != "pair":
            assert page.evaluate("document.querySelector('.play').getBoundingClientRect().bottom") <= PHONE["height"]
        told.append(topic)
        follow(page)
    assert {"follow", "trump", "excuse", "pair", "smear", "jack-came", "fool-debt", "values"} <= set(told)
    assert page.locator(".lesson-count dd").last.inner_text().startswith("+")
    assert serious(page) == []
    press(page.get_by_role("button", name="Now play a whole game"))
    page.get_by_role("button", name="Draw and begin").wait_for()
    page.goto(f"{live_site.url}/en/")
    expect(page.get_by_role("button", name="Show me how")).to_have_count(0)


def test_the_lesson_works_without_script(browser: Browser, viewport: dict[str, int], live_site: LiveSite) -> None:
    context = browser.new_context(viewport=viewport, java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    begin(page, live_site)
    hurry(live_site)
    press(page.get_by_role("button", name="Begin", exact=True))
    page.get_by_role("heading", name="You cut the pack").wait_for()
    follow(page)
    assert reload_until_turn(page).yours
    assert page.get_attribute(".lesson", "data-topic") in ("talk", "follow")
    follow(page)
    context.close()
