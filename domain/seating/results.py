"""What a draw gives: tables with their places, who sits out, and what it cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from domain.seating.entrants import Field

REPEATS = frozenset({"partner-again", "opponent-again"})


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that was weighed. `who` it is about, `times` it was so before (or by how much), `points` it cost."""

    criterion: str
    who: tuple[str, ...]
    times: int
    points: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the ids in order of places, who plays together, whether it is of an unusual size."""

    number: int
    seats: tuple[str, ...]
    partners: tuple[tuple[str, str], ...]
    odd: bool
    dealer_out: bool
    terms: tuple[Term, ...]

    @property
    def cost(self) -> int:
        """What this table cost."""
        return sum(term.points for term in self.terms)

    @property
    def repeats(self) -> tuple[Term, ...]:
        """Partners and opponents that meet again in that role."""
        return tuple(term for term in self.terms if term.criterion in REPEATS)


@dataclass(frozen=True, slots=True)
class Seating:
    """A round, seated. `out` are those who sit out (a bye), `steps` the work it took.

    `remarks` are fixed words about the draw as a whole:

    * ``rotation-left``: the rotation does not fit who is here, or was not kept so far; drawn instead.
    * ``meetings-left``: the round robin was not kept so far; who has not met yet was brought together instead.
    * ``rounds-again``: the plan has no further round; it began again.
    * ``decided``: one is left of a knock-out, who has won.
    * ``nobody``: nobody is here.
    """

    method: str
    round: int
    tables: tuple[Table, ...]
    out: tuple[str, ...]
    out_terms: tuple[Term, ...] = ()
    remarks: tuple[str, ...] = ()
    steps: int = 0

    @property
    def terms(self) -> tuple[Term, ...]:
        """Everything that was weighed, tables in order, then the sit-outs."""
        return tuple(term for table in self.tables for term in table.terms) + self.out_terms

    @property
    def cost(self) -> int:
        """What the round cost."""
        return sum(term.points for term in self.terms)

    @property
    def costs(self) -> dict[str, int]:
        """What it cost by criterion; criteria that cost nothing are left out."""
        sums: Counter[str] = Counter()
        for term in self.terms:
            sums[term.criterion] += term.points
        return {criterion: points for criterion, points in sorted(sums.items()) if points}

    @property
    def repeats(self) -> tuple[Term, ...]:
        """Partners and opponents that meet again in that role, to be shown."""
        return tuple(term for term in self.terms if term.criterion in REPEATS)

    def table_of(self, id: str) -> Table | None:
        """The table somebody sits at; None for who sits out or is not here."""
        return next((table for table in self.tables if id in table.seats), None)


def players_at(table: Table, field: Field) -> tuple[str, ...]:
    """The people at a table in order of places: pairs are seated across, so that two pairs A and B sit A, B, A, B.

    An entrant without members is one person, by their id.
    """
    by_id = {entrant.id: entrant for entrant in field.entrants}
    members = [by_id[who].members or (who,) for who in table.seats]
    most = max(len(each) for each in members)
    return tuple(each[place] for place in range(most) for each in members if place < len(each))
