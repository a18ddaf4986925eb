"""The pages about files and the API, and blocks of data under the content policy, in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.live import DESK, PHONE, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_the_pages_are_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for path in ("/en/data/", "/de/data/", "/en/data/api/", "/en/data/import/"):
        page.goto(live_site.url + path)
        assert serious(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} px too wide"


@pytest.mark.parametrize("viewport", [DESK])
def test_the_policy_lets_data_stand_in_a_page(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    for path, kind in (("/en/words/scart/", "DefinedTerm"), ("/en/rules/troccas/", "Article")):
        page.goto(live_site.url + path)
        block = page.locator('script[type="application/ld+json"]')
        assert json.loads(block.text_content() or "")["@type"] == kind
    assert [text for text in said if "Content Security Policy" in text] == []


@pytest.mark.parametrize("viewport", [DESK])
def test_a_file_is_saved_under_its_name(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + "/en/data/")
    with page.expect_download() as download:
        page.locator('a[href="/words.csv?game=troggu"]').click()
    assert download.value.suggested_filename == "words-troggu.csv"
