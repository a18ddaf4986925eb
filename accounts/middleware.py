"""Gives every request its player."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, cast

from allauth.usersessions.models import UserSession
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property

from accounts import rhythms
from accounts.models import Player
from accounts.visits import GUEST_COOKIE, PlayerRequest, Visit, find_player

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase

SEEN_EVERY = timedelta(minutes=5)
"""How exact `Player.last_seen_at` is: it is written at most this often."""


class PlayerMiddleware:
    """Sets `request.player` (a Player or None, asked for on first use: one query at most) and keeps the guest cookie.

    From the moment the player is known, times are told in the player's time zone.
    Stands after the session and authentication middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # A lazy object would not be None where there is no player (`request.player is None` would never hold),
        # so the request itself gets an attribute that is worked out on first use.
        request.__class__ = _with_player(type(request))  # type: ignore[arg-type]  # classes are hashable; their stub hides it
        visited = cast("PlayerRequest", request)
        visited.visit = Visit(raw=request.COOKIES.get(GUEST_COOKIE, ""))
        try:
            response = self.get_response(request)
        finally:
            timezone.deactivate()  # a thread serves others next
        if "player" in request.__dict__:
            patch_vary_headers(response, ("Cookie",))
            if visited.player is not None:
                note_seen(visited.player)
                if visited.player.is_member and hasattr(request, "session"):
                    note_session(request.session.session_key)
        visited.visit.write(request, response)
        return response


def note_seen(player: Player, *, now: datetime | None = None) -> bool:
    """Write that `player` is here, unless that was written in the last five minutes; True if written."""
    moment = now or timezone.now()
    if player.last_seen_at > moment - SEEN_EVERY:
        return False
    player.last_seen_at = moment
    return Player.objects.filter(pk=player.pk, last_seen_at__lte=moment - SEEN_EVERY).update(last_seen_at=moment) == 1


def note_session(key: str | None, *, now: datetime | None = None) -> bool:
    """Write that the browser with this session is here, for the list of sessions; True if written.

    Each process writes it at most every five minutes, and asks nothing in between.
    """
    moment = now or timezone.now()
    if not key or _written.get(key, _LONG_AGO) > moment - SEEN_EVERY:
        return False
    if len(_written) >= _REMEMBERED:
        _written.clear()
    _written[key] = moment
    return UserSession.objects.filter(session_key=key).update(last_seen_at=moment) == 1


_REMEMBERED = 10_000
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_written: dict[str, datetime] = {}
"""When this process last wrote of a session that it is used; only saves writing."""


@cache
def _with_player(kind: type[HttpRequest]) -> type[HttpRequest]:
    """The request class `kind` with a `player` worked out on first use."""

    def player(self: HttpRequest) -> Player | None:
        found = find_player(self.user, cast("PlayerRequest", self).visit)
        if found is not None and found.time_zone:
            timezone.activate(rhythms.zone_of(found))
        return found

    attribute = cached_property(player)
    attribute.__set_name__(kind, "player")
    return type(kind.__name__, (kind,), {"player": attribute})
