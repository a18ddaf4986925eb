"""What features add to a step of a game. They register in their `AppConfig.ready`; the services call what is registered.

All are called in the transaction of the step, with the lock on the game's row held, and take no other lock but where it
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from accounts.models import Player
from core.registry import Registry
from domain.engine import View
from games.models import Game


class Ahead(Protocol):
    """What a player has decided ahead, and when it is to be done for them."""

    def schedule(self, game: Game, player: Player, view: View) -> bool:
        """Note when the action that `player` is asked for is done for them; False where they have to act themselves."""

    def is_scheduled(self, game: Game, player: Player) -> bool:
        """Whether something is to be done for them in this game."""

    def forget(self, game: Game) -> None:
        """Nothing of it is to be done any more."""


class ClubSeen(NamedTuple):
    """A club as tables know it: `slug` names it for good, `url` is the path of its page."""

    slug: str
    name: str
    url: str


class Clubs(Protocol):
    """What clubs, which lie above, tell tables that are for members only."""

    def of(self, player: Player) -> Sequence[ClubSeen]:
        """The clubs to which the player belongs. One query."""

    def has(self, slug: str, player: Player) -> bool:
        """Whether the player belongs to this club."""

    def named(self, slugs: Collection[str]) -> Mapping[str, ClubSeen]:
        """The clubs that are not gone, by their slugs. One query."""


clubs: Final[Registry[Clubs]] = Registry()
ahead: Final[Registry[Ahead]] = Registry()
deal_over: Final[Registry[Callable[[Game], None]]] = Registry()
"""A deal has ended, or the game."""
may_sit: Final[Registry[Callable[[Game, Player], None]]] = Registry()
"""Raises a Refusal if this person may not sit down in a game that goes on. It must cost nothing for a game that is none of
its app's business."""
may_end: Final[Registry[Callable[[Game], None]]] = Registry()
"""Raises a Refusal if the people of this game may not end it by consent. It must cost nothing for a game that is none of its
app's business."""
among_friends: Final[Registry[Callable[[Game], bool]]] = Registry()
"""Whether one comes to the table only by a link or an invitation. Called without a lock."""
chores: Final[Registry[Callable[[datetime], object]]] = Registry()
"""What the worker does once an hour, each in transactions of its own."""
waits: Final[Registry[Callable[[Game], bool]]] = Registry()
"""Whether the computer players of this game wait for its person. It must cost nothing for a game that is none of its
feature's business."""
due: Final[Registry[Callable[[datetime], int]]] = Registry()
"""What the worker does at each look, in transactions of its own; answers how much it was."""
