"""Online rounds in a real browser: every page of players, secretaries and travellers is sound at both sizes, light and dark."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from playwright.sync_api import expect

from games.services import boards
from tests.games.boards import kit as boards_kit
from tests.live import DESK, PHONE, serious, session_of
from tests.long import looks, pages
from tests.tournaments.online_pages import kit

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = pytest.mark.browser

PICTURES = os.environ.get("PICTURES", "")
"""A folder for pictures of all pages, for whoever wants to look at them."""


@transaction.atomic
def league() -> tuple[str, str, str, str]:
    """Two online tournaments; their ids, and the sessions of their director and of a player in the second.

    All in one transaction: the site's worker would begin games of its own in between.
    """
    night = kit.duplicate(8, deals=2)
    night.lay("1.1")
    for table in (1, 2):
        boards_kit.play_hand(night.game(f"1.1.{table}"))
    boards.open_due(10)
    own = kit.duplicate_beside(night)
    who = kit.player_of(own, own.table("1.1.1").seats[0])
    return night.tournament.public_id, own.tournament.public_id, session_of(night.director.user), session_of(who.user)


@pytest.fixture(scope="module")
def laid(live_site: LiveSite) -> tuple[str, str, str, str]:
    """What `league` made."""
    return live_site.call(league)


def look(page: Page, site: LiveSite, path: str, name: str) -> None:
    """Go there, at both sizes, light and dark."""
    for viewport, theme in looks((PHONE, "light"), (DESK, "dark"), (PHONE, "dark"), (DESK, "light")):
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        answer = page.goto(site.url + path)
        assert answer is not None
        assert answer.status == 200, path
        assert serious(page) == [], (path, theme)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} px too wide"
        if PICTURES:
            size = "phone" if viewport == PHONE else "desk"
            page.screenshot(path=str(Path(PICTURES) / f"{name}-{size}-{theme}.png"), full_page=True)


@pytest.mark.usefixtures("whole_browser")
@pytest.mark.slow
def test_pages_of_online_rounds_are_sound(page: Page, live_site: LiveSite, laid: tuple[str, str, str, str]) -> None:
    shared, own, director, player = laid
    for name, path in (
        ("boards", "rounds/1.1/boards/"),
        ("board", "rounds/1.1/boards/1/"),
        ("sealed", "rounds/1.1/boards/2/"),
        ("boards-table", "rounds/1.1/boards/tables/1/"),
        ("seating", ""),
    ):
        look(page, live_site, f"/e/{shared}/{path}", name)

    page.context.add_cookies([{"name": "sessionid", "value": player, "url": live_site.url}])
    for name, path in (("home", ""), ("enter", "enter/"), ("me", "me/")):
        look(page, live_site, f"/e/{own}/{path}", name)
    look(page, live_site, "/en/my-games/", "mine")

    page.context.clear_cookies()
    page.context.add_cookies([{"name": "sessionid", "value": director, "url": live_site.url}])
    for path in pages(
        "people/", "rounds/1.1/", "invite/", later=("settings/", "rounds/", "rounds/1.2/", "tables/1.1.1/")
    ):
        look(page, live_site, f"/e/{own}/{path}", f"desk-{path.strip('/').replace('/', '-')}")


def test_what_makes_no_sense_online_is_hidden_and_keeps_what_was_typed(
    page: Page, live_site: LiveSite, laid: tuple[str, str, str, str]
) -> None:
    _shared, own, director, _player = laid
    page.context.add_cookies([{"name": "sessionid", "value": director, "url": live_site.url}])
    page.set_viewport_size(DESK)
    page.goto(f"{live_site.url}/e/{own}/settings/")
    page.locator("summary", has_text="Time").click()
    minutes = page.locator("[name=minutes]")
    expect(minutes).to_be_hidden()
    page.locator("[name=where][value=hall]").check()
    expect(page.locator("[name=days]")).to_be_hidden()
    minutes.fill("75")
    page.locator("[name=where][value=online]").check()
    expect(minutes).to_be_hidden()
    expect(page.locator("[name=days]")).to_be_visible()
    page.locator("[name=where][value=hall]").check()
    expect(minutes).to_have_value("75")
