"""Whole evenings on a real server: the judge finds nothing wrong. Longer ones: `python -m tests.tournaments.evenings`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.long import LONG, quick
from tests.tournaments.evenings.__main__ import held
from tests.tournaments.evenings.evening import Plan

if TYPE_CHECKING:
    from tests.live import LiveSite

# Seconds on a calm machine: 60 to 200 each. One of them is enough on PostgreSQL and Redis, see below.
EVENINGS = {
    "12 individuals and one round, after which partners are equal: lots decide": Plan(12, rounds=1, kills=(1,), seed=9),
    "22 individuals, some at tables of three": Plan(22, rounds=3, deals=2, seed=1),
    "37 individuals in three rounds": Plan(37, rounds=3, deals=2, seed=11),
    "51 individuals": Plan(51, rounds=2, deals=2, seed=2),
    "51 pairs by Swiss, one of them with a bye": Plan(102, pairs=True, rounds=2, deals=2, seed=3),
    "102 individuals": Plan(102, rounds=2, deals=2, seed=4),
}


USUAL = "22 individuals, some at tables of three"
SMALLEST = "12 individuals and one round, after which partners are equal: lots decide"


@pytest.mark.parametrize("name", quick({SMALLEST}, EVENINGS))
@pytest.mark.slow
def test_the_books_balance_after_a_whole_evening(fresh_site: LiveSite, name: str):
    if "DATABASE_URL" in os.environ and name != (USUAL if LONG else SMALLEST):
        pytest.skip("what an evening needs of a database is the same whatever its size")
    plan = EVENINGS[name]
    evening, judge = held(fresh_site, plan)
    assert not evening.wrong, "\n".join(evening.wrong)
    assert judge is not None
    assert evening.killed == len(plan.kills)
