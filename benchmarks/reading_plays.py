"""What the others' plays tell of their cards: `python benchmarks/reading_plays.py [--level beginner] [--hands 40]`.

Hands of four-handed Troccas are played by computer players of a level. At three moments of each, the true cards are compared with
others that fit all that the player on turn can prove. Printed is how much more the true ones weigh than the mean of the others by
`domain/bots/likely_worlds.py` (a natural logarithm: 0 if the plays tell nothing), over all moments and in the worst tenth of them, and
how many of the others still count, as a part of all. `KINDS` there was chosen by this.
"""

from __future__ import annotations

import argparse
import sys
from math import exp, log
from pathlib import Path
from random import Random
from statistics import fmean, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from domain.bots.advice import LEVELS, choose
from domain.bots.likely_worlds import log_likelihoods
from domain.bots.worlds import World, Worlds
from domain.engine import Action, Hand, cards_in, ruleset

OTHERS = 60


def moments(level: str, hands: int) -> list[list[float]]:
    """For each moment the logarithms of the weights: of the true cards, then of the others."""
    rules = ruleset("troccas")
    found = []
    for seed in range(hands):
        luck = Random(seed)
        pack = list(cards_in(rules.pack))
        luck.shuffle(pack)
        hand = Hand(rules, seed % rules.seats, pack, options=rules.settled_options({"throw_in": False}))
        looked_at = {luck.randrange(10, 25), luck.randrange(25, 45), luck.randrange(45, 62)}
        played = 0
        while not hand.over:
            view = hand.view(hand.turn)
            if view.asked == "play":
                played += 1
                if played in looked_at:
                    true = World(tuple(hand.hands), hand.scart if view.scart is None else 0)
                    found.append(log_likelihoods(view, [true, *Worlds(view).some(OTHERS, luck)]))
            hand.push(Action("cut", number=30) if hand.asked == "cut" else choose(view, level=level))
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--level", choices=LEVELS, default=LEVELS[0])
    asked.add_argument("--hands", type=int, default=40)
    given = asked.parse_args()
    gains, counting = [], []
    for true, *others in moments(given.level, given.hands):
        most = max(true, *others)
        weighed = [exp(each - most) for each in others]
        gains.append(true - most - log(fmean(weighed)))
        counting.append(sum(weighed) ** 2 / sum(each * each for each in weighed) / len(weighed))
    worst = quantiles(gains, n=10)[0]
    print(f"{given.level}: {fmean(gains):+.2f}, in the worst tenth {worst:+.2f}; {fmean(counting):.0%} still count")


if __name__ == "__main__":
    main()
