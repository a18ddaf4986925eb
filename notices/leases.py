"""Deliveries as a queue in the database: leased to one worker at a time, retried at growing intervals, then given up.

The exceptions are the ways in which a delivery can fail. Their reasons contain no name, address or text.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from notices.models import Delivery


class Undelivered(Exception):
    """Base class: the delivery did not arrive. `str()` is the reason that is stored."""


class NotNow(Undelivered):
    """Try again later, and not before `after` if the server asked for that."""

    def __init__(self, reason: str, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after


class Unreachable(NotNow):
    """The server itself does not answer, so other deliveries to it need not be tried either."""


class Never(Undelivered):
    """It will never arrive: the address does not exist, or the message is refused for good."""


LEASE: Final = timedelta(minutes=5)
WAITS: Final = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
)
"""How long to wait after each failure. After the last one the delivery is given up; the notice stays in the list."""


SET_BACK: Final = timedelta(days=1)
"""A lease that ends later than the longest possible one by this much was written while a clock was wrong. A smaller
difference is normal: the clocks of two machines differ, and the second of two senders to look at the clock may be the
first to write."""


def free(moment: datetime, wrong: datetime | None = None) -> Q:
    """The rows without a valid lease: none, expired before `moment`, or until after `wrong` (a wrong clock).

    By default that is `SET_BACK` after the end of the longest lease of a delivery.
    """
    wrong = wrong or moment + LEASE + SET_BACK
    return Q(lease_until__isnull=True) | Q(lease_until__lt=moment) | Q(lease_until__gt=wrong)


def take(channel: Delivery.Channel, moment: datetime, limit: int) -> list[Delivery]:
    """Lease the due deliveries of one channel, at most about `limit`, to the caller, and return them, the oldest first.

    All parts of a digest are leased together. Several senders may ask at the same time: each row is leased to one of
    them.
    """
    due = Delivery.objects.filter(free(moment), channel=channel, state=Delivery.State.WAITING, due_at__lte=moment)
    chosen = Q(pk__in=list(due.order_by("due_at", "pk").values_list("pk", flat=True)[:limit]))
    if channel == Delivery.Channel.DIGEST:
        letters = due.order_by("planned_for").values_list("player_id", "planned_for").distinct()[:limit]
        chosen = Q(pk__in=[])
        for player, planned_for in letters:
            chosen |= Q(player=player, planned_for=planned_for)
    name = uuid.uuid4().hex
    # One conditional update: if two senders choose the same row, only one of them changes it.
    if not due.filter(chosen).update(lease_by=name, lease_until=moment + LEASE, attempts=F("attempts") + 1):
        return []
    mine = Delivery.objects.filter(lease_by=name, state=Delivery.State.WAITING)
    owned = mine.select_related("outbox", "player__user", "player__notice_preference", "subscription")
    return list(owned.order_by("planned_for", "pk"))


def expired(delivery: Delivery, began: datetime, moment: datetime) -> bool:
    """Whether the lease of a row leased at `moment` (really at `began`) may run out while it is being sent.

    Such a row is left for the next courier.
    """
    assert delivery.lease_until is not None
    return timezone.now() - began > (delivery.lease_until - moment) * 0.8


def sent(delivery: Delivery) -> None:
    """Note that a delivery has been sent. Commits at once: a crash before that makes it go out a second time."""
    _end(delivery, Delivery.State.SENT, "")


def drop(delivery: Delivery, reason: str) -> None:
    """Note that a delivery is no longer worth sending."""
    _end(delivery, Delivery.State.DROPPED, reason)


def put_off(delivery: Delivery, until: datetime, reason: str, *, alone: bool = False) -> None:
    """Put a delivery off without counting the try as a failure.

    `alone`: the digest it belonged to is sent without it.
    """
    other = {"planned_for": until} if alone else {}
    _mine(delivery).update(
        due_at=until, lease_until=None, lease_by="", attempts=F("attempts") - 1, reason=reason, **other
    )


def failed(delivery: Delivery, why: Undelivered, moment: datetime) -> None:
    """Note that a delivery did not arrive: it is tried again after a while, or given up with the reason."""
    if isinstance(why, Never) or delivery.attempts > len(WAITS):
        _end(delivery, Delivery.State.GIVEN_UP, str(why))
        return
    wait = WAITS[delivery.attempts - 1]
    if isinstance(why, NotNow) and why.after is not None:
        wait = max(wait, why.after)
    _mine(delivery).update(due_at=moment + wait, lease_until=None, lease_by="", reason=str(why)[:200])


def again(delivery: Delivery, at: datetime) -> None:
    """Put a part of a digest that stays true into the next digest as well, after it was sent."""
    _mine(delivery).update(
        planned_for=at, due_at=at, lease_until=None, lease_by="", attempts=0, told_before=True, reason=""
    )


def _end(delivery: Delivery, state: Delivery.State, reason: str) -> None:
    _mine(delivery).update(state=state, ended_at=timezone.now(), lease_until=None, lease_by="", reason=reason[:200])


def _mine(delivery: Delivery) -> QuerySet[Delivery]:
    """The row, if the caller still has its lease. A courier that was too slow changes nothing."""
    return Delivery.objects.filter(pk=delivery.pk, lease_by=delivery.lease_by)
