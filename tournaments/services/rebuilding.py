"""What follows from a tournament's log, made anew from its first event."""

from __future__ import annotations

from django.db import transaction

from domain.tournament.events import replay
from tournaments import signals
from tournaments.models import Participation, Tournament, TournamentEvent
from tournaments.selectors import event_of
from tournaments.services import log


def rebuild(tournament_id: int) -> list[str]:
    """Make status, number and the list of who takes part anew; what was different, in the names of the columns.

    Takes the lock on the tournament's row. Raises DomainError if the log holds what cannot have happened.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        before = (tournament.number, tournament.status, _people(tournament))
        rows = TournamentEvent.objects.filter(tournament=tournament).order_by("number")
        events = [event_of(row) for row in rows]
        state = replay(events)  # from the log alone, not from what this process remembers
        if tournament.status != Tournament.Status.CANCELLED or state.number != tournament.number:
            cancelled = tournament.status == Tournament.Status.CANCELLED
            log.project(tournament, state)
            if cancelled:
                tournament.status = Tournament.Status.CANCELLED
                tournament.save(update_fields=["status"])
        after = (tournament.number, tournament.status, _people(tournament))
        names = ("number", "status", "who takes part")
        changed = [name for name, old, new in zip(names, before, after, strict=True) if old != new]
        return changed + signals.rebuilt(tournament, state, events)


def _people(tournament: Tournament) -> frozenset[tuple[int, str]]:
    return frozenset(Participation.objects.filter(tournament=tournament).values_list("member_id", "entrant"))
