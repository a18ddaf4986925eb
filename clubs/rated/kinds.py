"""Which ratings a table belongs to: in what game, and whether sides or single players are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from clubs.evening.shapes import each_alone
from clubs.ratings.results import EACH, PARTNERS
from games.engine.ruleset import Ruleset
from games.engine.rulesets import UnknownRuleset, ruleset

AT: Final = "@"
"""Parts a game from the number of people, where it is played in a form that its rules do not describe."""


class Kind(NamedTuple):
    """The name of the ratings, and what is compared: one of `clubs.ratings.results.KINDS`."""

    name: str
    kind: str


def kind_of(ruleset_id: str, sides: Sequence[Sequence[object]]) -> Kind | None:
    """Where a deal with these sides counts; None where it does not.

    Games of partners with the sides their rules give them, games each alone at tables of any size, and a game of partners
    that was played each alone, which has ratings of its own (``troccas@5``). Ratings of one name are always of one kind.
    """
    try:
        rules = ruleset(ruleset_id)
    except UnknownRuleset:
        return None
    sizes = [len(side) for side in sides]
    alone = len(sides) > 1 and set(sizes) == {1}
    if each_alone(ruleset_id):
        return Kind(ruleset_id, EACH) if alone else None
    if alone:
        return Kind(f"{ruleset_id}{AT}{len(sides)}", EACH)
    if sizes == [rules.seats // 2] * 2 and sum(sizes) == rules.seats:
        return Kind(ruleset_id, PARTNERS)
    return None


def usual_stake(rules: Ruleset) -> int:
    """For how many Rappen this game is usually played; 0 where it is not played for money.

    Online a table may agree on another stake: its scores are brought to this one.
    """
    default = next((option.default for option in rules.options if option.name == "stake"), 0)
    return default if isinstance(default, int) else 0
