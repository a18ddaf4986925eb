"""What the site remembers for a player about their games, for `accounts`: merging, deletion and export."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.mygames.models import CalendarAddress, Seen


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's rows; for games that both have looked at, the member keeps their own."""
    known = Seen.objects.filter(player=member).values("game")
    Seen.objects.filter(player=guest).exclude(game__in=known).update(player=member)
    Seen.objects.filter(player=guest).delete()
    if not CalendarAddress.objects.filter(player=member).exists():
        # The old address names the guest and no longer works; the member is shown the new one.
        CalendarAddress.objects.filter(player=guest).update(player=member)
    CalendarAddress.objects.filter(player=guest).delete()


def release(player: Player) -> bool:
    """Delete all of it: nobody else needs it."""
    Seen.objects.filter(player=player).delete()
    CalendarAddress.objects.filter(player=player).delete()
    return False


def export(player: Player) -> Mapping[str, object]:
    """When the player last looked at each game, and since when they have a calendar; not its secret address."""
    seen = Seen.objects.filter(player=player).order_by("game").values("game__public_id", "number", "at")
    address = CalendarAddress.objects.filter(player=player).first()
    return {
        "looked_at": [{"game": row["game__public_id"], "number": row["number"], "at": row["at"]} for row in seen],
        "calendar_since": address.created_at if address is not None else None,
    }
