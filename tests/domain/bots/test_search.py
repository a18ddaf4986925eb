"""The last tricks with open cards: the solver finds what plain minimax finds."""

from __future__ import annotations

from random import Random

import pytest

from domain.bots.fast.compiling import State, numbers, table
from domain.bots.fast.layout import ACTIONS, ASKED, OVER, SIDE, SIZE, TURN
from domain.bots.fast.play import apply, legal_actions
from domain.bots.fast.search import DEEP, MARKS, solve, worth_to
from domain.engine.ruleset import Ruleset
from tests.domain.bots.test_fast import at_play, in_the_core
from tests.domain.engine.tables import EVERY
from tests.long import LONG

TWO_SIDES = [rules for rules in EVERY if rules.bidding is not None or len(set(rules.sides)) == 2]


def minimax(s: State, r: State, seat: int, scores: State) -> int:
    if s[ASKED] == OVER:
        return worth_to(s.copy(), r, seat, scores)
    found = numbers(ACTIONS)
    worths = []
    for number in range(legal_actions(s, r, found)):
        after = s.copy()
        apply(after, r, found[number])
        worths.append(minimax(after, r, seat, scores))
    return max(worths) if s[SIDE + s[TURN]] == s[SIDE + seat] else min(worths)


@pytest.mark.parametrize("rules", TWO_SIDES, ids=lambda rules: f"{rules.id}-{rules.seats}")
def test_the_last_tricks_come_to_what_minimax_says(rules: Ruleset) -> None:
    scores = numbers(8)
    solved = 0
    for seed in range(40 if LONG else 4):
        hand, luck = at_play(rules, seed)
        if hand.asked != "play" or hand.contract == "misere":
            continue
        r, s = in_the_core(hand)
        found = numbers(ACTIONS)
        tricks = 2 if rules.seats <= 5 else 1
        while s[ASKED] != OVER and sum(held.bit_count() for held in s[32:48]) > tricks * rules.seats:
            apply(s, r, found[Random(luck.random()).randrange(legal_actions(s, r, found))])
        stack = table(DEEP, SIZE)
        stack[0][:] = s
        for seat in (0, 1):
            expected = minimax(s, r, seat, scores)
            assert solve(stack, table(DEEP, ACTIONS), table(DEEP, MARKS), r, seat, scores) == expected
            solved += 1
    assert solved
