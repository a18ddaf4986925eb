"""What corrections changed: the log is told again, and the standings before and after each of them are compared."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from clubs.desk.sheets import Difference, between
from clubs.evening.events import apply
from clubs.evening.state import State
from clubs.tournament_models import Tournament, TournamentEvent
from clubs.tournaments.reading import event_of

CHANGES: Final = ("table.settled", "penalty.given", "penalty.cancelled", "phase.changed", "round.arranged")
"""Kinds by which the desk changes what has counted already."""


def corrections(tournament: Tournament) -> list[TournamentEvent]:
    """Everything the desk did that may have changed a standing, the latest first."""
    rows = TournamentEvent.objects.filter(tournament=tournament, kind__in=CHANGES).select_related("player")
    return list(rows.order_by("-number"))


def differences(tournament: Tournament, numbers: Collection[int]) -> dict[int, tuple[Difference, ...]]:
    """What these events changed, by their numbers. Reads the log once, up to the last of them."""
    if not numbers:
        return {}
    found: dict[int, tuple[Difference, ...]] = {}
    state = State()
    rows = TournamentEvent.objects.filter(tournament=tournament, number__lte=max(numbers)).order_by("number")
    for row in rows.iterator():
        before, state = state, apply(state, event_of(row))
        if row.number in numbers:
            found[row.number] = between(before, state)
    return found
