"""A person’s own page: where they sit now and next, with whom, the results of their rounds, and their rank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.standings.criteria import PENDING, PLAYED
from domain.tournament.finishing import knocked_out
from domain.tournament.registering import next_round
from domain.tournament.scoring import shifts
from domain.tournament.state import CONFIRMED, DRAFT, GONE, MERGED, OUT, WITHDRAWN, Entrant, Phase, Round, State
from games.text.figures import with_minus
from tournaments.live.selectors import RankOf, label, ranks
from tournaments.models import Tournament
from tournaments.read_models import Names, table_seen
from tournaments.registration import services
from tournaments.services import codes


@dataclass(frozen=True, slots=True)
class SeatOf:
    """A person's place in a round. `table` 0: they sit out, with a bye or, `paused`, by wish; `place` is then -1."""

    person: str
    phase: int
    round: int
    phase_name: str
    table: int
    place: int
    paused: bool = False

    @property
    def round_key(self) -> str:
        return f"{self.phase}.{self.round}"

    @property
    def table_key(self) -> str:
        """The key of the table; meaningless for somebody who sits out."""
        return f"{self.round_key}.{self.table}"


def next_seats(state: State, people: Sequence[str], *, after: Round) -> tuple[SeatOf, ...]:
    """The seats of these people in the first published round after `after` that one of them is in."""
    for phase in state.phases:
        for round in phase.rounds:
            if (round.phase, round.number) <= (after.phase, after.number) or round.status == DRAFT:
                continue
            seats = tuple(seat for person in people if (seat := seat_in(state, round, person)) is not None)
            if seats:
                return seats
    return ()


def seat_in(state: State, round: Round, person: str) -> SeatOf | None:
    """Where a person sits in a round; None if they are not in it."""
    phase = state.phases[round.phase - 1]
    for number, table in round.tables.items():
        people = state.named(table)
        if person in people:
            return SeatOf(person, round.phase, round.number, phase.name, number, people.index(person))
    for id, entrant in state.entrants.items():
        paused = round.key in entrant.pauses and _takes_part(phase, entrant)
        if (paused or id in round.byes) and person in entrant.people(round.phase, round.number):
            return SeatOf(person, round.phase, round.number, phase.name, 0, -1, paused)
    return None


def _takes_part(phase: Phase, entrant: Entrant) -> bool:
    return phase.entrants is None or entrant.id in phase.entrants


def seats_of(state: State, person: str) -> tuple[SeatOf, ...]:
    """All places of a person in published rounds, the latest first."""
    rounds = [round for phase in state.phases for round in phase.rounds if round.status != DRAFT]
    return tuple(seat for round in reversed(rounds) if (seat := seat_in(state, round, person)) is not None)


@dataclass(frozen=True, slots=True)
class SittingSeen:
    """A round as a person sees it.

    `code`: that of their side's sheet while it is played; no `partners` if all play alone. `paused`: they sit out by
    wish; `corrected`: the director has changed the sheet.

    Online there is a `game` instead of a sheet, to be played `until`; `shared`: all tables play the same deals.
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
    paused: bool = False
    online: bool = False
    game: str = ""
    until: datetime | None = None
    late: bool = False
    forfeited: bool = False
    shared: bool = False
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class PersonSeen:
    """A person in a tournament. `due`, in Rappen: what their entrant still has to pay.

    `pausing`: they sit out the next round; `begun`: a round is published; `awaited`: a later one may have a place for
    them; `planned`: such a round is planned.
    """

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
    pausing: bool
    begun: bool
    awaited: bool
    planned: bool


def entrant_of_person(state: State, person: str) -> Entrant | None:
    """The entrant that `person` belongs to, as a member or a substitute; None if there is none.

    One that has not withdrawn is preferred.
    """
    entrants = [
        entrant
        for entrant in sorted(state.entrants.values(), key=lambda each: person not in each.members)
        if entrant.status != MERGED
        and (person in entrant.members or any(each.new == person for each in entrant.substitutions))
    ]
    for entrant in entrants:
        if entrant.status != WITHDRAWN:
            return entrant
    return entrants[-1] if entrants else None


def due_of(state: State, entrant: Entrant) -> int:
    """What an entrant still has to pay, in Rappen; negative if something is to be refunded."""
    fee = 0 if entrant.status == WITHDRAWN else entrant.fee
    return fee - services.paid(state).get(entrant.id, 0)


def mark_things(tournament: Tournament, state: State, person: str, entrant: Entrant) -> tuple[object, ...]:
    """Everything that a person's page depends on, to tell whether it has changed. No query."""
    seats = seats_of(state, person)
    tables = tuple(_table_mark(state, seat) for seat in seats)
    clock = next((round.clock for round in (state.round(seat.round_key) for seat in seats[:1]) if round), None)
    rank = ranks(tournament.public_id, state).of.get(entrant.id)
    return (
        entrant.status,
        entrant.members,
        entrant.substitutions,
        seats,
        tables,
        clock,
        (rank.rank, rank.shared, rank.values) if rank else None,
        due_of(state, entrant),
        services.is_pausing(state, entrant),
        state.closed,
        _begun(state),
        _awaited(state, entrant),
        _planned(state, entrant),
    )


