"""Guests: made on first need, found again by their cookie, let go when they stay away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.db.models.deletion import ProtectedError, RestrictedError
from django.http import parse_cookie
from django.utils import timezone

from accounts import protocols, tokens
from accounts.models import GuestToken, Player
from accounts.visits import GUEST_COOKIE, PlayerRequest, Visit, find_player

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta


_LIVING_GUEST = Q(user__isnull=True, computer="", merged_into__isnull=True, retired_at__isnull=True)


def ensure_player(request: PlayerRequest) -> Player:
    """The request's player; a new guest (or a member's first player) if there is none.

    A new guest's cookie is set with the answer by the middleware. Limiting how many are made is up to the caller:
    `limits.take`.
    """
    if request.player is not None:
        return request.player
    if request.user.is_authenticated:
        player, _made = Player.objects.get_or_create(user_id=request.user.pk)
    else:
        with transaction.atomic():
            player = Player.objects.create()
            request.visit.keep(tokens.issue(player))
    request.player = player
    return player


def player_of_scope(scope: Mapping[str, Any]) -> Player | None:
    """The player of a socket's scope: the member of its session, or the guest of its cookie; None for a stranger.

    Asks the database: call it through `database_sync_to_async`. Expects the scope of Channels' `AuthMiddlewareStack`.
    """
    cookies = scope.get("cookies")
    if cookies is None:
        headers = dict(scope.get("headers", ()))
        cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    return find_player(scope.get("user"), Visit(raw=cookies.get(GUEST_COOKIE, "")))


def revoke(player: Player) -> int:
    """Take every browser's right to act as this guest; returns how many had it. What the guest owns stays."""
    return tokens.revoke_all(player)


def retire(player: Player, now: datetime) -> bool:
    """Let a guest go for good: open belongings are released, the tokens end, and the row goes unless something names it.

    Takes the lock on the player's row, then the belongings take theirs. Returns False, and does nothing, if this is not, or no longer, a living guest.
    """
    with transaction.atomic():
        guest = Player.objects.select_for_update(no_key=True).filter(_LIVING_GUEST, pk=player.pk).first()
        if guest is None:
            return False
        stays = False
        for belongings in protocols.registered():
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
