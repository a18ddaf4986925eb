"""Plans of a player, for `accounts`."""

from __future__ import annotations

from accounts.models import Player
from games.plans.models import Plans, Scheduled


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's plans; in games where both have plans, the member keeps their own."""
    taken = Plans.objects.filter(player=member).values("game")
    Plans.objects.filter(player=guest).exclude(game__in=taken).update(player=member)
    Plans.objects.filter(player=guest).delete()
    Scheduled.objects.filter(player=guest).update(player=member)


def release(player: Player) -> bool:
    """Delete all plans: nobody else needs them."""
    Plans.objects.filter(player=player).delete()
    Scheduled.objects.filter(player=player).delete()
    return False


def export(player: Player) -> dict[str, object]:
    """The player's plans, game by game."""
    rows = Plans.objects.filter(player=player).select_related("game").order_by("pk")
    return {
        "plans": [
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
