"""Personal tokens, for programs: issue, find and revoke them. The database only has their digests.

A token is a random text of 256 bits after a prefix (`MARK`), by which it can be recognised in places where it should not
be. The text exists on the page that shows it once, and in its owner's program. Its scopes say what it may do.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import PersonalToken, Player
from accounts.sessions import TOKEN_BYTES, TOKEN_LENGTH, digest_of
from core.prepared_queries import prepared

MARK: Final = "troccas_"
READ: Final = "games:read"
PLAY: Final = "games:play"
TABLES: Final = "tables:write"
CHAT: Final = "chat:write"
NOTICE: Final = "notices:write"
PROFILE: Final = "profile:write"
PEOPLE: Final = "people:write"
SCOPES: Final[dict[str, str | Promise]] = {
    READ: _("see your games, the open tables and the games that may be watched"),
    PLAY: _("begin games and act in them for you"),
    TABLES: _("set up, join and leave tables for you, and invite people"),
    CHAT: _("read and write the chats of your games, and your notes"),
    NOTICE: _("read your notices, know the address of your calendar, and register webhooks"),
    PROFILE: _("see and change your hours and absences"),
    PEOPLE: _("find and follow people for you, and read and write your messages"),
}
"""What a token may do. Every token may read."""
MOST: Final = 20
"""How many valid tokens one person may have."""
LIFETIMES: Final = (7, 30, 90, 365)
"""The choices, in days, for when a token expires."""
USED_EVERY: Final = timedelta(minutes=1)
_LENGTH: Final = len(MARK) + TOKEN_LENGTH


class TooManyTokens(Exception):
    """The person has as many valid tokens as allowed."""


def issue_token(
    player: Player, name: str, scopes: Iterable[str], *, days: int | None = None, by_hand: bool = False
) -> tuple[PersonalToken, str]:
    """Create a token for `player`. Returns it and its text, which is not stored anywhere. Locks the player's row.

    It is valid for `days`, or if that is None, until it is revoked. `by_hand` means that the person plays themselves
    with it. Raises TooManyTokens, and ValueError for unknown scopes.
    """
    granted = {*scopes, READ}
    if unknown := granted - SCOPES.keys():
        raise ValueError(f"no such scopes: {', '.join(sorted(unknown))}")
    raw = MARK + secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)  # counting them must be exact
        if living(player).count() >= MOST:
            raise TooManyTokens
        token = PersonalToken.objects.create(
            player=player,
            name=name,
            digest=digest_of(raw),
            hint=raw[-4:],
            by_hand=by_hand,
            scopes=[scope for scope in SCOPES if scope in granted],
            expires_at=timezone.now() + timedelta(days=days) if days is not None else None,
        )
    return token, raw


def revoke_programs(player: Player) -> int:
    """Revoke all tokens of a member's programs. Returns how many were valid."""
    return living(player).update(revoked_at=timezone.now())


def find_token(raw: str, *, now: datetime | None = None) -> PersonalToken | None:
    """The valid token with this text, with its player; None if it is unknown, revoked or expired. One query.

    Its use is noted at most once a minute.
    """
    if len(raw) != _LENGTH or not raw.startswith(MARK):
        return None
    moment = now or timezone.now()
    token = next(iter(_tokens_with(digest_of(raw))), None)
    if token is None or not is_living(token, moment):
        return None
    if token.last_used_at is None or token.last_used_at <= moment - USED_EVERY:
        PersonalToken.objects.filter(pk=token.pk).update(last_used_at=moment)
    return token


@prepared
def _tokens_with(digest: str) -> QuerySet[PersonalToken]:
    return PersonalToken.objects.select_related("player__user").filter(digest=digest).order_by()


def is_living(token: PersonalToken, now: datetime | None = None) -> bool:
    """Whether the token is valid: not revoked, not expired, and its player is a member who can sign in."""
    moment = now or timezone.now()
    expired = token.expires_at is not None and token.expires_at <= moment
    user = token.player.user
    return token.revoked_at is None and not expired and user is not None and user.is_active


def living(player: Player) -> QuerySet[PersonalToken]:
    """The valid tokens of `player`, the newest first."""
    tokens = PersonalToken.objects.filter(player=player, revoked_at__isnull=True)
    return tokens.exclude(expires_at__lte=timezone.now())


def revoke_token(player: Player, key: int) -> PersonalToken | None:
    """Revoke one token of `player` and return it; None if there is no such valid token."""
    token = living(player).filter(pk=key).first()
    if token is not None:
        PersonalToken.objects.filter(pk=token.pk).update(revoked_at=timezone.now())
    return token


def mark_program(player: Player) -> None:
    """Mark the account as played by a program, for everybody to read. Repeating this changes nothing."""
    if player.program_since is None:
        player.program_since = timezone.now()
        Player.objects.filter(pk=player.pk, program_since__isnull=True).update(program_since=player.program_since)
