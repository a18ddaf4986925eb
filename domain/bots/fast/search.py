"""Trying actions in many worlds: playing each hand to its end by the policy, or solving the last tricks exactly.

A worth is a seat's score times `POINTS_SCALE`. In Troggu, where the score alone says little, a smaller number for the
card points of its side is added.
"""

from __future__ import annotations

from typing import Final

from domain.bots.fast.compiling import State, Table, jit, put
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

POINTS_SCALE: Final = 256
"""The factor of the score in a worth; a power of two above all sums of card points."""
DEEP: Final = 64
"""More than the number of actions that are left when a position is solved."""
WORST: Final = -(1 << 40)

# indices of the data of a position while it is solved
COUNT: Final = 0
NEXT: Final = 1
BEFORE: Final = 2
OURS: Final = 3
BEST_WORTH: Final = 4
LOW: Final = 5
HIGH: Final = 6
MARKS: Final = 7


@jit
def play_out(s: State, r: State, w: State) -> None:
    """Play a hand to its end by the policy."""
    while s[ASKED] != OVER:
        apply(s, r, choose(s, r, w))


@jit
def worth_to(s: State, r: State, seat: int, scores: State) -> int:
    """The worth of a finished play to `seat`."""
    scores_of(s, r, scores)
    worth = scores[seat] * POINTS_SCALE
    if r[SETTLES] == STAKES:
        points = points_of(s, r, s[SIDE + seat])
        # In a Misere (nobody is Tappist) few card points are good. There are 114 in all, so the number stays above 0.
        worth += 128 - points if s[TAPPIST] < 0 else points
    return worth


@jit
def _opened(s: State, actions: State, mark: State, r: State, seat: int, low: int, high: int) -> None:
    """Open a position: store its actions, and the bounds `low` and `high` that are assured elsewhere."""
    mark[COUNT] = legal_actions(s, r, actions)
    mark[NEXT] = 0
    mark[BEFORE] = -9
    mark[OURS] = 1 if s[SIDE + s[TURN]] == s[SIDE + seat] else 0
    mark[BEST_WORTH] = -WORST if not mark[OURS] else WORST
    mark[LOW] = low
    mark[HIGH] = high


@jit
def _noted(mark: State, worth: int) -> None:
    """Update a position with the worth of one of its actions."""
    if mark[OURS]:
        mark[BEST_WORTH] = max(mark[BEST_WORTH], worth)
        mark[LOW] = max(mark[LOW], worth)
    else:
        mark[BEST_WORTH] = min(mark[BEST_WORTH], worth)
        mark[HIGH] = min(mark[HIGH], worth)


@jit
def solve(stack: Table, actions: Table, marks: Table, r: State, seat: int, scores: State) -> int:
    """The worth to `seat` of the state at the bottom of the stack, if everybody sees all cards and plays best.

    Only for two sides. It uses its own stack, because compiled recursive functions cannot be cached.
    """
    if stack[0][ASKED] == OVER:
        return worth_to(stack[0], r, seat, scores)
    depth = 0
    _opened(stack[0], actions[0], marks[0], r, seat, WORST, -WORST)
    while True:
        mark = marks[depth]
        deeper = False
        while mark[NEXT] < mark[COUNT] and mark[LOW] < mark[HIGH] and not deeper:
            action = actions[depth][mark[NEXT]]
            before = mark[BEFORE]
            mark[NEXT] += 1
            mark[BEFORE] = action
            if (
                action < PAIR
                and before == action + 1
                and LANE_OF[before] == LANE_OF[action]
                and EXTRA[before] == EXTRA[action]
            ):
                continue  # equivalent to the card above it
            below = stack[depth + 1]
            put(below, stack[depth])
            apply(below, r, action)
            if below[ASKED] == OVER:
                _noted(mark, worth_to(below, r, seat, scores))
            else:
                _opened(below, actions[depth + 1], marks[depth + 1], r, seat, mark[LOW], mark[HIGH])
                deeper = True
        if deeper:
            depth += 1
        elif depth:
            depth -= 1
            _noted(marks[depth], mark[BEST_WORTH])
        else:
            return mark[BEST_WORTH]


@jit
def try_action(
    bases: Table, first: int, last: int, r: State, w: State, action: int, worths: State,
    seat: int, exact: int, stack: Table, actions: Table, marks: Table, scores: State,
) -> None:  # fmt: skip
    """Write to `worths[world]` the worth to `seat` of an action in the worlds from `first` up to `last`.

    With `exact`, the play after the action is solved, else it is played by the policy.
    """
    for world in range(first, last):
        s = stack[0]
        put(s, bases[world])
        apply(s, r, action)
        if exact:
            worths[world] = solve(stack, actions, marks, r, seat, scores)
        else:
            play_out(s, r, w)
            worths[world] = worth_to(s, r, seat, scores)


@jit
def play_all(bases: Table, count: int, r: State, w: State, worths: State, seat: int, s: State, scores: State) -> None:
    """Write to `worths[world]` the worth to `seat` of each state, played to its end by the policy."""
    for world in range(count):
        put(s, bases[world])
        play_out(s, r, w)
        worths[world] = worth_to(s, r, seat, scores)
