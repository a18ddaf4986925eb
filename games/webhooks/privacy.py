"""The webhooks of a player, for `accounts`."""

from __future__ import annotations

from accounts.models import Player
from games.webhooks.models import Webhook


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's rows, should there be any: guests normally have none."""
    Webhook.objects.filter(player=guest).update(player=member)


def release(player: Player) -> bool:
    """Delete all of them, with their pending calls."""
    Webhook.objects.filter(player=player).delete()
    return False


def export(player: Player) -> dict[str, object]:
    """The addresses and the games about which they are called; not the key with which calls are signed."""
    rows = Webhook.objects.filter(player=player).select_related("game").order_by("pk")
    return {
        "webhooks": [
            {
                "url": row.url,
                "game": row.game.public_id if row.game is not None else None,
                "created_at": row.created_at,
                "called_at": row.called_at,
                "off_at": row.off_at,
            }
            for row in rows
        ]
    }
