"""Guests: created when needed, recognised by their cookie, removed when they stay away; and how they become members.

A guest becomes a member by signing up (the same player goes on) or by logging in (two players become one). The
receivers at the end of this module do that; `AccountsConfig.ready` connects them.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from allauth.account.signals import user_signed_up
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.deletion import ProtectedError, RestrictedError
from django.dispatch import receiver
from django.http import HttpRequest, parse_cookie
from django.utils import timezone

from accounts import registry, sessions
from accounts.choices import time_zones
from accounts.middleware import GUEST_COOKIE, PlayerRequest, Visit, find_player
from accounts.models import Absence, Block, GuestToken, Player, Report, Session, Suspension, User, WakingHours

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta


_LIVING_GUEST = Q(user__isnull=True, computer="", merged_into__isnull=True, retired_at__isnull=True)


def ensure_player(request: PlayerRequest) -> Player:
    """The request's player; if there is none, a new guest, or a member's first player.

    A player without a time zone gets that of the device, if the form contains it. The middleware sets the cookie of a
    new guest on the response. The caller must limit how many guests are created (`limits.take`).
    """
    player = request.visit.player
    if player is None:
        if request.user.is_authenticated:
            player, _created = Player.objects.get_or_create(user_id=request.user.pk)
        else:
            player = _new_guest(request)
        request.visit.player = player
    if not player.time_zone and request.POST.get("time_zone") in time_zones():
        player.time_zone = request.POST["time_zone"]
        player.save(update_fields=["time_zone"])
    return player


def _new_guest(request: PlayerRequest) -> Player:
    """Create a guest.

    If the same browser sends the same form again, that guest is found again: the first response, with its cookie, may
    have been lost.
    """
    browser, form = request.META.get("CSRF_COOKIE"), request.POST.get("request_id")
    raw = sessions.guest_token_for(browser, form) if browser and form else ""
    try:
        with transaction.atomic():
            player = Player.objects.create()
            request.visit.keep(sessions.issue_guest_token(player, raw))
    except IntegrityError:
        before = sessions.find_guest_token(raw)
        if before is not None:
            request.visit.keep(raw)
            return before.player
        player = Player.objects.create()  # that guest is gone
        request.visit.keep(sessions.issue_guest_token(player))
    return player


def player_of_scope(scope: Mapping[str, Any]) -> Player | None:
    """The player of a socket's scope: the member of its session, or the guest of its cookie; else None.

    Queries the database every time, since somebody may have signed out in the meantime. Call it with
    `database_sync_to_async`.
    """
    cookies = parse_cookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
    user = sessions.user_of(cookies.get(settings.SESSION_COOKIE_NAME, ""))
    return find_player(user, Visit(raw=cookies.get(GUEST_COOKIE, "")))


def forget_sessions(now: datetime) -> None:
    """Delete sessions that have ended, and what was stored about their browsers and addresses."""
    Session.objects.filter(expire_date__lt=now).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def retire(player: Player, now: datetime) -> bool:
    """Remove a guest for good: release what they own, delete their tokens, and the row if nothing refers to it.

    Locks the player's row; the belongings then lock theirs. Returns False, and does nothing, if this is not (or no
    longer) an active guest.
    """
    with transaction.atomic():
        guest = Player.objects.select_for_update(no_key=True).filter(_LIVING_GUEST, pk=player.pk).first()
        if guest is None:
            return False
        stays = False
        for belongings in registry.belongings:
            stays = belongings.release(guest) or stays
        GuestToken.objects.filter(player=guest).delete()
        if not stays:
            try:
                with transaction.atomic():
                    guest.delete()
            except (ProtectedError, RestrictedError):
                # Something that no app has registered refers to the guest. A name without a token does no harm.
                stays = True
        if stays:
            Player.objects.filter(pk=player.pk).update(retired_at=now)
        return True


def expire_guests(older_than: timedelta, now: datetime | None = None) -> int:
    """Remove all guests who have not been here for `older_than`. Returns how many.

    Each has a transaction of its own, so that a long list holds no lock for long.
    """
    moment = now or timezone.now()
    idle = Player.objects.filter(_LIVING_GUEST, last_seen_at__lt=moment - older_than)
    return sum(retire(player, moment) for player in list(idle.order_by("last_seen_at")))


logger = logging.getLogger(__name__)

PREFERENCES = (
    "hand_order", "suit_order", "trumps_first", "one_tap", "bot_speed", "waits_after_trick", "forced_cards", "small_cards",
    "sounds", "vibrates", "confirm_plays", "next_game", "language", "time_zone", "guided_done_at",
)  # fmt: skip
"""The preferences that a guest may have set. Each moves to a member who has not set it."""


class NotClaimable(Exception):
    """The player is not a guest who can be merged, but a member, a computer player, or merged into somebody else."""


def welcome(user: User, guest: Player | None) -> Player:
    """The player of `user`, who has just signed up or in, in a browser with `guest` (None if it has no guest).

    If the user has a player, the guest is merged into it. If not, the guest becomes the user's player, or a new player
    is created. Repeating this changes nothing.
    """
    with transaction.atomic():
        member = Player.objects.select_for_update(no_key=True).filter(user=user).first()
        if member is None and guest is not None:
            member = _adopt(user, guest)
        if member is None:
            member, _created = Player.objects.get_or_create(user=user)
        elif guest is not None and guest.pk != member.pk:
            try:
                member = claim(guest, member)
            except NotClaimable:
                # Another login has just taken this guest, or the guest has just expired. That must not keep anybody
                # out.
                logger.info("player %s could not claim guest %s", member.pk, guest.pk)
        return member


def claim(guest: Player, member: Player) -> Player:
    """Merge `guest` into `member`: all registered belongings move, the guest's tokens end, their row is a pointer.

    One transaction that locks both rows, the lower key first; then the registered belongings lock their own rows.
    Repeating this changes nothing. Returns the member as stored. Raises `NotClaimable`; then nothing is written.
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
        for belongings in registry.belongings:
            belongings.merge(source, target)
        _take_preferences(source, target)
        _take_own(source, target)
        sessions.revoke_guest_tokens(source)
        source.merged_into = target
        source.save(update_fields=["merged_into"])
        return target


