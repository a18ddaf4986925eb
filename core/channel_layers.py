"""The channel layer for the sockets of a single process, without Redis."""

from __future__ import annotations

import time
from typing import Final

from channels.layers import InMemoryChannelLayer

EVERY: Final = 5.0  # seconds


class Layer(InMemoryChannelLayer):  # type: ignore[misc]  # Channels has no types
    """The in-memory layer of Channels, but cleaning up at most every few seconds.

    Channels looks through all channels and groups for what has expired at every message, which is slow with thousands
    of sockets.
    """

    _cleaned_at = float("-inf")

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._cleaned_at >= EVERY:
            self._cleaned_at = now
            super()._clean_expired()
