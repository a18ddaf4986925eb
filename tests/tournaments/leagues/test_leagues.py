"""Leagues and duplicates are played by script, and the judge finds nothing wrong. Larger ones:
`python -m tests.tournaments.leagues --help`."""

from __future__ import annotations

import os

import pytest

from tests.long import LONG, quick
from tests.tournaments.leagues.__main__ import held, said
from tests.tournaments.leagues.league import Plan

pytestmark = pytest.mark.django_db(transaction=True)

# Half a minute each on a calm machine.
SMALL = {
    "a league in which late tables are postponed": Plan(8, rounds=2, deals=2, seed=7, deaths=0.05),
    "a league in which late tables are forfeited, with an odd seat": Plan(7, 2, 2, overdue="forfeit", seed=2),
    "a league in which late tables count as they are": Plan(8, 2, 3, overdue="as-played", seed=5, absent=1),
    "the same deals at every table": Plan(8, 1, 2, duplicate=True, seed=3, exchanges=2 if LONG else 1, deaths=0.05),
}
# Minutes each.
WHOLE = {
    "40 people, 6 rounds": Plan(40, 6, 2, absent=4),
    "40 people, 3 rounds, forfeits": Plan(39, 3, 2, overdue="forfeit", seed=11, absent=4),
    "8 tables, 12 of the same deals": Plan(32, 1, 12, duplicate=True, days=21, exchanges=6, absent=3),
}

OVERDUE = {
    "postpone": "tables were late",
    "forfeit": "tables were forfeited",
    "as-played": "tables were cut short",
}


def judged(plan: Plan) -> None:
    """Hold it; nothing may be wrong, and what was to happen did."""
    league, judge, seal = held(plan)
    print("\n".join(said(league, judge, seal)))
    assert not league.wrong, "\n".join(league.wrong)
    assert judge.looks > plan.rounds
    assert judge.rated
    assert league.happened[OVERDUE[plan.overdue]]
    assert seal.exchanged == seal.changed_there == (plan.exchanges if plan.duplicate else 0)
    assert not plan.duplicate or judge.travellers >= plan.deals


@pytest.mark.parametrize("name", quick({"the same deals at every table"}, SMALL))
@pytest.mark.slow
def test_a_small_one_is_right(name: str):
    if "DATABASE_URL" in os.environ and not SMALL[name].duplicate:
        pytest.skip("what a league needs of a database is the same whatever becomes of late tables")
    judged(SMALL[name])


@pytest.mark.long
@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_one_is_right(name: str):
    judged(WHOLE[name])
