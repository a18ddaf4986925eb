"""How much one person may change in an hour: editors much, members some, newcomers little."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

from accounts import limits, roles
from accounts.models import Player
from rules.models import Suggestion
from rules.refused import TooFast

EDITORS: Final = 300
MEMBERS: Final = 30
NEWCOMERS: Final = 6
KNOWN_AFTER: Final = timedelta(days=3)
KNOWN_WITH: Final = 3  # accepted suggestions
_HOUR: Final = 3600.0


def an_hour(player: Player) -> int:
    """How many changes and remarks `player` may send in an hour."""
    if roles.languages(player):
        return EDITORS
    return NEWCOMERS if is_newcomer(player) else MEMBERS


def is_newcomer(player: Player) -> bool:
    """Whether this member signed up less than three days ago or has fewer than three accepted suggestions."""
    joined = player.user.date_joined if player.user else player.created_at
    if timezone.now() - joined < KNOWN_AFTER:
        return True
    return Suggestion.objects.filter(author=player, state=Suggestion.State.ACCEPTED).count() < KNOWN_WITH


def take(player: Player) -> None:
    """Count one change. Raises TooFast. Call it outside of transactions: what is refused later counts all the same."""
    allowed = an_hour(player)
    # Another role is another bucket: whoever is no newcomer any more need not wait.
    if not limits.take(f"rules:{allowed}:{player.pk}", rate=allowed, per=_HOUR, burst=allowed):
        raise TooFast
