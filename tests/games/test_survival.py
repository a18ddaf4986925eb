"""Kill the server at any moment: whatever it has answered is there afterwards, and the game goes on."""

from __future__ import annotations

import json
import re
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from accounts.models import Player
from tests.games.test_sockets import Browser
from tests.live import PATIENCE
from tests.long import LONG

if TYPE_CHECKING:
    from tests.live import LiveSite


def state_of(browser: Browser) -> dict[str, object]:
    data: dict[str, object] = json.loads(browser.get(browser.path + "state.json"))
    return data


def act(browser: Browser, page: str) -> None:
    """Do the first thing the page offers: sit down, or the first legal button."""
    state = json.loads(browser.get(browser.path + "state.json"))
    question, number = state["question"], str(state["number"])
    ask = {"expected": number, "request_id": str(uuid.uuid4())}
    if question["asked"] == "sit":
        browser.post(page, browser.table + "ready/", **ask)
    elif question["choices"]:
        browser.post(page, browser.table + "act/", action=question["choices"][-1]["action"], **ask)
    elif question["asked"] == "cut":
        browser.post(page, browser.table + "act/", action="cut 30", **ask)
    elif question["asked"] == "scart":
        cards = [card["code"] for card in state["cards"] if card["playable"]][:2]
        browser.post(page, browser.table + "act/", action="scart " + " ".join(cards), **ask)
    else:
        card = next(card["code"] for card in state["cards"] if card["playable"])
        browser.post(page, browser.table + "act/", action=f"play {card}", **ask)


@pytest.mark.slow
def test_nothing_is_lost_when_the_server_is_killed_again_and_again(fresh_site: LiveSite):
    browser = Browser(fresh_site)
    browser.post(browser.get("/en/"), "/g/play/")
    browser.table = browser.path
    fresh_site.call(lambda: Player.objects.filter(computer="").update(bot_speed="at-once"))
    answered, acted, looked = 0, 0, 0
    end = time.monotonic() + 4 * PATIENCE
    deaths = 4 if LONG else 2
    while acted < 8 or looked < 6 * deaths:
        assert time.monotonic() < end, "the computer players do not go on"
        page = browser.get(browser.table)
        browser.path = browser.table
        state = state_of(browser)
        assert int(str(state["number"])) >= answered
        if state["question"]["mine"]:  # type: ignore[index]  # plain JSON
            act(browser, page)
            acted += 1
            browser.path = browser.table
            answered = int(str(state_of(browser)["number"]))
        else:
            time.sleep(0.1)
        looked += 1
        if looked % 6 == 0 and looked <= 6 * deaths:
            fresh_site.kill()
            fresh_site.start()
    assert re.fullmatch(r"/g/\w+/", browser.table)
    assert "0 mended" in fresh_site.manage("rebuild")
