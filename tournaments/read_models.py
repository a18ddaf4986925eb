"""A tournament as plain data with names. Pages, papers, files and feeds read this, not the state itself.

Every name here goes through `clubs.naming`, which decides how much of it a reader may see. Nothing is put into words
except the names of computer players: states, criteria and remarks are codes, for which `tournaments.text` has the
words.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from clubs import naming
from clubs.models import Member
from core.text import fold
from domain.seating.field import REPEATS
from domain.standings.ranking import Row, Standings
from domain.standings.rounds import Problem, count
from domain.tournament.registering import computer_number
from domain.tournament.scoring import counted_table, ranking, standing_of
from domain.tournament.state import (
    CLOSED,
    DRAFT,
    MERGED,
    Change,
    Clock,
    Entrant,
    Line,
    Phase,
    Round,
    State,
    Table,
    Version,
    dealer_of,
    sides_of,
)
from tournaments import text
from tournaments.models import Participation, Tournament


class Names:
    """The names of everybody in a tournament, as the audience `to` may read them. One query, one more for `more`."""

    def __init__(self, tournament: Tournament, to: naming.Audience, *, more: Iterable[str] = ()) -> None:
        self.tournament = tournament
        rows = Participation.objects.filter(tournament=tournament).select_related("member__club")
        self.members: dict[str, Member] = {row.member.public_id: row.member for row in rows}
        missing = [person for person in more if person not in self.members]
        if missing:
            self.members |= {
                each.public_id: each for each in Member.objects.filter(public_id__in=missing).select_related("club")
            }
        self.to = to
        self._on = tournament.starts.date()
        self.own_words = to == naming.STAFF and self._on >= naming.cut_off(tournament.club)
        """Whether the director's own words may be shown: they can name people, so they disappear when names do."""
        short = naming.short_names(self.members.values(), to)
        self._short = {person: short[member.pk] for person, member in self.members.items()}

    def person(self, id: str) -> str:
        """The name of a person; initials if no more may be shown."""
        member = self.members.get(id)
        if member is None:
            number = computer_number(id)
            return text.computer_player(number) if number else "?"
        return naming.shown_name(member, self.to, on=self._on)

    def order(self, id: str) -> str:
        """The key by which people are sorted: last name before first name, and only as much as is shown."""
        member, shown = self.members.get(id), self.person(id)
        if member is not None and shown == naming.full_name(member):
            return member.sort_key
        return fold(" ".join(reversed(shown.rsplit(maxsplit=1))))

    def entrant_order(self, entrant: Entrant) -> str:
        """The key by which entrants are sorted: that of their own members, in order."""
        return " ".join(self.order(person) for person in entrant.members)

    def in_order(self, entrants: Iterable[Entrant]) -> list[Entrant]:
        """Entrants sorted by last name, as in every list of people."""
        return sorted(entrants, key=lambda each: (self.entrant_order(each), each.id))

    def short(self, id: str) -> str:
        """The short form of a name, for tables, where there is little room."""
        member = self.members.get(id)
        if member is None:
            return self.person(id)
        if self._on < naming.cut_off(member.club):
            return self.person(id)
        return self._short[id]

    def entrant(self, entrant: Entrant, *, short: bool = False) -> str:
        """The names of an entrant's own members, "Maria Cadruvi & Gion Derungs"."""
        name = self.short if short else self.person
        return " & ".join(name(person) for person in entrant.members)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at a table, from 0. `side` is the index of its side; `substitute`: the person plays for somebody else."""

    place: int
    person: str
    entrant: str
    name: str
    short: str
    side: int
    substitute: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal on the sheet.

    `sides` has the short names of each side, `places` its places; `looks_on`: who does not play.
    """

    number: int
    dealer: str
    looks_on: tuple[str, ...]
    sides: tuple[tuple[str, ...], ...]
    places: tuple[tuple[int, ...], ...]
    line: Line | None