def _adopt(user: User, guest: Player) -> Player | None:
    """Make `guest` the player of `user`. Returns None if they are no longer an active guest."""
    row = Player.objects.select_for_update(no_key=True).filter(pk=guest.pk).first()
    if row is None or not row.is_guest or row.merged_into_id is not None or row.retired_at is not None:
        return None
    row.user = user
    row.save(update_fields=["user"])
    sessions.revoke_guest_tokens(row)
    return row


def _take_preferences(guest: Player, member: Player) -> None:
    """Give the member the preferences that the guest had set, where the member still has the defaults."""
    taken = []
    new = Player()
    for name in PREFERENCES:
        default = getattr(new, name)
        if getattr(member, name) == default and getattr(guest, name) != default:
            setattr(member, name, getattr(guest, name))
            taken.append(name)
    if taken:
        member.save(update_fields=taken)


def _take_own(guest: Player, member: Player) -> None:
    """Give the member what this app itself stores for the guest. Where both have something, the member's is kept."""
    blocked = Block.objects.filter(player=member).values("blocked")
    Block.objects.filter(player=guest).exclude(blocked__in=blocked).exclude(blocked=member).update(player=member)
    blocking = Block.objects.filter(blocked=member).values("player")
    Block.objects.filter(blocked=guest).exclude(player__in=blocking).exclude(player=member).update(blocked=member)
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


# Django's own signal rather than allauth's: it is sent for every way of logging in.
@receiver([user_signed_up, user_logged_in])
def welcome_member(request: HttpRequest, user: User, **_arguments: Any) -> None:
    """Merge the guest of this browser, if any, into the member, and delete the guest cookie."""
    # A login outside of a page (a script, a test's force_login) has a request that has not passed the middleware.
    visit: Visit | None = getattr(request, "visit", None)
    guest = visit.guest() if visit else None
    player: Player = welcome(user, guest)
    if visit:
        visit.forget()
        visit.player = player


@receiver(user_logged_out)
def forget_player(request: HttpRequest, **_arguments: Any) -> None:
    """Forget the player after logging out: there is no guest either, since logging in deleted the guest cookie."""
    visit: Visit | None = getattr(request, "visit", None)
    if visit:
        visit.player = None
