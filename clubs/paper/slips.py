"""Slips: the sheet of one table, with a part for each side that has the side's own code.

Whoever has a side's part can write for it and confirm for it, so only who runs the tournament prints them. The paper stays
valid where phones fail: everything can be written on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from clubs.evening.state import Round, State
from clubs.paper import kit
from clubs.tournament_models import Tournament
from clubs.tournaments import keys
from clubs.tournaments.seen import Names, Seat, TableSeen, table_seen


@dataclass(frozen=True, slots=True)
class SlipSide:
    """What a side gets: its letter, its people, the address its QR code leads to, the digits by which it confirms."""

    letter: str
    seats: tuple[Seat, ...]
    address: str
    confirm: str


@dataclass(frozen=True, slots=True)
class Row:
    """A deal to be written down: who deals, and which sides play (by their index)."""

    number: int
    dealer: str
    playing: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """The paper of one table."""

    table: TableSeen
    sides: tuple[SlipSide, ...]
    rows: tuple[Row, ...]


def slips_of(tournament: Tournament, state: State, round: Round, names: Names, only: Iterable[int] = ()) -> list[Slip]:
    """The slips of a round in order of tables; `only` of some tables, where numbers are given."""
    wanted = set(only)
    phase = state.phases[round.phase - 1]
    return [
        _slip(tournament, state, table_seen(state, phase, round, table, names))
        for number, table in sorted(round.tables.items())
        if not wanted or number in wanted
    ]


def _slip(tournament: Tournament, state: State, table: TableSeen) -> Slip:
    digits = keys.confirm_codes(tournament, state, table.key)
    sides = tuple(
        SlipSide(
            letter=chr(ord("A") + index),
            seats=side,
            address=kit.code_address(tournament, "s", keys.table_code(tournament, state, table.key, side[0].place)),
            confirm=digits[min(seat.place for seat in side)],
        )
        for index, side in enumerate(table.sides)
    )
    rows = tuple(
        Row(
            number=deal.number,
            dealer=deal.dealer,
            playing=tuple(any(seat.place in places for places in deal.places for seat in side) for side in table.sides),
        )
        for deal in table.sheet
    )
    return Slip(table, sides, rows)
