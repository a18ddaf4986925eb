"""Scores of the same deals at all tables of a round (duplicate), and the standings of a tournament.

In each deal a side holds a *lane*: its position counted from the dealer, so that the lane, not the seat, determines its
cards. The *datum* of a lane is its average score in this deal, to be shown. A *gain* is how much better a side did than
all other tables together: its points times the number of tables, minus the points of all tables. So gains are whole
numbers, nothing is rounded, and in a game with a control sum the gains of a table add up to 0.

The standings: of one phase, counted by `domain.standings`, and the ranking over all phases.
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
    DRAFT,
    GONE,
    HERE,
    PAIR,
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
"""For every deal, and in it for every lane: the number of tables that have played it, and the sum of their points."""


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """The result of one table in a deal: the lane, score and gain of each side, in order of the table's sides."""

    table: int
    lanes: tuple[int, ...]
    scores: tuple[int, ...]
    gains: tuple[int, ...]


def lane_of(table: Table, side_index: int, deal: int) -> int:
    """The lane of a side in a deal: the least distance of its places from the dealer, 0 for the dealer's own side."""
    people = len(table.people)
    dealer = (table.turn + deal - 1) % people
    return min((place - dealer) % people for place in table.sides[side_index])


def datum(round: Round, deal: int) -> Mapping[int, Fraction]:
    """The average score by lane, from all confirmed tables of the round with a line for this deal.

    Tables with another ruleset or size than the first one of the round do not count, nor does a line with a wrong sum.
    Empty if no table has played the deal.
    """
    tables = [table for _, table in sorted(round.tables.items())]
    sums = _sums(round, deal).get((_kind(tables[0]), deal), {}) if tables else {}
    return {lane: Fraction(points, number) for lane, (number, points) in sorted(sums.items())}


def gains(round: Round, table: Table) -> Gains:
    """The deals of a table in order, each with the gains of its sides; 0 if there is no other table to compare with."""
    return _gains(_sums(round), table)


def traveller(round: Round, deal: int) -> tuple[TravellerLine, ...]:
    """The results of all confirmed tables of a round in a deal, in order of the tables."""
    sums = _sums(round, deal)
    return tuple(
        TravellerLine(number, _lanes(table, deal), line.scores, dict(_gains(sums, table))[deal])
        for number, table in sorted(round.tables.items())
        if table.state == CONFIRMED and (line := table.sheet.get(deal)) is not None
    )


def _gains(sums: Sums, table: Table) -> Gains:
    by_deal = []
    for deal, line in table.lines:
        of_lane = sums.get((_kind(table), deal), {})
        compared = [
            (score, of_lane.get(lane, (1, score))) for lane, score in zip(_lanes(table, deal), line.scores, strict=True)
        ]
        by_deal.append((deal, tuple(number * score - points for score, (number, points) in compared)))
    return tuple(by_deal)


def _sums(round: Round, only: int = 0) -> Sums:
    """The sums over the tables that can be compared, for every deal or for the `only` one."""
    sums: dict[tuple[Kind, int], dict[int, tuple[int, int]]] = defaultdict(dict)
    for table in round.tables.values():
        if table.state != CONFIRMED:
            continue
        for deal, line in table.lines:
            whole = line.of == 1 and not line.extra and table.total in (None, sum(line.scores))
            if whole and only in (0, deal):
                of_lane = sums[_kind(table), deal]
                for lane, score in zip(_lanes(table, deal), line.scores, strict=True):
                    number, points = of_lane.get(lane, (0, 0))
                    of_lane[lane] = (number + 1, points + score)
    return sums


def _kind(table: Table) -> Kind:
    """What tables must have in common for their scores of the same deal to be comparable."""
    return table.ruleset, len(table.people)


