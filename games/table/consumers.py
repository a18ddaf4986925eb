"""The sockets and their URLs. They only say that a game has moved on; pages then fetch the changes over HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError
from django.urls import URLPattern, path
from redis.exceptions import RedisError

from accounts.middleware import address_of_scope
from accounts.models import Player
from accounts.services import player_of_scope
from core import metrics
from games import broadcast
from games import permissions as game_permissions
from games.chat import permissions as chat_permissions
from games.lobby.models import OpenTable
from games.models import Game
from games.watching import services as watching_services
from notices.selectors import look

logger = logging.getLogger(__name__)
MALFORMED, CLOSED, UNKNOWN, TOO_MUCH = 4400, 4403, 4404, 4429
TRY_AGAIN_LATER = 1013  # RFC 6455, in IANA's registry of close codes
_LONGEST = 256  # characters of a message
_BURST, _PER_SECOND = 10.0, 1.0
_REJOIN_SECONDS = 3600.0
_READ_AGAIN_SECONDS = 60.0
PING, LOOKING = {"type": "ping"}, {"type": "looking"}
_COUNT_SECONDS = 1.0
_counting: dict[str, asyncio.Task[None]] = {}
"""By a game's public id: the task that will soon count its watchers."""


class RingConsumer(AsyncWebsocketConsumer):
    """The base of all sockets: listens to one group, and understands `{"type": "ping"}`.

    Any other message closes the socket with 4400, too many messages with 4429; neither changes anything.
    """

    understood: tuple[dict[str, str], ...] = (PING,)
    group = ""
    second_group = ""
    tokens = _BURST
    asked_at = 0.0
    joined_at = 0.0

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Serve the connection until it ends. While Redis does not answer, new ones are rejected: pages try again."""
        try:
            await super().__call__(scope, receive, send)
        except RedisError as error:
            logger.warning("Redis does not answer (%s)", type(error).__name__)
            with suppress(Disconnected):
                await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle a message, and measure how long a ring was on its way."""
        if (sent_at := message.get("sent_at")) is not None:
            metrics.ring_seconds.observe(max(0.0, time.time() - sent_at))
        await super().dispatch(message)

    async def listen(self, group: str) -> None:
        """Accept the connection, and listen to `group`."""
        broadcast.remember_loop()
        self.group = group
        self.asked_at = self.joined_at = time.monotonic()
        await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()

    async def turn_away(self, code: int) -> None:
        """Reject the connection: accept it, then close it with `code`, so that the page learns why."""
        await self.accept()
        await self.close(code)

    async def listen_too(self, group: str) -> None:
        self.second_group = group
        await self.channel_layer.group_add(group, self.channel_name)

    async def send(self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False) -> None:
        """Send a message. Does nothing if the other side has disconnected in the meantime."""
        with suppress(Disconnected):
            await super().send(text_data, bytes_data, close)

    async def disconnect(self, code: int) -> None:
        for group in filter(None, (self.group, self.second_group)):
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Handle a message from the page; close the socket if it is not understood."""
        now = time.monotonic()
        self.tokens = min(_BURST, self.tokens + (now - self.asked_at) * _PER_SECOND) - 1
        self.asked_at = now
        if self.tokens < 0:
            await self.close(TOO_MUCH)
            return
        try:
            if text_data is None or len(text_data) > _LONGEST:
                raise ValueError
            message = json.loads(text_data)
            if message not in self.understood:
                raise ValueError
        except (ValueError, RecursionError):
            await self.close(MALFORMED)
            return
        if now - self.joined_at > _REJOIN_SECONDS:  # a channel layer drops memberships after a day
            for group in filter(None, (self.group, self.second_group)):
                await self.channel_layer.group_add(group, self.channel_name)
            self.joined_at = now
        if message == LOOKING:
            await self.look()
        await self.pong()

    async def look(self) -> None:
        """Note that the player of this socket is looking; only sockets of a table understand that."""

    async def pong(self) -> None:
        await self.send(json.dumps({"type": "pong"}))


class TableConsumer(RingConsumer):
    """Sends `{"game": …, "number": n}` when a game has moved on, and `{"chat": …}` when something was written in its
    chat.

    `{"watchers": n}` says how many watch now, `{"watching": …}` that the rules about watching have changed. All
    listeners get the same, except that only watchers are told of messages in their own chat. The socket of anyone who
    may not see the table is closed with 4403.

    The page sends `{"type": "looking"}` while its player looks at the table. That is valid for as long as a POST to
    `looking`.
    """

    understood = (PING, LOOKING)
    model: type[Game | OpenTable] = Game
    public_id = ""
    watches = False
    sent_number = 0
    read_at = 0.0
    staying: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Listen to a game that exists, and send its present number at once."""
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        if await self.number(public_id) is None:
            await self.turn_away(UNKNOWN)
            return
        self.public_id = public_id
        if not await self.admit(public_id):
            await self.turn_away(CLOSED)
            return
        # A change of who may watch, between the check and the listening, was not heard here: check again.
        if self.watches and not (await admission(self.scope, public_id)).may_see:
            await self.close(CLOSED)
            return
        # Read only after joining, so that the page learns of everything since its own number, now or by a ring.
        await self.read_number()
        await self.send(json.dumps({"game": public_id, "number": self.sent_number}))

    async def read_number(self) -> None:
        self.read_at = time.monotonic()
        self.sent_number = max(self.sent_number, await self.number(self.public_id) or 0)

    async def pong(self) -> None:
        """Send the game's number: that of the last ring, but read again once a minute, since a ring may be lost."""
        if time.monotonic() - self.read_at > _READ_AGAIN_SECONDS:
            await self.read_number()
        await self.send(json.dumps({"type": "pong", "number": self.sent_number}))

    async def look(self) -> None:
        with suppress(DatabaseError):  # the page says it again before it expires
            await note_look(self.scope, self.public_id)

    async def number(self, public_id: str) -> int | None:
        """The number of the last action of the game (or event at the table); None if there is no such game."""
        return await number_of(self.model, public_id)

    def group_for(self, public_id: str) -> str:
        return broadcast.group_of(public_id)

    async def admit(self, public_id: str) -> bool:
        """Join the groups the player may hear, and count them as a watcher if the game goes on and they do not play.

        Returns False if they may not see the game.
        """
        admitted = await admission(self.scope, public_id)
        if not admitted.may_see:
            return False
        await self.listen(self.group_for(public_id))
        if admitted.reads_watchers:
            await self.listen_too(broadcast.group_of_watchers(public_id))
        if admitted.watches:
            self.watches = True
            await database_sync_to_async(watching_services.open_page)(
                admitted.game, self.channel_name, admitted.player, address_of_scope(self.scope)
            )
            self.tell_count()
            self.staying = asyncio.create_task(self.stay())
        return True

    async def stay(self) -> None:
        """Note at regular intervals that this page is still open."""
        while True:
            await asyncio.sleep(watching_services.STAYS_SECONDS)
            with suppress(DatabaseError):  # it is noted again before the page stops counting
                await database_sync_to_async(watching_services.keep_page)(self.channel_name)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.staying is not None:
            self.staying.cancel()
        if self.watches:
            await database_sync_to_async(watching_services.close_page)(self.channel_name)
            self.tell_count()

    def tell_count(self) -> None:
        """Send the number of watchers to all listeners within a second, once for everybody who comes or goes until
        then."""
        if self.public_id not in _counting:
            _counting[self.public_id] = asyncio.create_task(self._tell_count())

    async def _tell_count(self) -> None:
        await asyncio.sleep(_COUNT_SECONDS)
        del _counting[self.public_id]
        with suppress(DatabaseError, Game.DoesNotExist):  # the next watcher who comes or goes makes up for it
            count = await count_of(self.public_id)
            message = {"type": "ring.watchers", "count": count}
            await self.channel_layer.group_send(broadcast.group_of(self.public_id), message)

    async def ring_watchers(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"watchers": event["count"]}))

    async def ring_watching(self, event: dict[str, Any]) -> None:
        """Pass on that the rules about watching have changed; close the socket if its player may not see the table
        any more."""
        # Players may have lost their seats since they connected.
        if not (await admission(self.scope, self.public_id)).may_see:
            await self.close(CLOSED)
            return
        await self.send(json.dumps({"watching": event["game"]}))

    async def ring(self, event: dict[str, Any]) -> None:
        self.sent_number = max(self.sent_number, event["number"])
        await self.send(json.dumps({"game": event["game"], "number": event["number"]}))

    async def ring_rematch(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"rematch": event["game"]}))

    async def ring_chat(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"chat": event["game"]}))


