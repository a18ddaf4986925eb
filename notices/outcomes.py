"""How a delivery can fail, as the channels say it to the courier. The reasons name no person, address or text."""

from __future__ import annotations

from datetime import timedelta


class Undelivered(Exception):
    """Base: it did not arrive. `str()` is the reason that is kept."""


class NotNow(Undelivered):
    """Try again later; `after` at the earliest if the other side said so."""

    def __init__(self, reason: str, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after


class Unreachable(NotNow):
    """The server itself does not answer: whatever else waits for it need not be tried either."""


class Never(Undelivered):
    """It will never arrive: the address does not exist, the message is refused for good."""
