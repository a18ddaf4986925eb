"""`python -m tests.judging`: the judge of correspondence play as one command. Exit status 0 if nothing was wrong."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tests.judging.sites import House

if TYPE_CHECKING:
    from tests.judging.checks import Judged
    from tests.judging.village import Village

SHOWN = 40


def main() -> int:
    """Run and judge; 1 if something was wrong."""
    given = _arguments()
    if given.again:
        return _again(House(mail_port=0, postgres=given.postgres, folder=given.again.resolve()))
    import django  # only now: the settings need the clock's file

    house = House(
        mail_port=0,
        servers_wanted=given.servers,
        workers_wanted=given.workers,
        postgres=given.postgres,
        redis=given.redis,
    )
    _live_in(house)
    django.setup()
    from tests.judging.checks import Judged
    from tests.judging.clock import SharedClock
    from tests.judging.keeping import keep
    from tests.judging.offices import PostOffice
    from tests.judging.village import Plan, Village
    from tests.judging.witness import Witness

    post_office = PostOffice(random.Random(given.seed + 7), how_often=0.01 if given.kill_every else 0)
    house.mail_port = post_office.port
    clock = SharedClock(house.folder / "clock")
    begun = time.monotonic()
    judged = Judged()
    try:
        house.prepare()
        witness = Witness()
        witness.settle()
        house.start()
        people = given.people or max(12, given.games * 2 // 3)
        plan = Plan(given.games, given.minutes * 60, given.threads, people, given.kill_every)
        village = Village(plan, house, clock, post_office, witness, given.seed)
        village.settle(combinations())
        village.run()
        house.stop()
        witness.last_look()
        if given.keep:
            keep(village)
        _judge(village, judged)
        _say(village, judged, time.monotonic() - begun)
    finally:
        post_office.close()
        if given.keep:
            print(f"kept: {house.folder}")
            house.stop()
        else:
            house.remove()
    return 1 if judged.wrong else 0


def _live_in(house: House) -> None:
    """Let this program have the settings of the site, its data and its clock."""
    os.environ.update(house.environment())
    for name in ("DATABASE_URL", "REDIS_URL"):
        if name not in house.environment():
            os.environ[name] = ""
    os.environ |= {"DATA_DIR": str(house.folder), "LOG_LEVEL": "WARNING"}


def _again(house: House) -> int:
    """Judge once more what a run has kept."""
    import django

    _live_in(house)
    django.setup()
    from tests.judging.checks import Judged, judge
    from tests.judging.keeping import kept

    judged = Judged()
    judge(kept(house.folder), judged)
    for name, number in sorted(judged.numbers.items()):
        print(f"  {name}: {number}")
    _say_wrong(judged)
    return 1 if judged.wrong else 0


def combinations() -> list[tuple[str, int]]:
    """Every ruleset at every size."""
    from domain.engine.rulesets import ruleset
    from games.selectors import rulesets

    return [(known, size) for known in rulesets.ORDER for size in ruleset(known).sizes]


def _judge(village: Village, judged: Judged) -> None:
    from tests.judging.checks import judge

    judge(village, judged)
    mended = village.house.manage("rebuild").strip().splitlines()
    judged.numbers["games rebuilt"] = int(mended[-1].split()[0])
    if not mended[-1].endswith(" 0 mended."):
        judged.wrong.append("rebuilding found differences:\n  " + "\n  ".join(mended))


def _say(village: Village, judged: Judged, seconds: float) -> None:
    from games.models import Game

    kinds = Counter(f"{game.ruleset} of {game.table_size}" for game in Game.objects.all())
    print("games by ruleset:", ", ".join(f"{name}: {number}" for name, number in sorted(kinds.items())))
    for name, number in sorted(judged.numbers.items()):
        print(f"  {name}: {number}")
    devices = [device for person in village.people for device in person.devices]
    print(
        f"people: {len(village.people)} with {len(devices)} browsers; visits: {village.visits};"
        f" connections: {sum(device.reconnects for device in devices)}; sockets: {village.bells.opened},"
        f" cut {village.bells.cut}, heard {village.bells.rang}"
    )
    print(
        f"leases of couriers that ran out: {len(village.witness.lost)}, busy when the clock was turned:"
        f" {len(village.overslept)}; deliveries that ended and were forgotten between two looks: {village.witness.forgotten}"
    )
    print(
        f"kills: {village.house.deaths} ({village.power_cuts} power cuts,"
        f" {village.post_office.interrupted} over a letter); requests sent again: {village.ledger.resent};"
        f" leaps: {village.leaps}, {village.clock.ahead.days} days; received {village.archive.size // 2**20} MiB;"
        f" {seconds:.0f} s"
    )
    _say_wrong(judged)


def _say_wrong(judged: Judged) -> None:
    print(f"wrong: {len(judged.wrong)}")
    for line in judged.wrong[:SHOWN]:
        print("-", line)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.judging", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=20, help="how long people play; the end takes what it takes")
    parser.add_argument("--kill-every", type=float, default=30, help="seconds between two kills, more or less; 0: none")
    parser.add_argument("--threads", type=int, default=8, help="visits at a time")
    parser.add_argument("--people", type=int, default=0)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgres", default="", help="address of a database in which others may be made")
    parser.add_argument("--redis", default="")
    parser.add_argument("--keep", action="store_true", help="keep the data, and what the run remembers")
    parser.add_argument("--again", type=Path, help="judge a kept folder once more (and --postgres where it was)")
    given = parser.parse_args()
    if given.servers > 1 and not (given.postgres and given.redis):
        parser.error("several servers need --postgres and --redis")
    return given


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    sys.exit(main())
