"""Where somebody sits in the rounds that are published, by persons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.evening.state import DRAFT, Round, State


@dataclass(frozen=True, slots=True)
class SeatOf:
    """A person's place in a round. `table` 0: sits out with a bye; then `place` is -1."""

    person: str
    phase: int
    round: int
    phase_name: str
    table: int
    place: int

    @property
    def round_key(self) -> str:
        """The key of the round."""
        return f"{self.phase}.{self.round}"

    @property
    def table_key(self) -> str:
        """The key of the table; nonsense for who sits out."""
        return f"{self.round_key}.{self.table}"


def next_seats(state: State, people: Sequence[str], *, after: Round) -> tuple[SeatOf, ...]:
    """Where these people sit in the next published round after this one that one of them is in."""
    for phase in state.phases:
        for round in phase.rounds:
            if (round.phase, round.number) <= (after.phase, after.number) or round.status == DRAFT:
                continue
            found = tuple(seat for person in people if (seat := seat_in(state, round, person)) is not None)
            if found:
                return found
    return ()


def seat_in(state: State, round: Round, person: str) -> SeatOf | None:
    """Where a person sits in a round; None if they are not in it."""
    name = state.phases[round.phase - 1].name
    for number, table in round.tables.items():
        if person in table.people:
            return SeatOf(person, round.phase, round.number, name, number, table.people.index(person))
    for id in round.byes:
        if person in state.entrants[id].people(round.phase, round.number):
            return SeatOf(person, round.phase, round.number, name, 0, -1)
    return None


def seats_of(state: State, person: str) -> tuple[SeatOf, ...]:
    """All places of a person in published rounds, the latest first."""
    rounds = [round for phase in state.phases for round in phase.rounds if round.status != DRAFT]
    return tuple(seat for round in reversed(rounds) if (seat := seat_in(state, round, person)) is not None)
