"""What moderators do about a person: keep them from beginning and writing for a while, or take down what they call themselves.

Whoever is suspended can still read, and play on in the games they sit in: the others there did nothing. New tables, chats
and the encyclopedia ask `check`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from accounts import names, roles
from accounts.models import Player, Profile
from accounts.suspension_models import Suspension

LENGTHS: Final = (timedelta(days=1), timedelta(days=7), timedelta(days=30), timedelta(days=365))
"""How long a suspension can be made at once."""


class Suspended(Exception):
    """The person may not do this now. `str()` says so in their language: until when, why, and what they still may."""

    def __init__(self, row: Suspension) -> None:
        until = formats.date_format(timezone.localtime(row.until), "DATETIME_FORMAT")
        super().__init__(
            _(
                "Until %(time)s you cannot sit down at new tables or write; you can finish the games you are in. "
                "The moderators say why: %(reason)s"
            )
            % {"time": until, "reason": row.reason}
        )


class NotSuspendable(Exception):
    """A computer player, a moderator, or oneself."""


def of(player: Player, now: datetime | None = None) -> Suspension | None:
    """The suspension that holds for the player now, the longest; None for almost everybody. One query."""
    moment = now or timezone.now()
    rows = Suspension.objects.filter(player=player.current, lifted_at__isnull=True, until__gt=moment)
    return rows.order_by("-until").first()


def check(player: Player) -> None:
    """Raise Suspended if the player may begin and write nothing now. One query."""
    row = of(player)
    if row is not None:
        raise Suspended(row)


def suspend(player: Player, length: timedelta, reason: str, *, by: Player) -> Suspension:
    """Suspend a person for so long from now, with a reason that they read. Raises NotSuspendable, ValueError without a reason."""
    person = player.current
    if person.is_computer or person.pk == by.current.pk or roles.may(person, roles.MODERATOR):
        raise NotSuspendable
    if not reason:
        raise ValueError("a suspension has a reason")
    return Suspension.objects.create(player=person, by=by, reason=reason, until=timezone.now() + length)


def lift(player: Player, *, by: Player) -> bool:
    """Take back whatever suspension holds for the player; whether one did."""
    open_rows = Suspension.objects.filter(player=player.current, lifted_at__isnull=True, until__gt=timezone.now())
    return open_rows.update(lifted_at=timezone.now(), lifted_by=by) > 0


def take_down(player: Player) -> None:
    """Take away the name and what is told on the page: the person is "Player 12" until they choose another name."""
    person = player.current
    with transaction.atomic():
        names.give(person, "")
        Profile.objects.filter(player=person).update(text="", village="")


def standing(people: Iterable[Player], now: datetime | None = None) -> dict[int, Suspension]:
    """The suspensions that hold for some people, by the key of their player. One query."""
    keys = {player.current.pk for player in people}
    rows = Suspension.objects.filter(player__in=keys, lifted_at__isnull=True, until__gt=now or timezone.now())
    return {row.player_id: row for row in rows.order_by("until")}
