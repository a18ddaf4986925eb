"""Every game at every table size, chosen on the page of games and played to its end in a real browser (./test --long)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from domain.engine.rulesets import RULESETS
from tests.browser.table_player import act_by_mouse, hurry, moment, state, wait_for_turn
from tests.live import DESK, PHONE, press, serious

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = [pytest.mark.browser, pytest.mark.long]

TABLES = [(rules.id, seats) for rules in RULESETS.values() for seats in rules.sizes]


@pytest.mark.parametrize(
    ("game", "seats", "viewport"),
    [(game, seats, PHONE if at % 2 else DESK) for at, (game, seats) in enumerate(TABLES)],
)
def test_a_game_is_chosen_and_played_to_its_end(
    page: Page, live_site: LiveSite, game: str, seats: int, viewport: dict[str, int]
) -> None:
    page.goto(f"{live_site.url}/en/games/")
    form = page.locator(f"#{game} form")
    if form.locator("[name=size]").count():
        form.locator("[name=size]").select_option(str(seats))
    form.locator("summary").click()
    form.locator("[name=hands]").fill("1")
    press(form.locator("button.primary"))
    page.wait_for_url(re.compile(r"/g/\w+/$"))
    assert len(state(page)["seats"]) == seats
    hurry(live_site)
    seen = wait_for_turn(page)
    assert serious(page) == []
    while not seen.over:
        act_by_mouse(page)
        seen = wait_for_turn(page, seen.number)
    assert moment(page).status == "finished"
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    page.get_by_role("link", name=re.compile("Look back|view")).first.click()
    page.wait_for_url(re.compile(r"/hand/\d+/"))
