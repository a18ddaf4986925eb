"""Evenings of chance, told event by event, and judged by arithmetic that knows nothing of the code it checks."""

from __future__ import annotations

import contextlib
import random
from collections import Counter, defaultdict

import pytest

from domain.errors import DomainError
from domain.tournament.events import replay
from domain.tournament.scoring import standing_of
from domain.tournament.state import sides_of
from tests.domain.tournament.kit import Script
from tests.long import LONG

PLANS: list[dict[str, object]] = [
    {},
    {"odd": ["bye"]},
    {"odd": ["five-dealer-out", "bye"]},
    {"odd": ["six", "three"]},
    {"kind": "pair", "odd": ["bye"], "method": "swiss"},
    {"kind": "pair", "odd": ["three-pairs"]},
    {"rules": {"ruleset": "troggu", "rounds": 4, "deals": 2}, "odd": ["bye"], "usual": 5},
]


@pytest.mark.parametrize("seed", range(21 if LONG else 7))
@pytest.mark.slow
def test_whatever_happens_points_are_neither_lost_nor_found(seed: int):
    chance = random.Random(seed)
    plan = PLANS[seed % len(PLANS)]
    pairs = plan.get("kind") == "pair"
    script = Script(**plan)
    for _each in range(chance.randint(9, 26)):
        script.come(2 if pairs else 1)
    script.do("phase.started")
    expected: Counter[str] = Counter()
    for number in range(1, 5):
        for _some in range(chance.randint(0, 2)):
            who = chance.choice(list(script.state.entrants))
            kind = chance.choice(["entrant.left", "entrant.paused", "entrant.arrived"])
            with contextlib.suppress(DomainError):  # they are not here, say
                script.do(kind, id=who)
        if chance.random() < 0.4:
            script.come(2 if pairs else 1)
        here = {each.id for each in script.state.entrants.values() if each.status == "here"}
        pausing = {each.id for each in script.state.entrants.values() if f"1.{number}" in each.pauses}
        drawn = script.draw()
        seated = Counter(who for table in drawn.tables.values() for who in table.seats) + Counter(drawn.byes)
        assert set(seated) == here - pausing
        assert set(seated.values()) == {1}
        for key in [f"1.{number}.{place}" for place in drawn.tables]:
            table = script.table(key)
            for deal in range(1, table.deals + 1):
                sides = sides_of(table, deal)
                scores = [chance.randint(0, 30) for _side in sides[1:]]
                scores.append((table.total or 0) - sum(scores))
                script.do("deal.entered", table=key, deal=deal, place=0, scores=list(scores))
                counted: dict[str, int] = defaultdict(int)
                for side, score in zip(sides, scores, strict=True):
                    for owner in {table.owners[place] for place in side}:
                        counted[owner] += score
                expected.update(counted)
            script.do("table.handed-in", table=key, place=0)
            script.do("table.confirmed", table=key, place=table.sides[1][0])
        script.do("round.closed", round=f"1.{number}")
    standing = standing_of(script.state, script.state.phases[0])
    for row in standing.rows:
        assert sum(each.points for each in row.sheet.rounds if each.kind == "played") == expected[row.entrant]
    assert {row.entrant for row in standing.rows} >= set(expected)
    assert replay(script.log) == script.state


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow(but="2")
def test_nobody_sits_out_twice_while_others_were_not(seed: int):
    script = Script(9 + 4 * seed, odd=["bye"])
    script.do("phase.started")
    out: Counter[str] = Counter()
    for number in range(1, 5):
        out.update(script.draw().byes)
        script.play_round(f"1.{number}")
    assert max(out.values()) == 1
