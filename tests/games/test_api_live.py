"""The API of a real server: streams that ring, end and are mended, and the example program of the documents at whole games."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from accounts.models import PersonalToken
from accounts.tokens import PLAY, TABLES, issue_token
from tests.games.api_kit import API, member
from tests.live import PATIENCE, ROOT

if TYPE_CHECKING:
    from tests.live import LiveSite

EXAMPLE = ROOT / "docs" / "example_player.py"


def tokens(site: LiveSite, *names: str, scopes: Collection[str] = (PLAY, TABLES)) -> list[str]:
    """A token for a new member of each name."""
    return site.call(lambda: [issue_token(member(name), "bot", scopes)[1] for name in names])


class Caller:
    """Somebody who calls the API of a site."""

    def __init__(self, site: LiveSite, raw: str) -> None:
        self.site, self.raw = site, raw

    def connect(self, timeout: float = PATIENCE) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(urlsplit(self.site.url).netloc, timeout=timeout)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        connection = self.connect()
        headers = {"Authorization": f"Bearer {self.raw}", "Content-Type": "application/json"}
        connection.request(method, API + path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        assert answer.status < 400, told
        return told

    def say(self, path: str, **body: Any) -> Any:
        return self.call("POST", path, {"request_id": str(uuid.uuid4())} | body)

    @contextmanager
    def stream(self, path: str, **headers: str) -> Iterator[Iterator[tuple[str, str, Any]]]:
        connection = self.connect()
        connection.request("GET", API + path, None, {"Authorization": f"Bearer {self.raw}"} | headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        assert answer.getheader("Content-Type", "").startswith("text/event-stream")
        try:
            yield events(answer)
        finally:
            connection.close()


def events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, str, Any]]:
    """(event, id, data) as they come."""
    name = number = ""
    while line := answer.readline().decode():
        field, _, value = line.rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "id":
            number = value
        elif field == "data":
            yield name, number, json.loads(value)
            name = number = ""


@pytest.fixture(scope="module")
def people(live_site: LiveSite) -> dict[str, Caller]:
    names = ("Onna", "Program", "Host", "Second", "Third")
    return {name: Caller(live_site, raw) for name, raw in zip(names, tokens(live_site, *names), strict=True)}


@pytest.fixture
def onna(people: dict[str, Caller]) -> Caller:
    return people["Onna"]


def test_a_stream_rings_when_the_game_moves_on_and_goes_on_where_it_broke(onna):
    game = onna.call("POST", "/games", {"ruleset": "troccas-3"})
    key = game["public_id"]
    with onna.stream(f"/games/{key}/events") as told:
        name, number, data = next(told)
        assert (name, number, data["number"]) == ("game", str(game["number"]), game["number"])
        onna.say(f"/games/{key}/ready", expected=game["number"])
        name, number, data = next(told)
        assert int(number) == data["number"] > game["number"]
    with onna.stream(f"/games/{key}/events?state=true", **{"Last-Event-ID": str(game["number"])}) as told:
        _name, number, data = next(told)
        assert int(number) > game["number"]
        assert data["state"]["public_id"] == key
        onna.say(f"/games/{key}/leave")
        closing = list(told)
        assert closing[-1][0] == "end"
        assert closing[-2][2]["status"] == "resigned"


@pytest.mark.slow
def test_a_stream_ends_when_its_token_is_gone(live_site):
    (raw,) = tokens(live_site, "Short-lived")
    onna = Caller(live_site, raw)
    key = onna.call("POST", "/games", {"ruleset": "troccas-3"})["public_id"]
    with onna.stream(f"/games/{key}/events?seconds=6") as told:
        next(told)
        live_site.call(lambda: PersonalToken.objects.latest("pk").delete())
        # Found out when it looks again: at the next heartbeat, or when its time is over.
        assert next(told) == ("end", "", {"reason": "not-allowed"})


@pytest.mark.slow
def test_streams_that_break_off_leave_their_places_to_others(onna):
    key = onna.call("POST", "/games", {"ruleset": "troccas-3"})["public_id"]
    for _ in range(12):  # eight may be open at once
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with onna.stream(f"/games/{key}/events") as told:
                    next(told)
                break
            except AssertionError:  # the server has not noticed yet that the last one is gone
                assert time.monotonic() < end
                time.sleep(0.1)


def run(site: LiveSite, raw: str, *more: str) -> subprocess.Popen[str]:
    """The example program as a reader of the page would start it."""
    command = [sys.executable, "-I", "-u", str(EXAMPLE), site.url, raw, "--seed", "5", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")


@pytest.mark.long
def test_the_example_program_plays_troggu_with_five(live_site, people):
    program = run(live_site, people["Program"].raw, "--ruleset", "troggu", "--size", "5", "--hands", "2")
    out, err = program.communicate(timeout=240)
    assert program.returncode == 0, err
    assert err == ""
    lines = out.splitlines()
    key = lines[0].removeprefix("The game: ")
    assert any("Program" in line for line in lines[-5:])
    assert sum(int(line.split()[-1]) for line in lines[-5:]) == 0
    told = people["Onna"].call("GET", f"/games/{key}")
    assert (told["status"], told["hands_played"], len(told["seats"])) == ("finished", 2, 5)


@pytest.mark.slow
def test_example_programs_play_against_each_other(live_site, people):
    host = run(live_site, people["Host"].raw, "--lay", "--ruleset", "troccas-3", "--hands", "1")
    assert host.stdout
    table = host.stdout.readline().removeprefix("Table opened: ").strip()
    others = [run(live_site, people[name].raw, "--join", table) for name in ("Second", "Third")]
    ended = {}
    readers = [
        threading.Thread(target=lambda each=each: ended.update({each.pid: each.communicate(timeout=240)}))
        for each in (host, *others)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    for each in (host, *others):
        out, err = ended[each.pid]
        assert each.returncode == 0, err
        assert {line.removeprefix("Program ").split()[0] for line in out.splitlines()[-3:]} == {
            "Host",
            "Second",
            "Third",
        }
