"""What scripts read out, or move about, keeps its language where a page is in two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts import sessions
from core.sursilvan import SURSILVAN
from tests.games.replay_kit import stored
from tests.games.table_kit import laid, person
from tests.live import DESK, PHONE, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def make() -> tuple[str, str, str]:
    player = person(name="Ursina")
    running, over = laid(player), stored("troccas", player=player)
    return sessions.issue_guest_token(player), running.public_id, over.public_id


@pytest.mark.parametrize("viewport", [size for size, _theme in looks((PHONE, "light"), (DESK, "light"))])
def test_what_is_read_out_is_in_the_language_it_says(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    token, running, over = live_site.call(make)
    for name, value in (("guest", token), ("language", SURSILVAN)):
        page.context.add_cookies([{"name": name, "value": value, "url": live_site.url}])
    page.goto(f"{live_site.url}/g/{running}/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("[data-act=ready] button, form[action$='/ready/'] button").first.click()
    said = page.locator("#said p").filter(has_text="entscheiva").first
    expect(said).to_have_attribute("lang", SURSILVAN)
    expect(page.locator("#prompt")).to_have_attribute("lang", SURSILVAN)
    assert serious(page) == []
    page.goto(f"{live_site.url}/g/{over}/hand/1/?step=20")
    for step in range(21, 30):
        page.keyboard.press("ArrowRight")
        expect(page.locator(f'[data-part=board][data-step="{step}"]')).to_be_visible()
        told, now = page.locator(f"#told-{step}"), page.locator("[data-part=now]")
        expect(now).to_have_text(told.inner_text())
        expect(now).to_have_attribute("lang", told.get_attribute("lang") or "de")
    assert serious(page) == []
