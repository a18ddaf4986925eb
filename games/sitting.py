"""Who may take a seat in a game that goes on, as far as rooms above have a say: a protocol they register with."""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import Player
from games.models import Game

Check = Callable[[Game, Player], None]
"""Raises a Refusal if this person may not sit down in this game. Called with the lock on the game's row: it reads, and takes
no other lock. It must cost nothing for a game that is none of its room's business."""
_checks: list[Check] = []


def register(check: Check) -> None:
    """Let a room have a say; call it from `AppConfig.ready`."""
    if check not in _checks:
        _checks.append(check)


def check(game: Game, player: Player) -> None:
    """Raise the first Refusal of the rooms above."""
    for each in _checks:
        each(game, player)
