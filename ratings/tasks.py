"""What the worker does for ratings."""

from __future__ import annotations

from datetime import datetime

from ratings import services
from ratings import services as ratings_services


def chore(now: datetime) -> None:
    """Compute anew if it is due; asked once an hour."""
    if ratings_services.is_due(now):
        services.run()
