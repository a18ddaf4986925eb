"""The socket of tournaments: it tells open pages the number of the last event."""

from __future__ import annotations

import json
from typing import Any

from channels.db import database_sync_to_async
from django.urls import URLPattern, path

from games.table.consumers import UNKNOWN, RingConsumer
from tournaments import signals
from tournaments.models import Tournament


class TournamentBell(RingConsumer):
    """Notifies every open page of a tournament (desk, tables, big screen, people). It sends a number, nothing else."""

    async def connect(self) -> None:
        """Listen if there is such a tournament, and send the number of its last event for the page to compare."""
        public_id = self.scope["url_route"]["kwargs"]["public_id"]
        number = await database_sync_to_async(_number)(public_id)
        if number is None:
            await self.accept()
            await self.close(UNKNOWN)
            return
        await self.listen(signals.group_of(public_id))
        await self.send(json.dumps({"number": number}))

    async def ring(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"number": event["number"]}))


def _number(public_id: str) -> int | None:
    return Tournament.objects.filter(public_id=public_id).values_list("number", flat=True).first()


websocket_urlpatterns: list[URLPattern] = [path("ws/e/<slug:public_id>/", TournamentBell.as_asgi())]
