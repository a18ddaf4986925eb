"""How a guest becomes a member: by signing up (the same player goes on) or by logging in (two players become one)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from accounts import protocols, tokens
from accounts.models import Absence, Block, Player, Report, WakingHours
from accounts.suspension_models import Suspension

if TYPE_CHECKING:
    from accounts.models import User

logger = logging.getLogger(__name__)

PREFERENCES = (
    "bot_pause", "one_tap", "hand_order", "confirm_plays", "plays_forced", "next_game", "language", "time_zone",
    "guided_done_at",
)  # fmt: skip
"""What a guest may have set; each moves to the member who never set it."""


class NotClaimable(Exception):
    """The first player is not a guest of this member: a member, a computer player, or merged into somebody else."""


def welcome(user: User, guest: Player | None) -> Player:
    """The player of `user`, who has just signed up or in as `guest` (None: no guest in this browser).

    A member's player takes the guest over; a user who has no player becomes the guest's, with the same row; else a new
    player is made. Repeating it changes nothing.
    """
    with transaction.atomic():
        member = Player.objects.select_for_update(no_key=True).filter(user=user).first()
        if member is None and guest is not None:
            member = _adopt(user, guest)
        if member is None:
            member, _made = Player.objects.get_or_create(user=user)
        elif guest is not None and guest.pk != member.pk:
            try:
                member = claim(guest, member)
            except NotClaimable:
                # Another login took this guest, or it has expired, a moment ago: that must not keep anybody out.
                logger.info("player %s could not claim guest %s", member.pk, guest.pk)
        return member


def claim(guest: Player, member: Player) -> Player:
    """Merge `guest` into `member`: everything registered moves, the guest's tokens end, its row stays as a pointer.

    One transaction that locks both rows, lower key first; the registered belongings lock their own rows after these.
    Repeating it changes nothing. Returns the member as stored. Raises `NotClaimable`; then nothing is written.
    """
    with transaction.atomic():
        keys = (guest.pk, member.pk)
        rows = {row.pk: row for row in Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")}
        if len(rows) != len(keys):
            raise NotClaimable
        source, target = rows[guest.pk], rows[member.pk]
        if source.merged_into_id == target.pk:
            return target
        if not target.is_member or not source.is_guest or source.merged_into_id is not None:
            raise NotClaimable
        for belongings in protocols.registered():
            belongings.merge(source, target)
        _take_preferences(source, target)
        _take_own(source, target)
        tokens.revoke_all(source)
        source.merged_into = target
        source.save(update_fields=["merged_into"])
        return target


def _adopt(user: User, guest: Player) -> Player | None:
    """Make `guest` the player of `user`; None if it is no longer a living guest."""
    row = Player.objects.select_for_update(no_key=True).filter(pk=guest.pk).first()
    if row is None or not row.is_guest or row.merged_into_id is not None or row.retired_at is not None:
        return None
    row.user = user
    row.save(update_fields=["user"])
    tokens.revoke_all(row)
    return row


def _take_preferences(guest: Player, member: Player) -> None:
    """Give the member what the guest had set, where the member's own is still as it came."""
    taken = []
    new = Player()
    for name in PREFERENCES:
        untouched = getattr(new, name)
        if getattr(member, name) == untouched and getattr(guest, name) != untouched:
            setattr(member, name, getattr(guest, name))
            taken.append(name)
    if taken:
        member.save(update_fields=taken)


def _take_own(guest: Player, member: Player) -> None:
    """Give the member what this room itself keeps for the guest; where both have something, the member's stands."""
    known = Block.objects.filter(player=member).values("blocked")
    Block.objects.filter(player=guest).exclude(blocked__in=known).exclude(blocked=member).update(player=member)
    knowing = Block.objects.filter(blocked=member).values("player")
    Block.objects.filter(blocked=guest).exclude(player__in=knowing).exclude(player=member).update(blocked=member)
    Block.objects.filter(Q(player=guest) | Q(blocked=guest)).delete()
    Report.objects.filter(by=guest).update(by=member)
    Report.objects.filter(about=guest).update(about=member)
    Suspension.objects.filter(player=guest).update(player=member)
    if not WakingHours.objects.filter(player=member).exists():
        WakingHours.objects.filter(player=guest).update(player=member)
    if not Absence.objects.filter(player=member).exists():
        Absence.objects.filter(player=guest).update(player=member)
    WakingHours.objects.filter(player=guest).delete()
    Absence.objects.filter(player=guest).delete()
