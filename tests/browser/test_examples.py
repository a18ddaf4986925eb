"""Examples in a real browser: tried by hand and by keyboard, answered without script, unfolded on paper, played on from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

ARTICLE = "/en/rules/troccas/"


def example(page: Page, kind: str) -> Locator:
    return page.locator(f'.example[data-kind="{kind}"]').first


@pytest.mark.slow
@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_examples_fit_and_are_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    page.goto(live_site.url + ARTICLE)
    for summary in page.locator(".example-answer > summary").all():
        summary.click()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_card_that_is_tried_says_whether_and_why(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + ARTICLE)
    shown = example(page, "play")
    said = shown.get_by_role("status")
    expect(said).to_have_text("Try a card.")
    shown.locator('li[data-good="no"] button').first.click()
    expect(said).to_have_text(re.compile("^No. "))
    height = shown.evaluate("example => example.offsetHeight")
    good = shown.locator('li[data-good="yes"] button').first
    good.focus()
    page.keyboard.press("Enter")
    expect(said).to_have_text(re.compile("^Yes. "))
    assert shown.evaluate("example => example.offsetHeight") == height, "nothing moves while one tries"


@pytest.mark.parametrize("viewport", [PHONE])
def test_the_winner_of_a_trick_is_guessed(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + ARTICLE)
    shown = example(page, "trick")
    shown.locator('li[data-good="yes"] button').first.click()
    expect(shown.get_by_role("status")).to_contain_text("wins")


@pytest.mark.parametrize("viewport", [PHONE])
def test_without_script_the_answer_unfolds(browser: Browser, live_site: LiveSite, viewport: dict[str, int]) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(live_site.url + ARTICLE)
    shown = example(page, "play")
    assert not shown.locator(".example-cards button").count()
    shown.locator("summary").click()
    expect(shown.get_by_text("May be played", exact=True)).to_be_visible()
    context.close()


@pytest.mark.parametrize("viewport", [DESK])
def test_on_paper_every_answer_is_open(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + ARTICLE)
    page.emulate_media(media="print")
    shown = example(page, "play")
    assert shown.get_by_text("May be played", exact=True).is_visible()
    assert not shown.get_by_text("Play on from here").is_visible()
    assert page.locator(".example-answer[open]").count() == 0


@pytest.mark.parametrize("viewport", [PHONE])
def test_one_plays_on_from_an_example(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + ARTICLE)
    shown = example(page, "play")
    held = shown.locator(".example-hand > li").count()
    title = shown.locator(".example-title").inner_text()
    press(shown.get_by_role("button", name=f"Play on from here {title}", exact=True))
    page.wait_for_url("**/g/*/")
    page.wait_for_selector('#table[data-yours="yes"]')
    expect(page.locator(".hand .held")).to_have_count(held)
    assert serious(page) == []
    page.locator(".practice-of a").click()
    page.wait_for_url("**/rules/troccas/#example-*")