@dataclass(frozen=True, slots=True)
class TableSeen:
    """A table.

    `sums` so far, by the usual sides; `sheet` has a line for every deal, written or not, extra ones last.
    """

    key: str
    round: str
    number: int
    seats: tuple[Seat, ...]
    sides: tuple[tuple[Seat, ...], ...]
    ruleset: str
    total: int | None
    deals: int
    played: int
    state: str
    short: bool
    odd: bool
    in_turn: str
    sheet: tuple[Deal, ...]
    sums: tuple[int, ...]
    handed_in_by: int
    dispute: Version | None
    changes: tuple[Change, ...]
    note: str
    problems: tuple[Problem, ...]

    @property
    def corrected(self) -> bool:
        """Whether the director has changed what was written."""
        return any(change.kind in ("corrected", "settled") for change in self.changes)

    @property
    def from_paper(self) -> bool:
        """Whether what counts was typed in at the desk, where nothing was written before."""
        return not self.corrected and any(change.kind == "written" for change in self.changes)

    def seat_of(self, person: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.person == person), None)


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """A round. `remarks` of the draw and `repeats` (criterion, names) as `domain.seating.field` has them."""

    key: str
    phase: int
    number: int
    status: str
    tables: tuple[TableSeen, ...]
    byes: tuple[str, ...]
    bye_entrants: tuple[str, ...]
    clock: Clock
    by_hand: tuple[str, ...]
    remarks: tuple[str, ...]
    repeats: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def open(self) -> int:
        return sum(table.state != "confirmed" for table in self.tables)


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a ranking. `values` by the criteria of the house rules; `row` has the rounds."""

    rank: int
    shared: bool
    entrant: str
    name: str
    short: str
    people: tuple[str, ...]
    status: str
    phase: int
    values: tuple[tuple[str, int | None], ...]
    row: Row


@dataclass(frozen=True, slots=True)
class RankingSeen:
    """A ranking: of a phase, or of the whole tournament (`phase` 0)."""

    phase: int
    places: tuple[Place, ...]
    criteria: tuple[str, ...]
    final: bool
    open: tuple[str, ...]
    lots_needed: tuple[tuple[str, ...], ...]

    @property
    def begun(self) -> bool:
        """Whether a table counts yet: before that nobody has a rank."""
        return any(place.rank for place in self.places)


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """The clock of a round. While it is stopped, `left` seconds remain."""

    ends: datetime | None
    last_deal: datetime | None
    left: int
    running: bool

    @property
    def minutes_left(self) -> int:
        """The minutes that remain while it is stopped, rounded up."""
        return -(-self.left // 60)


def clock_seen(round: Round) -> ClockSeen | None:
    """The clock of a round; None if the round is closed or the clock was not started."""
    clock = round.clock
    if round.status == CLOSED or not (clock.running or clock.left):
        return None
    return ClockSeen(
        ends=datetime.fromisoformat(clock.ends) if clock.ends else None,
        last_deal=datetime.fromisoformat(clock.last_deal) if clock.last_deal else None,
        left=clock.left,
        running=clock.running,
    )


def everybody(state: State) -> Iterator[str]:
    """Everybody who ever entered, also those who withdrew: they are still named on the director's pages."""
    return (person for each in state.entrants.values() for person in each.members)


def round_seen(state: State, round: Round, names: Names) -> RoundSeen:
    phase = state.phases[round.phase - 1]
    result = cast("Mapping[str, object]", (round.draw or {}).get("result") or {})
    remarks = cast("list[str]", result.get("remarks", []))
    tables = cast("list[Mapping[str, list[Mapping[str, object]]]]", result.get("tables", []))
    byes = names.in_order(state.entrants[id] for id in round.byes)
    repeats = [
        (
            str(term["criterion"]),
            tuple(names.entrant(state.entrants[id], short=True) for id in cast("list[str]", term["who"])),
        )
        for table in tables
        for term in table["terms"]
        if term["criterion"] in REPEATS
    ]
    return RoundSeen(
        key=round.key,
        phase=round.phase,
        number=round.number,
        status=round.status,
        tables=tuple(table_seen(state, phase, round, table, names) for _, table in sorted(round.tables.items())),
        byes=tuple(names.entrant(each) for each in byes),
        bye_entrants=tuple(each.id for each in byes),
        clock=round.clock,
        by_hand=round.by_hand,
        remarks=tuple(remarks),
        repeats=tuple(repeats),
    )


def table_seen(state: State, phase: Phase, round: Round, table: Table, names: Names) -> TableSeen:
    """A table, with whoever sits there: until it counts, a substitute in its game."""
    people = state.named(table)
    side_of = {place: index for index, side in enumerate(table.sides) for place in side}
    seats = tuple(
        Seat(
            place=place,
            person=person,
            entrant=owner,
            name=names.person(person),
            short=names.short(person),
            side=side_of[place],
            substitute=person not in state.entrants[owner].members,
        )
        for place, (person, owner) in enumerate(zip(people, table.owners, strict=True))
    )
    sheet = table.sheet
    free = (number for number in itertools.count(1) if number not in sheet)
    to_come = itertools.islice(free, max(0, table.deals - table.played))
    counted = count(counted_table(table), round.number, phase.plan.rules)
    return TableSeen(
        key=f"{round.key}.{table.number}",
        round=round.key,
        number=table.number,
        seats=seats,
        sides=tuple(tuple(seats[place] for place in side) for side in table.sides),
        ruleset=table.ruleset,
        total=table.total,
        deals=table.deals,
        played=table.played,
        state=table.state,
        short=table.short,
        odd=table.odd,
        in_turn=table.in_turn,
        sheet=tuple(_deal(table, seats, number, sheet.get(number)) for number in sorted([*sheet, *to_come])),
        sums=sums_of(table),
        handed_in_by=table.handed_in_by,
        dispute=table.dispute,
        changes=table.changes,
        note=table.note,
        problems=counted.problems,
    )


