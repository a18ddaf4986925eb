"""Pages of words in a real browser: sound in every size and theme, narrowed down while typing, a booklet on paper."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.live import DESK, PHONE, press, serious
from tests.long import looks, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

PAGES = pages(
    "words/",
    "words/list/?game=troccas&explained=yes",
    "words/elsewhere/",
    "words/ranks-king/",
    "words/phrases-da-muster/",
    later=("words/list/?from=en&to=de&order=theme", "words/phrases/", "words/trumps-21/", "words/scart/"),
)
A6 = (298, 420)  # points
CUT_OFF = """() => [...document.querySelectorAll(".list-form select")].filter(select => {
    const alone = select.cloneNode();
    alone.append(select.selectedOptions[0].cloneNode(true));
    alone.style.inlineSize = "max-content";
    select.after(alone);
    const needed = alone.offsetWidth;
    alone.remove();
    return needed > select.offsetWidth;
}).map(select => select.selectedOptions[0].textContent)"""
STICKING_OUT = """() => [...document.querySelectorAll(".phrase")].filter(
    row => row.scrollWidth > row.clientWidth
).map(row => row.textContent.trim())"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("viewport", "theme", "language"),
    looks((PHONE, "light", "de"), (DESK, "dark", "en"), (PHONE, "dark", "rm-sursilv")),
)
def test_every_page_of_words_is_sound(page: Page, live_site: LiveSite, theme: str, language: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    for path in PAGES:
        page.goto(f"{live_site.url}/{language}/{path}")
        assert page.locator("h1").count() == 1
        assert serious(page) == [], path
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} px too wide"


@pytest.mark.parametrize("viewport", [PHONE])
def test_the_list_narrows_down_while_one_types(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(f"{live_site.url}/en/words/list/?game=troccas")
    rows = page.locator(".lexicon tbody tr:not(.group):visible")
    everything = rows.count()
    page.get_by_label("Containing").fill("VÁCCA")
    expect(rows).to_have_count(1)
    assert rows.all_inner_texts() == ["la vacca f.\tthe World"]
    assert page.locator(".lexicon .group:visible").all_inner_texts() == ["V"]
    page.get_by_label("Containing").fill("")
    assert everything > 50
    expect(rows).to_have_count(everything)


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_what_is_chosen_and_how_strong_a_phrase_is_can_be_read_whole(page: Page, live_site: LiveSite) -> None:
    for language in ("de", "en", "fr", "it"):
        page.goto(f"{live_site.url}/{language}/words/list/")
        assert page.evaluate(CUT_OFF) == [], language
        page.goto(f"{live_site.url}/{language}/words/phrases/")
        assert page.evaluate(STICKING_OUT) == [], language


def test_on_paper_a_row_of_the_phrase_book_holds_what_it_says(page: Page, live_site: LiveSite) -> None:
    page.set_viewport_size({"width": 637, "height": 800})  # what the margins leave of a sheet of A4
    page.emulate_media(media="print")
    for language in ("de", "it"):
        page.goto(f"{live_site.url}/{language}/words/phrases/")
        assert page.evaluate(STICKING_OUT) == [], language
        assert page.evaluate("""() => {
            const size = element => parseFloat(getComputedStyle(element).fontSize);
            return [...document.querySelectorAll(".phrase small")].every(small => size(small) <= size(small.parentElement));
        }""")


def test_the_form_asks_for_another_list_without_a_script(browser: Browser, live_site: LiveSite) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=DESK)
    page = context.new_page()
    page.goto(f"{live_site.url}/en/words/list/")
    page.get_by_label("From").select_option("de")
    page.get_by_label("Into").select_option("rm-sursilv")
    page.get_by_label("Game").select_option("troccas")
    page.get_by_label("Containing").fill("retg")
    press(page.get_by_role("button", name="Show"))
    expect(page.locator(".lexicon")).to_contain_text("König")
    press(page.get_by_role("link", name="Swap the languages"))
    expect(page.get_by_label("From")).to_have_value("rm-sursilv")
    context.close()


def test_the_same_word_elsewhere_begins_on_its_first_sheet(page: Page, live_site: LiveSite) -> None:
    page.goto(f"{live_site.url}/en/words/elsewhere/")
    sheets = PdfReader(io.BytesIO(page.pdf(format="A4", prefer_css_page_size=True))).pages
    assert "France" in sheets[0].extract_text().replace("tarot of France", "")


def test_the_word_list_prints_as_a_booklet_with_the_way_back(page: Page, live_site: LiveSite) -> None:
    page.goto(f"{live_site.url}/en/words/list/?game=troggu")
    sheets = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True))
    assert sheets
    assert {(round(float(width)), round(float(height))) for width, height in sheets} == {A6}
    page.emulate_media(media="print")
    assert page.locator(".qr-print .qr").is_visible()
    assert not page.locator(".list-form").is_visible()


@pytest.mark.parametrize("viewport", [PHONE])
def test_on_a_phone_every_cell_of_the_comparison_says_where_it_is_said(
    page: Page, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    page.goto(f"{live_site.url}/en/words/elsewhere/")
    row = page.locator("tr", has_text="cups").first
    assert row.locator(".cell-label:visible").all_inner_texts() == ["Surselva", "Valais", "France", "German"]
