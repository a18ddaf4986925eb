"""Ready answers to numbers of people that do not fit, from which a club chooses: tables, and rules to make them fair.

An answer only fills in fields: the plan has the table sizes that are allowed, the house rules the worth of a round
there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from domain.standings.profile import Given, HouseRules, TableSize
from domain.tournament.state import PAIR, SINGLE, odd_allowed

ANSWERS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    SINGLE: {"threes": ("three",), "larger": ("six", "five-dealer-out", "three"), "bye": ("bye",)},
    PAIR: {"larger": ("three-pairs",), "bye": ("bye",)},
}
"""The value of `Plan.odd` for each name in `HouseRules.odd_numbers`."""
FAIR_AT_THREE: Final = 10
"""Extra points per deal: a deal brings 36 points on average at a table of four, 26 at one of three."""


def answers_for(ruleset: str, kind: str) -> dict[str, tuple[str, ...]]:
    """The answers that a game allows; none if tables of all sizes are equally good."""
    allowed = odd_allowed(ruleset, kind)
    if len(allowed) <= 1:
        return {}
    answers = {name: tuple(each for each in odd if each in allowed) for name, odd in ANSWERS[kind].items()}
    return {name: odd for name, odd in answers.items() if odd}


def odd_of(rules: HouseRules, kind: str) -> tuple[str, ...]:
    """The value of `Plan.odd` with which a new plan by these rules starts."""
    answers = answers_for(rules.ruleset, kind)
    return answers.get(rules.odd_numbers) or next(iter(answers.values()), ())


def made_fair(rules: HouseRules, answer: str) -> HouseRules:
    """The rules, with the defaults that make the answer fair filled in where they say nothing about it."""
    if answer == "bye":
        return replace(rules, bye=Given("own-average")) if rules.bye == Given() else rules
    if all(each.size != 3 for each in rules.table_sizes):
        rules = replace(rules, table_sizes=(*rules.table_sizes, TableSize(3, per_deal=FAIR_AT_THREE)))
    if all(len(row) != 3 for row in rules.match.places):
        rules = replace(rules, match=replace(rules.match, places=(*rules.match.places, (2, 1, 0))))
    return rules
