"""The sockets and their addresses. They only say that a game has moved on; pages then fetch what happened over HTTP."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from autobahn.exception import Disconnected
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError
from django.urls import URLPattern, path

from accounts.middleware import address_of_scope
from accounts.models import Player
from accounts.services import player_of_scope
from core import metrics
from games import broadcast
from games import permissions as watching
from games.chat import permissions as chat_permissions
from games.lobby.models import OpenTable
from games.models import Game
from games.watching import services
from notices.selectors import look

MALFORMED, CLOSED, UNKNOWN, TOO_MUCH = 4400, 4403, 4404, 4429
_LONGEST = 256  # characters of a message
_BURST, _PER_SECOND = 10.0, 1.0
_REJOIN_SECONDS = 3600.0
_READ_AGAIN_SECONDS = 60.0
PING, LOOKING = {"type": "ping"}, {"type": "looking"}
_COUNT_SECONDS = 1.0
_counting: dict[str, asyncio.Task[None]] = {}
"""By a game's public id: who watches it will be counted in a moment."""


class RingConsumer(AsyncWebsocketConsumer):
    """What all sockets share: one group to listen to, and `{"type": "ping"}` as what may be said.

    Anything else closes the socket with 4400, too much of it with 4429; neither changes anything.
    """

    understood: tuple[dict[str, str], ...] = (PING,)
    group = ""
    second_group = ""
    tokens = _BURST
    asked_at = 0.0
    joined_at = 0.0

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Do what the message asks for, and note how long a ring was on its way."""
        if (sent_at := message.get("sent_at")) is not None:
            metrics.ring_seconds.observe(max(0.0, time.time() - sent_at))
        await super().dispatch(message)

    async def listen(self, group: str) -> None:
        """Accept, and listen to `group`."""
        broadcast.remember_loop()
        self.group = group
        self.asked_at = self.joined_at = time.monotonic()
        await self.channel_layer.group_add(group, self.channel_name)
        await self.accept()

    async def turn_away(self, code: int) -> None:
        """Accept only to say with `code` why not."""
        await self.accept()
        await self.close(code)

    async def listen_too(self, group: str) -> None:
        self.second_group = group
        await self.channel_layer.group_add(group, self.channel_name)

    async def send(self, text_data: str | None = None, bytes_data: bytes | None = None, close: bool = False) -> None:
        """Say something. Whoever has hung up in the meantime need not hear it."""
        with suppress(Disconnected):
            await super().send(text_data, bytes_data, close)

    async def disconnect(self, code: int) -> None:
        for group in filter(None, (self.group, self.second_group)):
            await self.channel_layer.group_discard(group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer what is understood; close on anything else."""
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
        if now - self.joined_at > _REJOIN_SECONDS:  # memberships fade in a channel layer after a day
            for group in filter(None, (self.group, self.second_group)):
                await self.channel_layer.group_add(group, self.channel_name)
            self.joined_at = now
        if message == LOOKING:
            await self.look()
        await self.pong()

    async def look(self) -> None:
        """Note that who opened this socket is looking; only sockets of a table understand that."""

    async def pong(self) -> None:
        await self.send(json.dumps({"type": "pong"}))


