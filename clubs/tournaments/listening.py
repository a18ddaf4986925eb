"""What rooms above tournaments do about what happens in one: a protocol they register with, from `AppConfig.ready`.

All of it is called by the door, within its transaction and while it holds the lock on the tournament's row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from clubs.evening.events import Event
from clubs.evening.given import Plain
from clubs.evening.state import State
from clubs.tournament_models import Tournament
from clubs.tournaments.actors import Actor


class Listener(Protocol):
    """A room that takes part."""

    def check(self, tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
        """Raise a Refusal if this may not happen; the state itself has nothing against it."""

    def happened(self, tournament: Tournament, before: State, after: State, events: Sequence[Event], by: Actor) -> None:
        """Do what follows from it. A Refusal that is raised here takes everything back."""

    def rebuilt(self, tournament: Tournament, state: State, events: Sequence[Event]) -> list[str]:
        """Make projections anew from the whole log; what was different, in words for the operator."""


_listeners: list[Listener] = []


def register(listener: Listener) -> None:
    """Let a room take part; call it from `AppConfig.ready`."""
    if listener not in _listeners:
        _listeners.append(listener)


def check(tournament: Tournament, before: State, after: State, kind: str, data: Mapping[str, Plain]) -> None:
    """Ask all rooms. Raises Refusal."""
    for each in _listeners:
        each.check(tournament, before, after, kind, data)


def happened(tournament: Tournament, before: State, after: State, events: Sequence[Event], by: Actor) -> None:
    """Tell all rooms. Raises Refusal."""
    for each in _listeners:
        each.happened(tournament, before, after, events, by)


def rebuilt(tournament: Tournament, state: State, events: Sequence[Event]) -> list[str]:
    """Let all rooms make their projections anew."""
    return [name for each in _listeners for name in each.rebuilt(tournament, state, events)]