def _lanes(table: Table, deal: int) -> tuple[int, ...]:
    return tuple(lane_of(table, side, deal) for side in range(len(table.sides)))


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the ranking over all phases: the rank (0: not ranked), the phase it comes from, and its line there."""

    rank: int
    phase: int
    row: Row


def standing_of(
    state: State, phase: Phase, rounds: Sequence[Round] | None = None, *, alone: bool = False, house: bool = False
) -> Standings:
    """The standings of a phase, from confirmed tables only; `rounds` replaces all its published rounds.

    Rounds of earlier phases that it carries on (`shifts`) count too, unless `alone`. The list has only entrants who
    take part in this phase, and entrants of the house only with `house`, which draws need.
    """
    own = [round for round in (phase.rounds if rounds is None else rounds) if round.status != DRAFT]
    moved = {phase.number: 0} if alone else shifts(state, phase)
    shift = moved[phase.number]
    earlier = [state.phases[number - 1] for number in moved if number != phase.number]
    before = [round for each in earlier for round in each.rounds if round.status != DRAFT]
    rules = phase.plan.rules
    total = rules.rounds + shift
    counted = replace(
        rules,
        rounds=max(total, *(round.number + shift for round in own), 1) if own else total,
        drawn="extra-deal" if phase.plan.extra_deal else rules.drawn,
    )
    everybody = _entrants(state, earlier[0] if earlier else phase)
    standings = rank(
        Evening(
            rules=counted,
            entrants=tuple(replace(_entrant(each, phase, moved), house=each.house and not house) for each in everybody),
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
        bracket = meetings(state, phase, own)
        return _by_bracket(standings, bracket, gone_after(state, phase, len(bracket)))
    if not earlier or phase.entrants is None:
        return standings
    return _only(standings, (*phase.entrants, *(each.id for each in everybody if each.house)))


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table of a knock-out, or (table 0) an entrant without an opponent.

    `winners` go on; `open` while there is no winner yet, because the table does not count or is `drawn`. `third`: the
    match for third place, or somebody who has no opponent in it.
    """

    table: int
    seats: tuple[str, ...]
    winners: frozenset[str]
    open: bool = False
    third: bool = False
    drawn: bool = False


def meetings(state: State, phase: Phase, rounds: Sequence[Round] | None = None) -> tuple[tuple[Meeting, ...], ...]:
    """The meetings of the published rounds of a knock-out; `rounds` replaces all rounds.

    Entrants who kept a table waiting are out; if all at a table did, nobody goes on.
    """
    by_round: list[tuple[Meeting, ...]] = []
    lost: set[str] = set()
    for round in phase.rounds if rounds is None else rounds:
        if round.status == DRAFT:
            continue
        standing = standing_of(state, phase, (round,), alone=True, house=True)
        scores = {row.entrant: each for row in standing.rows for each in row.sheet.rounds if each.round == round.number}
        won = {who for who, each in scores.items() if each.won}
        played = {who for who, each in scores.items() if each.kind == "played"}
        of_round = []
        for number, table in sorted(round.tables.items()):
            seats = set(table.seats)
            winners = seats - set(table.forfeit) if table.forfeit else won & seats
            is_open = not winners and not table.forfeit
            third, drawn = bool(lost) and seats <= lost, is_open and seats <= played
            of_round.append(Meeting(number, table.seats, frozenset(winners), is_open, third, drawn))
        of_round += [Meeting(0, (who,), frozenset({who}), third=who in lost) for who in round.byes]
        lost |= {who for each in of_round if not each.open for who in set(each.seats) - each.winners}
        by_round.append(tuple(of_round))
    return tuple(by_round)


def gone_after(state: State, phase: Phase, number: int) -> frozenset[str]:
    """The entrants who left after this round of a phase, or do not play the next one."""
    return frozenset(
        each.id
        for each in state.entrants.values()
        if each.left == (phase.number, number) or f"{phase.number}.{number + 1}" in each.pauses
    )


def _by_bracket(standings: Standings, rounds: Sequence[Sequence[Meeting]], gone: frozenset[str]) -> Standings:
    """The list of a knock-out: entrants who got further come first, whatever their scores; equals keep their order.

    Of those who would go on, the ones who are `gone` come last. A match for third place decides between its two
    entrants. It is not complete while a table is drawn.
    """
    progress: Counter[str] = Counter()
    for each in rounds:
        for meeting in each:
            progress.update(dict.fromkeys(meeting.winners, 1 if meeting.third else 2))
    for meeting in rounds[-1] if rounds else ():
        progress.subtract(meeting.winners & gone if not meeting.third else ())
    rows = sorted(standings.rows, key=lambda row: (row.rank == 0, -progress[row.entrant], row.rank))
    keys = [(-progress[row.entrant], row.rank) for row in rows if row.rank]
    ranked = tuple(
        replace(row, rank=1 + sum(other < key for other in keys), shared=keys.count(key) > 1) if row.rank else row
        for row in rows
        for key in [(-progress[row.entrant], row.rank)]
    )
    lots = tuple(
        group
        for each in standings.lots_needed
        for level in sorted({progress[who] for who in each}, reverse=True)
        if len(group := tuple(who for who in each if progress[who] == level)) > 1
    )
    drawn = any(meeting.drawn for each in rounds for meeting in each)
    return Standings(ranked, standings.complete and not drawn, standings.open, lots)


