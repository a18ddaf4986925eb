"""The ring of the chats on a real server: those who can read something new are told so, and nobody else."""

from __future__ import annotations

import json
import re
import urllib.request
import uuid
from contextlib import ExitStack
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.live import PATIENCE

if TYPE_CHECKING:
    from tests.live import LiveSite

_LAY = """
import json, uuid
from django.conf import settings
from django.contrib.auth import get_user_model
from accounts.models import Player
from games.services import computers, play
from tests.live import session_of
def somebody(name):
    user = get_user_model().objects.create_user(f"{uuid.uuid4().hex}@example.org", "neun-und-dreissig")
    player = Player.objects.create(user=user, name=name)
    return player, session_of(user)
people = [somebody(name) for name in ("Anna", "Beat", "Clau", "Duri")]
game = play.start("troccas", [people[0][0], people[1][0], *computers.computer_players(2)])
print(json.dumps([game.public_id, settings.SESSION_COOKIE_NAME, *(key for _player, key in people)]))
"""


class Person:
    """Somebody signed in, with one page of the game open."""

    def __init__(self, site: LiveSite, game: str, cookie: str, stack: ExitStack) -> None:
        self.site, self.path, self.cookie = site, f"/g/{game}/", cookie
        self.socket: ClientConnection = stack.enter_context(
            connect(
                f"{site.url.replace('http', 'ws')}/ws{self.path}",
                origin=Origin(site.url),
                additional_headers={"Cookie": cookie},
                open_timeout=PATIENCE,
            )
        )
        self.until_pong()

    def write(self, channel: str, text: str) -> None:
        """Send a message as the page's form does."""
        with urllib.request.urlopen(self._request(f"{self.path}notes/")) as page:  # noqa: S310  # our own
            token_cookie = page.headers["Set-Cookie"].split(";")[0]
        token = token_cookie.partition("=")[2]
        fields = {"do": "say", "channel": channel, "text": text, "request_id": str(uuid.uuid4())}
        data = urlencode(fields | {"csrfmiddlewaretoken": token}).encode()
        request = self._request(f"{self.path}chat/", data, f"{self.cookie}; {token_cookie}")
        with urllib.request.urlopen(request) as answer:  # noqa: S310  # our own
            assert text in answer.read().decode()

    def _request(self, path: str, data: bytes | None = None, cookie: str = "") -> urllib.request.Request:
        headers = {"Cookie": cookie or self.cookie, "Referer": self.site.url + "/", "HX-Request": "true"}
        if data is None:
            headers.pop("HX-Request")
        return urllib.request.Request(self.site.url + path, data, headers)  # noqa: S310  # our own

    def until_pong(self) -> list[str]:
        """Ask for a pong; what was rung before it came."""
        self.socket.send(json.dumps({"type": "ping"}))
        rung: list[str] = []
        while True:
            told = str(self.socket.recv(timeout=PATIENCE))
            if json.loads(told).get("type") == "pong":
                return rung
            rung.append(told)

    def rings(self) -> str:
        """The next ring of a chat; raises TimeoutError if none comes."""
        while True:
            told = str(self.socket.recv(timeout=PATIENCE))
            if re.search(r'"chat"', told):
                return told


@pytest.mark.usefixtures("live_site")
@pytest.mark.slow
def test_a_message_rings_those_who_can_read_it_and_says_nothing_of_it(live_site):
    printed = live_site.manage("shell", "--no-imports", "-c", _LAY)
    game, name, *keys = json.loads(printed.strip().splitlines()[-1])
    with ExitStack() as stack:
        anna, beat, clau, duri = (Person(live_site, game, f"{name}={key}", stack) for key in keys)
        clau.write("watchers", "unter Zuschauern")
        assert json.loads(duri.rings()) == {"chat": game}
        for player in (anna, beat):
            assert not [told for told in player.until_pong() if "chat" in told]
        anna.write("table", "am Tisch")
        assert json.loads(beat.rings()) == {"chat": game}
