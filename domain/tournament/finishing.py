"""What a phase lacks before it can be finished: decided tables, a winner, meetings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from domain.tournament.drawing import can_sit, entrants_of
from domain.tournament.scoring import Meeting, gone_after, meetings
from domain.tournament.state import DRAFT, HERE, Phase, Round, State


def drawn_tables(state: State, phase: Phase) -> tuple[str, ...]:
    """The keys of the tables of a knock-out that count and are drawn: each needs one more deal."""
    if phase.plan.method != "knock-out":
        return ()
    out = [round for round in phase.rounds if round.status != "draft"]
    return tuple(
        f"{round.key}.{meeting.table}"
        for round, of_round in zip(out, meetings(state, phase), strict=True)
        for meeting in of_round
        if meeting.drawn
    )


def last_tables(state: State, phase: Phase, round: Round) -> dict[int, str]:
    """In the last round of a knock-out, what each of its tables is: ``final`` or ``third`` (place); else nothing."""
    if phase.plan.method != "knock-out":
        return {}
    before = meetings(state, phase, phase.rounds[: round.number - 1])
    lost = {who for of_round in before for each in of_round for who in set(each.seats) - each.winners}
    third = {number for number, table in round.tables.items() if set(table.seats) <= lost}
    if len(round.tables) - len(third) != 1 or not set(round.byes) <= lost:
        return {}
    return {number: "third" if number in third else "final" for number in round.tables}


def still_in(state: State, phase: Phase) -> int:
    """The number of entrants still in a knock-out after its last published round; 1 or 0 if it is decided.

    Who has left is not, unless a match for third place is played beside the final all the same.
    """
    rounds = meetings(state, phase)
    last = [each for of_round in rounds[-1:] for each in of_round if not each.third]
    gone = frozenset[str]() if _third_is_next(phase, last) else gone_after(state, phase, len(rounds))
    return sum(len(each.winners - gone) or each.open for each in last) if phase.plan.method == "knock-out" else 0


def rounds_of(state: State, phase: Phase) -> int:
    """The number of rounds of a phase: those of its plan, or in a knock-out as many as decide it, if these are fewer.

    Before its first round is published they follow from the entrants who can be seated.
    """
    if phase.plan.method != "knock-out":
        return phase.plan.rules.rounds
    played = len(meetings(state, phase))
    left = still_in(state, phase) if played else sum(can_sit(each, phase, 1) for each in entrants_of(state, phase))
    if left < 2:
        return played or phase.plan.rules.rounds
    return min(phase.plan.rules.rounds, played + (left - 1).bit_length())


def _third_is_next(phase: Phase, last: Sequence[Meeting]) -> bool:
    """Whether these are semi-finals whose losers play for third place: not after a bye or where a table was kept waiting."""
    tables = next(round.tables for round in reversed(phase.rounds) if round.status != DRAFT) if last else {}
    return phase.plan.third and len(last) == 2 and all(each.table and not tables[each.table].forfeit for each in last)


def knocked_out(state: State, phase: Phase) -> frozenset[str]:
    """The entrants for whom no later round of a knock-out has a place: those who are out, who came late, or did not come.

    Nobody before its first round is published. The losers of the semi-finals are not out if they play for third place.
    """
    rounds = meetings(state, phase) if phase.plan.method == "knock-out" else ()
    if not rounds:
        return frozenset()
    last = [each for each in rounds[-1] if not each.third]
    going_on = {who for each in last for who in (each.seats if each.open else each.winners)}
    if _third_is_next(phase, last):
        going_on |= {who for each in last for who in each.seats}
    everybody = set(state.entrants)
    if still_in(state, phase) < 2:  # decided, unless somebody who has left comes back
        going_on &= gone_after(state, phase, len(rounds))
    return frozenset(everybody if len(last) < 2 else everybody - going_on)


def not_met(state: State, phase: Phase) -> int:
    """The number of pairings of those here that a round robin has not drawn."""
    if phase.plan.method != "round-robin":
        return 0
    met = {
        frozenset(two)
        for round in phase.rounds
        for table in round.tables.values()
        for two in combinations(table.seats, 2)
    }
    here = [each.id for each in entrants_of(state, phase) if each.status == HERE and not each.house]
    return sum(frozenset(two) not in met for two in combinations(here, 2))
