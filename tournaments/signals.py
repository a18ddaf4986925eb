"""What takes part in what happens in a tournament: listeners register from `AppConfig.ready`.

They are called within the transaction of the event, with the lock on the tournament's row held. Open pages are told after
the commit that something has happened, and fetch it themselves.
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
    """What takes part in a tournament."""

    def check(self, tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
        """Raise a Refusal if this may not happen; the state itself has nothing against it."""

    def happened(self, tournament: Tournament, before: State, after: State, events: Sequence[Event], by: Actor) -> None:
        """Do what follows from it. A Refusal that is raised here takes everything back."""

    def rebuilt(self, tournament: Tournament, state: State, events: Sequence[Event]) -> list[str]:
        """Make projections anew from the whole log; what was different, in words for the operator."""


listeners: Final = Registry[Listener]()


def group_of(public_id: str) -> str:
    """The channel group of a tournament's open pages."""
    return f"tournament.{public_id}"


def ring(public_id: str, number: int) -> None:
    """Tell the open pages of a tournament that it stands at `number` now. Call it after the commit."""
    broadcast.send(group_of(public_id), {"type": "ring", "number": number})
