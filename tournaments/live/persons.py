"""A person’s own page: where they sit now and next, with whom, what their rounds brought, where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.standings.criteria import PENDING, PLAYED
from domain.tournament.scoring import shifts
from domain.tournament.state import CONFIRMED, DRAFT, MERGED, OUT, WITHDRAWN, Entrant, Round, State
from tournaments.live.selectors import RankOf, label, ranks
from tournaments.models import Tournament
from tournaments.read_models import Names, table_seen
from tournaments.registration import services
from tournaments.services import codes


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
        return f"{self.phase}.{self.round}"

    @property
    def table_key(self) -> str:
        """The key of the table; nonsense for somebody who sits out."""
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


@dataclass(frozen=True, slots=True)
class SittingSeen:
    """A round as a person sees it. `code` of their side's sheet while it is played; `partners` empty where all play alone.

    Online there is no sheet but the `game`, to be played `until`; `shared`: all tables play the same deals.
    """

    round_key: str
    phase_name: str
    number: int
    table: int
    place: int
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    in_turn: bool
    code: str
    points: str
    kind: str
    won: bool
    dropped: bool
    is_open: bool
    online: bool = False
    game: str = ""
    until: datetime | None = None
    late: bool = False
    forfeited: bool = False
    shared: bool = False


@dataclass(frozen=True, slots=True)
class PersonSeen:
    """Somebody in a tournament. `due` in Rappen: what is still to pay for the entrant they belong to."""

    person: str
    name: str
    entrant: Entrant
    partner: str
    now: SittingSeen | None
    open: tuple[SittingSeen, ...]
    rounds: tuple[SittingSeen, ...]
    rank: RankOf | None
    ranked: int
    final: bool
    fee: int
    due: int


def entrant_of_person(state: State, person: str) -> Entrant | None:
    """As whom somebody takes part, also a substitute; None for nobody."""
    found = None
    for entrant in state.entrants.values():
        if entrant.status == MERGED:
            continue
        if person in entrant.members or any(each.new == person for each in entrant.substitutions):
            found = entrant
            if entrant.status != WITHDRAWN:
                break
    return found


def due_of(state: State, entrant: Entrant) -> int:
    """What an entrant still has to pay, in Rappen; negative where something is to be given back."""
    fee = 0 if entrant.status == WITHDRAWN else entrant.fee
    return fee - services.paid(state).get(entrant.id, 0)


def mark_things(tournament: Tournament, state: State, person: str, entrant: Entrant) -> tuple[object, ...]:
    """What tells whether a person's page would look otherwise, without a query."""
    seats = seats_of(state, person)
    tables = tuple(_table_mark(state, seat) for seat in seats)
    clock = next((round.clock for round in (state.round(seat.round_key) for seat in seats[:1]) if round), None)
    rank = ranks(tournament.public_id, state).of.get(entrant.id)
    return (
        entrant.status,
        entrant.members,
        seats,
        tables,
        clock,
        (rank.rank, rank.shared, rank.values) if rank else None,
        due_of(state, entrant),
        state.closed,
    )


def person_seen(tournament: Tournament, state: State, person: str, entrant: Entrant, names: Names) -> PersonSeen:
    found = ranks(tournament.public_id, state)
    rank = found.of.get(entrant.id)
    sittings = tuple(_sitting(tournament, state, seat, names, rank) for seat in seats_of(state, person))
    last = state.round(sittings[0].round_key) if sittings else None
    now = sittings[0] if last is not None and last.status == OUT else None
    if now is not None and now.online and not now.is_open and any(each.is_open for each in sittings):
        now = None
    others = [other for other in entrant.members if other != person]
    return PersonSeen(
        person=person,
        name=names.person(person),
        entrant=entrant,
        partner=" & ".join(names.person(other) for other in others),
        now=now,
        open=tuple(each for each in sittings if each.online and each.is_open),
        rounds=sittings,
        # Before anything is confirmed everybody is first.
        rank=rank if rank and rank.rank and any(each.kind != PENDING for each in rank.rounds) else None,
        ranked=found.ranked,
        final=found.final,
        fee=entrant.fee,
        due=due_of(state, entrant),
    )


def _table_mark(state: State, seat: SeatOf) -> tuple[object, ...]:
    table = state.table(seat.table_key) if seat.table else None
    round = state.round(seat.round_key)
    status = round.status if round else ""
    if table is None:
        return (status,)
    later = (table.game, table.late, table.forfeit, round.deadline if round else "")
    return (status, table.state, table.key, table.people, table.lines, later)


def _sitting(
    tournament: Tournament,
    state: State,
    seat: SeatOf,
    names: Names,
    rank: RankOf | None,
) -> SittingSeen:
    round = state.round(seat.round_key)
    assert round is not None
    kind, points, won, dropped = _score(state, seat, rank)
    if not seat.table:
        return SittingSeen(
            seat.round_key, seat.phase_name, seat.round, 0, -1, (), (), False, "", points, kind, won, dropped, False
        )
    table = round.tables[seat.table]
    phase = state.phases[round.phase - 1]
    seen = table_seen(state, phase, round, table, names)
    own = next(side for side in table.sides if seat.place in side)
    turning = bool(table.in_turn) and len(own) == 1
    online = phase.plan.online
    playing = round.status == OUT and table.state != CONFIRMED
    return SittingSeen(
        round_key=seat.round_key,
        phase_name=seat.phase_name,
        number=seat.round,
        table=seat.table,
        place=seat.place + 1,
        partners=tuple(seen.seats[place].name for place in own if place != seat.place),
        opponents=tuple(label(seen.seats, side) for side in table.sides if side != own),
        in_turn=turning,
        code=codes.table_code(tournament, state, seat.table_key, min(own))
        if round.status == OUT and not online
        else "",
        points=points,
        kind=kind,
        won=won,
        dropped=dropped,
        is_open=playing or (table.late and table.state != CONFIRMED),
        online=online is not None,
        game=table.game,
        until=datetime.fromisoformat(round.deadline) if round.deadline and not table.late else None,
        late=table.late,
        forfeited=bool(table.forfeit),
        shared=online is not None and online.duplicate,
    )


def _score(state: State, seat: SeatOf, rank: RankOf | None) -> tuple[str, str, bool, bool]:
    """What a round brought: its kind, the points in words of figures, whether it was won, whether it is dropped.

    A ranking that carries earlier rounds on counts them together: the phase of the seat decides which number it has there.
    """
    if rank is None:
        return PENDING, "", False, False
    phase = state.phases[rank.phase - 1]
    number = seat.round
    moved = shifts(state, phase)
    if seat.phase not in moved:
        return "other", "", False, False
    number += moved[seat.phase]
    found = next((each for each in rank.rounds if each.round == number), None)
    if found is None or found.kind == PENDING:
        return PENDING, "", False, False
    return found.kind, str(found.points), found.won and found.kind == PLAYED, found.dropped
