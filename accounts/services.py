"""Guests: made on first need, found again by their cookie, let go when they stay away; and how they become members.

A guest becomes a member by signing up (the same player goes on) or by logging in (two players become one). The receivers
at the end do so; `AccountsConfig.ready` connects them.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from allauth.account.signals import user_signed_up
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.deletion import ProtectedError, RestrictedError
from django.dispatch import receiver
from django.http import HttpRequest, parse_cookie
from django.utils import timezone

from accounts import registry, sessions, tokens
from accounts.choices import time_zones
from accounts.middleware import GUEST_COOKIE, PlayerRequest, Visit, find_player
from accounts.models import Absence, Block, GuestToken, Player, Report, Suspension, User, WakingHours

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta


_LIVING_GUEST = Q(user__isnull=True, computer="", merged_into__isnull=True, retired_at__isnull=True)


def ensure_player(request: PlayerRequest) -> Player:
    """The request's player; a new guest (or a member's first player) if there is none. Whose time zone is not known yet
    gets that of the device, if the form tells it.

    A new guest's cookie is set with the answer by the middleware. Limiting how many are made is up to the caller:
    `limits.take`.
    """
    player = request.visit.player
    if player is None:
        if request.user.is_authenticated:
            player, _made = Player.objects.get_or_create(user_id=request.user.pk)
        else:
            player = _new_guest(request)
        request.visit.player = player
    if not player.time_zone and request.POST.get("time_zone") in time_zones():
        player.time_zone = request.POST["time_zone"]
        player.save(update_fields=["time_zone"])
    return player


def _new_guest(request: PlayerRequest) -> Player:
    """A new guest. The form that made one, sent once more by the same browser, finds that guest again: with the first answer the
    cookie may have been lost."""
    browser, form = request.META.get("CSRF_COOKIE"), request.POST.get("request_id")
    raw = tokens.text_for(browser, form) if browser and form else ""
    try:
        with transaction.atomic():
            player = Player.objects.create()
            request.visit.keep(tokens.issue_guest_token(player, raw))
    except IntegrityError:
        before = tokens.find_guest_token(raw)
        player = before.player if before is not None else Player.objects.create()  # None: that one has gone
        request.visit.keep(raw if before is not None else tokens.issue_guest_token(player))
    return player


def player_of_scope(scope: Mapping[str, Any]) -> Player | None:
    """The player of a socket's scope: the member of its session, or the guest of its cookie; None for a stranger.

    Asks the database, each time anew (who has signed out meanwhile is a stranger): call it through `database_sync_to_async`.
    """
    cookies = parse_cookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin-1"))
    user = sessions.user_of(cookies.get(settings.SESSION_COOKIE_NAME, ""))
    return find_player(user, Visit(raw=cookies.get(GUEST_COOKIE, "")))


def forget_sessions(now: datetime) -> None:
    """Delete sessions that have ended, and what was noted of their browsers and addresses."""
    Session.objects.filter(expire_date__lt=now).delete()
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()


def retire(player: Player, now: datetime) -> bool:
    """Let a guest go for good: open belongings are released, the tokens end, and the row goes unless something names it.

    Takes the lock on the player's row, then the belongings take theirs. Returns False, and does nothing, if this is not, or no longer, a living guest.
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
                # Something names the guest that no app has registered: a name without a token harms nobody.
                stays = True
        if stays:
            Player.objects.filter(pk=player.pk).update(retired_at=now)
        return True


def expire_guests(older_than: timedelta, now: datetime | None = None) -> int:
    """Let go of all guests who have not been here for `older_than`; returns how many.

    Each in a transaction of its own, so that a long list holds no lock for long.
    """
    moment = now or timezone.now()
    idle = Player.objects.filter(_LIVING_GUEST, last_seen_at__lt=moment - older_than)
    return sum(retire(player, moment) for player in list(idle.order_by("last_seen_at")))


logger = logging.getLogger(__name__)

PREFERENCES = (
    "hand_order", "suit_order", "trumps_first", "one_tap", "bot_speed", "waits_after_trick", "forced_cards", "small_cards",
    "sounds", "vibrates", "confirm_plays", "next_game", "language", "time_zone", "guided_done_at",
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
        for belongings in registry.belongings:
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
    """Give the member what this app itself keeps for the guest; where both have something, the member's stands."""
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


# Django's own signal rather than allauth's: it is sent for every way of logging in.
@receiver([user_signed_up, user_logged_in])
def welcome_member(request: HttpRequest, user: User, **_arguments: Any) -> None:
    """Merge the guest of this browser, if any, into the member, and delete the guest cookie."""
    # A login outside of a page (a script, a test's force_login) brings a request that no middleware has seen.
    visit: Visit | None = getattr(request, "visit", None)
    guest = visit.guest() if visit else None
    player: Player = welcome(user, guest)
    if visit:
        visit.forget()
        visit.player = player


@receiver(user_logged_out)
def forget_player(request: HttpRequest, **_arguments: Any) -> None:
    """After logging out nobody is here: the guest cookie went when the member logged in."""
    visit: Visit | None = getattr(request, "visit", None)
    if visit:
        visit.player = None
