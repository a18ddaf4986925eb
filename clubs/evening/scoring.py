"""Standings of a tournament: a phase as `clubs.standings` counts it, and the ranking over all phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.evening.duplicate import Gains, all_gains, gains
from clubs.evening.shapes import sides_of
from clubs.evening.state import GONE, HERE, WITHDRAWN, Entrant, Line, Phase, Round, State, Table
from clubs.standings import results
from clubs.standings.ranking import Row, Standings, rank
from clubs.standings.results import Evening


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the ranking over all phases: the rank there (0: not ranked), the phase it comes from, the line in it."""

    rank: int
    phase: int
    row: Row


def standing_of(
    state: State, phase: Phase, rounds: Sequence[Round] | None = None, *, alone: bool = False, house: bool = False
) -> Standings:
    """The standing of a phase, from confirmed tables only; `rounds` of it instead of all that are out.

    Rounds of the phases it carries on (`shifts`) count too, unless `alone`; the list holds only who takes part in this one,
    and entrants of the house's only where `house` wants them, as a draw does.
    """
    own = [round for round in (phase.rounds if rounds is None else rounds) if round.status != "draft"]
    moved = {phase.number: 0} if alone else shifts(state, phase)
    shift = moved[phase.number]
    earlier = [state.phases[number - 1] for number in moved if number != phase.number]
    before = [round for each in earlier for round in each.rounds if round.status != "draft"]
    rules = phase.plan.rules
    total = rules.rounds + shift
    counted = replace(rules, rounds=max(total, *(round.number + shift for round in own), 1) if own else total)
    everybody = _entrants(state, (*earlier, phase)[0])
    found = rank(
        Evening(
            rules=counted,
            entrants=tuple(replace(_stay(each, phase, moved), house=each.house and not house) for each in everybody),
            rounds=(
                *(_round(state, round, round.number + moved[round.phase]) for round in before),
                *(_round(state, round, round.number + shift) for round in own),
            ),
            penalties=tuple(
                replace(each, round=0)
                for id, each in sorted(state.penalties.items())
                if id not in state.penalties_cancelled
                and state.penalty_phase[id] in moved
                and each.entrant in {one.id for one in everybody}
            ),
            lots=tuple(
                lot
                for number, lot in state.lots
                if number == phase.number and set(lot.order) <= {one.id for one in everybody}
            ),
        )
    )
    if not earlier or phase.entrants is None:
        return found
    return _only(found, (*phase.entrants, *(each.id for each in everybody if each.house)))


def shifts(state: State, phase: Phase) -> dict[int, int]:
    """The phases whose rounds count in the standing of a phase, the first one first and itself last: number of the phase ->
    how many rounds are counted before its own. One that carries on another carries on with it what that one did."""
    chain = [phase]
    while chain[0].carry and chain[0].after:
        chain.insert(0, state.phases[chain[0].after - 1])
    found, rounds = {}, 0
    for each in chain:
        found[each.number] = rounds
        rounds += len(each.rounds)
    return found


def ranking(state: State) -> tuple[tuple[Place, ...], bool]:
    """Everybody once, in the phase they came farthest in, and whether it is final.

    Who plays a final stands before who does not; finals after the same phase in order of their numbers.
    """
    if not state.phases:
        return (), False
    depth = {0: -1}
    for phase in state.phases:
        depth[phase.number] = depth[phase.after] + 1
    standings = {phase.number: standing_of(state, phase) for phase in state.phases}
    order = sorted(state.phases, key=lambda phase: (-depth[phase.number], phase.number))
    seen: set[str] = set()
    places: list[Place] = []
    for phase in order:
        rows = [row for row in standings[phase.number].rows if row.entrant not in seen]
        seen |= {row.entrant for row in rows}
        ranked = [row for row in rows if row.rank]
        offset = sum(1 for place in places if place.rank)
        for row in ranked:
            before = sum(1 for other in ranked if other.rank < row.rank)
            places.append(Place(offset + before + 1, phase.number, row))
        places += [Place(0, phase.number, row) for row in rows if not row.rank]
    places.sort(key=lambda place: (place.rank == 0, place.rank))
    final = all(standings[phase.number].final or phase.finished for phase in state.phases) and not any(
        standings[phase.number].open or standings[phase.number].lots_needed for phase in state.phases
    )
    return tuple(places), final


