"""The ASGI handler of this process, its limits for sockets, and how much it handles at the same time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any, Final

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.signals import request_started
from django.http import FileResponse, parse_cookie
from django.urls import set_script_prefix

from accounts.middleware import GUEST_COOKIE, address_of_scope
from core import metrics
from core.request_priority import answering
from games.broadcast import remember_loop
from games.table.consumers import TOO_MUCH, UNKNOWN
from troccas_site.views import healthz

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
App = Callable[[Scope, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]

THREADS: Final = 16
"""How many requests each process answers, and how many database connections it keeps for them, at the same time."""
_threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="answering")

OF_ONE_ADDRESS: Final = 600
"""The most sockets of one IP address. A hall with 160 phones may have a single one, and a phone several open pages."""
OF_ONE_ADDRESS_AND_PLACE: Final = 16
"""The most sockets of one IP address at one game or table. Tournaments are exempt: a whole hall listens to them."""
OF_ONE_PERSON: Final = 40
"""The most sockets of one person, identified by the cookie of their session or guest."""


class Handler(ASGIHandler):
    """Django's handler, but everything from the first signal to the end of the response runs in one thread of a pool.

    No view here is a coroutine, and Django would switch between a thread and the event loop four times for each
    request. It would also use a new thread for each request, and so a new connection to the database, which takes as
    long to open as ten queries. A streaming response ends when the client disconnects.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer `/healthz`, which is requested every few seconds, in the event loop without a thread."""
        remember_loop()
        if scope["type"] == "http" and scope["path"] == "/healthz":
            response = healthz(ASGIRequest(scope, BytesIO()))
            headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
            await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
            await send({"type": "http.response.body", "body": response.content})
        else:
            await super().__call__(scope, receive, send)

    async def handle(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with answering():
            response = await sync_to_async(self._answer, thread_sensitive=False, executor=_threads)(scope, body)
        if not response.streaming:
            await self.send_response(response, send)
            return
        sending = asyncio.create_task(self.send_response(response, send))
        leaving = asyncio.create_task(receive())
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:  # send nothing more to a client that has disconnected
            leaving.cancel()
            sending.cancel()
            await asyncio.wait((sending, leaving))
            await sync_to_async(response.close)()

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> HttpResponseBase:
        """The response. It is closed already unless it is streaming."""
        with body:
            set_script_prefix(get_script_prefix(scope))
            request_started.send(sender=self.__class__, scope=scope)
            request, refusal = self.create_request(scope, body)
            response: Any = refusal if request is None else self.get_response(request)
            response._handler_class = self.__class__
            if isinstance(response, FileResponse):
                response.block_size = self.chunk_size
            if not response.streaming:
                response.close()
        return response


class SocketLimits:
    """Rejects sockets (4429) above the limits of one process. The page then polls every few seconds instead."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.open: Counter[tuple[str, ...]] = Counter()

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        limits = self._limits(scope)
        if any(self.open[key] >= limit for key, limit in limits.items()):
            await TooMany.as_asgi()(scope, receive, send)
            return
        self.open.update(limits.keys())
        metrics.sockets.inc()
        try:
            await self.app(scope, receive, send)
        finally:
            metrics.sockets.dec()
            self.open.subtract(limits.keys())
            for key in limits:
                if self.open[key] <= 0:
                    del self.open[key]

    def _limits(self, scope: Scope) -> dict[tuple[str, ...], int]:
        address = address_of_scope(scope)
        limits: dict[tuple[str, ...], int] = {("address", address): OF_ONE_ADDRESS}
        if not scope["path"].startswith("/ws/e/"):
            limits["place", address, scope["path"]] = OF_ONE_ADDRESS_AND_PLACE
        cookies = parse_cookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
        if person := cookies.get(settings.SESSION_COOKIE_NAME) or cookies.get(GUEST_COOKIE):
            limits["person", person] = OF_ONE_PERSON
        return limits


class TurnedAway(AsyncWebsocketConsumer):
    """Accepts a socket only to close it with a code that says why: 4404 if there is no such socket."""

    code = UNKNOWN

    async def connect(self) -> None:
        await self.accept()
        await self.close(self.code)


class TooMany(TurnedAway):
    code = TOO_MUCH
