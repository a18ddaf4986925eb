"""Online rounds of chance: games that come in time, late, or never, judged by arithmetic that knows nothing of the code."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from domain.seating import files
from domain.tournament.events import replay
from domain.tournament.scoring import standing_of
from domain.tournament.state import Table
from tests.domain.tournament.kit import DUPLICATE, ONLINE, Script

PLANS: list[dict[str, Any]] = [
    {"odd": ["three", "five"]},
    {"online": DUPLICATE, "odd": ["bye"]},
    {"kind": "pair", "odd": ["bye"]},
    {"online": DUPLICATE, "kind": "pair", "odd": ["bye"]},
    {"rules": {"ruleset": "troggu"}, "usual": 5, "odd": ["bye"]},
    {"online": DUPLICATE, "rules": {"ruleset": "troggu"}, "usual": 4, "odd": ["bye"]},
    {"online": ONLINE | {"fill": False}, "odd": ["bye"]},
]
RULES = {
    "rounds": 3,
    "deals": 3,
    "bye": {"method": "fixed", "points": 7},
    "absent": {"method": "fixed", "points": -9},
    "late": {"method": "fixed"},
}


def made_up(chance: random.Random, table: Table) -> list[list[int]]:
    lines = []
    for _deal in range(table.deals):
        scores = [chance.randint(0, 30) for _side in table.sides[1:]]
        lines.append([*scores, (table.total or 0) - sum(scores)])
    return lines


@pytest.mark.parametrize("seed", range(14))
@pytest.mark.slow(but="5")
def test_whatever_comes_late_or_never_every_round_brings_everybody_what_it_should(seed: int):
    chance = random.Random(seed)
    plan = {"online": ONLINE} | PLANS[seed % len(PLANS)]
    script = Script(**plan | {"rules": RULES | plan.get("rules", {})})
    for _each in range(chance.randint(5, 18)):
        script.come(2 if plan.get("kind") == "pair" else 1)
    script.do("phase.started")
    duplicate, fill = plan["online"].get("duplicate", False), plan["online"].get("fill", True)
    results: dict[str, list[list[int]]] = {}
    given: Counter[tuple[str, int]] = Counter()
    waiting: list[str] = []
    for number in (1, 2, 3):
        people = {who for who, each in script.state.entrants.items() if not each.house}
        script.fill()
        drawn = script.draw()
        seated = Counter(who for table in drawn.tables.values() for who in table.seats)
        assert set(seated.values()) == {1}
        assert people - set(drawn.byes) <= set(seated)
        assert {who for who in seated if who not in people} == (
            {who for who, each in script.state.entrants.items() if each.house and each.status == "here"}
        )
        if fill:
            assert drawn.byes == ()
            assert not any(table.odd for table in drawn.tables.values())
        given.update({(who, number): 7 for who in drawn.byes})
        if duplicate:
            script.lay(f"1.{number}")
        for place, table in drawn.tables.items():
            key = f"1.{number}.{place}"
            script.begin(key, turn=chance.randrange(len(table.people)))
            fate = chance.random()
            guilty = [who for who in table.seats if who in people and chance.random() < 0.5]
            if fate < 0.2:
                script.do("table.overdue", table=key, how="postponed", who=guilty)
                waiting.append(key)
            elif fate < 0.4 and guilty:
                script.do("table.overdue", table=key, how="forfeited", who=guilty)
                given.update({(who, number): -9 if who in guilty else 7 for who in table.seats})
            else:
                results[key] = made_up(chance, table)
                script.report(key, results[key])
        script.do("round.closed", round=f"1.{number}")
    assert len(standing_of(script.state, script.state.phases[0]).open) == len(waiting)
    for key in waiting:
        results[key] = made_up(chance, script.table(key))
        script.report(key, results[key])
    _check(script, results, given, duplicate=duplicate)
    for drawn in script.state.phases[0].rounds:
        assert files.verify(dict(drawn.draw or {})) == []
    assert replay(script.log) == script.state


def _check(
    script: Script, results: dict[str, list[list[int]]], given: Counter[tuple[str, int]], *, duplicate: bool
) -> None:
    expected: Counter[str] = Counter()
    for (who, _number), points in given.items():
        expected[who] += points
    for key, lines in results.items():
        table, (_phase, number, _place) = script.table(key), key.split(".")
        same = [(each, results[each]) for each in results if each.startswith(f"1.{number}.")] if duplicate else []
        for deal, scores in enumerate(lines):
            for side, score in zip(table.sides, scores, strict=True):
                points = _gain(script, same, deal, _cards(table, side, deal), score) if duplicate else score
                for owner in {table.owners[place] for place in side}:
                    expected[owner] += points
    standing = standing_of(script.state, script.state.phases[0])
    assert standing.open == ()
    people = {who for who, each in script.state.entrants.items() if not each.house}
    found = {row.entrant: sum(each.points for each in row.sheet.rounds) for row in standing.rows}
    assert found == {who: expected[who] for who in people}


def _cards(table: Table, side: tuple[int, ...], deal: int) -> int:
    """The first of the side's places when they are counted from the dealer."""
    count = len(table.people)
    order = [(table.turn + deal + step) % count for step in range(count)]
    return next(step for step, place in enumerate(order) if place in side)


def _gain(script: Script, same: list[tuple[str, list[list[int]]]], deal: int, cards: int, score: int) -> int:
    """By how much a score is better than those of all tables with the same cards."""
    return sum(
        score - lines[deal][index]
        for key, lines in same
        for index, side in enumerate(script.table(key).sides)
        if _cards(script.table(key), side, deal) == cards
    )
