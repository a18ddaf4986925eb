"""What players have said ahead, told to `accounts`."""

from __future__ import annotations

from accounts.models import Player
from games.conditional.models import Scheduled, Standing


class SaidAhead:
    def merge(self, guest: Player, member: Player) -> None:
        """Give the member what the guest has said; where both have said something, the member's own holds."""
        taken = Standing.objects.filter(player=member).values("game")
        Standing.objects.filter(player=guest).exclude(game__in=taken).update(player=member)
        Standing.objects.filter(player=guest).delete()
        Scheduled.objects.filter(player=guest).update(player=member)

    def release(self, player: Player) -> bool:
        """Forget it all: nobody else needs it."""
        Standing.objects.filter(player=player).delete()
        Scheduled.objects.filter(player=player).delete()
        return False

    def export(self, player: Player) -> dict[str, object]:
        """What the player has said ahead, game by game."""
        rows = Standing.objects.filter(player=player).select_related("game").order_by("pk")
        return {
            "said_ahead": [
                {
                    "game": row.game.public_id,
                    "plan": row.plan,
                    "plan_deal": row.plan_hand,
                    "talk": row.talk,
                    "talk_deal": row.talk_hand,
                }
                for row in rows
            ]
        }


SAID_AHEAD = SaidAhead()
