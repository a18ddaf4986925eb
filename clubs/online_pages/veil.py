"""The state of a tournament as those may read it who must not know sealed deals: everybody but the desk.

What a game brought is reported once all its deals are open. A director may have written something earlier at a table whose
deals others have still to play; then those lines wait behind the veil until the last deal of the round is open, as if the
table were still playing: in pages, standings, files and feeds alike.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from clubs.evening.state import DRAFT, PLAYING, Phase, State, Table
from clubs.online_pages.shared import sealed_sets


def veiled(state: State) -> State:
    """The state without what tells something of a sealed deal. One query where deals are shared, none elsewhere."""
    rounds = [
        each
        for phase in state.phases
        for each in phase.rounds
        if each.board_set and each.status != DRAFT and any(table.lines for table in each.tables.values())
    ]
    sealed = sealed_sets(rounds)
    if not sealed:
        return state
    return replace(state, phases=tuple(_phase(phase, sealed) for phase in state.phases))


def _phase(phase: Phase, sealed: Collection[str]) -> Phase:
    return replace(
        phase,
        rounds=tuple(
            replace(each, tables={number: _table(table) for number, table in each.tables.items()})
            if each.key in sealed
            else each
            for each in phase.rounds
        ),
    )


def _table(table: Table) -> Table:
    if not table.lines:
        return table
    return replace(table, lines=(), state=PLAYING, confirmed_by="", short=False, dispute=None, changes=(), note="")
