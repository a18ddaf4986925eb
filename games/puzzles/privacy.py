"""A player's attempts at puzzles and their rating, for `accounts`."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.models import Player
from games.puzzles.models import Attempt, Solver
from games.puzzles.services import rate_again


def merge(guest: Player, member: Player) -> None:
    """Give the member the guest's attempts; for puzzles that both have tried, the member keeps their own."""
    if not Attempt.objects.filter(player=guest).exists():
        return
    known = Attempt.objects.filter(player=member).values("puzzle")
    Attempt.objects.filter(player=guest).exclude(puzzle__in=known).update(player=member)
    Attempt.objects.filter(player=guest).delete()
    Solver.objects.filter(player=guest).delete()
    rate_again(member)


def release(player: Player) -> bool:
    """Delete all of it. The ratings of puzzles stay, since they name nobody."""
    Attempt.objects.filter(player=player).delete()
    Solver.objects.filter(player=player).delete()
    return False


def export(player: Player) -> Mapping[str, object]:
    """What the player did at each puzzle, and their rating."""
    rating = Solver.objects.filter(player=player).values("mean", "variance", "attempts", "solved").first()
    rows = Attempt.objects.filter(player=player).order_by("at", "pk")
    return {
        "puzzle_rating": rating or {},
        "puzzles": list(rows.values("puzzle__name", "action", "solved", "at")),
    }
