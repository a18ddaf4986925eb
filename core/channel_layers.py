"""How the sockets of one process are told something, where there is no Redis."""

from __future__ import annotations

import time
from typing import Final

from channels.layers import InMemoryChannelLayer

EVERY: Final = 5.0  # seconds


class Layer(InMemoryChannelLayer):  # type: ignore[misc]  # Channels has no types
    """Channels', which at every message looks through all channels and groups for what has expired: here that is done at most
    every few seconds, so that a message costs the same beside thousands of sockets."""

    _cleaned_at = float("-inf")

    def _clean_expired(self) -> None:
        now = time.monotonic()
        if now - self._cleaned_at >= EVERY:
            self._cleaned_at = now
            super()._clean_expired()
