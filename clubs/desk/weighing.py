"""What repeats and what is odd in a round as it is seated now, drawn or by hand. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from clubs.desk.arranging import seats_of
from clubs.evening.drawing import field_of
from clubs.evening.refused import EveningRefused
from clubs.evening.state import Phase, Round, State
from clubs.seating.costs import Costs
from clubs.seating.results import Term


def weighed(state: State, phase: Phase, round: Round) -> Mapping[int, tuple[Term, ...]]:
    """What was to be avoided and is there all the same, by table; the dearest first."""
    try:
        field = field_of(state, phase, round.number)
    except EveningRefused:  # a knock-out whose earlier tables are open: nothing is weighed there
        return {}
    seated = seats_of(round)
    known = {each.id for each in field.entrants}
    if not seated <= known:  # somebody who does not take part in this phase was seated by hand
        return {}
    costs = Costs(replace(field, absent=frozenset(known - seated)), phase.settings)
    return {
        number: costs.terms([costs.index[id] for id in table.seats], phase.settings.shape(len(table.seats)))
        for number, table in sorted(round.tables.items())
    }
