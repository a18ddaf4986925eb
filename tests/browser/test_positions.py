"""A position is laid with the cards themselves, checked, shown and played, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, serious

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def lay(page: Page, target: str, *codes: str) -> None:
    page.locator(f'[data-target="{target}"]').click()
    for code in codes:
        page.locator(f'[data-code="{code}"]').click()


def test_somebody_lays_a_position_with_the_cards_and_plays_it(page: Page, live_site: LiveSite) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"{live_site.url}/en/positions/")
    assert serious(page) == []
    lay(page, "hand0", "CK", "CQ", "T21")
    lay(page, "hand1", "C1", "CQ")  # the queen goes over to the other hand
    lay(page, "plays", "CK", "T5")
    expect(page.locator("#id_hand0")).to_have_value("CK T21")
    expect(page.locator("#id_hand1")).to_have_value("C1 CQ")
    expect(page.get_by_label("king of cups, Anna, Played, in order")).to_be_attached()
    page.get_by_role("button", name="Check and show it").click()
    alert = page.get_by_role("alert").first
    expect(alert).to_contain_text("Beat, T5")
    assert serious(page) == []
    lay(page, "plays", "T5", "C1")  # pressed again, it is taken back
    expect(page.locator("#id_plays")).to_have_value("CK C1")
    page.locator('[data-code="C1"]').press("ArrowRight")
    expect(page.locator('[data-code="C2"]')).to_be_focused()
    page.get_by_role("button", name="Check and show it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Troccas, a position")
    assert re.search(r"/p/[\w-]+/$", page.url)
    assert serious(page) == []
    page.set_viewport_size(DESK)
    expect(page.get_by_label("Text for the article")).to_have_value(re.compile('trick = "CK C1"'))
    page.get_by_label("Your seat").select_option("2")
    page.get_by_role("button", name="Play on from here").click()
    expect(page).to_have_url(re.compile("/g/"))
    expect(page.locator("body")).to_contain_text("a position that was set up")


def test_without_script_it_is_a_form(browser, live_site: LiveSite) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_site.url}/en/positions/?table=troggu:5")
    expect(page.locator("[data-pack]")).to_be_hidden()
    page.get_by_label("Anna", exact=True).fill("CK F")
    page.get_by_label("What is played").select_option("solo")
    page.get_by_role("button", name="Check and show it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Troggu of Visp, a position")
