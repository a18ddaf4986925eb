"""A clock on the wall that several processes share and that can be turned forward.

Only programs that call `install` follow it; the product knows nothing of it. The file holds how far the clock has been
turned, in milliseconds.
"""

from __future__ import annotations

import mmap
import struct
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils import timezone

_FORMAT = struct.Struct("=q")


class SharedClock:
    """The clock in `path`, made on first use. Reading costs well under a microsecond."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_FORMAT.size))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), _FORMAT.size)

    @property
    def ahead(self) -> timedelta:
        """How far it has been turned."""
        return timedelta(milliseconds=_FORMAT.unpack_from(self._shared)[0])

    def now(self) -> datetime:
        """What it shows, in UTC."""
        return datetime.now(UTC) + self.ahead

    def turn_on(self, by: timedelta) -> None:
        """Turn it forward. Raises ValueError for a step back: time does not go there."""
        if by < timedelta(0):
            raise ValueError("a clock is turned forward only")
        _FORMAT.pack_into(self._shared, 0, (self.ahead + by) // timedelta(milliseconds=1))


def install(path: Path) -> SharedClock:
    """Let everything in this process that asks Django for the time read the clock in `path`.

    Call it before any model is loaded: models keep the function they are given as default.
    """
    clock = SharedClock(path)

    def now() -> datetime:
        return clock.now()

    # Migrations compare defaults by name.
    now.__module__, now.__qualname__ = timezone.now.__module__, timezone.now.__qualname__
    timezone.now = now
    return clock
