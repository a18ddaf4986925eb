"""Who gets which prize, from the ranking as it stands: the one place where lists of categories are made."""

from __future__ import annotations

from typing import Final

from clubs.evening.scoring import ranking
from clubs.evening.state import State
from clubs.standings.prizes import Awards, Contender, award

EVERYBODY: Final = "all"
"""The category that all are in."""


def awards(state: State) -> Awards:
    """All prizes, given by the ranking over all phases. Who is not ranked gets none."""
    return award(state.prizes, lists(state), state.prize_rules)


def lists(state: State) -> dict[str, list[Contender]]:
    """The list of every category that has prizes or people, in order of rank; that of everybody first, then by name."""
    names = {name for each in state.entrants.values() for name in each.categories}
    names |= {prize.category for prize in state.prizes}
    found: dict[str, list[Contender]] = {name: [] for name in (EVERYBODY, *sorted(names - {EVERYBODY}))}
    for place in ranking(state)[0]:
        if not place.rank:
            continue
        entrant = state.entrants[place.row.entrant]
        contender = Contender(entrant.id, place.rank, place.row.values[0][1] or 0, entrant.members)
        found[EVERYBODY].append(contender)
        for category in dict.fromkeys(entrant.categories):
            if category != EVERYBODY:
                found[category].append(contender)
    return found
