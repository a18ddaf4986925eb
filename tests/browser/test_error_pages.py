"""Error pages in every language, as a browser shows them."""

from __future__ import annotations

import pytest

from tests.live import PHONE, serious

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.parametrize("language", ["en", "de", "rm-sursilv"])
def test_an_error_page_is_accessible_and_keeps_to_the_policy(live_site, page, language):
    page.goto(f"{live_site.url}/{language}/nothing/here/")
    assert page.locator("html").get_attribute("lang") == (
        "de" if language == "rm-sursilv" else language
    )  # most of it is German
    assert page.locator("h1").inner_text()
    assert serious(page) == []
