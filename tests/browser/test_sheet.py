"""The rule sheet on paper: A4, a few pages, sound on the screen too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

GAMES = ("troccas", "troccas-3", "troccas-6", "troccas-oinkers", "troggu", "troggu-st-niklaus")
PAGE = re.compile(rb"/Type\s*/Page\b")
AT_MOST = 4


@pytest.mark.parametrize("viewport", [DESK])
@pytest.mark.parametrize("language", looks("en", "de"))
def test_a_rule_sheet_is_a_few_pages_of_a4(
    page: Page, live_site: LiveSite, viewport: dict[str, int], language: str
) -> None:
    for game in GAMES:
        page.goto(f"{live_site.url}/{language}/rules/{game}/sheet/")
        printed = page.pdf(prefer_css_page_size=True)
        assert re.search(rb"/MediaBox \[0 0 59[45][\d.]* 84[12]", printed), "A4"
        assert 1 <= len(PAGE.findall(printed)) <= AT_MOST, game


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_a_rule_sheet_is_sound_on_the_screen(
    page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str
) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    page.goto(live_site.url + "/en/rules/troccas/")
    press(page.get_by_role("link", name="Rule sheet"))
    page.wait_for_url("**/rules/troccas/sheet/")
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.emulate_media(media="print")
    for hidden in (".site-header", ".site-footer", "[data-print]"):
        assert page.locator(hidden).first.is_hidden(), hidden
    assert page.locator(".sheet-code .qr").is_visible()
