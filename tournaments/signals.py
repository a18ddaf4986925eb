"""Listeners to the events of a tournament, which register from `AppConfig.ready`.

They are called within the transaction of the event, while the lock on the tournament's row is held. Open pages are
notified after the commit that something has happened, and fetch it themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from core.registry import Registry
from domain.tournament.events import Event
from domain.tournament.payload import Plain
from domain.tournament.state import State
from games import broadcast
from tournaments.models import Tournament
from tournaments.permissions import Actor


class Listener(Protocol):
    """Checks the events of a tournament and reacts to them."""

    def check(self, tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
        """Raise a Refusal if this may not happen, though the state itself allows it."""

    def happened(self, tournament: Tournament, before: State, after: State, events: Sequence[Event], by: Actor) -> None:
        """Do what follows from these events. A Refusal that is raised here rolls everything back."""

    def rebuild(self, tournament: Tournament, state: State, events: Sequence[Event]) -> list[str]:
        """Rebuild the projections from the whole log. Returns what was different, in words for the operator."""


listeners: Final = Registry[Listener]()


def group_of(public_id: str) -> str:
    """The channel group of a tournament's open pages."""
    return f"tournament.{public_id}"


def ring(public_id: str, number: int) -> None:
    """Tell the open pages of a tournament that its last event is now `number`. Call it after the commit."""
    broadcast.send(group_of(public_id), {"type": "ring", "number": number})
