"""From a notice that is due to its deliveries: what the player wants decides how it travels and when."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from accounts.models import Player
from notices import preferences, telling, when
from notices.kinds import Kind, Wish, superseded_by
from notices.models import Delivery, Outbox, PushSubscription

GRACE: Final = timedelta(minutes=2)
"""Mail about a turn waits so long: whoever is playing has then played, and gets none."""


def plan(row: Outbox, moment: datetime) -> None:
    """Make a notice's deliveries, and set on `row` (not saved here) whose list it belongs to.

    Runs inside a transaction; repeating it adds nothing. Nothing is made of what is no longer true, has expired, or for which nobody has words.
    """
    player = row.player.current
    if player.is_computer or player.retired_at is not None:
        return
    speaker = telling.find(row.event)
    if speaker is None or (row.expires_at is not None and row.expires_at <= moment):
        return
    if not speaker.still_true(row.event, row.params, player):
        return
    _supersede(row, player, moment)
    row.player, row.shown = player, row.kind != Kind.TEST
    general = preferences.of(player)
    wished = preferences.wishes(Kind(row.kind), general, preferences.of_game(player, row.topic))
    only = row.params.get("channel") if row.kind == Kind.TEST else None
    made = []
    if player.is_member and wished.mail is Wish.NOW and only in (None, "mail"):
        made.append(
            _delivery(row, player, Delivery.Channel.MAIL, moment + (GRACE if row.kind == Kind.TURN else timedelta()))
        )
    elif player.is_member and wished.mail is Wish.DIGEST:
        at = when.next_digest(moment, general.digest_hour, preferences.zone_of(player))
        made.append(_delivery(row, player, Delivery.Channel.DIGEST, at))
    if wished.push is Wish.NOW and only in (None, "push"):
        made += [
            _delivery(row, player, Delivery.Channel.PUSH, moment, device)
            for device in PushSubscription.objects.filter(player=player)
        ]
    Delivery.objects.bulk_create(made, ignore_conflicts=True)


def reschedule_digests(player: Player, moment: datetime) -> None:
    """The player's hour or time zone has changed: what waits for the daily mail goes out at the new one."""
    at = when.next_digest(moment, preferences.of(player).digest_hour, preferences.zone_of(player))
    Delivery.objects.filter(
        player=player, channel=Delivery.Channel.DIGEST, state=Delivery.State.WAITING, attempts=0
    ).update(planned_for=at, due_at=at)


def _delivery(
    row: Outbox, player: Player, channel: Delivery.Channel, at: datetime, device: PushSubscription | None = None
) -> Delivery:
    return Delivery(outbox=row, player=player, channel=channel, subscription=device, planned_for=at, due_at=at)


def _supersede(row: Outbox, player: Player, moment: datetime) -> None:
    """Take back the earlier notices about the same thing that say nothing any more."""
    kinds = superseded_by(row.event)
    if not kinds or not row.topic:
        return
    about = {"player": player, "topic": row.topic, "kind__in": kinds, "pk__lt": row.pk}
    waiting = Delivery.objects.filter(
        Q(lease_until__isnull=True) | Q(lease_until__lt=moment),
        player=player,
        state=Delivery.State.WAITING,
        **{f"outbox__{name}": value for name, value in about.items()},
    )
    # Looked up first: mostly there is none, and then nothing has to be written.
    if keys := list(waiting.values_list("pk", flat=True)):
        Delivery.objects.filter(pk__in=keys, state=Delivery.State.WAITING).update(
            state=Delivery.State.DROPPED, ended_at=moment, reason="superseded"
        )
    Outbox.objects.filter(**about, shown=True, read_at__isnull=True).update(read_at=moment)
