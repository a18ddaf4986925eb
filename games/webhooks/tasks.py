"""Making the calls that are due: at least once each, later after each failure, in the thread that also sends letters.

A call goes to an address that was checked (`notices.push.post`): public, without redirects, to the very address that the name
had when it was looked up, and it ends after seconds whatever the other side does. Of the answer only the status is read.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import uuid
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.webhooks.models import Call, Webhook
from games.webhooks.services import secret_of
from notices import outbox, push
from notices.leases import LEASE, WAITS, Undelivered

OFF: Final = "webhooks.off"
"""The event of a notice that one is not called any more."""
MOST_FAILURES: Final = 20
"""So many calls in a row that come to nothing, about whatever games, and it is turned off."""
GONE: Final = 410
"""The status with which an address says that it wants to hear nothing any more."""
_AT_ONCE: Final = 20


def call_due(now: datetime | None = None, limit: int = _AT_ONCE) -> int:
    """Make the calls that are due, at most so many; returns how many were answered. Any number of workers may do so at once."""
    moment = now or timezone.now()
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=moment)
    due = Call.objects.filter(free, due_at__lte=moment, webhook__off_at__isnull=True).order_by("due_at", "pk")
    told, silent = 0, set[int]()
    for key, webhook in list(due.values_list("pk", "webhook")[: min(limit, _AT_ONCE)]):
        if webhook in silent:  # it has just failed: the next look asks again
            continue
        # The lease is taken by a conditional update: only one of several workers changes the row.
        if not Call.objects.filter(free, pk=key).update(lease_until=moment + LEASE, attempts=F("attempts") + 1):
            continue
        row = Call.objects.select_related("webhook__player", "game").filter(pk=key).first()
        if row is None:
            continue
        if _make(row, moment):
            told += 1
        else:
            silent.add(webhook)
    return told


def payload_of(game: Game, webhook: Webhook) -> dict[str, object]:
    """What a call says: which game, its number, what is asked of the player (empty for nothing). Never a card."""
    seat = game.seats.filter(player=webhook.player).first()
    asked = seat is not None and bool(game.waits_for >> seat.number & 1)
    return {
        "game": game.public_id,
        "number": game.number,
        "status": game.status,
        "asked": game.asked if asked else "",
        "url": settings.SITE_URL + reverse("games:table", args=[game.public_id]),
    }


def signature_of(secret: str, moment: datetime, body: bytes) -> str:
    """The header by which the other side knows that we called: when, and the HMAC-SHA-256 of that and the body."""
    seconds = int(moment.timestamp())
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def _make(row: Call, moment: datetime) -> bool:
    """Make one call, and write what came of it; whether it was answered."""
    webhook = row.webhook
    body = json.dumps(payload_of(row.game, webhook)).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Troccas-Webhook/1",
        "Troccas-Webhook": str(webhook.pk),
        "Troccas-Delivery": str(uuid.uuid5(uuid.NAMESPACE_URL, f"call:{row.pk}:{row.game.number}:{row.events}")),
        "Troccas-Signature": signature_of(secret_of(webhook), timezone.now(), body),
    }
    try:
        status = push.post(webhook.url, body, headers).status
    except Undelivered as error:
        _failed(row, moment, str(error))
        return False
    if not 200 <= status < 300:
        _failed(row, moment, f"status {status}", final=status == GONE)
        return False
    with transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).update(called_at=moment, failures=0, problem="")
        if not Call.objects.filter(pk=row.pk, events=row.events).delete()[0]:  # something happened meanwhile
            Call.objects.filter(pk=row.pk).update(due_at=moment, attempts=0, lease_until=None)
    return True


def _failed(row: Call, moment: datetime, why: str, *, final: bool = False) -> None:
    """It is tried again after a while; the webhook is turned off when that has been in vain for too long, and its owner told."""
    last = row.attempts > len(WAITS)
    wait: timedelta = WAITS[min(row.attempts, len(WAITS)) - 1]
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update().get(pk=row.webhook_id)
        webhook.failures += 1
        webhook.problem = why[:60]
        if (final or last or webhook.failures >= MOST_FAILURES) and webhook.off_at is None:
            webhook.off_at = moment
            Call.objects.filter(webhook=webhook).delete()
            outbox.put(OFF, webhook.player, {"webhook": webhook.pk})
        else:
            Call.objects.filter(pk=row.pk).update(due_at=moment + wait, lease_until=None)
        webhook.save(update_fields=["failures", "problem", "off_at"])
