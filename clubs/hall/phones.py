"""What a code of a table opens: one side of one table, and what it may do there."""

from __future__ import annotations

from dataclasses import dataclass

from clubs.evening.state import DRAFT, OUT, Phase, Round, State, Table
from clubs.tournament_models import Tournament
from clubs.tournaments import actors, keys
from clubs.tournaments.actors import Actor


@dataclass(frozen=True, slots=True)
class Phone:
    """A phone at a table. `place` is the first place of its side, `places` all of them."""

    code: str
    key: str
    place: int
    places: frozenset[int]
    phase: Phase
    round: Round
    table: Table

    @property
    def actor(self) -> Actor:
        """The side, as it writes."""
        return actors.at_table(self.key, self.places)

    @property
    def is_draft(self) -> bool:
        """Whether the round is not published yet."""
        return self.round.status == DRAFT

    @property
    def may_write(self) -> bool:
        """Whether tables of this round still write, confirm and dispute."""
        return self.round.status == OUT

    @property
    def handed_in(self) -> bool:
        """Whether it was this side that handed the sheet in."""
        return self.table.handed_in_by in self.places

    @property
    def people(self) -> tuple[str, ...]:
        """Who sits on this side."""
        return tuple(self.table.people[place] for place in sorted(self.places))

    @property
    def entrants(self) -> tuple[str, ...]:
        """For whom they play."""
        return tuple(dict.fromkeys(self.table.owners[place] for place in sorted(self.places)))


def phone_of(tournament: Tournament, state: State, code: str) -> Phone | None:
    """What a code opens; None for one that is wrong or has ended."""
    found = keys.read_table(tournament, state, code)
    return phone_at(state, found.table, found.place, code) if found else None


def phone_at(state: State, key: str, place: int, code: str = "") -> Phone:
    """The phone of the side that `place` of a table belongs to. The table must be there."""
    table = state.table(key)
    round = state.round(key.rpartition(".")[0])
    assert table is not None
    assert round is not None
    side = next(side for side in table.sides if place in side)
    return Phone(
        code=code,
        key=key,
        place=min(side),
        places=frozenset(side),
        phase=state.phases[round.phase - 1],
        round=round,
        table=table,
    )


def side_by_digits(tournament: Tournament, state: State, phone: Phone, digits: str) -> int | None:
    """The first place of the side on whose slip these digits stand; None for nobody's."""
    codes = keys.confirm_codes(tournament, state, phone.key)
    return next((place for place, code in codes.items() if code == digits), None)
