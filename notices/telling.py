"""How the upper rooms put their events into words: a protocol they register with, since notices may not import them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from accounts.models import Player

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Words:
    """An event in the reader's language. It may be read on a locked screen by others: never a card, never a hand."""

    subject: str
    """One short line: the subject of a mail, the title of a message."""
    line: str
    """One or two sentences, without markup."""
    url: str
    """The path of the page where one sees it or can act, from the root: `/g/bcd…/`. Opening it changes nothing."""
    tag: str
    """What it is about: on a device a newer message takes the place of an older one with the same tag."""
    until: datetime | None = None
    """By when something has to be done; a daily mail is sorted by it."""


class Telling(Protocol):
    """What one room says about its events. Both are called by workers, outside of any request."""

    def still_true(self, event: str, params: Params, player: Player) -> bool:
        """Whether it is still worth telling `player`: it is still their turn, the invitation still stands.

        False too for what is unknown (a game that is gone) or never worth telling. It should cost a query or two.
        """

    def words(self, event: str, params: Params, player: Player, language: str) -> Words | None:
        """The event in words, or None if there is nothing to say.

        `language` (a code of `settings.LANGUAGES`) and the player's time zone are active already while this is called.
        """


_registered: dict[str, Telling] = {}


def register(room: str, telling: Telling) -> None:
    """Let `telling` speak for the events `room.…`. Call it from `AppConfig.ready`; a later call takes the place."""
    _registered[room] = telling


def find(event: str) -> Telling | None:
    """Who speaks for an event, None if nobody does: then nobody is told."""
    return _registered.get(event.partition(".")[0])
