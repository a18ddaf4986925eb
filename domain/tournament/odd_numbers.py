"""The ready answers to numbers that do not fit, which a club chooses among: which tables, and what makes them fair.

An answer only fills fields: the plan keeps what tables are welcome, the house rules what a round there is worth.
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
"""Names of `HouseRules.odd_numbers` -> what the plan says (`Plan.odd`)."""
FAIR_AT_THREE: Final = 10
"""Points for each deal: one brings 36 on average at a table of four, 26 at one of three."""


def answers_for(ruleset: str, kind: str) -> dict[str, tuple[str, ...]]:
    """The answers that a game allows; none where tables of any size are as good."""
    allowed = odd_allowed(ruleset, kind)
    found = {name: tuple(each for each in odd if each in allowed) for name, odd in ANSWERS[kind].items()}
    return {name: odd for name, odd in found.items() if odd} if len(allowed) > 1 else {}


def odd_of(rules: HouseRules, kind: str) -> tuple[str, ...]:
    """The settings that a new plan by these rules starts with."""
    answers = answers_for(rules.ruleset, kind)
    return answers.get(rules.odd_numbers) or next(iter(answers.values()), ())


def made_fair(rules: HouseRules, answer: str) -> HouseRules:
    """The rules with what makes the answer fair, where they say nothing else of it."""
    if answer == "bye":
        return replace(rules, bye=Given("own-average")) if rules.bye == Given() else rules
    if all(each.size != 3 for each in rules.table_sizes):
        rules = replace(rules, table_sizes=(*rules.table_sizes, TableSize(3, per_deal=FAIR_AT_THREE)))
    if all(len(row) != 3 for row in rules.match.places):
        rules = replace(rules, match=replace(rules.match, places=(*rules.match.places, (2, 1, 0))))
    return rules
