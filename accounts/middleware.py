"""The player of each request, looked up at most once, and what the response does to the guest cookie.

Also how people are sent to sign in.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from accounts import availability, sessions
from accounts.models import Player
from core.http import page_before

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponseBase
    from django_htmx.middleware import HtmxDetails

    from accounts.models import GuestToken


GUEST_COOKIE: str = settings.GUEST_COOKIE_NAME


class PlayerRequest(HttpRequest):
    """A request after `accounts.middleware`: for annotating views that use `request.visit` or `request.htmx`."""

    htmx: HtmxDetails
    visit: Visit


@dataclass
class Visit:
    """The person behind one request, and what becomes of their guest cookie.

    `raw` is the cookie of the request, or empty.
    """

    raw: str
    user: object = None
    """The user who is logged in, from Django."""
    token: GuestToken | None = None
    issued: str = ""
    """A raw token to be set as the cookie."""
    refused: bool = False
    """Whether the cookie of the request is invalid and must be deleted."""

    @cached_property
    def player(self) -> Player | None:
        """The player of the request; None for a visitor without one. Looked up on first use, with at most one query.

        From then on times are in the player's time zone.
        """
        player = find_player(self.user, self)
        if player is not None and player.time_zone:
            timezone.activate(availability.zone_of(player))
        return player

    @property
    def has_looked_up_player(self) -> bool:
        """Whether the player has been looked up, so that the response may be for them alone."""
        return "player" in self.__dict__

    def guest(self) -> Player | None:
        """The guest whose valid token is in the request, or None. One query."""
        if not self.raw:
            return None
        self.token = sessions.find_guest_token(self.raw)
        self.refused = self.token is None
        return self.token.player if self.token else None

    def keep(self, raw: str) -> None:
        """Set `raw` as the guest cookie with the response."""
        self.issued, self.refused = raw, False

    def forget(self) -> None:
        """Delete the guest cookie with the response, if the request had one."""
        self.token, self.issued, self.refused = None, "", bool(self.raw)

    def write(self, request: HttpRequest, response: HttpResponseBase) -> None:
        """Set, renew or delete the guest cookie on the response."""
        if self.refused:
            response.delete_cookie(GUEST_COOKIE, samesite="Lax")
            return
        raw = self.issued
        if not raw and self.token is not None and sessions.renew_guest_token(self.token):  # at most once a day
            raw = self.raw
        if raw:
            response.set_cookie(
                GUEST_COOKIE,
                raw,
                max_age=int(sessions.GUEST_LIFETIME.total_seconds()),
                secure=settings.SESSION_COOKIE_SECURE or request.is_secure(),
                httponly=True,
                samesite="Lax",
            )


def find_player(user: object, visit: Visit) -> Player | None:
    """The member's player if somebody is logged in, else the guest of the visit. Never creates one."""
    if getattr(user, "is_authenticated", False):
        return getattr(user, "player", None)  # loaded together with the user (accounts.sessions)
    return visit.guest()


def address_of(request: HttpRequest) -> str:
    """The visitor's IP address for rate limits. An IPv6 visitor has a whole /64, so the network counts.

    Proxies are trusted according to allauth's setting `ALLAUTH_TRUSTED_PROXY_COUNT`. Raises `PermissionDenied` if there
    is no address at all, and `ImproperlyConfigured` if fewer proxies than that have added theirs.
    """
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """The visitor's IP address like `address_of`, from the scope of a socket; empty if there is none."""
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = (scope.get("client") or ("", 0))[0]
    # Each proxy may add a line of its own; those of a request are joined by Django.
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    if forwarded:
        request.META["HTTP_X_FORWARDED_FOR"] = ",".join(forwarded)
    try:
        return address_of(request)
    except (PermissionDenied, ValueError):
        return ""


SEEN_EVERY = timedelta(minutes=5)
"""The precision of `Player.last_seen_at`: it is written at most this often."""


class PlayerMiddleware:
    """Sets `request.visit`, whose `player` is looked up on first use, and manages the guest cookie.

    Once the player is known, times are in the player's time zone. Must come after the session and authentication
    middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        visit = Visit(request.COOKIES.get(GUEST_COOKIE, ""), request.user)
        cast("PlayerRequest", request).visit = visit
        try:
            response = self.get_response(request)
        finally:
            timezone.deactivate()  # the thread serves other people next
        if visit.has_looked_up_player:
            patch_vary_headers(response, ("Cookie",))
            if visit.player is not None:
                _note_visit(request, visit.player)
        visit.write(request, response)
        return response


class SignInMiddleware:
    """Says why somebody is sent to sign in, and lets them come back to a page: from a POST, to the one with its form.

    Nothing that htmx asks for is answered with the sign-in page. The answer is 401: what a page does by itself then
    leaves the page alone (site.js says that its reader is signed out), and what was pressed moves it to the sign-in
    page. Must come after (inside) the middleware of htmx and messages.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if "Location" not in response:
            return response
        address, _mark, query = response["Location"].partition("?")
        if address != reverse("account_login") or "/account/" in request.path_info:
            return response
        is_safe, is_part = request.method in ("GET", "HEAD"), bool(cast("PlayerRequest", request).htmx)
        if is_part:
            response.status_code = HTTPStatus.UNAUTHORIZED
            del response["Location"]
        if is_part and is_safe:
            return response
        back = request.get_full_path() if is_safe and not query else not is_safe and page_before(request)
        if back:
            query = urlencode({"next": back}, safe="/")
        messages.info(request, _("You need to be signed in for that."))
        response["HX-Redirect" if is_part else "Location"] = f"{address}?{query}" if query else address
        return response


def _note_visit(request: HttpRequest, player: Player) -> None:
    """Note that `player` is here, and a member's session too."""
    with suppress(DatabaseError):  # the page matters more than noting the visit
        note_seen(player)
        if player.is_member and hasattr(request, "session"):
            note_session(request.session.session_key)


def note_seen(player: Player, *, now: datetime | None = None) -> bool:
    """Note that `player` is here, unless that was noted in the last five minutes. Returns whether it was written."""
    moment = now or timezone.now()
    if player.last_seen_at > moment - SEEN_EVERY:
        return False
    player.last_seen_at = moment
    return Player.objects.filter(pk=player.pk, last_seen_at__lte=moment - SEEN_EVERY).update(last_seen_at=moment) == 1


def note_session(key: str | None, *, now: datetime | None = None) -> bool:
    """Note that the browser with this session is here, for the list of sessions. Returns whether it was written.

    Each process writes this at most every five minutes, and makes no query in between.
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
"""When this process last wrote that a session is used; only to write less often."""
