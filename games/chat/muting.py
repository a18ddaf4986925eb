"""Whom somebody does not want to read. Nobody is told of it; blocking (`accounts.blocking`) does the same, and more."""

from __future__ import annotations

from accounts.models import Player
from games.chat_models import Muted
from games.refusals import NotNow


def mute(player: Player, other: Player) -> None:
    """From now on `player` does not read what `other` writes; repeating it changes nothing. Raises NotNow for oneself."""
    if other.current.pk == player.pk:
        raise NotNow
    Muted.objects.get_or_create(player=player, muted=other.current)


def unmute(player: Player, other: Player) -> None:
    """Read `other` again."""
    Muted.objects.filter(player=player, muted=other.current).delete()
