"""The doorbell of tournaments: open pages are told that something has happened, and fetch it themselves."""

from __future__ import annotations

from games import bell


def group_of(public_id: str) -> str:
    """The channel group of a tournament's open pages."""
    return f"tournament.{public_id}"


def ring(public_id: str, number: int) -> None:
    """Tell the open pages of a tournament that it stands at `number` now. Call it after the commit."""
    bell.send(group_of(public_id), {"type": "ring", "number": number})
