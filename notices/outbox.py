"""Write notices together with their event, and take them up when due: at least once, with retries after failures.

Taking up is quick and only uses the database and the channel layer. `notices.delivery` sends the mails and messages, so
that a slow mail server holds up nobody.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import Player
from core.prepared_queries import prepared, prepared_update
from core.registry import Registry
from notices import leases, preferences
from notices.models import Delivery, Outbox
from notices.registry import Kind, kind_of

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
TURN_WAITS: Final = timedelta(seconds=3)
"""How long the worker leaves a turn alone: at a table where all sit and play, it is over by then, and never told."""
MOST_ATTEMPTS = 8
AT_ONCE = 100

receivers = Registry[Callable[[Outbox], None]]()
"""Quick notifications, such as to open pages: each is called with every due row, and raises if it fails."""


def put(
    event: str,
    player: Player,
    params: Mapping[str, object],
    *,
    due_at: datetime | None = None,
    expires_at: datetime | None = None,
    topic: str | None = None,
) -> Outbox:
    """Write a notice. Call this inside the transaction of the event, so that neither exists without the other.

    `params` is plain JSON; its `game` or `table` (a public id) is the topic unless one is given. After `expires_at` the
    notice is not told any more. Raises LookupError for an event that no app has words for.
    """
    about = topic if topic is not None else str(params.get("game") or params.get("table") or "")
    return Outbox.objects.create(
        event=event,
        kind=kind_of(event),
        player=player,
        params=dict(params),
        due_at=due_at or timezone.now(),
        expires_at=expires_at,
        topic=about,
    )


def was_put(event: str, player: Player, topic: str, **params: object) -> bool:
    """Whether such a notice was written. `params` are lookups on its parameters."""
    lookups = {f"params__{name}": value for name, value in params.items()}
    return Outbox.objects.filter(event=event, player=player, topic=topic, **lookups).exists()


def settle(player: Player, topic: str, *, came: bool = True) -> int:
    """Mark notices about `topic` as read after an action of the player. Returns how many were marked.

    If the player `came`, these are all notices except questions, and the chat, which knows how far it was read. If the
    site acted for them, only those that asked them to play are marked. Of these, the ones that nobody has taken up yet
    never are: there is nothing left to tell.
    """
    now = timezone.now()
    return _settle(player.pk, topic, now) if came else _settle_turn(player.pk, topic, now)


_ASKED_TO_PLAY: Final = Q(kind__in=(Kind.TURN, Kind.DEADLINE))


@prepared_update
def _settle(player: int, topic: str, now: datetime) -> tuple[QuerySet[Outbox], Mapping[str, object]]:
    taken_up = Q(shown=True) & ~Q(kind__in=(Kind.QUESTION, Kind.TALK))
    return _settled(player, topic, taken_up, now)


@prepared_update
def _settle_turn(player: int, topic: str, now: datetime) -> tuple[QuerySet[Outbox], Mapping[str, object]]:
    return _settled(player, topic, Q(shown=True) & _ASKED_TO_PLAY, now)


def _settled(player: int, topic: str, taken_up: Q, now: datetime) -> tuple[QuerySet[Outbox], Mapping[str, object]]:
    unread = Outbox.objects.filter(player=player, topic=topic, read_at__isnull=True)
    done_at = Coalesce("done_at", Value(now, DateTimeField()))
    return unread.filter(taken_up | Q(done_at__isnull=True) & _ASKED_TO_PLAY), {"read_at": now, "done_at": done_at}


def withdraw(event: str, topic: str, **params: object) -> int:
    """Mark such notices as read for everybody, because they no longer hold. `params` are lookups on their parameters.

    Returns how many were unread.
    """
    lookups = {f"params__{name}": value for name, value in params.items()}
    unread = Outbox.objects.filter(event=event, topic=topic, shown=True, read_at__isnull=True, **lookups)
    return unread.update(read_at=timezone.now())


def tell_due(now: datetime | None = None, *, turn_waits: timedelta = timedelta()) -> int:
    """Take up the notices that are due, at most `AT_ONCE`, and return how many.

    Turns of people only when they have been due for `turn_waits`; programs are told theirs at once. Safe to run in
    several workers at once.
    """
    moment = now or timezone.now()
    count = 0
    due = _due(moment, moment + LEASE + leases.SET_BACK)  # usually none
    early = _early(due, moment - turn_waits)
    for key, *_rest in due:
        if key in early:
            continue
        # Each at its own moment: the last of a long list must not be planned for a digest that has been sent in the
        # meantime.
        moment = now or timezone.now()
        # A conditional update takes the lease: only one of several workers changes the row.
        if _take(key, moment, moment + LEASE, moment + LEASE + leases.SET_BACK):
            count += sum(_tell(row, moment) for row in _row(key))
    return count


@prepared_update
def _take(
    key: int, moment: datetime, leased_until: datetime, wrong: datetime
) -> tuple[QuerySet[Outbox], Mapping[str, object]]:
    rows = Outbox.objects.filter(leases.free(moment, wrong), pk=key, done_at__isnull=True)
    return rows, {"lease_until": leased_until, "attempts": F("attempts") + 1}


@prepared
def _due(moment: datetime, wrong: datetime) -> QuerySet[Outbox, tuple[int, str, int, datetime]]:
    due = Outbox.objects.filter(
        leases.free(moment, wrong), done_at__isnull=True, due_at__lte=moment, attempts__lt=MOST_ATTEMPTS
    )
    return due.order_by("due_at", "pk").values_list("pk", "kind", "player", "due_at")[:AT_ONCE]


def _early(due: Collection[tuple[int, str, int, datetime]], until: datetime) -> set[int]:
    """The keys of the turns of people among these notices that have been due only since `until`. One query, if any."""
    turns = {key: player for key, kind, player, due_at in due if kind == Kind.TURN and due_at > until}
    if not turns:
        return set()
    programs = set(
        Player.objects.filter(pk__in=turns.values(), program_since__isnull=False).values_list("pk", flat=True)
    )
    return {key for key, player in turns.items() if player not in programs}


@prepared
def _row(key: int) -> QuerySet[Outbox]:
    return Outbox.objects.select_related("player__merged_into", "player__notice_preference").filter(pk=key).order_by()


def _tell(row: Outbox, moment: datetime) -> int:
    """Take up one notice. Returns 1, or 0 if it failed and is tried again later."""
    try:
        for teller in receivers:
            teller(row)
        with transaction.atomic():
            preferences.plan(row, moment)
            row.done_at, row.lease_until, row.error = moment, None, ""
            row.save(update_fields=["player", "shown", "done_at", "lease_until", "error"])
    except Exception as error:
        delay = timedelta(seconds=5 * 4**row.attempts)
        Outbox.objects.filter(pk=row.pk).update(due_at=moment + delay, lease_until=None, error=type(error).__name__)
        logger.warning("notice %s could not be told: %s", row.pk, type(error).__name__)
        return 0
    return 1


def prune(older_than: timedelta, now: datetime | None = None) -> int:
    """Delete the notices that were told or given up longer ago than `older_than`, with their deliveries.

    Returns how many. A notice with a delivery that is still waiting is kept.
    """
    before = (now or timezone.now()) - older_than
    with transaction.atomic():
        over = Q(done_at__lt=before) | Q(attempts__gte=MOST_ATTEMPTS, created_at__lt=before)
        on_its_way = Exists(Delivery.objects.filter(outbox=OuterRef("pk"), state=Delivery.State.WAITING))
        _total, deleted = Outbox.objects.filter(over, ~on_its_way).delete()
    return deleted.get("notices.Outbox", 0)
