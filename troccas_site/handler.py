"""What answers this process's requests and lets its sockets in, and how many of each at the same time."""

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
from games.table.consumers import TOO_MUCH, UNKNOWN
from troccas_site.views import healthz

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
App = Callable[[Scope, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]

THREADS: Final = 16
"""Requests that are answered at the same time, and connections to the database that are held for them, in each process."""
_threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="answering")

OF_ONE_ADDRESS: Final = 600
"""A hall with a hundred and sixty phones may have one address, and a phone more than one page open."""
OF_ONE_ADDRESS_AND_PLACE: Final = 16
"""At one game or table. Not so for tournaments, at which a whole hall listens."""
OF_ONE_PERSON: Final = 40
"""By the cookie of the session or of the guest."""


class Handler(ASGIHandler):
    """Django's own, but from the first signal to the end of the answer all runs in one thread: no view here is a coroutine, and
    Django would go from a thread to the event loop and back four times for each request.

    Its threads are also new for each request, and with them the connection to the database: to open one takes as long as ten
    queries. What is sent piece by piece ends when whoever reads it leaves.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Whether this process answers is asked every few seconds, and of its event loop: no thread and no middleware."""
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
        finally:  # whoever has gone is sent nothing more
            leaving.cancel()
            sending.cancel()
            await asyncio.wait((sending, leaving))
            await sync_to_async(response.close)()

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> HttpResponseBase:
        """The response, ended already but where it is sent piece by piece."""
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
    """Turns sockets away (4429) that are too many for one process; the page asks by itself every few seconds then."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.open: Counter[tuple[str, ...]] = Counter()

    async def __call__(
        self, scope: Scope, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        most = self._limits(scope)
        if any(self.open[key] >= limit for key, limit in most.items()):
            await TooMany.as_asgi()(scope, receive, send)
            return
        self.open.update(most.keys())
        metrics.sockets.inc()
        try:
            await self.app(scope, receive, send)
        finally:
            metrics.sockets.dec()
            self.open.subtract(most.keys())
            for key in most:
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
    """Accepts only to say with a code why not: 4404 where there is no such socket."""

    code = UNKNOWN

    async def connect(self) -> None:
        await self.accept()
        await self.close(self.code)


class TooMany(TurnedAway):
    code = TOO_MUCH
