"""Compose the deal of the guided hand: one in which the moments worth showing come up, and early.

    python tools/compose_lesson.py [--deals 400] [--seed 1]

lays random deals around what the learner is to hold, plays each with the computer players while the learner follows the
advice, keeps those in which everything comes up, and prints the one that shows most even to a learner (and at a table)
that often plays something else. The hands it prints belong into `games/lessons/lesson.py`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from domain.bots.advice import advise
from domain.engine import CODES, Action, Hand, card_of, ruleset
from domain.engine.legal import LegalChoice, LegalPlays
from games.lessons.moments import moments

LEARNER, DEALER = 0, 1
LIFTED = 39
WANTED = ("talk", "follow", "trump", "smear", "excuse", "pair", "take", "call", "jack-came", "fool-debt", "lead")
"""Topics that have to come up when the advice is followed."""
BATCHES = (6, 6, 7)
RULES = ruleset("troccas")


@dataclass(frozen=True)
class Deal:
    """What each seat is dealt in each round, the dealer's last packet with the two cards more."""

    packets: tuple[tuple[tuple[str, ...], ...], ...]  # by seat, then by round

    def pack(self) -> list[int]:
        """The pack before the cut."""
        order = [(DEALER + step) % 4 for step in range(1, 5)]
        dealt = [card for round_ in range(3) for seat in order for card in self.packets[seat][round_]]
        codes = dealt[-LIFTED:] + dealt[:-LIFTED]
        return [card_of(code) for code in codes]

    def lines(self) -> list[str]:
        """One line per seat, the rounds parted by a bar."""
        return [" | ".join(" ".join(packet) for packet in packets) for packets in self.packets]


def random_deal(luck: Random) -> Deal:
    """A deal in which the learner holds the Fool, a king with its jack, a lone king, a queen to give, and one suit is
    missing; the partner has the XXI."""
    first, second, third = luck.sample("COSB", 3)
    learner = ["F", f"{first}K", f"{first}J", f"{second}K", f"{third}Q"]
    partner = ["T21", f"{third}K"]
    rest = [code for code in CODES if code not in learner + partner]
    luck.shuffle(rest)
    trumps = [code for code in rest if code[0] == "T" and code not in ("T1", "T20")][: luck.randint(5, 6)]
    suits = [code for code in rest if code[0] in (first, second, third) and code[1] not in "KJQ"]
    learner += trumps + suits[: 19 - len(learner) - len(trumps)]
    others = [code for code in rest if code not in learner]
    partner += others[:17]
    held = (learner, others[36:], partner, others[17:36])
    packets = []
    for cards in held:
        luck.shuffle(cards)
        packets.append((tuple(cards[:6]), tuple(cards[6:12]), tuple(cards[12:])))
    return Deal(tuple(packets))


@dataclass
class Shown:
    """What a played deal showed: the topics of the questions in order, whether the learner's side won, and by how much."""

    topics: tuple[str, ...]
    score: int
    brought: bool  # the Fool was played by the learner
    clear: bool  # asked in the talk after the first round only; no king and jack by others before the learner's own


def played(deal: Deal, luck: Random, whims: float) -> Shown | None:
    """The deal played out; None if it was thrown in. With the chance `whims` a play is any legal one."""
    from games.lessons.lesson import topics

    hand = Hand(RULES, DEALER, deal.pack(), options=RULES.settled_options({"hands": 1, "demands": False}))
    hand.push(Action("cut", number=LIFTED))
    before: tuple[str, ...] = ()
    asked_after: list[int] = []
    together: list[int] = []
    while not hand.over:
        view = hand.view(hand.turn)
        if hand.turn == LEARNER:
            before = topics(moments(view))
            if view.asked == "free":
                asked_after.append(view.dealt)
        legal = view.legal
        if whims and isinstance(legal, LegalPlays) and luck.random() < whims:
            hand.push(luck.choice(list(legal)))
        else:
            assert not isinstance(legal, LegalChoice) or legal.count == 2
            hand.push(advise(view, seed=b"%d" % luck.getrandbits(32)).action)
        seat, done = hand.history[-1]
        if done.verb == "play" and len(done.cards) == 2:
            together.append(seat)
    assert hand.result is not None
    if hand.result.status != "played":
        return None
    fool = card_of("F")
    own = any(fool in trick.cards and trick.seats[trick.cards.index(fool)] == LEARNER for trick in hand.tricks)
    clear = asked_after == [1] and together[:1] == [LEARNER]
    return Shown(before, hand.result.scores[LEARNER], own, clear)


def early(shown: Shown) -> float:
    """How soon the wanted topics come, on average: the less the better."""
    return sum(shown.topics.index(topic) for topic in WANTED) / len(WANTED)


def sound(shown: Shown | None) -> bool:
    """Whether everything comes up and the learner's side wins without sweeping the board."""
    return (
        shown is not None
        and shown.brought
        and shown.clear
        and 3 <= shown.score <= 14
        and all(topic in shown.topics for topic in WANTED)
    )


def main(arguments: Sequence[str] | None = None) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "troccas_site.settings")
    django.setup()
    parser = argparse.ArgumentParser(description="Compose the deal of the guided hand.")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    luck = Random(asked.seed)
    best: tuple[float, Deal, Shown] | None = None
    for _ in range(asked.deals):
        deal = random_deal(luck)
        shown = played(deal, luck, 0.0)
        if shown is None or not sound(shown):
            continue
        kept = 0.0
        for _ in range(30):
            other = played(deal, luck, 0.15)
            if other is not None:
                kept += sum(topic in other.topics for topic in WANTED) / len(WANTED) / 30
        worth = kept - early(shown) / 60
        if best is None or worth > best[0]:
            best = (worth, deal, shown)
            print(f"{kept:.0%} of the topics by whim, score {shown.score:+d}: {' '.join(shown.topics)}", flush=True)
            print("\n".join(deal.lines()), flush=True)
    return 0 if best is not None else 1


if __name__ == "__main__":
    sys.exit(main())
