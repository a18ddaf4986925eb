"""The same deals at all tables of a round: what the others made of the same cards, and what a table gained on them.

In each deal a side holds a *lane*: who sits there counted from the dealer, so that the lane, not the seat, says which cards
they were. The *datum* of a lane is what it brings on average in this deal, to be shown; a *gain* is how much better a side did
than all other tables together: its points times the number of tables, less the points of all. So gains are whole numbers,
nothing is rounded, and in a game with a control sum those of a table add up to 0.

Standings of a tournament: a phase as `domain.standings` counts it, and the ranking over all phases.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from domain.standings import results
from domain.standings.ranking import Row, Standings, rank
from domain.standings.results import Evening
from domain.tournament.state import (
    CONFIRMED,
    GONE,
    HERE,
    Entrant,
    Line,
    Phase,
    Round,
    State,
    Table,
    sides_of,
)

Gains: TypeAlias = "tuple[tuple[int, tuple[int, ...]], ...]"
"""(deal, the gain of each side) of a table, in order of the deals."""
Kind: TypeAlias = "tuple[str, int]"
Sums: TypeAlias = "Mapping[tuple[Kind, int], Mapping[int, tuple[int, int]]]"
"""Of every deal and lane: how many tables have played it, and what all of them made."""


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """What one table made of a deal: of each side, in order of the table's sides, its lane, its score and its gain."""

    table: int
    lanes: tuple[int, ...]
    scores: tuple[int, ...]
    gains: tuple[int, ...]


def lane_of(table: Table, side_index: int, deal: int) -> int:
    """Which cards a side of a table holds in a deal: the least distance of its places from the dealer, 0 for the dealer's own."""
    people = len(table.people)
    dealer = (table.turn + deal - 1) % people
    return min((place - dealer) % people for place in table.sides[side_index])


def datum(round: Round, deal: int) -> Mapping[int, Fraction]:
    """Lane -> what it brings on average, from all confirmed tables of the round with a line for this deal.

    Tables of another ruleset or size than the first one of the round do not count, nor does a line whose sum is wrong. Empty
    while no table has played it.
    """
    tables = [table for _, table in sorted(round.tables.items())]
    found = _sums(round, deal).get((_kind(tables[0]), deal), {}) if tables else {}
    return {lane: Fraction(points, number) for lane, (number, points) in sorted(found.items())}


def gains(round: Round, table: Table) -> Gains:
    """The deals of a table in order, with what each of its sides gained on the others; 0 where nobody else counts."""
    return _gains(_sums(round), table)


def traveller(round: Round, deal: int) -> tuple[TravellerLine, ...]:
    """What all confirmed tables of a round made of a deal, in order of the tables."""
    sums = _sums(round, deal)
    return tuple(
        TravellerLine(number, _lanes(table, deal), line.scores, dict(_gains(sums, table))[deal])
        for number, table in sorted(round.tables.items())
        if table.state == CONFIRMED and (line := table.sheet.get(deal)) is not None
    )


def _gains(sums: Sums, table: Table) -> Gains:
    found = []
    for deal, line in table.lines:
        of_lane = sums.get((_kind(table), deal), {})
        held = [
            (score, of_lane.get(lane, (1, score))) for lane, score in zip(_lanes(table, deal), line.scores, strict=True)
        ]
        found.append((deal, tuple(number * score - points for score, (number, points) in held)))
    return tuple(found)


def _sums(round: Round, only: int = 0) -> Sums:
    """Of every deal, or of the `only` one, what the tables made that can be compared."""
    found: dict[tuple[Kind, int], dict[int, tuple[int, int]]] = defaultdict(dict)
    for table in round.tables.values():
        if table.state != CONFIRMED:
            continue
        for deal, line in table.lines:
            whole = line.of == 1 and not line.extra and table.total in (None, sum(line.scores))
            if whole and only in (0, deal):
                of_lane = found[_kind(table), deal]
                for lane, score in zip(_lanes(table, deal), line.scores, strict=True):
                    number, points = of_lane.get(lane, (0, 0))
                    of_lane[lane] = (number + 1, points + score)
    return found


def _kind(table: Table) -> Kind:
    """What tables must have in common, so that the same deal can be compared."""
    return table.ruleset, len(table.people)


