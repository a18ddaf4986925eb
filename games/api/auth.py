"""Who asks: the player whose token comes with the request, how often, and in which language they read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import activate
from django.utils.translation import gettext_lazy as _
from ninja.security import HttpBearer

from accounts import limits, personal_tokens
from accounts.middleware import note_seen
from accounts.models import Player
from accounts.personal_tokens import PLAY, READ, TABLES
from accounts.token_models import PersonalToken
from games.lobby.refusals import TooOften
from games.refusals import Refusal

A_MINUTE: Final = 300
"""Requests of one person in a minute, with all their tokens."""
BURST: Final = 120
"""As many of them at once."""
STRANGERS_A_MINUTE: Final = 60
"""Requests without a valid token from one address in a minute."""
_SECONDS: Final = 60.0


class ScopeMissing(Refusal):
    """The token does not allow this."""

    status = 403
    code = "scope-missing"
    message: str | Promise = _(
        "This token may not do that: it lacks “%(scope)s”. Make one that has it on your own page."
    )

    def __init__(self, scope: str) -> None:
        super().__init__(scope)
        self.message = str(self.message) % {"scope": scope}


class TooFast(Refusal):
    """More requests than the API answers."""

    status = 429
    code = "too-fast"
    message = _("Those were too many requests in a short time. Wait as long as Retry-After says, then go on.")
    retry_after = 5


class LaterAgain(TooOften):
    """The same as on the pages, with the seconds after which it may be tried again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.retry_after = seconds


@dataclass(frozen=True, slots=True)
class Asking:
    """The token that came with a request, and its player."""

    token: PersonalToken
    player: Player


class PersonalTokenAuth(HttpBearer):
    """`Authorization: Bearer troccas_…`. The operation needs `scope`; one that is only for reading, none in particular."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Asking | None:
        """The asking player. Raises ScopeMissing, TooFast; None for a token that is not valid."""
        found = personal_tokens.find(token)
        if found is None:
            check_stranger(request)
            return None
        if not limits.take(f"api-player:{found.player_id}", rate=A_MINUTE, per=_SECONDS, burst=BURST):
            raise TooFast
        player = found.player
        if player.language and "Accept-Language" not in request.headers and player.language in dict(settings.LANGUAGES):
            activate(player.language)
        if self.scope not in found.scopes:
            raise ScopeMissing(self.scope)
        note_seen(player)
        return Asking(found, player)


def check_stranger(request: HttpRequest) -> None:
    """Count a request of somebody without a valid token. Raises TooFast."""
    address = limits.address_of(request)
    if not limits.take(f"api-stranger:{address}", rate=STRANGERS_A_MINUTE, per=_SECONDS, burst=STRANGERS_A_MINUTE):
        raise TooFast


class Limited:
    """Who needs no token: everybody, but not too often from one address."""

    def __call__(self, request: HttpRequest) -> bool:
        """Always true. Raises TooFast."""
        check_stranger(request)
        return True


def limit(what: str, player: Player, *, rate: float, burst: int) -> None:
    """Raise LaterAgain above `rate` an hour: the same counts as those of the pages."""
    if not limits.take(f"{what}:player {player.pk}", rate=rate, per=3600, burst=burst):
        raise LaterAgain(math.ceil(3600 / rate))


def player_of(request: Any) -> Player:
    """The player who asks, in an operation that needs a token."""
    asking = request.auth
    assert isinstance(asking, Asking)
    return asking.player


READS: Final = PersonalTokenAuth(READ)
PLAYS: Final = PersonalTokenAuth(PLAY)
LAYS: Final = PersonalTokenAuth(TABLES)
