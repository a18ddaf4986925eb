"""Notifying open pages that a game has moved on, and the worker that there is work. Nothing depends on it.

A lost ring does no harm: pages compare numbers by themselves, and the worker looks every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from datetime import datetime
from typing import Any, Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from core.channel_layers import Layer

logger = logging.getLogger(__name__)

worker_wakeup = threading.Event()
"""Set when there is work for the worker of this process, if it has one."""
_MOST_RUNG: Final = 10_000
_rung: dict[str, datetime | None] | None = None
"""The games that have moved on since the worker's last look, by public id, with the moment when something is due there.

None while this process has no worker."""
_rung_lock = threading.Lock()

_loop: asyncio.AbstractEventLoop | None = None


group_of: Final = "game.{}".format
"""The channel group of a game's open pages, by its public id."""
group_of_player: Final = "player.{}".format
"""The channel group of a player's other open pages (their list of games), by their public id."""
group_of_waiting: Final = "waiting.{}".format
"""The channel group of the open pages of a table that waits for players, by its public id."""
group_of_watchers: Final = "watchers.{}".format
"""The channel group of the open pages of a game's watchers, by its public id."""


def remember_loop() -> None:
    """Remember the server's event loop. Called inside it, by whatever runs there first."""
    global _loop
    _loop = asyncio.get_running_loop()


def take_rung() -> dict[str, datetime | None]:
    """The games that were rung since the last call, by public id, with the moment when something is due there.

    Called by the worker of this process. Games that were rung in another process, or beyond the limit, it finds by
    looking.
    """
    global _rung
    with _rung_lock:
        worker_wakeup.clear()
        taken, _rung = _rung or {}, {}
    return taken


def _wake(public_id: str, due_at: datetime | None) -> None:
    with _rung_lock:
        if _rung is not None and len(_rung) < _MOST_RUNG:
            _rung[public_id] = due_at
            worker_wakeup.set()


def wake_worker() -> None:
    """Let the worker of this process, if it has one, look at everything now and not at its next round."""
    _wake("", None)


def ring(public_id: str, number: int, *, due_at: datetime | None = None, is_over: bool = False) -> None:
    """Tell the open pages of a game its present `number`. Call it after the commit.

    Wakes the worker if something is due (`due_at`), or if a deal `is_over`, for which others may be waiting.
    """
    if due_at is not None or is_over:
        _wake(public_id, None if is_over else due_at)
    send(group_of(public_id), {"type": "ring", "game": public_id, "number": number})


def ring_waiting(public_id: str, number: int) -> None:
    """Tell the open pages of a waiting table its present `number`, also if it has just become a game.

    Call it after the commit.
    """
    _wake(public_id, None)
    send(group_of_waiting(public_id), {"type": "ring", "game": public_id, "number": number})


def ring_chat(public_id: str, *, watchers: bool) -> None:
    """Tell open pages of a game that something was written in its chat.

    Only watchers hear of the chat of `watchers`.
    """
    group = group_of_watchers(public_id) if watchers else group_of(public_id)
    send(group, {"type": "ring.chat", "game": public_id})


def ring_watching(public_id: str) -> None:
    """Tell open pages of a game that the rules about watching it have changed. Call it after the commit."""
    send(group_of(public_id), {"type": "ring.watching", "game": public_id})


def ring_rematch(public_id: str) -> None:
    """Tell open pages of a game that is over that somebody wants to play it once more. Call it after the commit."""
    send(group_of(public_id), {"type": "ring.rematch", "game": public_id})


def ring_player(public_id: str) -> None:
    """Tell a player's open lists of games that something changed."""
    send(group_of_player(public_id), {"type": "ring.list"})


def send(group: str, message: dict[str, Any]) -> None:
    """Send a ring to a channel group, from any thread. Never raises: a lost ring does no harm."""
    layer = get_channel_layer()
    if layer is None or (isinstance(layer, Layer) and group not in layer.groups):  # nobody listens
        return
    message = {**message, "sent_at": time.time()}
    try:
        if _loop is not None and _loop.is_running():
            # From a thread of this process: takes a millisecond. `async_to_sync` here was measured to be seconds late.
            asyncio.run_coroutine_threadsafe(layer.group_send(group, message), _loop)
        else:
            async_to_sync(layer.group_send)(group, message)
    except Exception:  # a page that misses the ring asks by itself within a minute
        logger.warning("could not ring %s", group, exc_info=False)