def shifts(state: State, phase: Phase) -> dict[int, int]:
    """The phases whose rounds count in the standings of a phase, first to last, with the number of rounds before each.

    These are the phase itself, and the chain of phases that it carries on.
    """
    chain = [phase]
    while chain[0].carry and chain[0].after:
        chain.insert(0, state.phases[chain[0].after - 1])
    rounds_before, rounds = {}, 0
    for each in chain:
        rounds_before[each.number] = rounds
        rounds += len(each.rounds)
    return rounds_before


def ranking(state: State) -> tuple[tuple[Place, ...], bool]:
    """The ranking, and whether it is final. Everybody is listed once, in the furthest phase they reached.

    No more rounds are awaited of a phase that is finished, or of a tournament that is closed.

    From the first result of a final, its players come before all others; until then they are ranked as in the phase
    before it. Several finals after the same phase come in order of their numbers.
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
        of_phase = standings[phase.number]
        if phase.after and not any(row.rank for row in of_phase.rows):
            continue
        rows = [row for row in of_phase.rows if row.entrant not in seen]
        seen |= {row.entrant for row in rows}
        offset = sum(place.rank > 0 for place in places)
        for row in rows:
            before = sum(0 < other.rank < row.rank for other in rows)
            places.append(Place(offset + before + 1 if row.rank else 0, phase.number, row))
    places.sort(key=lambda place: (place.rank == 0, place.rank))
    final = all(standings[phase.number].final or phase.finished or state.closed for phase in state.phases) and not any(
        standings[phase.number].open or standings[phase.number].lots_needed for phase in state.phases
    )
    return tuple(places), final


def counted_table(table: Table, gained: Gains | None = None) -> results.Table:
    """A table for the standings: entrants instead of places, an entrant of two people once.

    If they are given, the `gains` of a duplicate round count instead of its points.
    """
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
        length=table.deals,
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
    """A round for the standings.

    At a forfeited table, those who kept it waiting are absent and the others have a bye.
    """
    tables = [table for _, table in sorted(round.tables.items())]
    waited = [who for table in tables if table.forfeit for who in table.seats if who not in table.forfeit]
    online = state.phases[round.phase - 1].plan.online
    sums = _sums(round) if online and online.duplicate else None
    played = tuple(
        counted_table(table, None if sums is None else _gains(sums, table)) for table in tables if not table.forfeit
    )
    return results.Round(number, played, (*round.byes, *waited))


def _entrants(state: State, first: Phase) -> list[Entrant]:
    """The entrants to be counted, according to the first phase that counts; not who has found no partner yet."""
    if first.entrants is not None:
        house = [each for each in state.entrants.values() if each.house]
        return [state.entrants[id] for id in first.entrants] + house
    played = {who for round in first.rounds for who in round.seated}
    return [
        each
        for each in state.entrants.values()
        if each.house
        or each.id in played
        or (each.came and each.status in (HERE, GONE) and (first.plan.kind != PAIR or len(each.members) == 2))
    ]


def _entrant(entrant: Entrant, phase: Phase, moved: Mapping[int, int]) -> results.Entrant:
    first = _round_number(entrant.came, phase, moved) if entrant.came else 1
    last = max(_round_number(entrant.left, phase, moved), first - 1) if entrant.left else 0
    return results.Entrant(entrant.id, max(first, 1), last)


def _round_number(moment: tuple[int, int], phase: Phase, moved: Mapping[int, int]) -> int:
    """The number of a (phase, round) among all rounds that count; 0 if it is before them, one too many if after."""
    if moment[0] in moved:
        return moment[1] + moved[moment[0]]
    return 0 if moment[0] < phase.number else len(phase.rounds) + moved[phase.number] + 1


def _only(standings: Standings, ids: tuple[str, ...]) -> Standings:
    """The list of the entrants `ids` only, without gaps in the ranks."""
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
    return Standings(tuple(closed), standings.complete, standings.open, lots)
