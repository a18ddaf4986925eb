"""How many sockets one may open: each costs those who listen at the same game something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.http import parse_cookie

from accounts.middleware import GUEST_COOKIE, address_of_scope
from core import metrics
from games.table.consumers import TOO_MUCH, UNKNOWN

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
App = Callable[[Scope, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]

OF_ONE_ADDRESS: Final = 600
"""A hall with a hundred and sixty phones may have one address, and a phone more than one page open."""
OF_ONE_ADDRESS_AND_PLACE: Final = 16
"""At one game or table. Not so for tournaments, at which a whole hall listens."""
OF_ONE_PERSON: Final = 40
"""By the cookie of the session or of the guest."""


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
