"""Hooks by which features take part in the steps of a game.

They register in their `AppConfig.ready`; services call them. Unless their description says otherwise, they are called
in the transaction of the step, with the lock on the game's row held, and take no other lock.
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
    """The plans of players: actions decided ahead, to be carried out for them at the right moment."""

    def schedule(self, game: Game, player: Player, view: View) -> bool:
        """Schedule the planned action of `player`, who is on turn. Returns False if they have to act themselves."""

    def is_scheduled(self, game: Game, player: Player) -> bool:
        """Whether an action of the player is scheduled in this game."""

    def forget(self, game: Game) -> None:
        """Drop all scheduled actions of this game."""


class ClubSeen(NamedTuple):
    """A club as tables know it: `slug` identifies it for good, `url` is the path of its page."""

    slug: str
    name: str
    url: str


class Clubs(Protocol):
    """What tables for members only ask of clubs, which are an app above."""

    def of(self, player: Player) -> Sequence[ClubSeen]:
        """The clubs to which the player belongs. One query."""

    def has(self, slug: str, player: Player) -> bool:
        """Whether the player belongs to this club."""

    def named(self, slugs: Collection[str]) -> Mapping[str, ClubSeen]:
        """The existing clubs with these slugs, by slug. One query."""


clubs: Final[Registry[Clubs]] = Registry()
ahead: Final[Registry[Ahead]] = Registry()
deal_over: Final[Registry[Callable[[Game], None]]] = Registry()
"""Called when a deal or the game has ended."""
may_sit: Final[Registry[Callable[[Game, Player], None]]] = Registry()
"""Raises a Refusal if this person may not sit down in a game that goes on. Must be cheap for games that do not
concern the app."""
may_end: Final[Registry[Callable[[Game], None]]] = Registry()
"""Raises a Refusal if the people of this game may not end it by consent. Must be cheap for games that do not concern
the app."""
among_friends: Final[Registry[Callable[[Game], bool]]] = Registry()
"""Whether people came to the table only by a link or an invitation. Called without a lock."""
hourly_tasks: Final[Registry[Callable[[datetime], object]]] = Registry()
"""Tasks that the worker runs once an hour, each in transactions of its own."""
waits: Final[Registry[Callable[[Game], bool]]] = Registry()
"""Whether the computer players of this game wait for its person. Must be cheap for games that do not concern the
feature."""
due_tasks: Final[Registry[Callable[[datetime], int]]] = Registry()
"""Tasks that the worker runs at each look, in transactions of their own. Each returns how much it has done."""
