"""The proxy in front of several servers, as deploy/Caddyfile has it, with a network that sends some requests twice or late."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from tests.live import free_port

AGAIN = 0.04
"""How many of all forms come a second time; not those of signing in, which end the session that they come with."""
LATE = 12.0
"""Seconds by which the second copy is late, at most."""
TRY_SECONDS = 5.0
MOST = 1 << 20


@dataclass(frozen=True, slots=True)
class Failure:
    """An answer that says that the site broke (5xx): from when to when, by the clock on the wall."""

    begun: float
    ended: float
    what: str


@dataclass
class Proxy:
    """Passes on what comes to `port` to one of `upstreams`. In place of an answer 5xx the connection breaks off, as if
    the proxy died: the clients here send again what was not answered. Runs in a thread of its own."""

    upstreams: Callable[[], list[int]]
    chance: random.Random
    port: int = field(default_factory=free_port)
    failures: list[Failure] = field(default_factory=list)
    passed: int = 0
    again: int = 0

    def __post_init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        serving = asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=MOST, backlog=512)
        asyncio.run_coroutine_threadsafe(serving, self._loop).result(30)
        self._late: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """Cut all lines."""

        async def end() -> None:
            tasks = [task for task in asyncio.all_tasks(self._loop) if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, asyncio.LimitOverrunError, asyncio.CancelledError):  # or all lines are cut
            await self._pass_on(reader, writer)
        writer.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                fields = _fields(head)
                body = await reader.readexactly(int(fields.get("content-length", "0")))
                begun = time.time()
                if upstream is None:
                    upstream = await self._connect()
                upstream[1].write(head + body)
                if "upgrade" in fields:
                    await self._pump(reader, writer, *upstream)
                    return
                if (
                    head.startswith(b"POST")
                    and b"/account/" not in head.split(b"\r\n")[0]
                    and self.chance.random() < AGAIN
                ):
                    task = asyncio.ensure_future(self._send_again(head, body))
                    self._late.add(task)
                    task.add_done_callback(self._late.discard)
                answer, ends = await _answer(upstream[0], head)
                self.passed += 1
                if self._broke(begun, head, answer):
                    return
                writer.write(answer)
                await writer.drain()
                if ends:
                    return
        finally:
            if upstream is not None:
                upstream[1].close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """To any server that is there."""
        end = time.monotonic() + TRY_SECONDS
        while True:
            ports = self.upstreams()
            for port in self.chance.sample(ports, len(ports)):
                with suppress(OSError):
                    return await asyncio.open_connection("127.0.0.1", port, limit=MOST)
            if time.monotonic() > end:
                raise ConnectionError("no server")
            await asyncio.sleep(0.2)

    async def _send_again(self, head: bytes, body: bytes) -> None:
        """The same once more, at once or a little later, to any server; whatever it answers."""
        if self.chance.random() < 0.6:
            await asyncio.sleep(self.chance.uniform(0, LATE))
        with suppress(OSError, EOFError, asyncio.LimitOverrunError):
            begun = time.time()
            reader, writer = await self._connect()
            try:
                writer.write(head + body)
                answer, _ends = await _answer(reader, head)
                self.again += 1
                self._broke(begun, head, answer)
            finally:
                writer.close()

    def _broke(self, begun: float, head: bytes, answer: bytes) -> bool:
        status = int(answer.split(b" ", 2)[1])
        if status < 500:
            return False
        line = head.split(b"\r\n", 1)[0].decode("latin-1")
        self.failures.append(Failure(begun, time.time(), f"{line}: {status}"))
        return True

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        from_server: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
    ) -> None:
        """A socket: pass on both ways until one side hangs up."""

        async def one_way(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            with suppress(OSError):
                while data := await source.read(1 << 16):
                    sink.write(data)
                    await sink.drain()

        ways = [asyncio.ensure_future(one_way(reader, to_server)), asyncio.ensure_future(one_way(from_server, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            to_server.close()


def _fields(head: bytes) -> dict[str, str]:
    lines = head.decode("latin-1").split("\r\n")[1:]
    return {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}


async def _answer(reader: asyncio.StreamReader, asked: bytes) -> tuple[bytes, bool]:
    """A whole answer as it came, and whether the line ends with it. Raises EOFError where it breaks off."""
    head = await reader.readuntil(b"\r\n\r\n")
    fields, status = _fields(head), int(head.split(b" ", 2)[1])
    ends = fields.get("connection", "").lower() == "close"
    if asked.startswith(b"HEAD") or status in (204, 304):
        return head, ends
    if "content-length" in fields:
        return head + await reader.readexactly(int(fields["content-length"])), ends
    if fields.get("transfer-encoding", "").lower() != "chunked":
        return head + await reader.read(), True
    parts = [head]
    while True:
        line = await reader.readuntil(b"\r\n")
        size = int(line.split(b";")[0], 16)
        parts += [line, await reader.readexactly(size + 2)]
        if not size:
            return b"".join(parts), ends