def _lanes(table: Table, deal: int) -> tuple[int, ...]:
    return tuple(lane_of(table, side, deal) for side in range(len(table.sides)))


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
    if phase.plan.method == "knock-out" and not alone and not earlier:
        return _by_bracket(found, meetings(state, phase, own))
    if not earlier or phase.entrants is None:
        return found
    return _only(found, (*phase.entrants, *(each.id for each in everybody if each.house)))


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table of a knock-out, or (table 0) somebody who has no opponent. `winners` go on; `open` while nobody knows who does.
    `third`: it is for third place."""

    table: int
    seats: tuple[str, ...]
    winners: frozenset[str]
    open: bool = False
    third: bool = False


def meetings(state: State, phase: Phase, rounds: Sequence[Round] | None = None) -> tuple[tuple[Meeting, ...], ...]:
    """The rounds of a knock-out, of those that are out; `rounds` instead of all. Who kept a table waiting is out, and where
    all did, nobody goes on."""
    found: list[tuple[Meeting, ...]] = []
    lost: set[str] = set()
    for round in phase.rounds if rounds is None else rounds:
        if round.status == "draft":
            continue
        standing = standing_of(state, phase, (round,), alone=True, house=True)
        won = {
            row.entrant for row in standing.rows for each in row.sheet.rounds if each.round == round.number and each.won
        }
        here = []
        for number, table in sorted(round.tables.items()):
            seats = set(table.seats)
            winners = seats - set(table.forfeit) if table.forfeit else won & seats
            is_open = not winners and not table.forfeit
            here.append(Meeting(number, table.seats, frozenset(winners), is_open, bool(lost) and seats <= lost))
        here += [Meeting(0, (who,), frozenset({who})) for who in round.byes]
        lost |= {who for each in here if not each.open for who in set(each.seats) - each.winners}
        found.append(tuple(here))
    return tuple(found)


def _by_bracket(found: Standings, rounds: Sequence[Sequence[Meeting]]) -> Standings:
    """The list of a knock-out: who came farther stands before who did not, whatever they have; those who came equally far as
    they were. A match for third place decides between its two."""
    far: Counter[str] = Counter()
    for each in rounds:
        for meeting in each:
            far.update(dict.fromkeys(meeting.winners, 1 if meeting.third else 2))
    rows = sorted(found.rows, key=lambda row: (row.rank == 0, -far[row.entrant], row.rank))
    places = [(-far[row.entrant], row.rank) for row in rows if row.rank]
    ranked = tuple(
        replace(row, rank=1 + sum(other < place for other in places), shared=places.count(place) > 1)
        if row.rank
        else row
        for row in rows
        for place in [(-far[row.entrant], row.rank)]
    )
    lots = tuple(
        group
        for each in found.lots_needed
        for reached in sorted({far[who] for who in each}, reverse=True)
        if len(group := tuple(who for who in each if far[who] == reached)) > 1
    )
    final = found.final or bool(found.lots_needed and not lots and not found.open)
    return Standings(ranked, final, found.open, lots)


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

    Whoever plays a final stands before those who do not, from its first result on; until then as in the phase before it.
    Finals after the same phase in order of their numbers.
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
        found = standings[phase.number]
        if phase.after and not any(row.rank for row in found.rows):
            continue
        rows = [row for row in found.rows if row.entrant not in seen]
        seen |= {row.entrant for row in rows}
        offset = sum(place.rank > 0 for place in places)
        for row in rows:
            before = sum(0 < other.rank < row.rank for other in rows)
            places.append(Place(offset + before + 1 if row.rank else 0, phase.number, row))
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
        total = None if total is None else 0
    return results.Table(
        number=table.number,
        sides=_owners(table, table.sides),
        deals=tuple(_deal(table, number, line) for number, line in lines),
        total=total,
        state=table.state if table.state in results.STATES else results.ENTERED,
        people=len(table.people),
        writer=_writer(table),
    )


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
    sums = _sums(round) if online and online.duplicate else None
    played = tuple(
        _counted_table(table, None if sums is None else _gains(sums, table)) for table in tables if not table.forfeit
    )
    return results.Round(number, played, (*round.byes, *waited))


def _entrants(state: State, first: Phase) -> list[Entrant]:
    """Who is counted, by the first phase that counts."""
    if first.entrants is not None:
        house = [each for each in state.entrants.values() if each.house]
        return [state.entrants[id] for id in first.entrants] + house
    played = {who for round in first.rounds for who in round.seated}
    return [
        each
        for each in state.entrants.values()
        if each.house or each.id in played or (each.came and each.status in (HERE, GONE))
    ]


def _stay(entrant: Entrant, phase: Phase, moved: Mapping[int, int]) -> results.Entrant:
    first = _counted(entrant.came, phase, moved) if entrant.came else 1
    last = max(_counted(entrant.left, phase, moved), first - 1) if entrant.left else 0
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
