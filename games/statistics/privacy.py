"""A player's hands and the choice who may see their statistics, for `accounts`. The caller holds the locks of the games."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.models import Action, PlayedSeat
from games.statistics.models import StatisticsAudience


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's hands. Those of games in which both sat stay the guest's."""
    both = Action.objects.filter(text__in=("sat", "substituted"), player=member).values("game")
    PlayedSeat.objects.filter(player=guest).exclude(hand__game__in=both).update(player=member)
    if not StatisticsAudience.objects.filter(player=member).exists():
        StatisticsAudience.objects.filter(player=guest).update(player=member)
    StatisticsAudience.objects.filter(player=guest).delete()


def release(player: Player) -> bool:
    """Delete the player's choice of who may see their statistics.

    The hands stay, since they belong to the games of others, but without a name.
    """
    StatisticsAudience.objects.filter(player=player).delete()
    return PlayedSeat.objects.filter(player=player).exists()


def export(player: Player) -> Mapping[str, object]:
    """The player's hands, and who may see their statistics."""
    audience = StatisticsAudience.objects.filter(player=player).values_list("audience", flat=True).first()
    return {"statistics_audience": audience or "", "hands": list(own_rows(player))}


COLUMNS = (
    "at", "hand__game__public_id", "hand__number", "ruleset", "table_size", "seat", "dealer", "role", "score", "points",
    "outcome", "tricks", "honours", "calls", "calls_met", "jacks_called", "fool", "bagat", "shared", "people_only",
)  # fmt: skip
NAMES = {"hand__game__public_id": "game", "hand__number": "hand"}
"""Names of columns in exports, if they differ from the field."""


def own_rows(player: Player) -> list[dict[str, object]]:
    """A player's hands as plain data, oldest first."""
    rows = PlayedSeat.objects.filter(player=player).order_by("at", "pk").values(*COLUMNS)
    return [{NAMES.get(name, name): value for name, value in row.items()} for row in rows]
