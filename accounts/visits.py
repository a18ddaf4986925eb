"""Who is asking: the player of one request, found at most once, and what its answer does to the guest cookie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest

from accounts import tokens
from accounts.models import Player, User

if TYPE_CHECKING:
    from django.http import HttpResponseBase

    from accounts.models import GuestToken

GUEST_COOKIE = "guest"


class PlayerRequest(HttpRequest):
    """A request that came through `accounts.middleware`: for annotating views that use `request.player`."""

    player: Player | None
    visit: Visit


@dataclass(slots=True)
class Visit:
    """What one request knows about its guest cookie. `raw` is the cookie it brought, empty if none."""

    raw: str
    token: GuestToken | None = None
    issued: str = ""
    """A raw token to be set as cookie."""
    refused: bool = False
    """Whether the cookie it brought is useless and must go."""

    def guest(self) -> Player | None:
        """The guest whose living token the request brought (one query), or None."""
        if not self.raw:
            return None
        self.token = tokens.find(self.raw)
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
        # `user` may be Django's lazy wrapper: filter by its key, and hand the object on so that nobody asks again.
        player = Player.objects.filter(user=user.pk).first()  # type: ignore[attr-defined]  # a lazy user, which is_authenticated told apart
        if player is not None and isinstance(user, User):
            player.user = user
        return player
    return visit.guest()
