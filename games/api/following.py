"""Following what happens: streams of server-sent events for a game, a waiting table, and the list of one's games.

A stream says that something has happened, and ends after a while. An open stream is a coroutine that waits at the
channel layer; it uses the database when it is rung and at each heartbeat, and holds no connection in between. A lost
ring does no harm: each heartbeat looks again. It is known to work with two servers: daphne and uvicorn.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import get_language, override
from ninja import Header, Query, Router
from ninja.responses import NinjaJSONEncoder

from accounts import tokens
from accounts.models import PersonalToken
from core.exceptions import Refusal
from core.http import whole_number
from games import broadcast
from games.api.base import READS, ApiError, asking_of, player_of, problems
from games.api.games import game_for, seen
from games.api.schemas import GameOut, Key
from games.lobby.models import OpenTable
from games.lobby.views import table_of
from games.models import Game
from games.mygames import selectors

AT_ONCE: Final = 8
"""How many open streams one person may have."""
LONGEST: Final = 3600
"""Seconds after which a stream ends and has to be requested again."""
HEARTBEAT: Final = 20.0
"""Seconds between two signs of life."""
_RETRY: Final = 2000  # milliseconds after which a browser reconnects
_LEASE: Final = 60  # seconds after which the slot of a stream whose process died is free again


@dataclass(frozen=True, slots=True)
class News:
    """The present state: `number` distinguishes it from the state sent before, `over` says that nothing more will
    come."""

    number: int
    data: Mapping[str, Any]
    over: bool = False


Look = Callable[[], News]
"""Reads the present state from the database. Raises a Refusal if the reader may not see it any more."""


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream: its group of the channel layer, the name of its events, and the reader's token."""

    group: str
    event: str
    token: PersonalToken
    look: Look
    always: bool = False
    """Whether each ring is sent, even if `number` is the same."""

    def response(self, *, seen: int | None, seconds: int) -> StreamingHttpResponse:
        """The streaming response, open for `seconds` (0: sends the present state, and ends).

        Raises ``too-many-streams``. `seen` is the number of the last state that the reader has.
        """
        slot = _take_slot(self.token.player_id)
        language = get_language() or "en"
        content = self._lines(slot, seen, time.monotonic() + seconds, language)
        response = StreamingHttpResponse(content, content_type="text/event-stream; charset=utf-8")
        response["Cache-Control"] = "private, no-store"
        response["X-Accel-Buffering"] = "no"
        return response

    async def _lines(self, slot: str, seen: int | None, end: float, language: str) -> AsyncIterator[bytes]:
        layer = get_channel_layer()
        assert layer is not None
        channel = await layer.new_channel()
        await layer.group_add(self.group, channel)
        receiving = asyncio.ensure_future(layer.receive(channel))
        try:
            yield f"retry: {_RETRY}\n\n".encode()
            rung = True
            while True:
                news = await sync_to_async(_releasing_connections(self._look))(slot, language)
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
                # The content of a ring is ignored: what counts is the state of the database after it.
                rung = bool(done)
                while receiving.done():
                    receiving.result()
                    receiving = asyncio.ensure_future(layer.receive(channel))
                    await asyncio.sleep(0)  # one look is enough for all rings that have arrived
        finally:
            receiving.cancel()
            await layer.group_discard(self.group, channel)
            await sync_to_async(_releasing_connections(cache.delete))(slot)

    def _look(self, slot: str, language: str) -> News | None:
        """The present state, in the reader's language; None if they may not see it any more.

        Renews the lease of the slot.
        """
        cache.set(slot, 1, timeout=_LEASE)
        token = PersonalToken.objects.select_related("player__user").filter(pk=self.token.pk).first()
        if token is None or not tokens.is_living(token):
            return None
        try:
            with override(language):
                return self.look()
        except Refusal:
            return None


def _releasing_connections(work: Callable[..., Any]) -> Callable[..., Any]:
    """`work`, but it releases the database connections afterwards, since the next look may be far away.

    A connection in the middle of a transaction belongs to other code, and is left alone.
    """

    def wrapped(*args: Any) -> Any:
        try:
            return work(*args)
        finally:
            for connection in connections.all(initialized_only=True):
                if not connection.in_atomic_block:
                    connection.close_if_unusable_or_obsolete()

    return wrapped


