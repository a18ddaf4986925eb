"""A player's daily deals and preferences, for `accounts`. The caller holds the locks of the games."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.daily import tasks
from games.daily.models import DailyEntry, DailyWishes


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's days. Guests have no wishes."""
    tasks.merged(guest, member)
    DailyWishes.objects.filter(player=guest).delete()


def release(player: Player) -> bool:
    """Delete the wishes, and so the permission to show the name. Results stay in the comparison, without a name."""
    DailyWishes.objects.filter(player=player).delete()
    return DailyEntry.objects.filter(player=player).exists()


def export(player: Player) -> Mapping[str, object]:
    """The player's wishes and days. A day that is not open yet has no points here: they are only in its game."""
    wishes = DailyWishes.objects.filter(player=player).values("shows_name", "shows_play", "remind_hour").first()
    rows = DailyEntry.objects.filter(player=player).order_by("day__date")
    return {
        "daily_wishes": wishes or {},
        "daily_deals": [
            {
                "day": row["day__date"].isoformat(),
                "game": row["game__public_id"],
                "begun_at": row["begun_at"],
                "points": row["points"],
                "average": row["day__datum"],
            }
            for row in rows.values("day__date", "game__public_id", "begun_at", "points", "day__datum")
        ],
    }
