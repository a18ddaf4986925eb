"""Making the calls that are due: each at least once, and again after a failure, with growing delays. They are made in
the thread that also sends mail.

A call goes to a checked address (`notices.push.post`): public, without redirects, exactly to the IP address to which
the name was resolved, and it ends after a few seconds whatever the other side does. Only the status of the response is
read.
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
from django.db.models import F, Max
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from games.webhooks.models import GONE, Call, Webhook, status_problem
from games.webhooks.services import secret_of
from notices import leases, outbox, push
from notices.leases import LEASE, WAITS, Undelivered

OFF: Final = "webhooks.off"
"""The event of the notice that a webhook was turned off."""
MOST_FAILURES: Final = 20
"""After this number of failed calls in a row, about any games, a webhook is turned off."""
_AT_ONCE: Final = 20
_RUN: Final = timedelta(seconds=20)
"""After this time a run begins no other call, so that slow addresses do not hold up the letters."""


def call_due(now: datetime | None = None, limit: int = _AT_ONCE) -> int:
    """Make at most `limit` calls that are due. Returns how many succeeded.

    Several workers may do this at the same time.
    """
    began = timezone.now()
    moment = now or began
    due = Call.objects.filter(leases.free(moment), due_at__lte=moment, webhook__off_at__isnull=True)
    succeeded, failing = 0, set[int]()
    for key, webhook in list(due.order_by("due_at", "pk").values_list("pk", "webhook")[: min(limit, _AT_ONCE)]):
        if webhook in failing:  # it has just failed, so its other calls wait
            continue
        if timezone.now() - began > _RUN:
            break
        moment = now or timezone.now()  # each at its own moment: a lease must not be over while its call is made
        # The lease is taken by a conditional update: only one of several workers changes the row.
        if not Call.objects.filter(leases.free(moment), pk=key).update(
            lease_until=moment + LEASE, attempts=F("attempts") + 1
        ):
            continue
        row = Call.objects.select_related("webhook__player", "game").filter(pk=key).first()
        if row is None:
            continue
        if _make(row, moment):
            succeeded += 1
        else:
            failing.add(webhook)
    return succeeded


def payload_of(game: Game, webhook: Webhook) -> dict[str, object]:
    """The content of a call: the game, its number, what is asked of the player (empty if nothing). Never a card."""
    seat = game.seats.filter(player=webhook.player).first()
    asked = seat is not None and game.waits_for_seat(seat.number)
    return {
        "game": game.public_id,
        "number": game.number,
        "status": game.status,
        "asked": game.asked if asked else "",
        "url": settings.SITE_URL + reverse("games:table", args=[game.public_id]),
    }


def signature_of(secret: str, moment: datetime, body: bytes) -> str:
    """The header that proves that we made the call: the time, and the HMAC-SHA-256 of the time and the body."""
    seconds = int(moment.timestamp())
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def _make(row: Call, moment: datetime) -> bool:
    """Make one call and save the outcome. Returns whether it succeeded."""
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
        _failed(row, moment, status_problem(status), final=status == GONE)
        return False
    with transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).update(called_at=moment, failures=0, problem="")
        if not Call.objects.filter(pk=row.pk, events=row.events).delete()[0]:  # more notices came in the meantime
            Call.objects.filter(pk=row.pk).update(due_at=moment, attempts=0, lease_until=None)
        Call.objects.filter(webhook=webhook, due_at__gt=moment).update(due_at=moment)  # it is back
    return True


def _failed(row: Call, moment: datetime, why: str, *, final: bool = False) -> None:
    """Schedule another attempt or, after too many failures, turn the webhook off and tell its owner."""
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
            # The address is away, not one game: all its calls wait together, as long as the one that waits longest.
            # Otherwise several games would use up its failures in minutes.
            calls = Call.objects.filter(webhook=webhook)
            longest = calls.aggregate(longest=Max("due_at"))["longest"] or moment
            Call.objects.filter(pk=row.pk).update(lease_until=None)
            calls.update(due_at=max(moment + wait, min(longest, moment + WAITS[-1])))
        webhook.save(update_fields=["failures", "problem", "off_at"])
