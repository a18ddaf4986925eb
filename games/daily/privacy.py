"""What the daily deal keeps about a player, told to `accounts`: how it moves, goes, and is exported."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.daily import tasks
from games.daily.models import DailyEntry, DailyWishes


class Played:
    """The days somebody has played, and what they wish about them. The locks of the games are held already."""

    def merge(self, guest: Player, member: Player) -> None:
        """The guest's days are the member's from now on. A guest has no wishes."""
        tasks.merged(guest, member)
        DailyWishes.objects.filter(player=guest).delete()

    def release(self, player: Player) -> bool:
        """The wishes go, and the name with them. Results stay in the comparison, under a number without a name."""
        DailyWishes.objects.filter(player=player).delete()
        return DailyEntry.objects.filter(player=player).exists()

    def export(self, player: Player) -> Mapping[str, object]:
        """The player's wishes and days. A day that is not open tells no points: they are in its game."""
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


PLAYED = Played()
