"""`python -m tests.tournaments.evenings --people 51`: a whole evening by HTTP, judged. Exit status 0 if nothing was wrong."""

from __future__ import annotations

import argparse
import sys
import time

from tests.live import LiveSite, Sites
from tests.tournaments.evenings.evening import Evening, Plan
from tests.tournaments.evenings.judge import Judge
from tests.tournaments.evenings.wire import Refusing, Unanswered

SHOWN = 40


def held(site: LiveSite, plan: Plan) -> tuple[Evening, Judge | None]:
    """An evening from beginning to end, judged; without a judge if it could not be held to its end."""
    evening = Evening(site, plan)
    judge = None
    try:
        evening.hold()
        judge = Judge(evening)
        judge.judge()
    except (Refusing, Unanswered) as why:
        evening.wrong.append(f"the evening ends here: {why}")
    finally:
        evening.close()
    return evening, judge


def main() -> int:
    """Hold it, say what happened; 1 if something was wrong."""
    plan = _arguments()
    sites = Sites()
    begun = time.monotonic()
    try:
        evening, judge = held(sites.start(), plan)
    finally:
        sites.close_all()
    _say(evening, judge, time.monotonic() - begun)
    return 1 if evening.wrong else 0


def _say(evening: Evening, judge: Judge | None, seconds: float) -> None:
    plan, followers = evening.plan, evening.followers
    print(
        f"{plan.people} people{' in pairs' if plan.pairs else ''}, {plan.rounds} rounds of {plan.deals} deals and a final"
    )
    for line in evening.happened:
        print("  " + line)
    print(
        f"  requests: {evening.count.asked}, sent again: {evening.count.sent_again}; the server was killed {evening.killed} times"
    )
    print(f"  followers: {len(followers.pages)}, rung {followers.rang} times, cut off {followers.cut} times,"
          f" {sum(page.fetched for page in followers.pages)} times they asked")  # fmt: skip
    if judge is not None:
        print(f"  events: {judge.events}; public pages and files read: {judge.public_pages}; lots: {len(judge.lots)}")
        if judge.twice_here:
            print(f"  tapped by both helpers, noted twice, here once: {len(judge.twice_here)}")
        if judge.delays is not None:
            told = judge.delays
            print(
                f"  until the last follower had the news: median {told.median:.2f} s, worst {told.worst:.2f} s"
                f" ({told.entries} entries; {told.in_the_dark} more while the server was down)"
            )
    print(f"  {seconds:.0f} s")
    print(f"wrong: {len(evening.wrong)}")
    for line in evening.wrong[:SHOWN]:
        print("-", line)


def _arguments() -> Plan:
    parser = argparse.ArgumentParser(prog="python -m tests.tournaments.evenings", description=__doc__)
    parser.add_argument("--people", type=int, default=51)
    parser.add_argument("--pairs", action="store_true", help="fixed pairs by Swiss; --people counts persons")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--kills", type=int, nargs="*", default=[1, 2], help="rounds in which the server dies")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    return Plan(given.people, given.pairs, given.rounds, given.deals, kills=tuple(given.kills), seed=given.seed)


if __name__ == "__main__":
    sys.exit(main())
