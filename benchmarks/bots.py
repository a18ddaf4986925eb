"""How strong the computer players are: duplicate deals, the same pack and cut twice with the sides exchanged.

    python benchmarks/bots.py [--ruleset troccas] [--pairs 1000] [--against random]

prints the margin per hand (points above par) of level one with its 95 % confidence interval over the pairs, and how
long a decision takes. `--against level-1` lets it play against itself: the margin must not differ from nothing.
A thrown-in hand is dealt again from the pair's next pack, a few times; then it must be played.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, median, stdev
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.bots import LEVELS, choose
from games.engine import Action, Hand, View, cards_in, ruleset
from games.engine.legal import LegalChoice
from games.engine.ruleset import Ruleset

Chooser: TypeAlias = Callable[[View, Random], Action]
MOST_THROWN_IN = 4


def at_random(view: View, luck: Random) -> Action:
    """Any legal action, each as likely as another."""
    legal = view.legal
    if isinstance(legal, LegalChoice) and not legal.otherwise:
        return Action(legal.verb, tuple(luck.sample(list(cards_in(legal.cards)), legal.count)))
    return luck.choice(list(legal))


def player_of(level: str) -> Chooser:
    """The chooser of a level of the computer players, or `random`."""
    if level == "random":
        return at_random
    return lambda view, luck: choose(view, level=level, seed=b"%d" % luck.getrandbits(32))


class Clock:
    """A chooser whose decisions are timed, in microseconds."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser
        self.times: list[float] = []

    def __call__(self, view: View, luck: Random) -> Action:
        begun = time.perf_counter()
        action = self.chooser(view, luck)
        self.times.append((time.perf_counter() - begun) * 1e6)
        return action


def play_hand(rules: Ruleset, dealer: int, seed: str, choosers: tuple[Chooser, ...]) -> tuple[int, ...]:
    """The scores per seat of one hand that is played; everything in it follows from `seed` and the choosers."""
    packs = Random(f"{seed} packs")  # of its own, so that both hands of a pair are dealt alike
    luck = Random(f"{seed} luck")
    for thrown_in in range(MOST_THROWN_IN + 1):
        pack = list(cards_in(rules.pack))
        packs.shuffle(pack)
        options = {"throw_in": False} if thrown_in == MOST_THROWN_IN and rules.talk is not None else {}
        hand = Hand(rules, dealer, pack, options=rules.settled_options(options))
        lifted = packs.randrange(1, len(pack))
        while not hand.over:
            if hand.asked == "cut":
                hand.push(Action("cut", number=lifted))
            else:
                hand.push(choosers[hand.turn](hand.view(hand.turn), luck))
        assert hand.result is not None
        if hand.result.status == "played":
            return hand.result.scores
    raise AssertionError("a hand without throwing in was not played")


def duplicate(rules: Ruleset, pairs: int, ours: Chooser, theirs: Chooser, seed: str = "") -> list[float]:
    """The margin per hand of `ours` against `theirs` on each pair of hands."""
    margins = []
    for pair in range(pairs):
        scored = 0
        for side in (0, 1):
            choosers = tuple(ours if own == side else theirs for own in rules.sides)
            scores = play_hand(rules, pair % rules.seats, f"{seed}{pair}", choosers)
            scored += scores[rules.sides.index(side)]
        margins.append(scored / 2)
    return margins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="troccas")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--level", choices=LEVELS, default=LEVELS[0])
    parser.add_argument("--against", choices=("random", *LEVELS), default="random")
    given = parser.parse_args()
    ours = Clock(player_of(given.level))
    begun = time.perf_counter()
    margins = duplicate(ruleset(given.ruleset), given.pairs, ours, player_of(given.against))
    spent = time.perf_counter() - begun
    error = 1.96 * stdev(margins) / sqrt(len(margins)) if len(margins) > 1 else float("inf")
    times = sorted(ours.times)
    print(f"{given.ruleset}: {given.level} against {given.against}, {len(margins)} pairs of hands in {spent:.1f} s")
    print(f"margin per hand {fmean(margins):+.2f} ± {error:.2f} points (95 %)")
    print(f"a decision takes {median(times):.0f} µs (median), {times[int(len(times) * 0.95)]:.0f} µs (95 of 100)")


if __name__ == "__main__":
    main()
