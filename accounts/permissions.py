"""Roles, blocks, suspensions and reports: who may do more than every member, and who may do less.

Editors have one language or all of them; administrators may do everything. Blocked people cannot invite the person who
blocked them, join them before the start, or write to them. Suspended people can still read, and finish the games in
which they sit, because the others there did nothing wrong. New tables, chats and the encyclopedia call
`check_not_suspended`.
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
from accounts.models import Block, Grant, Player, Profile, Report, Suspension
from core import limits
from core.exceptions import Refusal
from core.text import lines

EDITOR = Grant.Role.EDITOR
MODERATOR = Grant.Role.MODERATOR
ADMINISTRATOR = Grant.Role.ADMINISTRATOR


class NotAMember(ValueError):
    """The player cannot have a role: roles are for people who can log in."""


def may(player: Player | None, role: str, language: str = "") -> bool:
    """Whether `player` has `role` for `language`, or without a language, for all languages.

    An administrator has every role. An editor of German only does not have the role for all languages; use `languages`
    to find out whether somebody is an editor at all. One query per player object.
    """
    held = languages(player, role)
    return "" in held or (language != "" and language in held)


def languages(player: Player | None, role: str = EDITOR) -> frozenset[str]:
    """The languages for which `player` has `role`; `""` means all of them. Empty if they do not have it.

    On a real site also empty for somebody without a second factor: the role is suspended until they have one.
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


def moderators() -> frozenset[int]:
    """The keys of everybody who is a moderator now, like `may`. One query."""
    rows = Grant.objects.filter(role__in=(MODERATOR, ADMINISTRATOR), player__user__is_active=True)
    if settings.ROLES_NEED_SECOND_FACTOR:
        rows = rows.filter(Exists(_FACTORS))
    return frozenset(rows.values_list("player", flat=True))


def role_rests(player: Player) -> bool:
    """Whether somebody has a role that they cannot use because they lack a second factor. One query."""
    return settings.ROLES_NEED_SECOND_FACTOR and Grant.objects.filter(~Exists(_FACTORS), player=player).exists()


def has_second_factor(player: Player) -> bool:
    """Whether the player has set up a passkey or an app. One query."""
    return Authenticator.objects.filter(
        user=player.user_id, type__in=(Authenticator.Type.WEBAUTHN, Authenticator.Type.TOTP)
    ).exists()


def grant(player: Player, role: str, language: str = "", *, by: Player | None = None) -> bool:
    """Give `player` the role. Returns whether they did not have it before. Only editors have a language.

    Raises NotAMember for guests and computer players, ValueError for an unknown role.
    """
    if role not in Grant.Role.values:
        raise ValueError(f"no such role: {role}")
    if player.user_id is None:
        raise NotAMember
    _forget(player)
    language = language if role == EDITOR else ""
    _row, created = Grant.objects.get_or_create(player=player, role=role, language=language, defaults={"given_by": by})
    return created


def revoke(player: Player, role: str, language: str = "") -> bool:
    """Take away the role for this language, or without a language, the one for all languages.

    Returns whether they had it.
    """
    _forget(player)
    with transaction.atomic():
        deleted, _by_model = Grant.objects.filter(player=player, role=role, language=language).delete()
    return deleted > 0


def _forget(player: Player) -> None:
    player.__dict__.pop("_granted", None)


MOST = 500
"""How many people one person may block."""


