"""Daphne with limits: requests may not be larger or slower than people need.

Stopping waits for the requests in flight.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any, Final

from daphne import http_protocol
from daphne import server as daphne_server
from twisted.internet import defer
from twisted.web.http import HTTPChannel

logger = logging.getLogger(__name__)

MOST_BYTES: Final = 6 * 1024 * 1024
"""The most bytes in the body of a request. The largest file that a page accepts has 5 MB."""
RECEIVE_SECONDS: Final = 120
"""Seconds within which a request must have arrived completely."""
STOP_SECONDS: Final = 10
"""Seconds for which stopping waits until the requests in flight are answered."""
REFUSAL_SECONDS: Final = 2
"""Seconds for which a connection stays open after its request was refused, so that the client can read the response."""
SOCKET_BYTES: Final = 4096
"""The most bytes in one message from a client on a socket: pages send little there."""
_TOO_LARGE: Final = (
    f"Too large: at most {MOST_BYTES // 1024**2} MB. Nothing was saved.\n"
    f"Zu gross: höchstens {MOST_BYTES // 1024**2} MB. Nichts wurde gespeichert.\n"
).encode()


class Request(http_protocol.WebRequest):
    """A request that is refused with 413 as soon as it declares or turns out to be too large; too slow, it is cut off.

    Daphne would receive all of it before the site sees the first byte.
    """

    def __init__(self, channel: HTTPChannel, *args: Any, **options: Any) -> None:
        # Twisted would read forms too, and answer one that it cannot read itself, without a word of ours.
        super().__init__(channel, *args, parsePOSTFormSubmission=False, **options)
        self._received = 0
        self._refused = False
        self._late = asyncio.get_running_loop().call_later(RECEIVE_SECONDS, channel.loseConnection)

    @property
    def is_stream(self) -> bool:
        """Whether its response is a stream without an end."""
        return (self.responseHeaders.getRawHeaders(b"content-type") or [b""])[0].startswith(b"text/event-stream")

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # Twisted's name
        super().gotLength(0 if length is None else min(length, MOST_BYTES))
        if length is not None and length > MOST_BYTES:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  # Twisted's name
        self._received += len(data)
        if self._refused:
            return
        if self._received > MOST_BYTES:
            self._refuse()
        else:
            super().handleContentChunk(data)

    def requestReceived(self, *args: Any) -> None:  # noqa: N802  # Twisted's name
        self._late.cancel()
        if not self._refused:
            super().requestReceived(*args)

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  # Twisted's name
        self._late.cancel()
        super().connectionLost(reason)

    def process(self) -> defer.Deferred[None]:
        """Process the request like Daphne, but release it (8 KB) if its connection has become a WebSocket."""
        transport = self.transport
        deferred = super().process()
        if self.transport is None:  # the WebSocket has taken it over
            transport.unregisterProducer()
            self.channel.requests.remove(self)
        return deferred

    def _refuse(self) -> None:
        self._refused = True
        head = (
            "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n"
            f"Content-Length: {len(_TOO_LARGE)}\r\n\r\n"
        )
        self.channel.transport.write(head.encode() + _TOO_LARGE)
        self.channel.pauseProducing()  # do not read any more
        asyncio.get_running_loop().call_later(REFUSAL_SECONDS, self.channel.loseConnection)


class _Factory(http_protocol.HTTPFactory):
    def buildProtocol(self, addr: Any) -> HTTPChannel:  # noqa: N802  # Twisted's name
        channel = super().buildProtocol(addr)
        channel.requestFactory = Request
        return channel


class Server(daphne_server.Server):
    """Daphne's server. It calls `stopping` when it is told to stop, before it waits for the requests in flight."""

    def __init__(self, *args: Any, stopping: Callable[[], None], **options: Any) -> None:
        super().__init__(
            *args, websocket_max_message_size=SOCKET_BYTES, websocket_max_frame_size=SOCKET_BYTES, **options
        )
        self.stopping = stopping
        self.ports: list[Any] = []
        self.refusal: Exception | None = None
        """Why it cannot listen, if it cannot."""

    def run(self) -> None:
        """Serve until stopped. Requests that could not be answered in time are logged."""
        daphne_server.HTTPFactory = _Factory  # the class that `run` uses; Daphne has no setting for it
        super().run()

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self.ports.append(port)

    def listen_error(self, failure: Any) -> None:
        """Keep why, and stop."""
        self.refusal = failure.value
        self.stop()

    def in_flight(self) -> int:
        """How many requests are being answered."""
        return sum(
            isinstance(protocol, Request)
            and (task := details.get("application_instance")) is not None
            and not task.done()
            and not protocol.is_stream
            for protocol, details in self.connections.items()
        )

    def kill_all_applications(self) -> defer.Deferred[None]:
        """Accept no new connections, let the requests in flight finish, and end open sockets and streams."""
        self.stopping()
        for port in self.ports:
            port.stopListening()
        return defer.Deferred.fromFuture(asyncio.ensure_future(self._finish()))

    async def _finish(self) -> None:
        end = time.monotonic() + STOP_SECONDS
        while self.in_flight() and time.monotonic() < end:
            await asyncio.sleep(0.05)
        if left := self.in_flight():
            logger.warning("%d requests were not answered in %d seconds", left, STOP_SECONDS)
        tasks = [task for details in self.connections.values() if (task := details.get("application_instance"))]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1)
