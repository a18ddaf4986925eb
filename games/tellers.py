"""How notices of games are told in open pages: the player's list of games rings."""

from __future__ import annotations

from games import bell
from notices.models import Outbox


def ring_list(row: Outbox) -> None:
    """Ring the player's other pages: it is their turn somewhere, or a game has ended."""
    if row.event.startswith("game."):
        bell.ring_player(row.player.public_id)
