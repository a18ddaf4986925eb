"""What statistics keep about a player, told to `accounts`: how it moves, goes, and is exported."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.models import Action
from games.statistics_models import PlayedSeat, StatisticsAudience


class Counted:
    """The hands somebody has played, and who may see what they come to. The locks of the games are held already."""

    def merge(self, guest: Player, member: Player) -> None:
        """The guest's hands are the member's from now on, but not where both sat in one game: those stay the guest's."""
        both = Action.objects.filter(text__in=("sat", "substituted"), player=member).values("game")
        PlayedSeat.objects.filter(player=guest).exclude(hand__game__in=both).update(player=member)
        if not StatisticsAudience.objects.filter(player=member).exists():
            StatisticsAudience.objects.filter(player=guest).update(player=member)
        StatisticsAudience.objects.filter(player=guest).delete()

    def release(self, player: Player) -> bool:
        """Who may see it is personal and goes. The hands stay with the games of others, under a number without a name."""
        StatisticsAudience.objects.filter(player=player).delete()
        return PlayedSeat.objects.filter(player=player).exists()

    def export(self, player: Player) -> Mapping[str, object]:
        """What the player did in each hand that counts, and who may see what it comes to."""
        audience = StatisticsAudience.objects.filter(player=player).values_list("audience", flat=True).first()
        return {"statistics_audience": audience or "", "hands": list(own_rows(player))}


COLUMNS = (
    "at", "hand__game__public_id", "hand__number", "ruleset", "table_size", "seat", "dealer", "role", "score", "points",
    "outcome", "tricks", "honours", "calls", "calls_met", "jacks_called", "fool", "bagat", "shared", "people_only",
)  # fmt: skip
NAMES = {"hand__game__public_id": "game", "hand__number": "hand"}
"""What a column is called outside, where it is not its own name."""


def own_rows(player: Player) -> list[dict[str, object]]:
    """A player's hands as plain data, the first one first."""
    rows = PlayedSeat.objects.filter(player=player).order_by("at", "pk").values(*COLUMNS)
    return [{NAMES.get(name, name): value for name, value in row.items()} for row in rows]


COUNTED = Counted()
