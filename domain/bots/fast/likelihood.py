"""How likely the plays of the others were in a world: the play so far is gone through again with the cards of that world."""

from __future__ import annotations

from domain.bots.fast.compiling import State, Table, jit
from domain.bots.fast.layout import TURN
from domain.bots.fast.play import apply
from domain.bots.fast.policy import shortfall


@jit
def surprises(
    starts: Table, count: int, r: State, w: State, actions: State, played: int, viewer: int, most: int, found: Table,
    s: State,
) -> None:  # fmt: skip
    """Write to `found[world][seat]` how far the plays of a seat fall short of what the policy would have played.

    `starts` are the states at the first lead, `actions` what has been done since. In hundredths of a card point; a single play
    counts for `most` at most, since people do not play by the policy. The viewer's own plays are left out.
    """
    for world in range(count):
        s[:] = starts[world]
        for at in range(played):
            seat = s[TURN]
            if seat != viewer:
                found[world][seat] += min(most, shortfall(s, r, w, actions[at]))
            apply(s, r, actions[at])
