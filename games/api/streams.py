"""A stream of server-sent events: one doorbell, listened to for one program. It tells that something happened, and ends.

An open stream is a coroutine that waits at the channel layer; it touches the database when the bell rings and at each
heartbeat, and holds no connection in between. A lost ring costs nothing: each heartbeat looks again. Two servers are known
to carry it: daphne and uvicorn.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import connections
from django.http import StreamingHttpResponse
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from ninja.responses import NinjaJSONEncoder

from accounts import personal_tokens
from accounts.token_models import PersonalToken
from games import bell
from games.refusals import Refusal

AT_ONCE: Final = 8
"""Open streams of one person."""
LONGEST: Final = 3600
"""Seconds after which a stream ends and has to be asked for again."""
HEARTBEAT: Final = 20.0
"""Seconds between two signs of life."""
_RETRY: Final = 2000  # milliseconds after which a browser asks again
_LEASE: Final = 60  # seconds after which the place of a stream whose process died is free again


@dataclass(frozen=True, slots=True)
class News:
    """What stands there now: `number` tells it apart from what was sent before, `over` that nothing more will come."""

    number: int
    data: Mapping[str, Any]
    over: bool = False


Look = Callable[[], News]
"""Looks again, with the database; raises Refusal where the reader may not look any more."""


class TooManyStreams(Refusal):
    """As many streams of one person are open as may be."""

    status = 429
    code = "too-many-streams"
    message = _(
        "Eight streams of yours are open already. Close one of them; one that broke off is free after a minute."
    )


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream: of which group of the channel layer, under which name of event, for which token."""

    group: str
    event: str
    token: PersonalToken
    look: Look
    always: bool = False
    """Whether each ring is told, though `number` be the same."""

    def response(self, *, seen: int | None, seconds: int) -> StreamingHttpResponse:
        """The answer that goes on for `seconds` (0: says what stands there, and ends). Raises TooManyStreams.

        `seen` is the number the reader knows already.
        """
        place = _take_place(self.token.player_id)
        language = get_language() or "en"
        content = self._lines(place, seen, time.monotonic() + seconds, language)
        response = StreamingHttpResponse(content, content_type="text/event-stream; charset=utf-8")
        response["Cache-Control"] = "private, no-store"
        response["X-Accel-Buffering"] = "no"
        return response

    async def _lines(self, place: str, seen: int | None, end: float, language: str) -> AsyncIterator[bytes]:
        bell.remember_loop()
        layer = get_channel_layer()
        assert layer is not None
        channel = await layer.new_channel()
        await layer.group_add(self.group, channel)
        receiving = asyncio.ensure_future(layer.receive(channel))
        try:
            yield f"retry: {_RETRY}\n\n".encode()
            rung = True
            while True:
                news = await sync_to_async(_letting_go(self._look))(place, language)
                if news is None:
                    yield _event("end", {"reason": "not-allowed"})
                    return
                if news.number != seen or (rung and self.always):
                    yield _event(self.event, news.data, number=news.number)
                elif not rung:
                    yield b": still here\n\n"
                seen = news.number
                if news.over:
                    yield _event("end", {"reason": "over"})
                    return
                left = end - time.monotonic()
                if left <= 0:
                    return
                done, _waiting = await asyncio.wait({receiving}, timeout=min(left, HEARTBEAT))
                # A ring is not taken at its word: what counts is what the database says after it.
                rung = bool(done)
                while receiving.done():
                    receiving.result()
                    receiving = asyncio.ensure_future(layer.receive(channel))
                    await asyncio.sleep(0)  # rings that lie there already are all answered by one look
        finally:
            receiving.cancel()
            await layer.group_discard(self.group, channel)
            await sync_to_async(_letting_go(cache.delete))(place)

    def _look(self, place: str, language: str) -> News | None:
        """What stands there now, in the reader's language; None if they may not know it any more."""
        cache.set(place, 1, timeout=_LEASE)
        token = PersonalToken.objects.select_related("player__user").filter(pk=self.token.pk).first()
        if token is None or not personal_tokens.is_living(token):
            return None
        try:
            with override(language):
                return self.look()
        except Refusal:
            return None


def _letting_go(work: Callable[..., Any]) -> Callable[..., Any]:
    """`work`, after which no connection to the database is held: the next look may be far away.

    One in the middle of a transaction is somebody else's.
    """

    def done(*args: Any) -> Any:
        try:
            return work(*args)
        finally:
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:
                    connection.close_if_unusable_or_obsolete()

    return done


def _event(name: str, data: Mapping[str, Any], *, number: int | None = None) -> bytes:
    """One event as it goes over the line."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, cls=NinjaJSONEncoder, ensure_ascii=False)}\n\n".encode()


def _take_place(player: int) -> str:
    """The name of a place among the streams a person may have open. Raises TooManyStreams."""
    for number in range(AT_ONCE):
        place = f"stream:{player}:{number}"
        if cache.add(place, 1, timeout=_LEASE):
            return place
    raise TooManyStreams
