"""`python -m tests.tournaments.leagues --people 40 --rounds 6 --deals 2`: a whole league, judged; with `--duplicate --tables 8
--deals 12` one round of the same deals at every table. Exit status 0 if nothing was wrong."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.tournaments.leagues.judge import Judge
    from tests.tournaments.leagues.league import League, Plan
    from tests.tournaments.leagues.sealed import Seal

SHOWN = 40


def held(plan: Plan) -> tuple[League, Judge, Seal]:
    """A league from its beginning to its end with a turned clock, judged. Needs an empty database."""
    import pytest
    from django.utils import translation

    from tests.games.pace_kit import turned
    from tests.tournaments.leagues.judge import Judge
    from tests.tournaments.leagues.league import League
    from tests.tournaments.leagues.sealed import Seal

    with pytest.MonkeyPatch.context() as patch, turned(patch) as clock, translation.override("en"):
        league = League(plan, clock)
        judge, seal = Judge(league), Seal(league)
        league.look, league.peek = judge.look, seal.peek
        league.prepare()
        league.run()
        judge.end()
        seal.scan()
    league.wrong += league.acting.wrong
    return league, judge, seal


def said(league: League, judge: Judge, seal: Seal) -> list[str]:
    """What happened, in lines."""
    acting, plan = league.acting, league.plan
    kind = "the same deals at every table" if plan.duplicate else "deals of their own"
    return [
        f"{plan.people} people, {plan.rounds} rounds of {plan.deals}, {kind}, at the deadline: {plan.overdue}",
        *(f"  {what}: {times}" for what, times in sorted(league.happened.items())),
        f"  actions: {acting.acted}, {acting.over_http} of them over HTTP; said again after a death: {acting.again}",
        f"  the plug was pulled {league.plug.pulled} times; notices written: {len(league.told)}",
        f"  until {league.clock.now:%d %B %Y}; pages and answers: {league.count.asked + acting.over_http}",
        (
            f"  judged: {judge.looks} looks, {judge.tables} tables, {judge.lines} lines, {judge.travellers} travellers,"
            f" {judge.rated} ratings"
        ),
        (
            f"  sealed deals exchanged: {seal.exchanged}, {seal.asked} answers and {seal.told} notices to who may not know,"
            f" {seal.changed_there} times seen by who sits there; {seal.scanned} answers searched for cards"
        ),
    ]


def main() -> int:
    """Hold it in a database of its own, say what happened; 1 if something was wrong."""
    asked = _arguments()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    from tests.tournaments.leagues.league import Plan

    people = 4 * asked.tables if asked.duplicate and asked.tables else asked.people
    rounds = asked.rounds or (1 if asked.duplicate else 6)
    plan = Plan(
        people,
        rounds,
        asked.deals,
        duplicate=asked.duplicate,
        overdue=asked.overdue,
        seed=asked.seed,
        days=21 if asked.deals > 4 else 7,
        exchanges=asked.exchanges if asked.duplicate else 0,
        absent=max(2, people // 12),
    )
    setup_test_environment()
    before = setup_databases(verbosity=0, interactive=False, serialized_aliases=[])
    begun = time.monotonic()
    try:
        league, judge, seal = held(plan)
    finally:
        teardown_databases(before, verbosity=0)
    for line in said(league, judge, seal):
        print(line)
    print(f"  {time.monotonic() - begun:.0f} s")
    print(f"wrong: {len(league.wrong)}")
    for line in league.wrong[:SHOWN]:
        print("-", line)
    return 1 if league.wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.tournaments.leagues", description=__doc__)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=0, help="6, or 1 of a duplicate")
    parser.add_argument("--deals", type=int, default=2)
    parser.add_argument("--duplicate", action="store_true", help="the same deals at every table")
    parser.add_argument("--tables", type=int, default=0, help="of a duplicate, instead of --people")
    parser.add_argument("--overdue", choices=("postpone", "forfeit", "as-played"), default="postpone")
    parser.add_argument("--exchanges", type=int, default=6, help="how many sealed deals are exchanged")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
