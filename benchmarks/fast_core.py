"""How many hands of the fast core are played in a second: `python benchmarks/fast_core.py [--ruleset troccas] [--seats N] [--interpreted]`.

A few hundred hands at their first lead are played to the end again and again, once at random and once by the policy, on one core.
Compiling is not counted; the time is processor time. `tests/domain/bots/test_fast.py` plays the same at random interpreted and compiled.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

if __name__ == "__main__" and "--interpreted" not in sys.argv and importlib.util.find_spec("numba"):
    os.environ["TROCCAS_COMPILED"] = "1"

from domain.bots.fast import encoding  # only once it is said whether to compile
from domain.bots.fast.compiling import COMPILED, State, Table, jit, numbers, put, table
from domain.bots.fast.count import scores_of
from domain.bots.fast.layout import ACTIONS, ASKED, OVER, SIZE
from domain.bots.fast.play import apply, legal_actions
from domain.bots.fast.policy import weights
from domain.bots.fast.search import play_all
from domain.engine import cards_in, ruleset
from domain.engine.ruleset import Ruleset


@jit
def play_at_random(
    bases: Table, count: int, times: int, r: State, luck: int, found: State, s: State, scores: State
) -> int:
    """Play each state so many times to its end by legal actions that follow from `luck`; a sum of all that was legal, played and
    scored, in 31 bits."""
    told = 0
    for base in range(count):
        for _time in range(times):
            put(s, bases[base])
            while s[ASKED] != OVER:
                legal = legal_actions(s, r, found)
                luck = luck * 1103515245 + 12345 & 0x7FFFFFFF
                action = found[(luck >> 8) % legal]
                told = told * 31 + action * 37 + legal & 0x7FFFFFFF
                apply(s, r, action)
            scores_of(s, r, scores)
            for seat in range(r[0]):
                told = told * 31 + scores[seat] & 0x7FFFFFFF
    return told


def first_leads(rules: Ruleset, count: int, luck: Random) -> Table:
    """So many hands in which the dealer laid any cards away; each on the sides that the ruleset has."""
    bases = table(count, SIZE)
    for at in range(count):
        pack = list(cards_in(rules.pack))
        luck.shuffle(pack)
        size = (len(pack) - rules.scart - rules.tapp) // rules.seats
        hands = [sum(1 << card for card in pack[seat * size : (seat + 1) * size]) for seat in range(rules.seats)]
        away = sum(1 << card for card in pack[rules.seats * size :])
        bases[at][:] = encoding.at_first_lead(rules.sides, hands, 0, away, rules.sides[0])
    return bases


def main() -> None:
    """Measure, and print the rates."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--ruleset", default="troccas")
    asked.add_argument("--seats", type=int)
    asked.add_argument("--interpreted", action="store_true", help="do not compile the fast core")
    given = asked.parse_args()
    rules = ruleset(given.ruleset, seats=given.seats)
    r = encoding.rules_for(rules, rules.settled_options({}), 0)
    count = 500 if COMPILED else 50
    bases = first_leads(rules, count, Random(1))
    s, found, scores, worths = numbers(SIZE), numbers(ACTIONS), numbers(8), numbers(count)
    times = 100 if COMPILED else 2

    def rate(name: str, play: Callable[[int], object], plays: int) -> None:
        play(1)
        begun = time.process_time()
        play(plays)
        spent = time.process_time() - begun
        print(
            f"{rules.id} for {rules.seats}, {'compiled' if COMPILED else 'interpreted'}, {name}: {count * plays / spent:,.0f} hands a second"
        )

    rate("at random", lambda plays: play_at_random(bases, count, plays, r, 1, found, s, scores), times)

    def by_policy(plays: int) -> None:
        for _ in range(plays):
            play_all(bases, count, r, weights(), worths, 0, s, scores)

    rate("by the policy", by_policy, max(1, times // 5))


if __name__ == "__main__":
    main()