def sums_of(table: Table) -> tuple[int, ...]:
    """The points of each usual side so far. If somebody looks on in turn, each place counts by itself."""
    if not table.in_turn:
        return tuple(
            sum(line.scores[side] for _, line in table.lines if not line.extra) for side in range(len(table.sides))
        )
    sums = [0] * len(table.people)
    for number, line in table.lines:
        for side, score in zip(sides_of(table, number), line.scores, strict=True):
            for place in side:
                sums[place] += 0 if line.extra else score
    return tuple(sums[side[0]] for side in table.sides)


def _deal(table: Table, seats: tuple[Seat, ...], number: int, line: Line | None) -> Deal:
    sides = sides_of(table, number)
    playing = {place for side in sides for place in side}
    return Deal(
        number=number,
        dealer=seats[dealer_of(table, number)].short,
        looks_on=tuple(seat.short for seat in seats if seat.place not in playing),
        sides=tuple(tuple(seats[place].short for place in side) for side in sides),
        places=sides,
        line=line,
    )


def phase_seen(state: State, phase: Phase, names: Names) -> RankingSeen:
    standing = standing_of(state, phase)
    return RankingSeen(
        phase=phase.number,
        places=_equals_by_name(
            [_place(state, row, row.rank, row.shared, phase.number, names) for row in standing.rows], state, names
        ),
        criteria=phase.plan.rules.tie_breaks,
        final=standing.final or phase.finished or (state.closed and not standing.open),
        open=tuple(f"{each.round}/{each.table}" for each in standing.open),
        lots_needed=standing.lots_needed,
    )


def ranking_seen(state: State, names: Names) -> RankingSeen:
    places, final = ranking(state)
    ranks = [place.rank for place in places]
    standings: dict[int, Standings] = {phase.number: standing_of(state, phase) for phase in state.phases}
    return RankingSeen(
        phase=0,
        places=_equals_by_name(
            [
                _place(state, each.row, each.rank, each.rank > 0 and ranks.count(each.rank) > 1, each.phase, names)
                for each in places
            ],
            state,
            names,
        ),
        criteria=state.phases[0].plan.rules.tie_breaks if state.phases else (),
        final=final,
        open=tuple(f"{number}.{each.round}.{each.table}" for number, one in standings.items() for each in one.open),
        lots_needed=tuple(group for one in standings.values() for group in one.lots_needed),
    )


def _equals_by_name(places: list[Place], state: State, names: Names) -> tuple[Place, ...]:
    """The ranking, with equals by last name: those who share a rank, or have no rank and are equal in everything."""
    groups = [place.rank or (place.status, place.values) for place in places]
    first: dict[object, int] = {}
    for number, group in enumerate(groups):
        first.setdefault(group, number)

    def in_order(number: int) -> tuple[int, str]:
        return first[groups[number]], names.entrant_order(state.entrants[places[number].entrant])

    return tuple(places[number] for number in sorted(range(len(places)), key=in_order))


def _place(state: State, row: Row, rank: int, shared: bool, phase: int, names: Names) -> Place:
    entrant = state.entrants[row.entrant]
    return Place(
        rank=rank,
        shared=shared,
        entrant=row.entrant,
        name=names.entrant(entrant),
        short=names.entrant(entrant, short=True),
        people=entrant.members,
        status=row.status,
        phase=phase,
        values=row.values,
        row=row,
    )


def published(state: State) -> tuple[Round, ...]:
    """The rounds everybody may see, the latest first."""
    rounds = [round for phase in state.phases for round in phase.rounds if round.status != DRAFT]
    return tuple(reversed(rounds))


def entrants(state: State) -> tuple[Entrant, ...]:
    """All entrants but those who became half of a pair, in order of entry."""
    return tuple(each for each in state.entrants.values() if each.status != MERGED)
