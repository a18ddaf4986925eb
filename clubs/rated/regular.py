"""What the worker does for ratings."""

from __future__ import annotations

from datetime import datetime

from clubs.rated import computing, due


def chore(now: datetime) -> None:
    """Compute anew if it is due; asked once an hour."""
    if due.is_due(now):
        computing.run()