def table_of(table: Table, duplicate: Round | None = None) -> results.Table:
    """A table as standings count it: entrants instead of places, an entrant of two people once.

    Of a `duplicate` round what the table gained on the others counts instead of its points.
    """
    return _counted_table(table, None if duplicate is None else gains(duplicate, table))


def _counted_table(table: Table, gained: Gains | None) -> results.Table:
    lines, total = table.lines, table.total
    if gained is not None:
        of_deal = dict(gained)
        lines = tuple((number, replace(line, scores=of_deal[number])) for number, line in lines)
        # With more sides each lane is rounded by itself, so that gains need not add up.
        total = 0 if total is not None and len(table.sides) == 2 else None
    return results.Table(
        number=table.number,
        sides=_owners(table, table.sides),
        deals=tuple(_deal(table, number, line) for number, line in lines),
        total=total,
        state=_state(table),
        people=len(table.people),
        writer=_writer(table),
    )


def _state(table: Table) -> str:
    return {"confirmed": results.CONFIRMED, "disputed": results.DISPUTED}.get(table.state, results.ENTERED)


def _deal(table: Table, number: int, line: Line) -> results.Deal:
    sides = _owners(table, sides_of(table, number))
    return results.Deal(line.scores, sides if sides != _owners(table, table.sides) else (), line.extra, line.of)


def _owners(table: Table, sides: Sequence[Sequence[int]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(dict.fromkeys(table.owners[place] for place in side)) for side in sides)


def _writer(table: Table) -> int:
    wrote = [line.writer for _, line in table.lines if line.writer >= 0]
    place = wrote[-1] if wrote else 0
    return next((index for index, side in enumerate(table.sides) if place in side), 0)


def _round(state: State, round: Round, number: int) -> results.Round:
    """A round as standings count it. Of a table that was forfeited, who kept it waiting was absent, the others have a bye."""
    tables = [table for _, table in sorted(round.tables.items())]
    waited = [who for table in tables if table.forfeit for who in table.seats if who not in table.forfeit]
    online = state.phases[round.phase - 1].plan.online
    gained = all_gains(round) if online and online.duplicate else {}
    played = tuple(_counted_table(table, gained.get(table.number)) for table in tables if not table.forfeit)
    return results.Round(number, played, (*round.byes, *waited))


def _entrants(state: State, first: Phase) -> list[Entrant]:
    """Who is counted, by the first phase that counts."""
    if first.entrants is not None:
        return [
            *(state.entrants[id] for id in first.entrants),
            *(each for each in state.entrants.values() if each.house),
        ]
    played = {who for round in first.rounds for table in round.tables.values() for who in table.seats}
    played |= {who for round in first.rounds for who in round.byes}
    return [
        each
        for each in state.entrants.values()
        if each.house or each.id in played or (each.came and each.status in (HERE, GONE) and each.status != WITHDRAWN)
    ]


def _stay(entrant: Entrant, phase: Phase, moved: Mapping[int, int]) -> results.Entrant:
    first, last = 1, 0
    if entrant.came:
        first = _counted(entrant.came, phase, moved)
    if entrant.left:
        last = max(_counted(entrant.left, phase, moved), first - 1)
    return results.Entrant(entrant.id, max(first, 1), last)


def _counted(moment: tuple[int, int], phase: Phase, moved: Mapping[int, int]) -> int:
    """A (phase, round) as a number of the rounds that are counted together; before them 0, after them one too many."""
    if moment[0] in moved:
        return moment[1] + moved[moment[0]]
    return 0 if moment[0] < phase.number else len(phase.rounds) + moved[phase.number] + 1


def _only(standings: Standings, ids: tuple[str, ...]) -> Standings:
    """The list without those who do not take part any more, ranks closed up."""
    chosen = set(ids)
    rows = [row for row in standings.rows if row.entrant in chosen]
    ranks = [row.rank for row in rows]
    closed = [
        replace(row, rank=1 + sum(0 < other < row.rank for other in ranks), shared=ranks.count(row.rank) > 1)
        if row.rank
        else row
        for row in rows
    ]
    lots = tuple(
        group for each in standings.lots_needed if len(group := tuple(who for who in each if who in chosen)) > 1
    )
    return Standings(tuple(closed), standings.final and not lots, standings.open, lots)
