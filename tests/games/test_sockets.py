"""Sockets against a real server: they ring, they say nothing else, and they shrug bad input off."""

from __future__ import annotations

import json
import re
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import suppress
from http.cookiejar import CookieJar
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import pytest
from autobahn.exception import Disconnected
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from games.table.consumers import GamesConsumer, TableConsumer, note_look
from notices import outbox, preferences, selectors
from notices.models import Outbox
from tests.games.api_kit import member
from tests.live import PATIENCE, session_of, socket_scope

if TYPE_CHECKING:
    from tests.live import LiveSite


class Browser:
    """A browser of the simplest kind: keeps cookies, follows redirects, posts forms with the page's token."""

    def __init__(self, site: LiveSite) -> None:
        self.site = site
        self.jar = CookieJar()
        self.path = "/"
        self.table = "/"
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def get(self, path: str) -> str:
        with self.opener.open(self.site.url + path) as answer:
            return str(answer.read().decode())

    def post(self, page: str, path: str, **fields: str) -> str:
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token
        data = urlencode({"csrfmiddlewaretoken": token[1]} | fields).encode()
        request = urllib.request.Request(self.site.url + path, data, headers={"Referer": self.site.url + "/"})  # noqa: S310  # our own
        with self.opener.open(request) as answer:
            self.path = answer.url.removeprefix(self.site.url)
            return str(answer.read().decode())


@pytest.fixture
def browser_at_table(live_site: LiveSite) -> Browser:
    browser = Browser(live_site)
    browser.post(browser.get("/en/"), "/g/play/")
    return browser


@pytest.fixture
def bell(browser_at_table: Browser) -> Iterator[ClientConnection]:
    with ring_at(browser_at_table) as socket:
        yield socket


def ring_at(browser: Browser, **how: Any) -> ClientConnection:
    url = browser.site.url.replace("http", "ws") + "/ws" + browser.path
    origin = Origin(how.pop("origin", browser.site.url))
    return connect(url, origin=origin, open_timeout=PATIENCE, close_timeout=2)


def ring_for_a_stranger(site: LiveSite, path: str) -> ClientConnection:
    return connect(site.url.replace("http", "ws") + path, origin=Origin(site.url), open_timeout=PATIENCE)


