"""Telling open pages that a game has moved on, and the worker that there is work. Nothing depends on it.

A lost ring costs nothing: pages compare numbers by themselves, and the worker looks every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

worker_wakeup = threading.Event()
"""Set when something is due for the worker of this process, if it has one."""

_loop: asyncio.AbstractEventLoop | None = None


group_of: Final = "game.{}".format
"""The channel group of a game's open pages, by its public id."""
group_of_player: Final = "player.{}".format
"""That of a player's other open pages (their list of games)."""
group_of_waiting: Final = "waiting.{}".format
"""That of the open pages of a table that has not begun."""
group_of_watchers: Final = "watchers.{}".format
"""That of the open pages of those who only watch a game."""


def remember_loop() -> None:
    """Note the server's event loop; called from inside it, by whatever runs there first."""
    global _loop
    _loop = asyncio.get_running_loop()


def ring(public_id: str, number: int) -> None:
    """Tell the open pages of a game that it stands at `number` now, and wake the worker. Call it after the commit."""
    worker_wakeup.set()
    send(group_of(public_id), {"type": "ring", "game": public_id, "number": number})


def ring_waiting(public_id: str, number: int) -> None:
    """The same for a table that has not begun, or has just become a game. Call it after the commit."""
    worker_wakeup.set()
    send(group_of_waiting(public_id), {"type": "ring", "game": public_id, "number": number})


def ring_chat(public_id: str, *, watchers: bool) -> None:
    """Tell open pages of a game that something was written: in the chat of those who watch, then only theirs are told."""
    group = group_of_watchers(public_id) if watchers else group_of(public_id)
    send(group, {"type": "ring.chat", "game": public_id})


def ring_watching(public_id: str) -> None:
    """Tell open pages of a game that something about who may watch it has changed. Call it after the commit."""
    send(group_of(public_id), {"type": "ring.watching", "game": public_id})


def ring_player(public_id: str) -> None:
    """Tell a player's open lists of games that something changed."""
    send(group_of_player(public_id), {"type": "ring.list"})


def send(group: str, message: dict[str, Any]) -> None:
    """Send a ring to a channel group, from whatever thread. Never raises: a lost ring costs nothing."""
    layer = get_channel_layer()
    if layer is None:
        return
    message = {**message, "sent_at": time.time()}
    try:
        if _loop is not None and _loop.is_running():
            # From a thread of this process: one millisecond; `async_to_sync` here was measured to arrive seconds late.
            asyncio.run_coroutine_threadsafe(layer.group_send(group, message), _loop)
        else:
            async_to_sync(layer.group_send)(group, message)
    except Exception:  # a page that is not told now asks by itself within a minute
        logger.warning("could not ring %s", group, exc_info=False)
