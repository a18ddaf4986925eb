"""What a game belongs to, where a room above has laid it: "Liga, round 2, table 3". Those rooms register; games know nothing
of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from games.models import Game

Namer: TypeAlias = Callable[[Collection[Game]], Mapping[int, str]]
"""Some games -> the occasion of each that is the room's own, by the game's key, in the reader's language. One query or two."""

_namers: list[Namer] = []


def register(namer: Namer) -> None:
    """Let a room name its games; call it from `AppConfig.ready`."""
    if namer not in _namers:
        _namers.append(namer)


def of(games: Collection[Game]) -> dict[int, str]:
    """The occasions of these games; those that were laid by their players have none."""
    found: dict[int, str] = {}
    if games:
        for namer in _namers:
            found |= namer(games)
    return found
