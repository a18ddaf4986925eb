"""Calling all functions of the core once, so that they are compiled before somebody waits for them."""

from __future__ import annotations

from domain.bots.fast import encoding
from domain.bots.fast.compiling import numbers, table
from domain.bots.fast.layout import ACTIONS, SIZE
from domain.bots.fast.likelihood import move, weigh
from domain.bots.fast.policy import weights
from domain.bots.fast.search import DEEP, MARKS, play_all, try_action
from domain.engine.rulesets import ruleset


def warm() -> int:
    """Try one card of an artificial hand of Troccas, in which each player holds 19 neighbouring cards.

    Returns its worth.
    """
    rules = ruleset("troccas")
    hands = [((1 << 19) - 1) << 19 * seat for seat in range(4)]
    r = encoding.rules_for(rules, rules.settled_options({}), 0)
    bases = table(1, SIZE)
    bases[0][:] = encoding.at_first_lead(rules.sides, hands, 1, 0b11 << 76, 0)
    found, work, scores = numbers(1), table(DEEP, SIZE), numbers(8)
    play_all(bases, 1, r, weights(), found, 1, work[0], scores)
    try_action(bases, 0, 1, r, weights(), 19, found, 1, 0, work, table(DEEP, ACTIONS), table(DEEP, MARKS), scores)
    told, rows = (weights(), numbers(1), 0, 1, 0, table(rules.seats, 2)), table(1, 32)
    weigh(bases, 1, r, *told, rows, work[0])
    move(bases, 1, 1, r, *told, rows, work[0], numbers(32), numbers(2), 2, numbers(5), numbers(5), 1)
    return int(found[0])
