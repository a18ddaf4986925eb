"""What games and tables are called, told by the rooms that own them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from accounts.models import Player


@dataclass(frozen=True, slots=True)
class Subject:
    """A game or table in the reader's language: its name in a sentence, and its page."""

    name: str
    url: str


class Finder(Protocol):
    """Finds what a topic stands for."""

    def __call__(self, player: Player, topic: str) -> Subject | None:
        """The game or table with this public id, if `player` sits there or waits there; else None."""


_registered: list[Finder] = []


def register(finder: Finder) -> None:
    """Add a room's finder; call it from `AppConfig.ready`."""
    if finder not in _registered:
        _registered.append(finder)


def find(player: Player, topic: str) -> Subject | None:
    """What `topic` is to `player`: the first answer of the rooms, None for an empty or a strange one."""
    if not topic:
        return None
    return next((found for finder in _registered if (found := finder(player, topic)) is not None), None)
