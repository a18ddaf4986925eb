"""Reading in a real browser: pages are sound, terms explain themselves, and a page prints as a sheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import looks, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

PAGES = pages(
    "/en/",
    "/rm-sursilv/rules/",
    "/en/rules/troccas/",
    "/en/sources/pagat/",
    "/en/places/surselva/",
    later=("/en/rules/", "/en/rules/known-errors/", "/de/rules/troggu/", "/en/sources/"),
)
TERM = ".article-text > p a.term"
BOX = "#definition-over"


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_every_page_is_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for path in PAGES:
        page.goto(live_site.url + path)
        assert serious(page) == [], path
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} px too wide"


@pytest.mark.parametrize("viewport", [DESK])
@pytest.mark.slow
def test_a_term_explains_itself_on_hover_and_nothing_moves(page: Page, live_site: LiveSite, viewport: object) -> None:
    page.goto(live_site.url + "/en/rules/troccas/")
    term, box = page.locator(TERM).first, page.locator(BOX)
    height = page.evaluate("document.documentElement.scrollHeight")
    before = term.bounding_box()
    term.hover()
    box.wait_for(state="visible")
    assert box.inner_text().strip()
    assert term.get_attribute("aria-describedby") == "definition-over"
    assert (page.evaluate("document.documentElement.scrollHeight"), term.bounding_box()) == (height, before)
    box.hover()  # the pointer may move onto it
    page.wait_for_timeout(400)
    assert box.is_visible()
    page.mouse.move(5, 5)
    box.wait_for(state="hidden")
    assert serious(page) == []


@pytest.mark.parametrize("viewport", [DESK])
def test_a_term_explains_itself_to_the_keyboard_and_escape_closes_it(
    page: Page, live_site: LiveSite, viewport: object
) -> None:
    page.goto(live_site.url + "/en/rules/troccas/")
    page.locator(".outline-wide a").last.focus()
    page.keyboard.press("Tab")
    box = page.locator(BOX)
    box.wait_for(state="visible")
    page.wait_for_timeout(400)
    assert box.is_visible(), "what has the focus keeps its definition"
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('a.term')"), "the focus stays where it was"


def test_the_first_tap_explains_a_term_and_the_second_opens_its_page(browser: Browser, live_site: LiveSite) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.goto(live_site.url + "/en/rules/troccas/")
    address = page.url
    term, box = page.locator(TERM).first, page.locator(BOX)
    term.tap()
    box.wait_for(state="visible")
    assert page.url == address
    found, shown = term.get_attribute("href"), box.bounding_box()
    assert shown is not None
    assert shown["x"] >= 0
    assert shown["x"] + shown["width"] <= PHONE["width"]
    term.tap()
    page.wait_for_url(f"**{found}")
    context.close()


def test_without_script_the_page_is_whole_and_terms_are_links(browser: Browser, live_site: LiveSite) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_site.url + "/en/rules/troccas/")
    assert page.locator(".article-text h2").count() >= 10
    press(page.locator(TERM).first)
    assert "/en/words/" in page.url
    context.close()


@pytest.mark.parametrize("viewport", [DESK])
def test_the_section_one_reads_is_marked(page: Page, live_site: LiveSite, viewport: object) -> None:
    page.goto(live_site.url + "/en/rules/troccas/#counting")
    page.wait_for_selector('.outline-wide a[href="#counting"][aria-current]')
    expect(page.locator(".outline-wide [aria-current]")).to_have_count(1)


@pytest.mark.parametrize("viewport", [PHONE])
def test_the_language_switch_stays_on_the_page(page: Page, live_site: LiveSite, viewport: object) -> None:
    page.goto(live_site.url + "/en/rules/troccas/")
    page.locator("details.menu > summary").click()
    page.locator('button[name="language"][value="de"]').click()
    page.wait_for_url("**/de/rules/troccas/")


@pytest.mark.parametrize("viewport", [DESK])
def test_an_article_prints_as_a_sheet_with_its_address(page: Page, live_site: LiveSite, viewport: object) -> None:
    page.goto(live_site.url + "/en/rules/troccas-6/")
    page.emulate_media(media="print")
    for hidden in (".site-header", ".site-footer", ".outline", ".article-head .actions"):
        assert page.locator(hidden).first.is_hidden(), hidden
    assert page.locator(".qr-print .qr").is_visible()
    assert page.locator(".footnotes .address").first.is_visible()
    folded = page.locator(".article-text details:not([open])").all()
    assert folded
    for fold in folded:
        assert fold.evaluate("fold => [...fold.children].slice(1).some((child) => child.checkVisibility())")
    sheet = page.pdf(prefer_css_page_size=True)
    assert re.search(rb"/MediaBox \[0 0 59[45][\d.]* 84[12]", sheet), "A4"


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_quotation_has_the_marks_of_the_language_around_it(page: Page, live_site: LiveSite, viewport: object) -> None:
    for language, marks in {"de": "«…»", "fr": "«\u202f…\u202f»"}.items():
        page.goto(f"{live_site.url}/{language}/rules/troccas/")
        quotation = page.locator("main q.quotation[lang=en]").first
        opening, closing = quotation.evaluate("q => getComputedStyle(q).quotes").split('"')[1:4:2]
        assert f"{opening}…{closing}" == marks
