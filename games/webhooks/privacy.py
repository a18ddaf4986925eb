"""The webhooks of a player, told to `accounts`."""

from __future__ import annotations

from accounts.models import Player
from games.webhooks.models import Webhook


class Belongings:
    def merge(self, guest: Player, member: Player) -> None:
        """Guests have none; a row that is there all the same is the member's."""
        Webhook.objects.filter(player=guest).update(player=member)

    def release(self, player: Player) -> bool:
        """All of them go, with the calls that are on their way."""
        Webhook.objects.filter(player=player).delete()
        return False

    def export(self, player: Player) -> dict[str, object]:
        """Which addresses are called about which games. Not what the calls are signed with, which is a key."""
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


BELONGINGS = Belongings()
