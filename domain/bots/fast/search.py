"""Trying actions in many worlds: playing each hand to its end by the policy, and the last tricks exactly.

A worth is a seat's score times 256, plus 0 to 255 for the card points of its side where the score alone says little (Troggu).
"""

from __future__ import annotations

from domain.bots.fast.compiling import State, Table, jit
from domain.bots.fast.count import points_of, scores_of
from domain.bots.fast.layout import (
    ASKED,
    EXTRA,
    LANE_OF,
    OVER,
    PAIR,
    SETTLES,
    SIDE,
    STAKES,
    TAPPIST,
    TURN,
)
from domain.bots.fast.play import apply, legal_actions
from domain.bots.fast.policy import choose

DEEP = 64
"""More actions than are left where anything is solved."""


@jit
def play_out(s: State, r: State, w: State) -> None:
    """Play a hand to its end by the policy."""
    while s[ASKED] != OVER:
        apply(s, r, choose(s, r, w))


@jit
def worth_to(s: State, r: State, seat: int, scores: State) -> int:
    """What a play that is over is worth to `seat`."""
    scores_of(s, r, scores)
    worth = scores[seat] * 256
    if r[SETTLES] == STAKES:
        points = points_of(s, r, s[SIDE + seat])
        worth += 128 - points if s[TAPPIST] < 0 else points
    return worth


@jit
def solve(stack: Table, founds: Table, depth: int, r: State, seat: int, low: int, high: int, scores: State) -> int:
    """The worth to `seat` of the play at `depth` of the stack, if all see all cards and everybody plays best for his side.

    Only for two sides. `low` and `high` are the worths that are assured elsewhere.
    """
    s = stack[depth]
    if s[ASKED] == OVER:
        return worth_to(s, r, seat, scores)
    found = founds[depth]
    count = legal_actions(s, r, found)
    ours = s[SIDE + s[TURN]] == s[SIDE + seat]
    best = -(1 << 40) if ours else 1 << 40
    before = -9
    for number in range(count):
        action = found[number]
        if (
            action < PAIR
            and before == action + 1
            and LANE_OF[before] == LANE_OF[action]
            and EXTRA[before] == EXTRA[action]
        ):
            before = action
            continue  # as good as the card above it
        before = action
        stack[depth + 1][:] = s
        apply(stack[depth + 1], r, action)
        worth = solve(stack, founds, depth + 1, r, seat, low, high, scores)
        if ours:
            if worth > best:
                best = worth
                if worth > low:
                    low = worth
        elif worth < best:
            best = worth
            if worth < high:
                high = worth
        if low >= high:
            break
    return best


@jit
def try_action(
    bases: Table, first: int, last: int, r: State, w: State, action: int, found: State,
    seat: int, exact: int, stack: Table, founds: Table, scores: State,
) -> None:  # fmt: skip
    """Write to `found[world]` the worth to `seat` of an action in the worlds from `first` up to `last`.

    With `exact` the play after it is solved, else played by the policy.
    """
    for world in range(first, last):
        s = stack[0]
        s[:] = bases[world]
        apply(s, r, action)
        if exact:
            found[world] = solve(stack, founds, 0, r, seat, -(1 << 40), 1 << 40, scores)
        else:
            play_out(s, r, w)
            found[world] = worth_to(s, r, seat, scores)


@jit
def play_all(bases: Table, count: int, r: State, w: State, found: State, seat: int, s: State, scores: State) -> None:
    """Write to `found[world]` the worth to `seat` of each state, played to its end by the policy."""
    for world in range(count):
        s[:] = bases[world]
        play_out(s, r, w)
        found[world] = worth_to(s, r, seat, scores)
