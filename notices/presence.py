"""Who is looking at which table just now. Nothing is taken away from them: what they see needs no telling *yet*.

A page says every twenty seconds that it is open, in focus, and that somebody was at the keys lately; that holds for 45
seconds. A notice is put off while it holds, and told soon after if it is still true then.
"""

from __future__ import annotations

from typing import Final

from django.core.cache import cache

from accounts.models import Player

HOLDS: Final = 45  # seconds


def note(player: Player, topic: str) -> None:
    """`player` has `topic` (the public id of a game or table) open and in focus."""
    cache.set(_key(player, topic), 1, timeout=HOLDS)


def forget(player: Player, topic: str) -> None:
    """`player` has turned away from `topic`."""
    cache.delete(_key(player, topic))


def looking(player: Player, topic: str) -> bool:
    """Whether `player` is looking at `topic`: at that very table, not just at the site."""
    return bool(topic) and cache.get(_key(player, topic)) is not None


def _key(player: Player, topic: str) -> str:
    return f"looking:{player.pk}:{topic}"
