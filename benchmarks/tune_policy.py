"""Where the weights of the policy of the fast core come from: `python benchmarks/tune_policy.py [--ruleset troccas] [--rounds 60]`.

A few weights at a time are changed by chance, and a change is kept if it wins duplicate deals against the best so far, and
then again on deals that it was not chosen by. Everything follows from `--seed`. Needs numba.
"""

from __future__ import annotations

import argparse
import os
import sys
from math import sqrt
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ["TROCCAS_COMPILED"] = "1"

from domain.bots.before_play import thumb
from domain.bots.fast import encoding  # only once it is said that it is compiled
from domain.bots.fast.compiling import State, Table, jit, numbers, put, table
from domain.bots.fast.count import scores_of
from domain.bots.fast.layout import ASKED, OVER, SIDE, SIZE, TURN
from domain.bots.fast.play import apply
from domain.bots.fast.policy import FOUND, choose, weights
from domain.engine import cards_in, ruleset
from domain.engine.ruleset import Ruleset


@jit
def match(
    bases: Table, count: int, r: State, first: State, second: State, found: State, s: State, scores: State
) -> None:
    """Per deal what the first weights score above the second, when each has had each side (or one seat of each side)."""
    for deal in range(count):
        total = 0
        sides = 0
        for side in range(8):
            mine = -1
            for seat in range(r[0]):
                if bases[deal][SIDE + seat] == side:
                    mine = seat
            if mine < 0:
                continue
            sides += 1
            put(s, bases[deal])
            while s[ASKED] != OVER:
                if s[SIDE + s[TURN]] == side:
                    apply(s, r, choose(s, r, first))
                else:
                    apply(s, r, choose(s, r, second))
            scores_of(s, r, scores)
            above = 0
            for seat in range(r[0]):
                above += scores[seat]
            total += 1000 * scores[mine] - 1000 * above // r[0]
        found[deal] = total // sides


def deals(rules: Ruleset, dealer: int, count: int, luck: Random) -> Table:
    """Hands at their first lead."""
    bases = table(count, SIZE)
    for deal in range(count):
        pack = list(cards_in(rules.pack))
        luck.shuffle(pack)
        size = (len(pack) - rules.scart) // rules.seats
        hands = [sum(1 << card for card in pack[seat * size : (seat + 1) * size]) for seat in range(rules.seats)]
        hands[dealer] |= sum(1 << card for card in pack[rules.seats * size :])
        away = thumb(hands[dealer], rules.scart) if rules.scart else 0
        hands[dealer] &= ~away
        leader = (dealer + 1) % rules.seats
        bases[deal][:] = encoding.at_first_lead(rules.sides, hands, leader, away, rules.sides[dealer])
    return bases


def main() -> None:
    """Search, and print what was found."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--ruleset", default="troccas")
    asked.add_argument("--rounds", type=int, default=60)
    asked.add_argument("--deals", type=int, default=4000)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    rules = ruleset(given.ruleset)
    luck = Random(given.seed)
    r = encoding.rules_for(rules, rules.settled_options({}), 0)
    best = list(FOUND)
    found, work, scores = numbers(given.deals), numbers(SIZE), numbers(8)

    def gain(values: list[int], against: list[int], bases: Table) -> tuple[float, float]:
        match(bases, given.deals, r, weights(tuple(values)), weights(tuple(against)), found, work, scores)
        gaps = [int(gap) / 1000 for gap in found]
        mean = sum(gaps) / len(gaps)
        return mean, sqrt(sum((gap - mean) ** 2 for gap in gaps) / len(gaps) / len(gaps))

    bases = [deals(rules, 0, given.deals, luck) for _ in range(3)]
    for number in range(given.rounds):
        changed = best.copy()
        for at in luck.sample(range(len(best)), luck.choice((1, 2, 3))):
            changed[at] = round(changed[at] * luck.choice((0.5, 0.7, 1.4, 2.0)) + luck.choice((-20, 0, 20)))
        first, error = gain(changed, best, bases[number % 3])
        if first > 1.0 * error:
            second, again = gain(changed, best, bases[(number + 1) % 3])
            if second > 1.5 * again:
                best = changed
                print(f"{number}: {first:+.2f} ± {error:.2f}, {second:+.2f} ± {again:.2f}: {tuple(best)}", flush=True)
    fresh = deals(rules, 0, given.deals, Random(given.seed + 1000))
    mean, error = gain(best, list(FOUND), fresh)
    print(f"against the weights before, on other deals: {mean:+.2f} ± {1.96 * error:.2f}\n{tuple(best)}")


if __name__ == "__main__":
    main()
