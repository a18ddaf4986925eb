"""Guest tokens: the random text in a guest's cookie, of which the database knows only the digest.

The raw token exists in the cookie and, for the length of one request, in memory. It is never stored or logged.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import GuestToken, Player

LIFETIME = timedelta(days=180)
"""How long a token lives after its last use."""
RENEWAL = timedelta(days=1)
"""A token's last use is written, and its cookie set anew, at most this often."""
_BYTES = 32
_TEXT_LENGTH = 43  # 32 bytes in unpadded base64


def digest_of(raw: str) -> str:
    """The SHA-256 of a raw token in hexadecimal. The token is random, so it needs no salt and no slow hash."""
    return hashlib.sha256(raw.encode("utf-8", "replace")).hexdigest()


def issue(player: Player) -> str:
    """Make a new token for `player` and return it raw; only its digest is saved."""
    raw = secrets.token_urlsafe(_BYTES)
    GuestToken.objects.create(player=player, digest=digest_of(raw))
    return raw


def find(raw: str, *, now: datetime | None = None) -> GuestToken | None:
    """The living token with this text, its player loaded, in one query; None if unknown, revoked or expired."""
    if len(raw) != _TEXT_LENGTH:
        return None
    moment = now or timezone.now()
    return (
        GuestToken.objects.select_related("player")
        .filter(
            digest=digest_of(raw),
            revoked_at__isnull=True,
            last_used_at__gt=moment - LIFETIME,
            player__user__isnull=True,
            player__merged_into__isnull=True,
            player__retired_at__isnull=True,
        )
        .first()
    )


def renew(token: GuestToken, *, now: datetime | None = None) -> bool:
    """Note the token's use if the last note is over a day old; True if so, and the cookie should be set anew."""
    moment = now or timezone.now()
    if token.last_used_at > moment - RENEWAL:
        return False
    return GuestToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(last_used_at=moment) == 1


def revoke_all(player: Player, *, now: datetime | None = None) -> int:
    """Make every token of `player` useless; returns how many were alive."""
    return GuestToken.objects.filter(player=player, revoked_at__isnull=True).update(revoked_at=now or timezone.now())
