"""Deliveries as a queue in the database: leased to one worker at a time, retried later and later, given up at last.

The exceptions say how a delivery can fail. Their reasons name no person, address or text.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from notices.models import Delivery


class Undelivered(Exception):
    """Base: it did not arrive. `str()` is the reason that is kept."""


class NotNow(Undelivered):
    """Try again later; `after` at the earliest if the other side said so."""

    def __init__(self, reason: str, after: timedelta | None = None) -> None:
        super().__init__(reason)
        self.after = after


class Unreachable(NotNow):
    """The server itself does not answer: whatever else waits for it need not be tried either."""


class Never(Undelivered):
    """It will never arrive: the address does not exist, the message is refused for good."""


LEASE: Final = timedelta(minutes=5)
WAITS: Final = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=6),
)
"""How long until the next try after each failure. After the last it is given up; the notice stays in the list."""


SET_BACK: Final = timedelta(days=1)
"""A lease that ends so much later than one can was written by a clock that was wrong. Less is no sign of it: the clocks of two
machines differ, and of two couriers that look at the clock the later one may write first."""


def free(moment: datetime, wrong: datetime) -> Q:
    """What nobody has taken, or longer ago than a lease lasts; or until a moment after `wrong`, by a clock that was."""
    return Q(lease_until__isnull=True) | Q(lease_until__lt=moment) | Q(lease_until__gt=wrong)


def take(channel: Delivery.Channel, moment: datetime, limit: int) -> list[Delivery]:
    """Due deliveries of one channel, at most about `limit`, leased to the caller, oldest first.

    Of a digest all parts are taken together. Several couriers may ask at once: each row goes to one of them.
    """
    due = Delivery.objects.filter(
        free(moment, moment + LEASE + SET_BACK), channel=channel, state=Delivery.State.WAITING, due_at__lte=moment
    )
    chosen = Q(pk__in=list(due.order_by("due_at", "pk").values_list("pk", flat=True)[:limit]))
    if channel == Delivery.Channel.DIGEST:
        letters = due.order_by("planned_for").values_list("player_id", "planned_for").distinct()[:limit]
        chosen = Q(pk__in=[])
        for player, planned_for in letters:
            chosen |= Q(player=player, planned_for=planned_for)
    name = uuid.uuid4().hex
    # One conditional update: of two couriers that chose the same row only one changes it.
    if not due.filter(chosen).update(lease_by=name, lease_until=moment + LEASE, attempts=F("attempts") + 1):
        return []
    mine = Delivery.objects.filter(lease_by=name, state=Delivery.State.WAITING)
    owned = mine.select_related("outbox", "player__user", "player__notice_preference", "subscription")
    return list(owned.order_by("planned_for", "pk"))


def expired(delivery: Delivery, began: datetime, moment: datetime) -> bool:
    """Whether the lease of a row taken at `moment` may run out while it is being sent; `began` is when that really was.

    Such a row is left for whoever takes it next.
    """
    assert delivery.lease_until is not None
    return timezone.now() - began > (delivery.lease_until - moment) * 0.8


def sent(delivery: Delivery) -> None:
    """It has arrived where it goes. Commits at once: until then a crash makes it go out a second time."""
    _end(delivery, Delivery.State.SENT, "")


def drop(delivery: Delivery, reason: str) -> None:
    """It is not worth sending any more."""
    _end(delivery, Delivery.State.DROPPED, reason)


def put_off(delivery: Delivery, until: datetime, reason: str, *, alone: bool = False) -> None:
    """Not now, through nobody's fault: the try does not count. `alone`: the letter it was to stand in goes without it."""
    other = {"planned_for": until} if alone else {}
    _mine(delivery).update(
        due_at=until, lease_until=None, lease_by="", attempts=F("attempts") - 1, reason=reason, **other
    )


def failed(delivery: Delivery, why: Undelivered, moment: datetime) -> None:
    """It did not arrive: it is tried again after a while, or given up with the reason."""
    if isinstance(why, Never) or delivery.attempts > len(WAITS):
        _end(delivery, Delivery.State.GIVEN_UP, str(why))
        return
    wait = WAITS[delivery.attempts - 1]
    if isinstance(why, NotNow) and why.after is not None:
        wait = max(wait, why.after)
    _mine(delivery).update(due_at=moment + wait, lease_until=None, lease_by="", reason=str(why)[:200])


def again(delivery: Delivery, at: datetime) -> None:
    """A digest has told it and it stays true: it stands ready for the next one."""
    _mine(delivery).update(
        planned_for=at, due_at=at, lease_until=None, lease_by="", attempts=0, told_before=True, reason=""
    )


def _end(delivery: Delivery, state: Delivery.State, reason: str) -> None:
    _mine(delivery).update(state=state, ended_at=timezone.now(), lease_until=None, lease_by="", reason=reason[:200])


def _mine(delivery: Delivery) -> QuerySet[Delivery]:
    """The row, if it still is whose lease says so: a courier that overslept changes nothing."""
    return Delivery.objects.filter(pk=delivery.pk, lease_by=delivery.lease_by)
