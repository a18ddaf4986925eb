"""A puzzle in a real browser: answered by a card, with script and without, sound before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.puzzles.stored import all_puzzles, view_of
from tests.live import DESK, PHONE, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def first(question: str) -> str:
    """The name of a puzzle in which this is asked."""
    return next(puzzle.name for puzzle in all_puzzles().values() if view_of(puzzle).asked == question)


def sound(page: Page) -> None:
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_a_card_is_pressed_and_the_answer_told(
    page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    name = first("play")
    page.goto(f"{live_site.url}/en/puzzles/{name}/")
    page.locator("details.fold").last.locator("summary").click()
    sound(page)
    page.locator(f'button[value="{all_puzzles()[name].instead}"]').press("Enter")
    expect(page.get_by_role("heading", name="Not the best")).to_be_visible()
    sound(page)
    page.get_by_role("link", name="See all cards, and play on").click()
    expect(page.get_by_role("button", name="Play on from here")).to_be_visible()


def test_who_lays_away_too_few_cards_is_told_so_where_they_are(page: Page, live_site: LiveSite) -> None:
    page.goto(f"{live_site.url}/en/puzzles/{first('scart')}/")
    page.get_by_role("button", name="Lay away").press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()


def test_cards_are_laid_away_without_script(browser: Browser, live_site: LiveSite) -> None:
    page = browser.new_context(java_script_enabled=False, viewport=PHONE).new_page()
    name = first("scart")
    page.goto(f"{live_site.url}/en/puzzles/{name}/")
    for code in str(all_puzzles()[name].best).split()[1:]:
        page.locator(f'input[value="{code}"]').check()
    page.get_by_role("button", name="Lay away").click()
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
