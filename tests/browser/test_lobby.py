"""Finding a table in a real browser: two people meet, see each other come live, and find themselves in one game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.live import DESK, PHONE, press, serious
from tests.long import looks

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser


def sound(page: Page) -> None:
    """Nothing serious for axe, nothing wider than the page."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def lay(page: Page, site: LiveSite, name: str, game: str = "Troccas", **selects: str) -> str:
    """A new table by the three steps; its address."""
    page.goto(f"{site.url}/en/tables/")
    press(page.get_by_role("link", name="Open a table"))
    press(page.get_by_role("button", name=re.compile(rf"^{game} \d")))
    press(page.get_by_role("button", name=re.compile("^A few cards a day")))
    if name:
        page.get_by_label("Your name at the table").fill(name)
    for label, value in selects.items():
        page.get_by_label(label.replace("_", " "), exact=True).select_option(value)
    press(page.get_by_role("button", name="Open the table"))
    page.wait_for_url(re.compile(r"/[tg]/"))
    return page.url


@pytest.mark.parametrize(("viewport", "theme"), looks((PHONE, "light"), (DESK, "dark")))
@pytest.mark.slow
def test_every_step_is_sound(page: Page, live_site: LiveSite, viewport: dict[str, int], theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for path in ("tables/", "tables/new/", "tables/new/?game=troggu", "tables/new/?game=troggu&pace=live"):
        page.goto(f"{live_site.url}/en/{path}")
        sound(page)
    for fold in page.locator("details.fold summary").all():
        fold.click()
    sound(page)
    lay(page, live_site, "Anna")
    sound(page)
    page.goto(f"{live_site.url}/de/tables/")
    sound(page)


@pytest.mark.parametrize("viewport", [PHONE])
def test_a_refused_form_goes_on_where_something_is_wrong(
    page: Page, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    page.goto(f"{live_site.url}/en/tables/new/?game=troccas&pace=brisk")
    page.get_by_label("Your name at the table").fill("Anna")
    hands = page.locator("[name=hands]")
    hands.evaluate("field => (field.value = '9999')")
    press(page.get_by_role("button", name="Open the table"))
    expect(hands).to_have_attribute("aria-invalid", "true")
    expect(hands).to_be_focused()
    expect(hands).to_be_in_viewport()


@pytest.mark.parametrize("viewport", [PHONE])
def test_two_meet_by_link_and_see_each_other_come(
    page: Page, browser: Browser, live_site: LiveSite, viewport: dict[str, int]
) -> None:
    table = lay(page, live_site, "Ursulina", Computer_players="2")
    expect(page.get_by_text("One more player is needed.")).to_be_visible()
    assert page.get_by_label("By link").input_value() == table
    picture = page.locator("img.qr")
    page.get_by_text("As a picture for the camera").click()
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete ? image.naturalWidth : 1") > 0

    other = browser.new_context(viewport=DESK, locale="en-GB", reduced_motion="reduce").new_page()
    other.goto(f"{live_site.url}/en/tables/")
    press(other.get_by_role("link", name=re.compile("View the table.*Ursulina")))
    sound(other)
    other.get_by_role("button", name="Sit down").click()  # the browser asks for the name first
    expect(other.get_by_label("Your name at the table")).to_be_focused()
    other.get_by_label("Your name at the table").fill("Beat")
    other.get_by_role("button", name="Sit down").click()
    # The last seat is taken: one is led to the game by the answer, the other by the bell.
    other.wait_for_url("**/g/*/")
    page.wait_for_url("**/g/*/")
    assert page.url == other.url
    expect(page.locator("#draw-fold .draw")).to_be_attached()
    # It is open until the cards are dealt, which may be now.
    page.locator("#draw-fold").evaluate("fold => { fold.open = true; }")
    expect(page.locator("#draw-fold .draw")).to_be_visible()
    expect(page.locator("#draw-fold li")).to_have_count(4)
    sound(page)
    other.context.close()


def test_who_comes_and_goes_is_seen_without_reloading(page: Page, browser: Browser, live_site: LiveSite) -> None:
    table = lay(page, live_site, "Anna")
    other = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
    other.goto(table)
    other.get_by_label("Your name at the table").fill("Beat")
    other.get_by_role("button", name="Sit down").click()
    expect(page.get_by_role("link", name="Beat")).to_be_visible()
    expect(page.locator("#said")).to_have_text("Beat has sat down.")
    expect(page).to_have_title("Troccas – 2 of 4 free")
    press(page.get_by_role("button", name="Send away Beat"))
    expect(other.get_by_text("You cannot sit down at this table.")).to_be_visible()
    page.get_by_text("Close the table …").click()
    press(page.get_by_role("button", name="Close the table"))
    expect(page.get_by_text("This table has been closed.")).to_be_visible()
    expect(other.get_by_text("This table has been closed.")).to_be_visible()
    expect(other).to_have_title("Troccas – Table")
    other.context.close()


def test_what_somebody_is_typing_is_not_lost_when_another_comes(
    page: Page, browser: Browser, live_site: LiveSite
) -> None:
    table = lay(page, live_site, "Anna")
    second, third = (browser.new_context(locale="en-GB").new_page() for _ in range(2))
    second.goto(table)
    second.get_by_label("Your name at the table").fill("Beatri")
    third.goto(table)
    third.get_by_label("Your name at the table").fill("Clau")
    third.get_by_role("button", name="Sit down").click()
    expect(second.get_by_role("link", name="Clau")).to_be_visible()
    assert second.get_by_label("Your name at the table").input_value() == "Beatri"
    for opened in (second, third):
        opened.context.close()


def test_a_table_is_laid_and_joined_without_script(browser: Browser, live_site: LiveSite) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    lay(page, live_site, "Nona", Computer_players="3")
    assert "/g/" in page.url
    context.close()
