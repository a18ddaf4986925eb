"""Who sat with whom on earlier evenings of the season, loaded into a tournament so that its draws can avoid it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from domain.tournament.payload import Plain
from domain.tournament.state import DRAFT, State
from tournaments.models import Tournament
from tournaments.selectors import states_of

MOST_EVENINGS: Final = 20
HEAVIEST: Final = 4
"""The weight of the evening before this one; each earlier one weighs one less, none less than 1."""
WITHOUT_SEASON: Final = timedelta(days=365)
"""How far back the club's own tournaments are remembered by one that counts for no season."""


def evenings_before(tournament: Tournament) -> list[dict[str, Plain]]:
    """The tables of the evenings before, the latest first, with their weights, as ``season.loaded`` takes them.

    The evenings are those of the seasons that the tournament counts for; if it counts for none, the club's own of the
    year before. Persons stand there by the public ids of their entries.
    """
    earlier = _before(tournament)
    states = states_of(earlier)
    found: list[dict[str, Plain]] = []
    for each in earlier:
        tables = tables_of(states[each.pk])
        if tables:
            found.append({"tables": tables, "weight": max(1, HEAVIEST - len(found))})
    return found


def tables_of(state: State) -> list[Plain]:
    """Who sat together, table by table, in order of the places."""
    return [
        list(table.people)
        for phase in state.phases
        for round in phase.rounds
        if round.status != DRAFT
        for _, table in sorted(round.tables.items())
    ]


def _before(tournament: Tournament) -> Sequence[Tournament]:
    seasons = tournament.seasons.values("season")
    rows = Tournament.objects.exclude(pk=tournament.pk).exclude(status=Tournament.Status.CANCELLED)
    rows = rows.filter(starts__lt=tournament.starts, number__gt=0)
    if tournament.seasons.exists():
        rows = rows.filter(seasons__season__in=seasons).distinct()
    else:
        rows = rows.filter(club=tournament.club_id, starts__gte=tournament.starts - WITHOUT_SEASON)
    return list(rows.order_by("-starts", "-pk")[:MOST_EVENINGS])