class WaitingTableConsumer(TableConsumer):
    """The socket of a table that waits for players. It sends the same messages as that of a game."""

    model = OpenTable

    def group_for(self, public_id: str) -> str:
        return broadcast.group_of_waiting(public_id)

    async def admit(self, public_id: str) -> bool:
        """Listen. Waiting tables have no chat, and their watchers are not counted."""
        await self.listen(self.group_for(public_id))
        return True


class GamesConsumer(RingConsumer):
    """Sends `{"list": "changed"}` when a player's list of games has changed."""

    async def connect(self) -> None:
        """Listen for the player of this session or guest cookie."""
        player = await database_sync_to_async(player_of_scope)(self.scope)
        if player is None:
            await self.turn_away(UNKNOWN)
            return
        await self.listen(broadcast.group_of_player(player.public_id))

    async def ring_list(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"list": "changed"}))


@database_sync_to_async
def number_of(model: type[Game | OpenTable], public_id: str) -> int | None:
    return model.objects.filter(public_id=public_id).values_list("number", flat=True).first()


@database_sync_to_async
def note_look(scope: Mapping[str, Any], public_id: str) -> None:
    if (player := player_of_scope(scope)) is not None:
        look(player, public_id)


@dataclass(frozen=True, slots=True)
class Admission:
    """What the player who opened the socket of a game may hear.

    `watches`: the game goes on, and they do not play in it.
    """

    game: int
    player: Player | None
    may_see: bool
    watches: bool
    reads_watchers: bool


@database_sync_to_async
def admission(scope: Mapping[str, Any], public_id: str) -> Admission:
    """What the player who opened this socket may hear of a game. Raises Game.DoesNotExist."""
    game, player = Game.objects.get(public_id=public_id), player_of_scope(scope)
    return Admission(
        game=game.pk,
        player=player,
        may_see=game_permissions.may_see(game, player),
        watches=game.status == Game.Status.PLAYING and not game_permissions.sits(game, player),
        reads_watchers=chat_permissions.WATCHERS in chat_permissions.channels_for(game, player),
    )


@database_sync_to_async
def count_of(public_id: str) -> int:
    return watching_services.count_watchers(Game.objects.get(public_id=public_id))


websocket_urlpatterns: list[URLPattern] = [
    path("ws/g/<slug:public_id>/", TableConsumer.as_asgi()),
    path("ws/t/<slug:public_id>/", WaitingTableConsumer.as_asgi()),
    path("ws/games/", GamesConsumer.as_asgi()),
]
