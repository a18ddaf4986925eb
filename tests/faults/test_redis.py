"""Redis is gone and comes back: people play on and begin tables, pages catch up by asking, rings come again."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import Player
from tests.faults.servers import Redis
from tests.games.test_sockets import Browser, heard, ring_at
from tests.games.test_survival import act, state_of
from tests.live import PATIENCE, LiveSite, Sites
from tests.long import LONG

pytestmark = pytest.mark.skipif(shutil.which("redis-server") is None, reason="redis-server is not installed")
AT_ONCE = 15
"""Seconds: nobody waits that long for a page, however much the machine has to do."""


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[Redis]:
    made = Redis(tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def site(sites: Sites, redis_server: Redis) -> Iterator[LiveSite]:
    made = sites.start(REDIS_URL=redis_server.url)
    yield made
    sites.close(made)


def begun(site: LiveSite) -> Browser:
    """Somebody at a new table with computer players."""
    browser = Browser(site)
    browser.post(browser.get("/en/"), "/g/play/")
    browser.table = browser.path
    return browser


def number_of(browser: Browser) -> int:
    browser.path = browser.table
    return int(str(state_of(browser)["number"]))


def plays(browser: Browser, *, more: int = 3 if LONG else 1) -> int:
    """Act until the game has moved on by `more`, by asking alone; its number then."""
    wanted = number_of(browser) + more
    end = time.monotonic() + 2 * PATIENCE
    while (now := number_of(browser)) < wanted:
        assert time.monotonic() < end, "the game stands still"
        if state_of(browser)["question"]["mine"]:  # type: ignore[index]  # plain JSON
            page = browser.get(browser.table)
            browser.path = browser.table
            act(browser, page)
        else:
            time.sleep(0.1)
    return now


def in_time(begun_at: float) -> None:
    assert time.monotonic() - begun_at < AT_ONCE


@pytest.mark.slow
def test_without_redis_people_play_on_and_begin_tables_and_with_it_pages_are_rung_again(site, redis_server):
    site.call(lambda: Player.objects.filter(computer="").update(bot_speed="at-once"))
    old = begun(site)
    with ring_at(old) as socket:
        assert heard(socket)["number"] == number_of(old)
        redis_server.kill()
        numbers = [number_of(old), plays(old)]
        clock = time.monotonic()
        new = begun(site)
        in_time(clock)
        plays(new)
        numbers.append(plays(old))
        with pytest.raises(InvalidStatus) as refused, ring_at(new):
            pass
        assert refused.value.response.status_code == HTTPStatus.FORBIDDEN
        for path in ("/en/", "/en/my-games/", "/en/tables/", old.table):
            clock = time.monotonic()
            assert old.get(path)
            in_time(clock)
    assert numbers == sorted(numbers)

    redis_server.start()
    end = time.monotonic() + PATIENCE
    while not is_rung(new):
        assert time.monotonic() < end, "no ring comes after Redis is back"
    plays(old)
    assert site.manage("verify").splitlines()[-1] == "0 differences."


def is_rung(browser: Browser) -> bool:
    """Whether a page that is opened now hears of what is played then; one that is not let in will try again."""
    browser.path = browser.table
    try:
        with ring_at(browser) as socket:
            first = heard(socket)["number"]
            plays(browser, more=1)
            while json.loads(socket.recv(timeout=2)).get("number", 0) <= first:
                pass
    except (TimeoutError, ConnectionClosed, InvalidStatus):
        return False
    return True
