"""Writing notices with their event, and telling them afterwards: at least once, with growing delays after a failure."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import Player
from notices.models import Outbox

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
MOST_ATTEMPTS = 8

Teller = Callable[[Outbox], None]
_tellers: list[Teller] = []


def register(teller: Teller) -> None:
    """Add a way of telling: it is called with each due row and raises if it could not tell."""
    if teller not in _tellers:
        _tellers.append(teller)


def put(event: str, player: Player, params: Mapping[str, object], *, due_at: datetime | None = None) -> Outbox:
    """Write a notice. Call it inside the transaction of the event, so that neither exists without the other."""
    return Outbox.objects.create(event=event, player=player, params=dict(params), due_at=due_at or timezone.now())


def tell_due(now: datetime | None = None, *, limit: int = 100) -> int:
    """Tell what is due and return how much was told. Safe to run in several workers at once."""
    moment = now or timezone.now()
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=moment)
    due = Outbox.objects.filter(free, done_at__isnull=True, due_at__lte=moment, attempts__lt=MOST_ATTEMPTS)
    told = 0
    for row in due.select_related("player").order_by("due_at")[:limit]:
        # The lease is taken by a conditional update: only one of several workers changes the row.
        taken = Outbox.objects.filter(free, pk=row.pk, done_at__isnull=True).update(
            lease_until=moment + LEASE, attempts=F("attempts") + 1
        )
        if taken:
            told += _tell(row, moment)
    return told


def _tell(row: Outbox, moment: datetime) -> int:
    try:
        for teller in _tellers:
            teller(row)
    except Exception as error:
        delay = timedelta(seconds=5 * 4**row.attempts)
        Outbox.objects.filter(pk=row.pk).update(due_at=moment + delay, lease_until=None, error=type(error).__name__)
        logger.warning("notice %s could not be told: %s", row.pk, type(error).__name__)
        return 0
    Outbox.objects.filter(pk=row.pk).update(done_at=timezone.now(), lease_until=None, error="")
    return 1


def prune(older_than: timedelta, now: datetime | None = None) -> int:
    """Delete notices that were told, or given up, longer ago than `older_than`; returns how many."""
    before = (now or timezone.now()) - older_than
    with transaction.atomic():
        gone, _ = Outbox.objects.filter(
            Q(done_at__lt=before) | Q(attempts__gte=MOST_ATTEMPTS, created_at__lt=before)
        ).delete()
    return gone
