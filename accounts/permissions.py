"""Roles, blocks and suspensions: who may do more than every member, and who may do less.

Editors have a language or all of them; administrators may do everything. Whoever is blocked cannot invite, join before the
start, or write to the person who blocked them. Whoever is suspended can still read, and play on in the games they sit in:
the others there did nothing. New tables, chats and the encyclopedia ask `check_not_suspended`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import names, registry
from accounts.models import Block, Grant, Player, Profile, Suspension
from core.exceptions import Refusal

EDITOR = Grant.Role.EDITOR
MODERATOR = Grant.Role.MODERATOR
ADMINISTRATOR = Grant.Role.ADMINISTRATOR


class NotAMember(ValueError):
    """Roles are for people who can log in."""


def may(player: Player | None, role: str, language: str = "") -> bool:
    """Whether `player` has `role` for `language`; without a language: for all of them together.

    An administrator has every role. Someone who edits only German has no role "in all languages": ask `languages` whether
    somebody edits at all. One query per player object.
    """
    held = languages(player, role)
    return "" in held or (language != "" and language in held)


def languages(player: Player | None, role: str = EDITOR) -> frozenset[str]:
    """The languages for which `player` has `role`; `""` stands for all of them. Empty for everybody else, and for guests.

    On a real site also for somebody without a second factor: the role rests until they have one.
    """
    if player is None or player.user_id is None:
        return frozenset()
    granted: frozenset[tuple[str, str]] | None = player.__dict__.get("_granted")
    if granted is None:
        rows = Grant.objects.filter(player=player)
        if settings.ROLES_NEED_SECOND_FACTOR:
            rows = rows.filter(Exists(_FACTORS))
        granted = frozenset(rows.values_list("role", "language"))
        player.__dict__["_granted"] = granted
    if any(held == ADMINISTRATOR for held, _language in granted):
        return frozenset({""})
    return frozenset(language for held, language in granted if held == role)


_FACTORS: Final = Authenticator.objects.filter(
    user=OuterRef("player__user"), type__in=(Authenticator.Type.WEBAUTHN, Authenticator.Type.TOTP)
)


def role_rests(player: Player) -> bool:
    """Whether somebody has a role that they cannot use for want of a second factor. One query."""
    return settings.ROLES_NEED_SECOND_FACTOR and Grant.objects.filter(~Exists(_FACTORS), player=player).exists()


def has_second_factor(player: Player) -> bool:
    """Whether more than a password is asked of them. One query."""
    return Authenticator.objects.filter(
        user=player.user_id, type__in=(Authenticator.Type.WEBAUTHN, Authenticator.Type.TOTP)
    ).exists()


def grant(player: Player, role: str, language: str = "", *, by: Player | None = None) -> bool:
    """Give `player` the role; True if they did not have it. Only editors have a language.

    Raises NotAMember for guests and computer players, ValueError for a role that is none.
    """
    if role not in Grant.Role.values:
        raise ValueError(f"no such role: {role}")
    if player.user_id is None:
        raise NotAMember
    _forget(player)
    kept = language if role == EDITOR else ""
    _row, made = Grant.objects.get_or_create(player=player, role=role, language=kept, defaults={"given_by": by})
    return made


def revoke(player: Player, role: str, language: str = "") -> bool:
    """Take the role for this language away (without a language: that for all); True if they had it."""
    _forget(player)
    with transaction.atomic():
        gone, _by_model = Grant.objects.filter(player=player, role=role, language=language).delete()
    return gone > 0


def _forget(player: Player) -> None:
    player.__dict__.pop("_granted", None)


MOST = 500
"""How many people one person may block."""


def block(player: Player, other: Player) -> None:
    """From now on `player` wants nothing to do with `other`; repeating it changes nothing.

    Raises ValidationError, in the reader's language, for oneself, a computer player, or too many.
    """
    blocked = other.current
    if blocked.pk == player.pk:
        raise ValidationError(_("You cannot block yourself."), code="self")
    if blocked.is_computer:
        raise ValidationError(
            _("Computer players cannot be blocked. Leave their seats to people instead."), code="computer"
        )
    if Block.objects.filter(player=player).count() >= MOST:
        raise ValidationError(
            _("You have blocked %(count)d people: let one go first."), code="many", params={"count": MOST}
        )
    with transaction.atomic():
        Block.objects.get_or_create(player=player, blocked=blocked)
        for end in registry.blocked:
            end(player, blocked)


def unblock(player: Player, other: Player) -> bool:
    """Take it back; True if it was so."""
    gone, _by_model = Block.objects.filter(player=player, blocked=other.current).delete()
    return gone > 0


def has_blocked(player: Player, other: Player) -> bool:
    return Block.objects.filter(player=player, blocked=other.current).exists()


def may_meet(player: Player, others: Iterable[Player]) -> bool:
    """Whether `player` may sit down with, invite, or write to all of `others`: nobody among them has blocked the other.

    One query. Both directions count: who blocks somebody does not want to meet them at a table either.
    """
    keys = {other.current.pk for other in others}
    mine = player.current.pk
    return not Block.objects.filter(Q(player=mine, blocked__in=keys) | Q(player__in=keys, blocked=mine)).exists()


def strangers_to(player: Player) -> frozenset[int]:
    """Keys of all players with whom `player` may not meet, for leaving them out of lists. One query."""
    rows = Block.objects.filter(Q(player=player) | Q(blocked=player)).values_list("player", "blocked")
    return frozenset(key for row in rows for key in row if key != player.pk)


LENGTHS: Final = (timedelta(days=1), timedelta(days=7), timedelta(days=30), timedelta(days=365))
"""How long a suspension can be made at once."""


class Suspended(Refusal):
    """The person may not do this now. The message says until when, why, and what they still may."""

    words = {"suspended": gettext_lazy("That cannot be done now.")}
    statuses = {403: ("suspended",)}
    code = "suspended"

    def __init__(self, row: Suspension) -> None:
        until = formats.date_format(timezone.localtime(row.until), "DATETIME_FORMAT")
        super().__init__(
            message=_(
                "Until %(time)s you cannot sit down at new tables or write; you can finish the games you are in. "
                "The moderators say why: %(reason)s"
            )
            % {"time": until, "reason": row.reason}
        )


class NotSuspendable(Exception):
    """A computer player, a moderator, or oneself."""


def suspensions(now: datetime | None = None) -> QuerySet[Suspension]:
    """Those that hold now."""
    return Suspension.objects.filter(lifted_at__isnull=True, until__gt=now or timezone.now())


def suspension_of(player: Player, now: datetime | None = None) -> Suspension | None:
    """The suspension that holds for the player now, the longest; None for almost everybody. One query."""
    return suspensions(now).filter(player=player.current).order_by("-until").first()


def check_not_suspended(player: Player) -> None:
    """Raise Suspended if the player may begin and write nothing now. One query."""
    row = suspension_of(player)
    if row is not None:
        raise Suspended(row)


def suspend(player: Player, length: timedelta, reason: str, *, by: Player) -> Suspension:
    """Suspend a person for so long from now, with a reason that they read. Raises NotSuspendable, ValueError without a reason."""
    person = player.current
    if person.is_computer or person.pk == by.current.pk or may(person, MODERATOR):
        raise NotSuspendable
    if not reason:
        raise ValueError("a suspension has a reason")
    return Suspension.objects.create(player=person, by=by, reason=reason, until=timezone.now() + length)


def lift(player: Player, *, by: Player) -> bool:
    """Take back whatever suspension holds for the player; whether one did."""
    return suspensions().filter(player=player.current).update(lifted_at=timezone.now(), lifted_by=by) > 0


def take_down(player: Player) -> None:
    """Take away the name and what the page says: the person is "Player 12" until they choose another name."""
    person = player.current
    with transaction.atomic():
        names.give(person, "")
        Profile.objects.filter(player=person).update(text="", village="")


def standing(people: Iterable[Player], now: datetime | None = None) -> dict[int, Suspension]:
    """The suspensions that hold for some people, by the key of their player. One query."""
    keys = {player.current.pk for player in people}
    return {row.player_id: row for row in suspensions(now).filter(player__in=keys).order_by("until")}
