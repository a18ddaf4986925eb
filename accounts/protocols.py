"""What the upper rooms own about a player, seen from below.

Seats, entries and the like belong to apps that accounts may not import. Each registers here, from its `AppConfig.ready`,
how its belongings move when a guest becomes a member and what happens to them when a guest is let go.
"""

from __future__ import annotations

from typing import Protocol

from accounts.models import Player


class PlayerBelongings(Protocol):
    """What one app keeps for players. Both calls run inside a transaction that holds the rows of the players named."""

    def merge(self, guest: Player, member: Player) -> None:
        """Give what is `guest`'s to `member`.

        Where both own the same thing (two seats in one game) the app decides; a seat it leaves with the guest stays
        readable, since the guest's row is kept. Must do nothing when there is nothing left to move.
        """

    def release(self, guest: Player) -> bool:
        """Let go of what an idle guest left open (seats in unfinished games).

        Returns True when something must keep naming the guest (a finished game), so that the row has to stay.
        """


_registered: list[PlayerBelongings] = []


def register(belongings: PlayerBelongings) -> None:
    """Add an app's belongings; call it once, from `AppConfig.ready`. A second call with the same object does nothing."""
    if belongings not in _registered:
        _registered.append(belongings)


def registered() -> tuple[PlayerBelongings, ...]:
    """The belongings of all apps, in the order in which they were registered."""
    return tuple(_registered)
