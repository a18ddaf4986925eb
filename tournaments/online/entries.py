"""Entering a tournament that is played online: there is no door to come in by, so who has entered is here at once."""

from __future__ import annotations

from typing import Final

from domain.seating.seat import PLANNED
from domain.tournament.state import State
from tournaments.online.substitutes import plays_online

_NO_LATECOMERS: Final = frozenset({*PLANNED, "knock-out"})
"""Ways of seating in which nobody can come in later: one plan for all rounds, or who loses is out."""


def is_open(state: State) -> bool:
    """Whether rounds allow that somebody enters by themselves: before the first draw, and later where latecomers may."""
    if state.closed:
        return False
    if not plays_online(state):
        return not state.phases
    drawn = any(phase.rounds or phase.promise for phase in state.phases)
    return not drawn or takes_latecomers(state)


def takes_latecomers(state: State) -> bool:
    """Whether somebody may still come in between rounds: the house rules give a score for rounds they have missed, the phase
    is for all who come, and it seats anew for each round."""
    phase = state.current
    if phase is None or phase.finished or phase.plan.online is None or phase.entrants is not None:
        return False
    late = phase.plan.rules.late
    gives = late.method != "fixed" or late.points > 0 or late.match > 0
    return gives and phase.plan.method not in _NO_LATECOMERS and len(phase.rounds) < phase.plan.rules.rounds