def block(player: Player, other: Player) -> None:
    """Make `player` block `other`. Repeating this changes nothing.

    Raises ValidationError, in the reader's language, for oneself, a computer player, or too many blocks.
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
    """Remove a block. Returns whether there was one."""
    deleted, _by_model = Block.objects.filter(player=player, blocked=other.current).delete()
    return deleted > 0


def has_blocked(player: Player, other: Player) -> bool:
    return Block.objects.filter(player=player, blocked=other.current).exists()


def may_meet(player: Player, others: Iterable[Player]) -> bool:
    """Whether `player` may sit down with, invite, or write to all of `others`: no block exists between them.

    Both directions count: a player who has blocked somebody does not want to meet them at a table either. One query.
    """
    keys = {other.current.pk for other in others}
    mine = player.current.pk
    return not Block.objects.filter(Q(player=mine, blocked__in=keys) | Q(player__in=keys, blocked=mine)).exists()


def strangers_to(player: Player | None) -> frozenset[int]:
    """The keys of all players whom `player` may not meet, for leaving them out of lists. One query; none for None."""
    if player is None:
        return frozenset()
    rows = Block.objects.filter(Q(player=player) | Q(blocked=player)).values_list("player", "blocked")
    return frozenset(key for row in rows for key in row if key != player.pk)


LENGTHS: Final = (timedelta(days=1), timedelta(days=7), timedelta(days=30), timedelta(days=365))
"""The choices for the length of a suspension."""


class Suspended(Refusal):
    """The person is suspended. The message says until when, why, and what they may still do."""

    words = {"suspended": gettext_lazy("That cannot be done now. Reload the page and try again.")}
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
    """The player cannot be suspended: a computer player, a moderator, or oneself."""


def may_report(by: Player) -> bool:
    """Whether the player may make one more report, which then counts: ten a day, five of them at once."""
    return limits.take(f"report by {by.pk}", rate=10, per=86_400, burst=5)


def file_report(subject: str, *, about: Player, by: Player, reason: str, text: str, context: str = "") -> Report | None:
    """Report something to the moderators. Reporting it again changes the open report. Locks the row of `by`.

    Returns None, and does nothing, if they have reported too much.
    """
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=by.pk)  # two clicks are one report
        row = Report.objects.filter(subject=subject, by=by, about=about, settled_at__isnull=True).first()
        if row is None:
            if not may_report(by):
                return None
            row = Report(about=about, by=by, subject=subject, context=context)
        row.reason, row.text = reason, lines(text)[:1000]
        row.save()
        return row


def suspensions(now: datetime | None = None) -> QuerySet[Suspension]:
    """The suspensions in force now."""
    return Suspension.objects.filter(lifted_at__isnull=True, until__gt=now or timezone.now())


def suspension_of(player: Player, now: datetime | None = None) -> Suspension | None:
    """The longest suspension of the player that is in force now; None for almost everybody. One query."""
    return suspensions(now).filter(player=player.current).order_by("-until").first()


def check_not_suspended(player: Player) -> None:
    """Raise Suspended if the player is suspended now. One query."""
    row = suspension_of(player)
    if row is not None:
        raise Suspended(row)


def suspend(player: Player, length: timedelta, reason: str, *, by: Player) -> Suspension:
    """Suspend a person from now on for `length`, with a reason for them to read.

    Raises NotSuspendable, and ValueError without a reason.
    """
    person = player.current
    if person.is_computer or person.pk == by.current.pk or may(person, MODERATOR):
        raise NotSuspendable
    if not reason:
        raise ValueError("a suspension has a reason")
    with transaction.atomic():
        row = Suspension.objects.create(player=person, by=by, reason=reason, until=timezone.now() + length)
        for tell in registry.suspended:
            tell(row)
    return row


def lift(player: Player, *, by: Player) -> bool:
    """Lift all suspensions of the player that are in force. Returns whether there were any."""
    return suspensions().filter(player=player.current).update(lifted_at=timezone.now(), lifted_by=by) > 0


def take_down(player: Player, reason: str = "") -> None:
    """Delete a person's name, and the text and village on their page, and tell them, with the reason if there is one.

    They are "Player 12" until they choose another name.
    """
    person = player.current
    with transaction.atomic():
        names.give(person, "")
        Profile.objects.filter(player=person).update(text="", village="")
        for tell in registry.taken_down:
            tell(person, reason)


def standing(people: Iterable[Player], now: datetime | None = None) -> dict[int, Suspension]:
    """The suspensions of these people that are in force, by the key of their player. One query."""
    keys = {player.current.pk for player in people}
    return {row.player_id: row for row in suspensions(now).filter(player__in=keys).order_by("until")}
