"""Every page that stands by itself: axe finds nothing serious, nothing runs out of the page, in every size and theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

PAGES = (
    "/en/",
    "/en/games/",
    "/en/fair/",
    "/en/privacy/",
    "/en/positions/",
    "/en/puzzles/",
    "/en/puzzles/today/",
    "/en/watch/",
    "/en/clubs/",
    "/en/clubs/new/",
    "/en/account/login/",
    "/en/account/signup/",
    "/en/account/password/reset/",
    "/en/you/",
    "/g/zzzzzzzzzzz/",
)
LANGUAGES = ("de", "rm-sursilv")


def sound(page: Page, address: str) -> None:
    page.goto(address)
    assert serious(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{address} is {wide} px too wide"


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
def test_every_page_is_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for path in PAGES:
        sound(page, live_site.url + path)


@pytest.mark.parametrize("viewport", [PHONE])
@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_longer_words_fit_too(page: Page, live_site: LiveSite, viewport: dict[str, int], language: str) -> None:
    for path in PAGES:
        sound(page, live_site.url + path.replace("/en/", f"/{language}/"))


@pytest.mark.parametrize("viewport", [PHONE])
def test_signing_up_keeps_the_game_one_has_begun(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + "/en/")
    press(page.get_by_role("button", name="Play now"))
    page.wait_for_url("**/g/*/")
    table = page.url
    page.goto(live_site.url + "/en/account/signup/")
    page.get_by_label("E-mail").fill("anna@example.ch")
    page.get_by_label("Password").fill("seventy-eight cards")
    page.get_by_role("main").get_by_role("button", name="Make an account").click()
    page.wait_for_url("**/en/")
    page.goto(table)
    expect(page.locator("#table")).to_have_attribute("data-yours", "yes")
    assert sum(cookie["name"] == "guest" for cookie in page.context.cookies()) == 0


@pytest.mark.parametrize("viewport", [PHONE])
def test_leaving_a_table_asks_once(page: Page, live_site: LiveSite, viewport: dict[str, int]) -> None:
    page.goto(live_site.url + "/en/")
    press(page.get_by_role("button", name="Play now"))
    page.wait_for_url("**/g/*/")
    sound(page, page.url + "leave/")
    press(page.get_by_role("main").get_by_role("button", name="Leave and end the game"))
    page.wait_for_url("**/g/*/")
    expect(page.locator("#table")).to_have_attribute("data-status", "resigned")


@pytest.mark.parametrize("viewport", [PHONE])
def test_on_the_first_screen_of_a_phone_a_newcomer_sees_where_to_be_shown(
    page: Page, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    for language in ("en", "de"):
        page.goto(f"{live_site.url}/{language}/")
        people, guided = (
            page.locator(".people-glance").bounding_box(),
            page.locator("form[action*=learn] .big").bounding_box(),
        )
        assert people is not None
        assert guided is not None
        assert people["y"] + people["height"] <= guided["y"]
        assert guided["y"] + guided["height"] <= viewport["height"]