def _event(name: str, data: Mapping[str, Any], *, number: int | None = None) -> bytes:
    """One event in the format of server-sent events."""
    head = f"id: {number}\n" if number is not None else ""
    return f"{head}event: {name}\ndata: {json.dumps(data, cls=NinjaJSONEncoder, ensure_ascii=False)}\n\n".encode()


def _take_slot(player: int) -> str:
    """Take one of the slots for a person's open streams, and return its cache key. Raises ``too-many-streams``."""
    for number in range(AT_ONCE):
        slot = f"stream:{player}:{number}"
        if cache.add(slot, 1, timeout=_LEASE):
            return slot
    raise ApiError("too-many-streams")


router = Router(tags=["following"])

Seconds = Annotated[
    int, Query(ge=0, le=LONGEST, description="how long the stream stays open; 0: one look, and the end")
]
LastSeen = Annotated[
    str, Header(alias="Last-Event-ID", pattern=r"^[0-9]{0,9}$", description="the id of the last event you have got")
]
_STREAM: Final[dict[str, Any]] = {
    "responses": {
        200: {
            "description": "A stream of server-sent events.",
            "content": {
                "text/event-stream": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "event": {"enum": ["game", "table", "games", "end"]},
                            "id": {"type": "string", "description": "the number; send it as Last-Event-ID"},
                            "data": {"type": "string", "description": "JSON"},
                        },
                        "required": ["event", "data"],
                    }
                }
            },
        }
    }
}


@router.get(
    "/games/{key}/events",
    auth=READS,
    response={200: None, **problems(401, 404)},
    openapi_extra=_STREAM,
    summary="Follow a game",
)
def game_events(
    request: HttpRequest,
    key: Key,
    state: Annotated[bool, Query(description="true: each event holds the game as you see it")] = False,
    seconds: Seconds = LONGEST,
    last_seen: LastSeen = "",
) -> StreamingHttpResponse:
    """Event `game` with `{"game", "number", "status"}` at once and whenever something has happened; its id is the number.

    With the id of the last event in `Last-Event-ID` only what is newer is told. Event `end` closes the stream for good when
    the game is over. Lines that begin with a colon are signs of life.
    """
    player = player_of(request)
    public_id = game_for(key, player).public_id

    def look() -> News:
        game = game_for(public_id, player)
        data: dict[str, Any] = {"game": public_id, "number": game.number, "status": game.status}
        if state:
            shown = GameOut.model_validate(seen(game, player)).model_dump()
            data |= {"number": shown["number"], "status": shown["status"], "state": shown}
        return News(data["number"], data, over=data["status"] != Game.Status.PLAYING)

    stream = Stream(broadcast.group_of(public_id), "game", asking_of(request).token, look)
    return stream.response(seen=whole_number(last_seen), seconds=seconds)


@router.get(
    "/tables/{key}/events",
    auth=READS,
    response={200: None, **problems(401, 404)},
    openapi_extra=_STREAM,
    summary="Follow a table that waits",
)
def table_events(
    request: HttpRequest, key: Key, seconds: Seconds = LONGEST, last_seen: LastSeen = ""
) -> StreamingHttpResponse:
    """Event `table` with `{"table", "number", "state", "game"}`; `end` when it does not wait any more."""
    public_id = table_of(key).public_id

    def look() -> News:
        table = table_of(public_id)
        game = table.game.public_id if table.game is not None else ""
        data = {"table": public_id, "number": table.number, "state": table.state, "game": game}
        return News(table.number, data, over=table.state != OpenTable.State.WAITING)

    stream = Stream(broadcast.group_of_waiting(public_id), "table", asking_of(request).token, look)
    return stream.response(seen=whole_number(last_seen), seconds=seconds)


@router.get(
    "/events",
    auth=READS,
    response={200: None, **problems(401)},
    openapi_extra=_STREAM,
    summary="Follow your list of games",
)
def list_events(request: HttpRequest, seconds: Seconds = LONGEST) -> StreamingHttpResponse:
    """Event `games` with `{"waiting"}`, how many games wait for you, whenever the list may have changed."""
    player = player_of(request)

    def look() -> News:
        waiting = selectors.waiting(player)
        return News(waiting, {"waiting": waiting})

    stream = Stream(broadcast.group_of_player(player.public_id), "games", asking_of(request).token, look, always=True)
    return stream.response(seen=None, seconds=seconds)
