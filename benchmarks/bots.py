"""How strong the computer players are: duplicate deals, the same pack and cut played once for each side or seat.

    python benchmarks/bots.py [--ruleset troccas] [--players N] [--pairs 1000] [--against random]

Where two sides play, level one has first one side, then the other; where each player is alone (and in Troggu, where the
bidding makes the sides), it has one seat after the other. Everybody else is the opponent. Prints how far level one's
score per hand lies above the mean of the table (points, in Troggu Rappen) with its 95 % confidence interval over the
deals, and how long a decision takes. `--against beginner` lets it play against itself: then the margin is nothing.
A thrown-in hand is dealt again from the deal's next pack, a few times; then it must be played.
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

from domain.bots.advice import LEVELS, choose
from domain.engine import Action, Hand, View, cards_in, ruleset
from domain.engine.legal import LegalChoice
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset

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
    """A chooser whose decisions are timed, in microseconds of processor time: the machine may have other work."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser
        self.times: list[float] = []

    def __call__(self, view: View, luck: Random) -> Action:
        begun = time.process_time()
        action = self.chooser(view, luck)
        self.times.append((time.process_time() - begun) * 1e6)
        return action


def play_hand(rules: Ruleset, dealer: int, seed: str, choosers: tuple[Chooser, ...]) -> tuple[int, ...]:
    """The scores per seat of one hand that is played, or passed by all; everything in it follows from `seed` and the choosers."""
    packs = Random(f"{seed} packs")  # of its own, so that all hands of a deal are dealt alike
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
        if hand.result.status != "thrown-in":
            return hand.result.scores
    raise AssertionError("a hand without throwing in was not played")


def duplicate(rules: Ruleset, deals: int, ours: Chooser, theirs: Chooser, seed: str = "") -> list[float]:
    """The margin per hand of `ours` over the mean of the table, on each deal, when the others are `theirs`."""
    margins = []
    parties = rules.parties(rules.sides)
    for deal in range(deals):
        above = 0.0
        for party in parties:
            choosers = tuple(ours if seat in party else theirs for seat in range(rules.seats))
            scores = play_hand(rules, deal % rules.seats, f"{seed}{deal}", choosers)
            above += scores[party[0]] - fmean(scores)
        margins.append(above / len(parties))
    return margins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="troccas")
    parser.add_argument("--players", type=int, help="the size of the table (default: the game's usual one)")
    parser.add_argument("--pairs", "--deals", type=int, default=1000, help="how many deals (default: 1000)")
    parser.add_argument("--level", choices=LEVELS, default=LEVELS[0])
    parser.add_argument("--against", choices=("random", *LEVELS), default="random")
    given = parser.parse_args()
    try:
        rules = ruleset(given.ruleset, seats=given.players)
    except UnknownRuleset as unknown:
        parser.error(str(unknown))
    ours = Clock(player_of(given.level))
    begun = time.perf_counter()
    margins = duplicate(rules, given.pairs, ours, player_of(given.against))
    spent = time.perf_counter() - begun
    error = 1.96 * stdev(margins) / sqrt(len(margins)) if len(margins) > 1 else float("inf")
    times = sorted(ours.times)
    table = f"{rules.id} for {rules.seats}"
    print(f"{table}: {given.level} against {given.against}, {len(margins)} deals in {spent:.1f} s")
    unit = "points" if rules.bidding is None else "Rappen"
    print(f"margin per hand {fmean(margins):+.2f} ± {error:.2f} {unit} (95 %)")
    print(f"a decision takes {median(times):.0f} µs (median), {times[int(len(times) * 0.95)]:.0f} µs (95 of 100)")


if __name__ == "__main__":
    main()
