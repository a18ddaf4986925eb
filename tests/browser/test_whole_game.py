"""Whole games of four hands in a real browser, by mouse and by keys alone, on a phone and at a desk (./test --long)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.table_player import act_by_keys, act_by_mouse, sit_down, state, wait_for_turn
from tests.live import DESK, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.mark.parametrize("viewport", [PHONE, DESK])
@pytest.mark.parametrize("act", [act_by_mouse, act_by_keys])
def test_a_whole_game_is_played_to_its_end(page: Page, live_site: LiveSite, viewport: dict[str, int], act: Any) -> None:
    sit_down(page, live_site)
    seen = wait_for_turn(page)
    while not seen.over:
        act(page)
        seen = wait_for_turn(page, seen.number)
    ended = state(page)
    assert ended["status"] == "finished"
    assert ended["hands_played"] == 4
    assert sum(ended["totals"]) == 0
    assert page.get_by_role("button", name="Play again").is_visible()