def heard(socket: ClientConnection) -> dict[str, Any]:
    """The next message that is not about who watches: that one comes whenever somebody opens a page or leaves it."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
        if set(message) != {"watchers"}:
            return message


def closing_code(socket: ClientConnection) -> int | None:
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def test_the_bell_tells_the_number_at_once_and_rings_when_the_game_moves_on(browser_at_table: Browser):
    with ring_at(browser_at_table) as socket:
        first = heard(socket)
        assert set(first) == {"game", "number"}
        page = browser_at_table.get(browser_at_table.path)
        browser_at_table.post(
            page, browser_at_table.path + "ready/", expected=str(first["number"]), request_id=str(uuid.uuid4())
        )
        then = heard(socket)
        assert set(then) == {"game", "number"}
        assert then["game"] == first["game"]
        assert then["number"] > first["number"]


def test_a_computer_player_rings_the_same_bell(browser_at_table: Browser):
    with ring_at(browser_at_table) as socket:
        number = heard(socket)["number"]
        page = browser_at_table.get(browser_at_table.path)
        browser_at_table.post(
            page, browser_at_table.path + "ready/", expected=str(number), request_id=str(uuid.uuid4())
        )
        seen = heard(socket)["number"]
        state = json.loads(browser_at_table.get(browser_at_table.path + "state.json"))
        if state["question"]["mine"] and state["question"]["asked"] == "cut":  # seats are drawn: it may be ours first
            browser_at_table.post(
                page, browser_at_table.path + "act/", action="cut 30", expected=str(seen), request_id=str(uuid.uuid4())
            )
            seen = heard(socket)["number"]
        assert heard(socket)["number"] > seen


async def test_who_has_hung_up_while_the_bell_was_about_to_ring_is_no_error(monkeypatch: pytest.MonkeyPatch):
    async def on_a_closed_line(message: dict[str, Any]) -> None:
        raise Disconnected("Attempt to send on a closed protocol")

    rung = TableConsumer()
    monkeypatch.setattr(rung, "base_send", on_a_closed_line, raising=False)
    await rung.ring({"game": "bcd", "number": 3})


def test_a_ping_is_answered_with_the_number(bell: ClientConnection):
    heard(bell)
    bell.send('{"type": "ping"}')
    assert heard(bell)["type"] == "pong"


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[" * 200,
        "null",
        "17",
        '"ping"',
        "{}",
        '{"type": "play", "action": "play CK"}',
        '{"type": "ping", "x": 1}',
    ],
)
@pytest.mark.slow(but="17")
def test_anything_else_closes_the_socket(bell: ClientConnection, message: str):
    bell.send(message)
    assert closing_code(bell) == 4400


def test_bytes_close_the_socket(bell: ClientConnection):
    bell.send(b"\x00\xff")
    assert closing_code(bell) == 4400


def test_an_oversized_frame_ends_the_connection(bell: ClientConnection):
    bell.send('{"type": "ping"}' + " " * 100_000)
    assert closing_code(bell) != 1000


def test_too_many_pings_close_the_socket(bell: ClientConnection):
    with suppress(ConnectionClosed):
        for _ in range(50):
            bell.send('{"type": "ping"}')
            heard(bell)  # what the server has not read when it hangs up would take its last word with it
    assert closing_code(bell) == 4429


def test_an_unknown_game_closes_with_its_own_code(live_site: LiveSite):
    with ring_for_a_stranger(live_site, "/ws/g/zzzzzzzzzzz/") as socket:
        assert closing_code(socket) == 4404


def test_a_socket_from_another_site_is_refused(browser_at_table: Browser):
    with pytest.raises(InvalidStatus) as refused, ring_at(browser_at_table, origin="https://evil.example"):
        pass
    assert refused.value.response.status_code == 403


def test_a_stranger_has_no_list_of_games(live_site: LiveSite):
    with ring_for_a_stranger(live_site, "/ws/games/") as socket:
        assert closing_code(socket) == 4404


def test_that_somebody_looks_is_answered_as_a_ping(bell: ClientConnection):
    heard(bell)
    bell.send('{"type": "looking"}')
    assert heard(bell)["type"] == "pong"


async def test_only_a_table_is_looked_at(monkeypatch: pytest.MonkeyPatch):
    closed: list[int] = []

    async def close(code: int) -> None:
        closed.append(code)

    line = GamesConsumer()
    monkeypatch.setattr(line, "close", close)
    await line.receive('{"type": "looking"}')
    assert closed == [4400]


@pytest.mark.django_db
def test_who_says_over_the_line_that_they_look_is_looking_at_that_table_and_has_read_what_is_told_of_it():
    reader, other = member("Onna"), member("Beat")
    row = outbox.put("game.resumed", reader, {}, topic="bcdf")
    Outbox.objects.filter(pk=row.pk).update(shown=True)
    assert selectors.unread(reader) == 1
    note_look.func(socket_scope(sessionid=session_of(reader.user)), "bcdf")
    assert preferences.is_looking(reader, "bcdf")
    assert not preferences.is_looking(reader, "ghjk")
    assert not preferences.is_looking(other, "bcdf")
    assert selectors.unread(reader) == 0
    note_look.func(socket_scope(), "bcdf")  # a stranger is nobody to note


async def test_a_ping_asks_the_database_once_a_minute_at_most(monkeypatch: pytest.MonkeyPatch):
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(json.loads(message["text"]))

    read: list[str] = []

    async def number(public_id: str) -> int:
        read.append(public_id)
        return 5

    line = TableConsumer()
    line.public_id = "bcd"
    monkeypatch.setattr(line, "base_send", send, raising=False)
    monkeypatch.setattr(line, "number", number)
    await line.read_number()
    await line.pong()
    await line.ring({"game": "bcd", "number": 7})
    await line.pong()
    assert [told["number"] for told in sent] == [5, 7, 7]
    assert read == ["bcd"]
    line.read_at -= 61
    await line.pong()
    assert read == ["bcd"] * 2
    assert sent[-1]["number"] == 7, "what is read later than a ring was read before it"
