"""Sockets: people listen to tables, lose the line when the server dies, come back, and hang up."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tests.judging.archive import Archive
from tests.judging.sites import House

if TYPE_CHECKING:
    from tests.judging.people import Person
    from tests.judging.wire import Device

MOST = 60
LISTENS = (5.0, 40.0)
"""Seconds for which somebody listens before they go."""


class Bells:
    """All open sockets, in a thread of their own."""

    def __init__(self, house: House, archive: Archive, now: Callable[[], datetime], chance: random.Random) -> None:
        self.house, self.archive, self.now, self.chance = house, archive, now, chance
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="bells", daemon=True)
        self.open = 0
        self.opened = self.cut = self.rang = 0
        self.wrong: list[str] = []
        self.thread.start()

    def listen(self, device: Device, path: str, person: Person) -> None:
        """Listen for a while, unless enough sockets are open already."""
        if self.open < MOST and not self.house.closing:
            self.open += 1
            cookies = "; ".join(f"{name}={value}" for name, value in device.cookies.items())
            asyncio.run_coroutine_threadsafe(self._listen(cookies, device.address, path, person), self.loop)

    async def _listen(self, cookies: str, address: str, path: str, person: Person) -> None:
        try:
            end = self.loop.time() + self.chance.uniform(*LISTENS)
            last = -1
            while self.loop.time() < end and not self.house.closing:
                url = self.house.server(self.chance).url
                try:
                    last = await self._hear(url, cookies, address, path, person, end, last)
                except (OSError, WebSocketException, TimeoutError):
                    self.cut += 1
                    await asyncio.sleep(0.5 + self.chance.random())
        finally:
            self.open -= 1

    async def _hear(
        self, url: str, cookies: str, address: str, path: str, person: Person, end: float, last: int
    ) -> int:
        headers = {"Cookie": cookies, "X-Forwarded-For": address}
        async with connect(
            url.replace("http", "ws") + path, origin=Origin(url), additional_headers=headers, close_timeout=1,
            open_timeout=20,
        ) as socket:  # fmt: skip
            self.opened += 1
            while self.loop.time() < end:
                with suppress(TimeoutError):
                    async with asyncio.timeout(max(0.1, end - self.loop.time())):
                        message = await socket.recv()
                    last = self._note(path, message, person, last)
                    if self.chance.random() < 0.1:
                        await socket.send('{"type": "ping"}')
        return last

    def _note(self, path: str, message: Any, person: Person, last: int) -> int:
        text = message if isinstance(message, str) else repr(message)
        now = self.now()
        self.archive.keep(person.key, "socket", path, 200, "application/json", now, now, text.encode())
        said = json.loads(text)
        if set(said) not in (
            {"game", "number"},
            {"type", "number"},
            {"type"},
            {"list"},
            {"watching"},
            {"watchers"},
            {"chat"},
        ):
            self.wrong.append(f"{path} said {text}")
        self.rang += 1
        person.hot = True
        number = said.get("number")
        # A ring may be overtaken by what is read on connecting, but a connection never hears an older number twice.
        return max(last, number) if isinstance(number, int) else last

    def close(self) -> None:
        """Hang up everywhere."""

        async def end() -> None:
            tasks = [task for task in asyncio.all_tasks(self.loop) if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(20)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()
