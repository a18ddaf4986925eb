"""The player of each request, found at most once, and what its answer does to the guest cookie."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property

from accounts import availability, tokens
from accounts.models import Player

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponseBase
    from django_htmx.middleware import HtmxDetails

    from accounts.models import GuestToken


GUEST_COOKIE: str = settings.GUEST_COOKIE_NAME


class PlayerRequest(HttpRequest):
    """A request that came through `accounts.middleware`: for annotating views that use `request.visit` or `request.htmx`."""

    htmx: HtmxDetails
    visit: Visit


@dataclass
class Visit:
    """The person behind one request, and what becomes of their guest cookie. `raw` is the cookie it brought, empty if none."""

    raw: str
    user: object = None
    """Whoever is logged in, as Django knows them."""
    token: GuestToken | None = None
    issued: str = ""
    """A raw token to be set as cookie."""
    refused: bool = False
    """Whether the cookie it brought is useless and must go."""

    @cached_property
    def player(self) -> Player | None:
        """The player who asks, None for a stranger: found on first use, by one query at most. Times are then in their time zone."""
        found = find_player(self.user, self)
        if found is not None and found.time_zone:
            timezone.activate(availability.zone_of(found))
        return found

    @property
    def has_asked(self) -> bool:
        """Whether anybody has asked for the player, so that the answer is theirs alone."""
        return "player" in self.__dict__

    def guest(self) -> Player | None:
        """The guest whose living token the request brought (one query), or None."""
        if not self.raw:
            return None
        self.token = tokens.find_guest_token(self.raw)
        self.refused = self.token is None
        return self.token.player if self.token else None

    def keep(self, raw: str) -> None:
        """Set `raw` as the guest cookie with the answer."""
        self.issued, self.refused = raw, False

    def forget(self) -> None:
        """Delete the guest cookie with the answer, if the request brought one."""
        self.token, self.issued, self.refused = None, "", bool(self.raw)

    def write(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Write what was decided to the answer. A token in use is prolonged once a day."""
        if self.refused:
            response.delete_cookie(GUEST_COOKIE, samesite="Lax")
            return
        raw = self.issued or (self.raw if self.token is not None and tokens.renew(self.token) else "")
        if raw:
            response.set_cookie(
                GUEST_COOKIE,
                raw,
                max_age=int(tokens.LIFETIME.total_seconds()),
                secure=settings.SESSION_COOKIE_SECURE or request.is_secure(),
                httponly=True,
                samesite="Lax",
            )


def find_player(user: object, visit: Visit) -> Player | None:
    """The member's player if somebody is logged in, else the guest of the visit; never makes one."""
    if getattr(user, "is_authenticated", False):
        return getattr(user, "player", None)  # read together with the user (accounts.sessions)
    return visit.guest()


def address_of(request: HttpRequest) -> str:
    """The visitor's address as a limit should see it: an IPv6 visitor owns a whole /64, so that is what counts.

    Proxies are trusted as allauth's settings say (`ALLAUTH_TRUSTED_PROXY_COUNT`). Raises `PermissionDenied` where
    there is no address at all.
    """
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The same for a socket, by its scope; empty where there is no address."""
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = (scope.get("client") or ("", 0))[0]
    if forwarded := dict(scope["headers"]).get(b"x-forwarded-for"):
        request.META["HTTP_X_FORWARDED_FOR"] = forwarded.decode("latin-1")
    try:
        return address_of(request)
    except (PermissionDenied, ValueError):
        return ""


SEEN_EVERY = timedelta(minutes=5)
"""How exact `Player.last_seen_at` is: it is written at most this often."""


class PlayerMiddleware:
    """Sets `request.visit.player` (a Player or None, asked for on first use: one query at most) and keeps the guest cookie.

    From the moment the player is known, times are told in the player's time zone.
    Stands after the session and authentication middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        visit = Visit(request.COOKIES.get(GUEST_COOKIE, ""), request.user)
        cast("PlayerRequest", request).visit = visit
        try:
            response = self.get_response(request)
        finally:
            timezone.deactivate()  # a thread serves others next
        if visit.has_asked:
            patch_vary_headers(response, ("Cookie",))
            if visit.player is not None:
                with suppress(DatabaseError):  # a page is worth more than the note that somebody has read it
                    note_seen(visit.player)
                    if visit.player.is_member and hasattr(request, "session"):
                        note_session(request.session.session_key)
        visit.write(request, response)
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
