"""Who looks on: a projector and many phones, each with a socket and a page that fetches what has changed, as scripts do."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tests.live import LiveSite
from tests.tournaments.evenings.wire import Browser, Refusing

SPREAD = 0.6
"""Seconds among which the phones of a hall spread their asking (`data-spread` in templates/clubs/hall)."""
POLL = 60.0


@dataclass(slots=True)
class Heard:
    """When the log stood where, by the answers that phones at the tables got. `dark` are times without a server."""

    numbers: list[tuple[float, int]] = field(default_factory=list)
    dark: list[tuple[float, float]] = field(default_factory=list)

    def said(self, number: int) -> None:
        """An entry was answered: the log stands there now."""
        self.numbers.append((time.monotonic(), number))


@dataclass
class Follower:
    """A page that is open. `seen` holds when it stood at which number; `html` what it shows."""

    path: str
    browser: Browser
    since: str = ""
    socket: str = ""
    mark: str = ""
    number: int = 0
    html: str = ""
    fetched: int = 0
    seen: list[tuple[float, int]] = field(default_factory=list)

    def open(self) -> None:
        """Open the page."""
        self._show(self.browser.page(self.path).text)

    def look(self) -> None:
        """Ask whether anything has changed, and show it."""
        answer = self.browser.get(f"{self.since}?mark={self.mark}")
        self.fetched += 1
        if answer.status == 204:
            self._stands(int(answer.headers["x-number"]))
        elif answer.status == 200:
            self._show(answer.text)
        else:
            raise Refusing(f"{self.since} gave {answer.status}")

    def _show(self, text: str) -> None:
        import lxml.html

        root = lxml.html.document_fromstring(text).get_element_by_id("hall-live")
        number = int(root.get("data-number"))
        if number < self.number:
            return
        self.socket = root.get("data-socket")
        self.since, _query, self.mark = root.get("hx-get").partition("?mark=")
        self.html = text
        self._stands(number)

    def _stands(self, number: int) -> None:
        self.number = max(self.number, number)
        self.seen.append((time.monotonic(), self.number))


class Followers:
    """All of them, in a thread of their own."""

    def __init__(self, site: LiveSite, chance: random.Random) -> None:
        self.site, self.chance = site, chance
        self.pages: list[Follower] = []
        self.wrong: list[str] = []
        self.rang = self.cut = 0
        self.loop = asyncio.new_event_loop()
        self.pool = ThreadPoolExecutor(40, thread_name_prefix="follower")
        self.thread = threading.Thread(target=self.loop.run_forever, name="followers", daemon=True)
        self.thread.start()

    def follow(self, page: Follower) -> None:
        """Open a page and keep it open."""
        page.open()
        self.pages.append(page)
        self._later(self._follow(page))

    def _later(self, work: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self.loop)

    async def _follow(self, page: Follower) -> None:
        wanted = asyncio.Event()
        told = page.number
        asker = self.loop.create_task(self._ask(page, wanted))
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                url = self.site.url.replace("http", "ws") + page.socket
                async with connect(url, origin=Origin(self.site.url), close_timeout=1, open_timeout=20) as socket:
                    async for message in socket:
                        told = json.loads(message).get("number", 0)
                        self.rang += 1
                        if told > page.number:
                            wanted.set()
            self.cut += 1
            await asyncio.sleep(0.3 + self.chance.random())
            if asker.done():
                return

    async def _ask(self, page: Follower, wanted: asyncio.Event) -> None:
        """One request at a time, and one more after it if it rang meanwhile."""
        while True:
            rang = True
            try:
                await asyncio.wait_for(wanted.wait(), POLL)
            except TimeoutError:
                rang = False
            wanted.clear()
            if rang:
                await asyncio.sleep(SPREAD * self.chance.random())
            try:
                await self.loop.run_in_executor(self.pool, page.look)
            except Exception as why:
                self.wrong.append(f"{page.path}: {why}")
                return

    def wait_for(self, number: int, seconds: float) -> list[Follower]:
        """Wait until all stand at this number; those who do not."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and any(page.number < number for page in self.pages):
            time.sleep(0.1)
        return [page for page in self.pages if page.number != number]

    def close(self) -> None:
        """Close all pages; when this returns, nobody uses their browsers any more."""

        async def end() -> None:
            tasks = [task for task in asyncio.all_tasks(self.loop) if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(30)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()
        self.pool.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class Delays:
    """Seconds from the answer to an entry until the last of those who looked on then had the new page."""

    entries: int
    median: float
    worst: float
    in_the_dark: int
    """Entries left out: the server was killed while the news was on its way."""


def delays(heard: Heard, pages: list[Follower]) -> Delays:
    """How long news took."""
    found: list[float] = []
    dark = 0
    for at, number in heard.numbers:
        lasts = []
        for page in pages:
            if not page.seen or page.seen[0][0] > at:
                continue  # it was not open yet
            first = next((when for when, stood in page.seen if stood >= number), None)
            if first is not None:
                lasts.append(max(0.0, first - at))
        if not lasts:
            continue
        last = max(lasts)
        if any(begins < at + last and at < ends for begins, ends in heard.dark):
            dark += 1
        else:
            found.append(last)
    return Delays(len(found), statistics.median(found) if found else 0.0, max(found, default=0.0), dark)
