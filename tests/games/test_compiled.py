"""Strong computer players on a real server: the compiled process takes over, and its death is not the table's."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accounts.models import Player
from tests.games.test_sockets import Browser
from tests.games.test_survival import act, state_of
from tests.live import PATIENCE

if TYPE_CHECKING:
    from tests.live import LiveSite, Sites

TOKEN = "four-words-for-the-collector"  # of this test's own server
COMPILES = 10 * PATIENCE  # seconds, where half a minute of work has to share the machine


def answers(browser: Browser) -> dict[str, int]:
    """How many decisions each process has taken so far."""
    browser.opener.addheaders = [("Authorization", f"Bearer {TOKEN}")]
    told = browser.get("/metrics")
    found = re.findall(r'^troccas_computer_answers_total\{by="(\w+)"\} ([\d.]+)', told, re.MULTILINE)
    return {by: int(float(number)) for by, number in found}


def play_until(browser: Browser, reached: Callable[[dict[str, int]], bool]) -> dict[str, int]:
    """Play on, hand after hand, until so much has been answered."""
    end = time.monotonic() + COMPILES
    while not reached(found := answers(browser)):
        assert time.monotonic() < end, found
        page = browser.get(browser.table)
        browser.path = browser.table
        state = state_of(browser)
        if state["question"]["mine"]:  # type: ignore[index]  # plain JSON
            act(browser, page)
        else:
            time.sleep(0.2)
    return found


def children(site: LiveSite) -> list[int]:
    """The processes in which computer players of this server think."""
    assert site.process is not None
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            begun = (place / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if parent == site.process.pid and b"spawn_main" in begun:
            found.append(int(place.name))
    return found


@pytest.mark.long
def test_compiled_players_take_over_and_their_death_is_survived(sites: Sites) -> None:
    pytest.importorskip("numba")
    site = sites.start(DJANGO_SETTINGS_MODULE="troccas_site.settings", METRICS_TOKEN=TOKEN)
    browser = Browser(site)
    browser.post(browser.get("/en/games/"), "/en/games/", game="troccas", level="strong", hands="4", talk="phrases")
    browser.table = browser.path
    site.call(lambda: Player.objects.filter(computer="").update(bot_speed="at-once"))
    found = play_until(browser, lambda found: found.get("compiled", 0) >= 3)
    assert "computer players think compiled now" in site.log
    assert "cannot think apart" not in site.log
    end = time.monotonic() + PATIENCE
    while len(children(site)) != 1:  # the plain one ends when it has nothing left to answer
        assert time.monotonic() < end
        time.sleep(0.1)
    os.kill(children(site)[0], signal.SIGKILL)
    after = play_until(browser, lambda after: after["compiled"] >= found["compiled"] + 3 and after.get("here", 0) > 0)
    assert after["here"] >= 1
    assert "computer players cannot think apart" in site.log
    assert "0 mended" in site.manage("rebuild")
    sites.close(site)