def person_seen(tournament: Tournament, state: State, person: str, entrant: Entrant, names: Names) -> PersonSeen:
    ranking = ranks(tournament.public_id, state)
    rank = ranking.of.get(entrant.id)
    sittings = tuple(_sitting(tournament, state, seat, names, rank) for seat in seats_of(state, person))
    last = state.round(sittings[0].round_key) if sittings else None
    now = sittings[0] if last is not None and last.status == OUT and not state.closed else None
    if now is not None and now.online and not now.is_open and any(each.is_open for each in sittings):
        now = None
    pair = entrant.members if person in entrant.members else entrant.people(*next_round(state))
    others = [entrant.playing_for(other)[0] for other in pair if other != person] if person in pair else []
    return PersonSeen(
        person=person,
        name=names.person(person),
        entrant=entrant,
        partner=" & ".join(names.person(other) for other in others),
        now=now,
        open=tuple(each for each in sittings if each.online and each.is_open),
        rounds=sittings,
        # No rank before a result is confirmed: until then everybody would be first.
        rank=rank if rank and rank.rank and any(each.kind != PENDING for each in rank.rounds) else None,
        ranked=ranking.ranked,
        final=ranking.final,
        fee=entrant.fee if person in entrant.members else 0,
        due=due_of(state, entrant) if person in entrant.members else 0,
        pausing=services.is_pausing(state, entrant),
        begun=_begun(state),
        awaited=_awaited(state, entrant) and person in entrant.people(*next_round(state)),
        planned=_planned(state, entrant),
    )


def _begun(state: State) -> bool:
    return any(round.status != DRAFT for phase in state.phases for round in phase.rounds)


def _awaited(state: State, entrant: Entrant) -> bool:
    if entrant.status in (GONE, WITHDRAWN):
        return False
    return all(phase.finished for phase in state.phases) or any(_parts(state, entrant))


def _planned(state: State, entrant: Entrant) -> bool:
    published = [
        (sum(round.status != DRAFT for round in phase.rounds), phase.plan.rules.rounds)
        for phase in _parts(state, entrant)
    ]
    return not state.phases or any(number < rounds for number, rounds in published)


def _parts(state: State, entrant: Entrant) -> list[Phase]:
    """The unfinished parts in which an entrant still takes part."""
    parts = [phase for phase in state.phases if not phase.finished and _takes_part(phase, entrant)]
    return [phase for phase in parts if entrant.id not in knocked_out(state, phase)]


def _table_mark(state: State, seat: SeatOf) -> tuple[object, ...]:
    table = state.table(seat.table_key) if seat.table else None
    round = state.round(seat.round_key)
    status = round.status if round else ""
    if table is None:
        return (status,)
    online = (table.game, table.late, table.forfeit, round.deadline if round else "")
    return (status, table.state, table.key, state.sitting(table), table.lines, len(table.changes), online)


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
        where = (seat.round_key, seat.phase_name, seat.round)
        return SittingSeen(*where, 0, -1, (), (), False, "", points, kind, won, dropped, False, seat.paused)
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
        forfeited=table.owners[seat.place] in table.forfeit,
        shared=online is not None and online.duplicate,
        corrected=seen.corrected,
    )


def _score(state: State, seat: SeatOf, rank: RankOf | None) -> tuple[str, str, bool, bool]:
    """The result of a round: its kind, the points as text, whether it was won, and whether it is dropped.

    A ranking that carries earlier rounds over numbers them all together, so the number there depends on the seat's
    phase.
    """
    if rank is None:
        return PENDING, "", False, False
    phase = state.phases[rank.phase - 1]
    shift = shifts(state, phase)
    if seat.phase not in shift:
        return "other", "", False, False
    number = seat.round + shift[seat.phase]
    score = next((each for each in rank.rounds if each.round == number), None)
    if score is None or score.kind == PENDING:
        return PENDING, "", False, False
    return score.kind, with_minus(score.points), score.won and score.kind == PLAYED, score.dropped
