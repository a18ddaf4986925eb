"""Watching on a real server: open pages are counted by their sockets, and a table that closes itself hangs up on strangers."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from games.table.consumers import CLOSED, TOO_MUCH, UNKNOWN
from tests.games.test_sockets import Browser, closing_code
from tests.live import PATIENCE, LiveSite
from troccas_site.handler import OF_ONE_ADDRESS_AND_PLACE


@pytest.fixture
def player(live_site: LiveSite) -> Browser:
    """Somebody who plays alone with computers."""
    browser = Browser(live_site)
    browser.post(browser.get("/en/"), "/g/play/")
    browser.table = browser.path
    return browser


def listen(site: LiveSite, table: str, browser: Browser | None = None) -> ClientConnection:
    cookies = "; ".join(f"{each.name}={each.value}" for each in browser.jar) if browser is not None else ""
    return connect(
        f"{site.url.replace('http', 'ws')}/ws{table}",
        origin=Origin(site.url),
        additional_headers={"Cookie": cookies} if cookies else None,
        open_timeout=PATIENCE,
        close_timeout=2,
    )


def told(socket: ClientConnection, name: str) -> object:
    """What the bell says next under this name."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        message = json.loads(socket.recv(timeout=PATIENCE))
        if name in message:
            return message[name]
    raise AssertionError(f"never heard of {name}")


def assert_let_in(site: LiveSite, table: str, browser: Browser) -> None:
    """Pages that were closed do not count for long; the server hears of their end a little later than they do."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with listen(site, table, browser) as socket:
            try:
                told(socket, "number")
            except ConnectionClosedError as closed:
                turned_away = closed.rcvd is not None and closed.rcvd.code == TOO_MUCH
                if not turned_away:
                    raise
            else:
                return
        time.sleep(0.1)
    raise AssertionError("pages that were closed still count")


@pytest.mark.slow
def test_those_who_play_hear_how_many_watch(live_site: LiveSite, player: Browser):
    guest = Browser(live_site)
    guest.post(guest.get("/en/"), "/g/play/")
    with listen(live_site, player.table, player) as own:
        assert isinstance(told(own, "number"), int)
        with listen(live_site, player.table):
            assert told(own, "watchers") == 1
            with listen(live_site, player.table, guest) as second:
                assert told(own, "watchers") == 2
                assert told(second, "watchers") == 2
            assert told(own, "watchers") == 1
            assert "1 person watches." in player.get(player.table)
        assert told(own, "watchers") == 0


def test_one_visitor_with_many_sockets_is_one_who_watches_and_soon_turned_away(live_site: LiveSite, player: Browser):
    with ExitStack() as opened:
        own = opened.enter_context(listen(live_site, player.table, player))
        for _page in range(OF_ONE_ADDRESS_AND_PLACE - 1):  # the player is at the same address
            opened.enter_context(listen(live_site, player.table))
        assert closing_code(opened.enter_context(listen(live_site, player.table))) == TOO_MUCH
        assert told(own, "watchers") == 1
        assert "1 person watches." in player.get(player.table)
    assert_let_in(live_site, player.table, player)


@pytest.mark.parametrize("path", ["/", "/g/../x/", "/g/", "/nothing/at/all/"])
def test_a_socket_that_there_is_not_is_closed_in_order(live_site: LiveSite, path: str):
    before = len(live_site.log)
    with listen(live_site, path) as socket:
        assert closing_code(socket) == UNKNOWN
    assert "Traceback" not in live_site.log[before:]


def test_who_plays_does_not_count(live_site: LiveSite, player: Browser):
    with listen(live_site, player.table, player) as own, listen(live_site, player.table, player) as again:
        own.send('{"type": "ping"}')
        messages = [json.loads(own.recv(timeout=PATIENCE)) for _ in range(2)]
        assert not any("watchers" in message for message in messages)
        assert isinstance(told(again, "number"), int)
    assert "Nobody watches just now." in player.get(player.table)


@pytest.mark.slow
def test_a_table_that_closes_itself_hangs_up_on_those_who_watch(live_site: LiveSite, player: Browser):
    with listen(live_site, player.table, player) as own, listen(live_site, player.table) as watcher:
        assert told(own, "watchers") == 1
        player.post(player.get(player.table), f"{player.table}watching/", do="propose", mode="closed")
        assert closing_code(watcher) == CLOSED
        assert told(own, "watching")
        assert told(own, "watchers") == 0
    with listen(live_site, player.table) as late:
        assert closing_code(late) == CLOSED
    with listen(live_site, player.table, player) as own:
        assert isinstance(told(own, "number"), int)