class TableConsumer(RingConsumer):
    """Rings `{"game": …, "number": n}` when a game has moved on, and `{"chat": …}` when something was written.

    `{"watchers": n}` says how many watch now, `{"watching": …}` that something about who may watch has changed. The same for
    everybody who listens; of what those who watch write to each other only they hear a ring. Who may not see the table hears
    nothing: their socket is closed with 4403.

    `{"type": "looking"}` says that who opened it looks at the table, for as long as a post to `looking` says it.
    """

    understood = (PING, LOOKING)
    model: type[Game | OpenTable] = Game
    public_id = ""
    watches = False
    told = 0
    read_at = 0.0
    staying: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Listen to a game that exists; tell its present number at once."""
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        if await self.number(public_id) is None:
            await self.turn_away(UNKNOWN)
            return
        self.public_id = public_id
        if not await self.admit(public_id):
            await self.turn_away(CLOSED)
            return
        # What was agreed between the look at who this is and the listening rang for nobody: look again.
        if self.watches and not (await admission(self.scope, public_id)).may_see:
            await self.close(CLOSED)
            return
        # Read only now: what happens between this and the page's own number is told here, what happens later rings.
        await self.read_number()
        await self.send(json.dumps({"game": public_id, "number": self.told}))

    async def read_number(self) -> None:
        self.read_at = time.monotonic()
        self.told = max(self.told, await self.number(self.public_id) or 0)

    async def pong(self) -> None:
        """Answer with the game's number: as it rang last, and read again once a minute, since a ring may be lost."""
        if time.monotonic() - self.read_at > _READ_AGAIN_SECONDS:
            await self.read_number()
        await self.send(json.dumps({"type": "pong", "number": self.told}))

    async def look(self) -> None:
        with suppress(DatabaseError):  # it is said again before it ends to hold
            await note_look(self.scope, self.public_id)

    async def number(self, public_id: str) -> int | None:
        """The number of the last action of the game (or event at the table), None if there is none such."""
        return await number_of(self.model, public_id)

    def group_for(self, public_id: str) -> str:
        return broadcast.group_of(public_id)

    async def admit(self, public_id: str) -> bool:
        """Listen, if one may. Who only watches is counted, and also hears those who watch."""
        who = await admission(self.scope, public_id)
        if not who.may_see:
            return False
        await self.listen(self.group_for(public_id))
        if who.reads_watchers:
            await self.listen_too(broadcast.group_of_watchers(public_id))
        if who.watches:
            self.watches = True
            await database_sync_to_async(services.open_page)(
                who.game, self.channel_name, who.player, address_of_scope(self.scope)
            )
            self.tell_count()
            self.staying = asyncio.create_task(self.stay())
        return True

    async def stay(self) -> None:
        """Say again and again that this page is open."""
        while True:
            await asyncio.sleep(services.STAYS_SECONDS)
            with suppress(DatabaseError):  # it is said again before the page stops to count
                await database_sync_to_async(services.keep_page)(self.channel_name)

    async def disconnect(self, code: int) -> None:
        await super().disconnect(code)
        if self.staying is not None:
            self.staying.cancel()
        if self.watches:
            await database_sync_to_async(services.close_page)(self.channel_name)
            self.tell_count()

    def tell_count(self) -> None:
        """Tell everybody who listens how many watch; within a second, and once for all who come and go meanwhile."""
        if self.public_id not in _counting:
            _counting[self.public_id] = asyncio.create_task(self._tell_count())

    async def _tell_count(self) -> None:
        await asyncio.sleep(_COUNT_SECONDS)
        del _counting[self.public_id]
        with suppress(DatabaseError, Game.DoesNotExist):  # the next who comes or goes makes up for it
            count = await count_of(self.public_id)
            message = {"type": "ring.watchers", "count": count}
            await self.channel_layer.group_send(broadcast.group_of(self.public_id), message)

    async def ring_watchers(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"watchers": event["count"]}))

    async def ring_watching(self, event: dict[str, Any]) -> None:
        """Pass on that something about who may watch has changed; hang up if that was meant for this one."""
        # Who played here when they came may have given their seat away since.
        if not (await admission(self.scope, self.public_id)).may_see:
            await self.close(CLOSED)
            return
        await self.send(json.dumps({"watching": event["game"]}))

    async def ring(self, event: dict[str, Any]) -> None:
        self.told = max(self.told, event["number"])
        await self.send(json.dumps({"game": event["game"], "number": event["number"]}))

    async def ring_chat(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"chat": event["game"]}))


class WaitingTableConsumer(TableConsumer):
    """The same for a table that has not begun."""

    model = OpenTable

    def group_for(self, public_id: str) -> str:
        return broadcast.group_of_waiting(public_id)

    async def admit(self, public_id: str) -> bool:
        """Listen. Nothing is written here, and nobody is counted."""
        await self.listen(self.group_for(public_id))
        return True


class GamesConsumer(RingConsumer):
    """Rings `{"list": "changed"}` when a player's list of games has changed."""

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
    """What who opened the socket of a game may hear. `watches`: they see the game go on and do not play."""

    game: int
    player: Player | None
    may_see: bool
    watches: bool
    reads_watchers: bool


@database_sync_to_async
def admission(scope: Mapping[str, Any], public_id: str) -> Admission:
    """What who opened this socket may hear of a game that exists. Raises Game.DoesNotExist."""
    game, player = Game.objects.get(public_id=public_id), player_of_scope(scope)
    return Admission(
        game=game.pk,
        player=player,
        may_see=watching.may_see(game, player),
        watches=game.status == Game.Status.PLAYING and not watching.sits(game, player),
        reads_watchers=chat_permissions.WATCHERS in chat_permissions.channels_for(game, player),
    )


@database_sync_to_async
def count_of(public_id: str) -> int:
    return services.count_watchers(Game.objects.get(public_id=public_id))


websocket_urlpatterns: list[URLPattern] = [
    path("ws/g/<slug:public_id>/", TableConsumer.as_asgi()),
    path("ws/t/<slug:public_id>/", WaitingTableConsumer.as_asgi()),
    path("ws/games/", GamesConsumer.as_asgi()),
]
