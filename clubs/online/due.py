"""What the worker does for online rounds at each look: games that are over, and rounds at which something may be due."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from clubs.evening.state import CONFIRMED
from clubs.online import auto, beginning, deadlines, reminding, reporting
from clubs.online_models import OnlineRound
from clubs.tournament_models import Tournament
from clubs.tournaments.reading import state_of

logger = logging.getLogger(__name__)

AT_ONCE: Final = 20
LEASE: Final = timedelta(minutes=1)
"""A worker that died is followed by another one so much later."""


def do_due(now: datetime | None = None) -> int:
    """Do everything that is due; how much was done. Two indexed queries where nothing is."""
    moment = now or timezone.now()
    done = reporting.report_due(moment)
    for pk in list(
        OnlineRound.objects.filter(due_at__lte=moment).order_by("due_at").values_list("pk", flat=True)[:AT_ONCE]
    ):
        try:
            done += look(pk, moment)
        except Exception:  # one tournament in disorder must not hold up the others: it is tried again after the lease
            logger.exception("could not look after online round %s", pk)
    return done


def look(round_id: int, now: datetime) -> int:
    """Do what is due in one round, and note when to look again. Does nothing where another worker is at it."""
    lease = now + LEASE
    if not OnlineRound.objects.filter(pk=round_id, due_at__lte=now).update(due_at=lease):
        return 0
    row = OnlineRound.objects.select_related("tournament").get(pk=round_id)
    tournament, key = row.tournament, row.key
    if tournament.status != Tournament.Status.RUNNING or state_of(tournament).round(key) is None:
        OnlineRound.objects.filter(pk=round_id, due_at=lease).update(due_at=None)
        return 0
    done = beginning.begin_round(tournament, key, now)
    done += reminding.remind(round_id, now)
    treated, waits = deadlines.treat(tournament.pk, key, now)
    went_on, when = auto.go_on(tournament.pk, key, now)
    # Whatever has happened meanwhile, by this look too, has asked for another one: that stays.
    OnlineRound.objects.filter(pk=round_id, due_at=lease).update(due_at=_next(round_id, now, when, waits=waits))
    return done + treated + went_on


def _next(round_id: int, now: datetime, when: datetime | None, *, waits: bool) -> datetime | None:
    """When something may be due in this round again by the clock alone."""
    row = OnlineRound.objects.select_related("tournament").filter(pk=round_id).first()
    round = state_of(row.tournament).round(row.key) if row is not None else None
    if row is None or round is None:
        return None
    found = [when, row.remind_at]
    if any(table.state != CONFIRMED and not table.late for table in round.tables.values()) and row.deadline_at > now:
        found.append(row.deadline_at)
    if waits:
        found.append(now + deadlines.LOOK_AGAIN)
    return min((moment for moment in found if moment is not None), default=None)
