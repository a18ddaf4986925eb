"""What the site remembers for a player about their games, told to `accounts`: how it moves, goes, and is exported."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.mygames.models import CalendarAddress, Seen


class Remembered:
    def merge(self, guest: Player, member: Player) -> None:
        """What the guest had seen the member has seen; where both looked at a game, the member's own stands."""
        known = Seen.objects.filter(player=member).values("game")
        Seen.objects.filter(player=guest).exclude(game__in=known).update(player=member)
        Seen.objects.filter(player=guest).delete()
        if not CalendarAddress.objects.filter(player=member).exists():
            # The address names the guest: it opens nothing any more, and the member is told the new one.
            CalendarAddress.objects.filter(player=guest).update(player=member)
        CalendarAddress.objects.filter(player=guest).delete()

    def release(self, player: Player) -> bool:
        """All of it goes; nobody else needs it."""
        Seen.objects.filter(player=player).delete()
        CalendarAddress.objects.filter(player=player).delete()
        return False

    def export(self, player: Player) -> Mapping[str, object]:
        """When the player last looked at each game, and whether they have a calendar. Not its address, which is a key."""
        seen = Seen.objects.filter(player=player).order_by("game").values("game__public_id", "number", "at")
        address = CalendarAddress.objects.filter(player=player).first()
        return {
            "looked_at": [{"game": row["game__public_id"], "number": row["number"], "at": row["at"]} for row in seen],
            "calendar_since": address.created_at if address is not None else None,
        }


REMEMBERED = Remembered()


def end_calendar(player: Player) -> None:
    """The address of the calendar opens nothing any more."""
    CalendarAddress.objects.filter(player=player).delete()
