"""The bell of a table that waits, against a real server."""

from __future__ import annotations

import json
import re
import uuid
from typing import TYPE_CHECKING

from websockets.sync.client import connect
from websockets.typing import Origin

from tests.games.test_sockets import Browser, closing_code
from tests.live import PATIENCE

if TYPE_CHECKING:
    from tests.live import LiveSite

LAID = {
    "name": "Anna", "entry": "link", "computers": "0", "seating": "choice", "wait": "86400", "action": "86400",
    "bank": "0", "vacation": "0", "out": "computer", "hands": "1", "talk": "silent",
}  # fmt: skip


def ws(site: LiveSite, path: str):
    address = f"{site.url.replace('http', 'ws')}/ws{path}"
    return connect(address, origin=Origin(site.url), open_timeout=PATIENCE, close_timeout=2)


def test_the_bell_tells_that_somebody_came_and_that_it_began(live_site: LiveSite):
    host, friend = Browser(live_site), Browser(live_site)
    new = "/en/tables/new/?game=troccas&pace=day"
    page = host.post(host.get(new), new, request_id=str(uuid.uuid4()), **LAID)
    table = host.path
    assert re.fullmatch(r"/t/\w+/", table)
    with ws(live_site, table) as bell:
        first = json.loads(bell.recv(timeout=PATIENCE))
        assert set(first) == {"game", "number"}
        friend.post(friend.get(table), f"{table}join/", request_id=str(uuid.uuid4()), name="Beat")
        came = json.loads(bell.recv(timeout=PATIENCE))
        assert came["number"] > first["number"]
        host.post(page, f"{table}start/", request_id=str(uuid.uuid4()))
        assert json.loads(bell.recv(timeout=PATIENCE))["number"] > came["number"]
    assert host.path.startswith("/g/")
    assert f'href="{host.path}"' in friend.get(table)


def test_an_unknown_table_closes_with_its_own_code(live_site: LiveSite):
    with ws(live_site, "/t/zzzzzzzzzzz/") as bell:
        assert closing_code(bell) == 4404
