"""A tournament of computer players on duplicate deals, all against all.

    python benchmarks/arena.py [--ruleset troccas] [--seats N] [--pairs 200] [--players beginner,club,strong] [--interpreted] [--write]

Each deal is played once for each side or seat with the players exchanged (`benchmarks/bots.py`), so that good cards help
nobody. Printed is, for every two players, how far the row's score per hand lies above the mean of the table when the
column has the other seats (points, in Troggu Rappen), with its 95 % confidence interval over the deals, and what a decision
takes. The fast core is compiled if numba is there, unless `--interpreted`. With `--write` what was measured against beginners goes
to `domain/bots/strength.json`, from where the site tells it.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from math import sqrt
from pathlib import Path
from statistics import fmean, median, stdev

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

if __name__ == "__main__" and "--interpreted" not in sys.argv and importlib.util.find_spec("numba"):
    os.environ["TROCCAS_COMPILED"] = "1"

from benchmarks.bots import Clock, duplicate, player_of  # only once it is said whether to compile
from domain.bots.advice import LEVELS
from domain.bots.fast.compiling import COMPILED
from domain.bots.strength import Strength, keep
from domain.engine import ruleset
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset


def gain(margins: list[float]) -> tuple[float, float]:
    """The mean of some margins, and half of its 95 % confidence interval."""
    error = 1.96 * stdev(margins) / sqrt(len(margins)) if len(margins) > 1 else float("inf")
    return fmean(margins), error


def tournament(rules: Ruleset, players: list[str], pairs: int, seed: str, *, write: bool = False) -> None:
    """Play all against all and print the table as it grows."""
    unit = "points" if rules.bidding is None else "Rappen"
    print(f"{rules.id} for {rules.seats}: {pairs} deals, {unit} a hand above the mean of the table (95 %)")
    print(f"{'':<12}" + "".join(f"{name:>18}" for name in players[:-1]))
    for at, name in enumerate(players[1:], 1):
        clock = Clock(player_of(name))
        cells = []
        against: dict[str, tuple[float, float]] = {}
        for other in players[:at]:
            mean, error = against[other] = gain(duplicate(rules, pairs, clock, player_of(other), seed))
            cells.append(f"{mean:>+10.2f} ± {error:<5.2f}")
        times = sorted(clock.times)
        took = f"{median(times) / 1e3:.0f} ms a decision, {times[int(len(times) * 0.95)] / 1e3:.0f} ms in 95 of 100"
        print(f"{name:<12}" + "".join(cells) + f"   {took}", flush=True)
        if write and LEVELS[0] in against:
            mean, error = (round(each, 2) for each in against[LEVELS[0]])
            taken = round(median(times) / 1e3, 1)
            keep(Strength(rules.id, rules.seats, name, mean, error, pairs, taken, COMPILED))


def main() -> None:
    """Read what is asked for, and play."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--ruleset", default="troccas")
    asked.add_argument("--seats", type=int, help="the size of the table (default: the game's usual one)")
    asked.add_argument("--pairs", type=int, default=200, help="how many deals (default: 200)")
    asked.add_argument("--players", default=",".join(LEVELS), help="from weak to strong, with commas; also `random`")
    asked.add_argument("--seed", default="", help="other deals for another seed")
    asked.add_argument("--interpreted", action="store_true", help="do not compile the fast core")
    asked.add_argument("--write", action="store_true", help="keep what was measured against beginners")
    given = asked.parse_args()
    try:
        rules = ruleset(given.ruleset, seats=given.seats)
    except UnknownRuleset as unknown:
        asked.error(str(unknown))
    tournament(rules, given.players.split(","), given.pairs, given.seed, write=given.write)


if __name__ == "__main__":
    main()
