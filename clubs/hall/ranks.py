"""Where everybody stands, counted once for each state of a tournament: many phones ask for the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from clubs.evening.scoring import ranking
from clubs.evening.state import CONFIRMED, DRAFT, State
from clubs.standings.sheets import RoundScore

MOST_KEPT: Final = 32

Results = tuple[object, ...]
"""All that a ranking is made of."""

_kept: OrderedDict[str, tuple[Results, Ranks]] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class RankOf:
    """An entrant's line of the ranking over all phases. `rank` 0: not ranked. `values` by the criteria."""

    rank: int
    shared: bool
    phase: int
    values: tuple[tuple[str, int | None], ...]
    rounds: tuple[RoundScore, ...]


@dataclass(frozen=True, slots=True)
class Ranks:
    """The ranking by entrants, and whether it is final."""

    of: Mapping[str, RankOf]
    final: bool
    ranked: int


def ranks(public_id: str, state: State) -> Ranks:
    """The ranking of a tournament as `state` has it; confirmed tables only."""
    results = _results(state)
    with _lock:
        before = _kept.get(public_id)
    # What did not change is shared by states, so that comparing costs little; a deal that is written changes no ranking.
    if before is not None and before[0] == results:
        return before[1]
    places, final = ranking(state)
    all_ranks = [place.rank for place in places]
    found = Ranks(
        of={
            place.row.entrant: RankOf(
                place.rank,
                place.rank > 0 and all_ranks.count(place.rank) > 1,
                place.phase,
                place.row.values,
                place.row.sheet.rounds,
            )
            for place in places
        },
        final=final,
        ranked=sum(rank > 0 for rank in all_ranks),
    )
    with _lock:
        _kept[public_id] = (results, found)
        _kept.move_to_end(public_id)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return found


def _results(state: State) -> Results:
    """What a ranking depends on: tables that are not confirmed only by who sits there."""
    phases = tuple(
        (
            phase.plan,
            (phase.after, phase.carry, phase.entrants, phase.finished),
            tuple(
                (
                    round.number,
                    round.status == DRAFT,
                    round.byes,
                    tuple(
                        (number, table if table.state == CONFIRMED else table.people)
                        for number, table in round.tables.items()
                    ),
                )
                for round in phase.rounds
            ),
        )
        for phase in state.phases
    )
    return (phases, state.entrants, state.penalties, state.penalties_cancelled, state.lots)
