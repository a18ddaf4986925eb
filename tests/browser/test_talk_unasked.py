"""Saying something unasked, where nothing is thrown in: on a phone and at a desk, in both languages."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from domain.engine.hand import Hand
from tests.browser.test_plans import lay, opened, sound
from tests.live import DESK, PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live import LiveSite

pytestmark = pytest.mark.browser
PICTURES = os.environ.get("TALK_PICTURES", "")


def lies_before_the_play(hand: Hand) -> bool:
    return hand.asked == "play" and not hand.trick and not hand.tricks and hand.turn == 1


@pytest.mark.parametrize(
    ("where", "look", "lang"), [(PHONE, "dark", "de"), (DESK, "light", "en")], ids=["phone", "desk"]
)
@pytest.mark.slow(but="phone")
def test_one_says_something_while_another_is_on_turn(
    browser: Browser, live_site: LiveSite, where: dict[str, int], look: str, lang: str
) -> None:
    address, anna, beat = lay(live_site, lies_before_the_play)
    page = opened(browser, address, anna, viewport=where, color_scheme=look, locale=f"{lang}-CH")
    other = opened(browser, address, beat, viewport=where, locale="en-GB")
    page.locator("#phrases > summary").click()
    box = page.locator('#phrases input[name="phrase"]').first
    box.check()
    said = box.get_attribute("value")
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"say-{lang}.png"))
    sound(page)
    page.locator('#phrases button[value="say"]').click()
    page.locator("#seat-0 .bubble").wait_for()
    page.locator("#phrases:not([open])").wait_for()  # said: the board is seen again
    other.locator("#seat-0 .bubble").wait_for()
    assert said
    assert other.locator("#seat-0 .bubble a").first.get_attribute("href").endswith(f"phrases.{said}")
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"said-{lang}.png"))
    sound(page)
