"""Seating a round by hand: what the director wishes, as what `round.arranged` wants. Pure.

Tables that are not touched are not named, so that nothing happens to them.

What repeats and what is odd in a round as it is seated now, drawn or by hand. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from domain.errors import DomainError
from domain.seating.costs import Costs
from domain.seating.results import Term
from domain.tournament.drawing import can_sit, entrants_of, field_of
from domain.tournament.payload import Plain
from domain.tournament.state import Entrant, Phase, Round, State

BYE: Final = "bye"
NOWHERE: Final = "nowhere"
NEW: Final = "new"


@dataclass(slots=True)
class Seats:
    """Who sits where, to be changed: tables by number, those who sit out with a bye."""

    round: Round
    tables: dict[int, list[str]]
    byes: list[str]

    @classmethod
    def of(cls, round: Round) -> Seats:
        """The seats of a round as they are."""
        return cls(round, {number: list(table.seats) for number, table in round.tables.items()}, list(round.byes))

    def exchange(self, one: str, other: str) -> None:
        """Two entrants take each other's place, at a table or among those who sit out; who was seated nowhere as well."""
        if one == other:
            raise DomainError("twice", "other", id=one)
        if not self._seated(one) and not self._seated(other):
            raise DomainError("not-at-a-table", "one")
        for seats in (*self.tables.values(), self.byes):
            for place, id in enumerate(seats):
                if id in (one, other):
                    seats[place] = other if id == one else one

    def move(self, id: str, to: str) -> None:
        """An entrant goes to a table (its number), sits out (`BYE`) or is not in this round (`NOWHERE`)."""
        self._lift(id)
        if to == BYE:
            self.byes.append(id)
        elif to != NOWHERE:
            if not to.isdecimal() or int(to) not in self.tables:
                raise DomainError("no-such-table", "to")
            self.tables[int(to)].append(id)

    def set_up(self, ids: list[str]) -> None:
        """A new table for these entrants, in this order of places, wherever they were; with the first free number."""
        if len(ids) < 2:
            raise DomainError("too-few", "who")
        for id in ids:
            self._lift(id)
        self.tables[min(number for number in range(1, len(self.tables) + 2) if number not in self.tables)] = list(ids)

    def take_away(self, number: int) -> None:
        """A table goes; who sat there sits out, until the director seats them."""
        if number not in self.tables:
            raise DomainError("no-such-table", "table")
        self.byes += self.tables[number]
        self.tables[number] = []

    def data(self, reason: str) -> dict[str, Plain]:
        """What `round.arranged` is to be told."""
        changed: list[Plain] = []
        for number, seats in sorted(self.tables.items()):
            before = self.round.tables.get(number)
            if before is None or list(before.seats) != seats:
                changed.append({"number": number, "seats": list(seats)})
        return {"round": self.round.key, "tables": changed, "byes": list(self.byes), "reason": reason}

    def _seated(self, id: str) -> bool:
        return id in self.byes or any(id in seats for seats in self.tables.values())

    def _lift(self, id: str) -> None:
        for seats in (*self.tables.values(), self.byes):
            if id in seats:
                seats.remove(id)


def seats_of(round: Round) -> set[str]:
    """Everybody who has a place in a round, those who sit out too."""
    return {id for table in round.tables.values() for id in table.seats} | set(round.byes)


def not_seated(state: State, phase: Phase, round: Round) -> tuple[Entrant, ...]:
    """Who is here, takes part in the phase and has no place in this round: they came after the draw."""
    seated = seats_of(round)
    return tuple(
        each for each in entrants_of(state, phase) if each.id not in seated and can_sit(each, phase, round.number)
    )


def weighed(state: State, phase: Phase, round: Round) -> Mapping[int, tuple[Term, ...]]:
    """What was to be avoided and is there all the same, by table; the dearest first."""
    try:
        field = field_of(state, phase, round.number)
    except DomainError:  # a knock-out whose earlier tables are open: nothing is weighed there
        return {}
    seated = seats_of(round)
    known = {each.id for each in field.entrants}
    if not seated <= known:  # somebody who does not take part in this phase was seated by hand
        return {}
    costs = Costs(replace(field, absent=frozenset(known - seated)), phase.settings)
    return {
        number: costs.terms([costs.index[id] for id in table.seats], phase.settings.shape(len(table.seats)))
        for number, table in sorted(round.tables.items())
    }
