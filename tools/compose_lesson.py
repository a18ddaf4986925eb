"""Compose the deal of a guided hand: one in which the moments worth showing come up, and early.

    python tools/compose_lesson.py [troccas|troggu] [--deals 400] [--seed 1]

lays random deals around what the learner is to hold, plays each with the computer players while the learner follows the
advice, keeps those in which everything comes up whatever the computer players say, and prints the one that shows most even to
a learner who often plays something else. What it prints belongs into `games/lessons/lesson.py`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "troccas_site.settings")
django.setup()

from domain.bots.advice import advise
from domain.bots.bidding import strength
from domain.engine import CODES, Action, Hand, card_of, cards_in, ruleset
from domain.engine.cards import set_of
from domain.engine.legal import LegalPlays
from games.lessons.lesson import LESSONS, Lesson, pack_of
from games.lessons.topics import Course, Moment, stop_of, topics

LEARNER = 0
SURE = 8
"""So often everything has to come up when the advice is followed."""


@dataclass(frozen=True)
class Deal:
    """What each seat is dealt in each round, by seat, and the Tapp."""

    packets: tuple[str, ...]
    tapp: str = ""

    def lesson(self, of: Lesson) -> Lesson:
        pack = pack_of(self.packets, of.lifted, self.tapp)
        return Lesson(of.ruleset, of.seats, pack, of.lifted, of.options, of.tricks)


@dataclass
class Shown:
    """What a played deal showed: its topics in order, stops among them, and how it ended."""

    topics: tuple[str, ...]
    hand: Hand
    together: list[int] = field(default_factory=list)
    asked_after: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Wish:
    """What is wanted of a deal: how one is laid, the topics that come up, and what else holds of how it ended."""

    laid: Callable[[Random], Deal | None]
    topics: frozenset[str]
    sound: Callable[[Shown], bool]
    liked: frozenset[str] = frozenset()


def packets(cards: Sequence[str], sizes: Sequence[int]) -> str:
    parts, at = [], 0
    for size in sizes:
        parts.append(" ".join(cards[at : at + size]))
        at += size
    return " | ".join(parts)


def troccas(luck: Random) -> Deal:
    """The learner holds the Fool, a king with its jack, a lone king, a queen to give, and one suit is missing; the partner
    has the XXI."""
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
    for cards in held:
        luck.shuffle(cards)
    return Deal(tuple(packets(cards, (6, 6, len(cards) - 12)) for cards in held))


def troccas_ends_well(shown: Shown) -> bool:
    """The side wins without sweeping the board, the learner brings the Fool home, is asked in the talk after the first round,
    and nobody played king and jack before."""
    hand, fool = shown.hand, card_of("F")
    assert hand.result is not None
    if hand.result.status != "played" or not 3 <= hand.result.scores[LEARNER] <= 14:
        return False
    own = any(fool in trick.cards and trick.seats[trick.cards.index(fool)] == LEARNER for trick in hand.tricks)
    return own and shown.asked_after[:1] == [1] and shown.together[:1] == [LEARNER]


def troggu(luck: Random) -> Deal | None:
    """The learner holds the Fool, a king and good trumps, and all others should pass."""
    pack = [CODES[card] for card in cards_in(ruleset("troggu", None, 7).pack)]
    suit = luck.choice("COSB")
    learner = ["F", f"{suit}K", *luck.sample([f"T{number}" for number in range(8, 20)], luck.randint(2, 3))]
    rest = [code for code in pack if code not in learner]
    luck.shuffle(rest)
    learner += [code for code in rest if code[0] != "T" and code[1] != "K"][: 8 - len(learner)]
    rest = sorted((code for code in rest if code not in learner), key=lambda code: code[0] != "T")
    tapp, rest = [*rest[:3], *rest[-3:]], rest[3:-3]
    held = [learner, *([*rest[seat::6]] for seat in range(6))]
    if any(strength(set_of(map(card_of, cards))) >= 4.4 for cards in held[2:]):
        return None
    for cards in held:
        luck.shuffle(cards)
    return Deal(tuple(packets(cards, (4, 4)) for cards in held), " ".join(tapp))


def troggu_ends_well(shown: Shown) -> bool:
    """The learner takes the game, has a partner, and the two win without doubling."""
    hand = shown.hand
    assert hand.result is not None
    taken = hand.contract == "normal" and hand.tappist == LEARNER and hand.partner not in (-1, LEARNER)
    return taken and ("take" in [verb for _, verb in hand.bids]) and 58 <= hand.result.points[0] <= 80


WISHES = {
    "troccas": Wish(
        troccas,
        frozenset(
            [
                "cut",
                "dealing",
                "talk",
                "second-round",
                "third-round",
                "scart-watch",
                "follow",
                "trick-won",
                "trump",
                "smear",
                "excuse",
                "pair",
                "take",
                "call",
                "jack-came",
                "lead",
                "lead-king",
            ]
        ),
        troccas_ends_well,
        frozenset({"fool-debt", "lead-trump"}),
    ),
    "troggu": Wish(
        troggu,
        frozenset(
            "cut bidding bid discard partner lead-first follow trump high-fool partner-shown trick-won half last".split()  # noqa: SIM905
        ),
        troggu_ends_well,
        frozenset({"smear", "lead-trump", "trumps-led"}),
    ),
}


def played(lesson: Lesson, luck: Random, whims: float) -> Shown:
    """The deal played out. With the chance `whims` a play of the learner is any legal one."""
    rules = ruleset(lesson.ruleset, None, lesson.seats)
    pack = [card_of(code) for code in lesson.pack]
    hand = Hand(rules, lesson.dealer, pack, options=rules.settled_options(lesson.options))
    hand.push(Action("cut", number=lesson.lifted))
    shown = Shown((), hand)
    asked: list[Moment] = []
    read: list[str] = []
    order: list[str] = ["cut"]
    while not hand.over:
        view = hand.view(hand.turn)
        legal = view.legal
        if hand.turn == LEARNER:
            asked.append(Moment(view))
            order.append(topics(Course(view, asked, read))[-1])
            if view.asked == "free":
                shown.asked_after.append(view.dealt)
        else:
            mine = hand.view(LEARNER)
            while stop := stop_of(Course(mine, asked, read)):
                read.append(stop)
                order.append(stop)
        if whims and hand.turn == LEARNER and isinstance(legal, LegalPlays) and luck.random() < whims:
            hand.push(luck.choice(list(legal)))
        elif hand.turn == LEARNER:
            hand.push(asked[-1].advice.action)
        else:
            hand.push(advise(view, seed=b"%d" % luck.getrandbits(32)).action)
        seat, done = hand.history[-1]
        if done.verb == "play" and len(done.cards) == 2:
            shown.together.append(seat)
    shown.topics = tuple(order)
    return shown


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compose the deal of a guided hand.")
    parser.add_argument("ruleset", nargs="?", default="troccas", choices=WISHES)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    luck, wish = Random(given.seed), WISHES[given.ruleset]
    best = 0.0
    for _ in range(given.deals):
        deal = wish.laid(luck)
        if deal is None:
            continue
        lesson = deal.lesson(LESSONS[given.ruleset])
        shown: Shown | None = None
        for _ in range(SURE):
            shown = played(lesson, luck, 0.0)
            if not (wish.topics <= set(shown.topics) and wish.sound(shown)):
                shown = None
                break
        if shown is None:
            continue
        others = [played(lesson, luck, 0.15).topics for _ in range(20)]
        kept = sum(len(wish.topics & set(topics)) for topics in others) / len(wish.topics) / len(others)
        early = sum(shown.topics.index(topic) for topic in wish.topics) / len(wish.topics)
        worth = kept - early / 60 + len(wish.liked & set(shown.topics)) / 5
        if worth > best:
            best = worth
            assert shown.hand.result is not None
            print(f"{kept:.0%} by whim, {shown.hand.result.points}: {' '.join(shown.topics)}", flush=True)
            print("\n".join(deal.packets), deal.tapp, sep="\n", flush=True)
    return 0 if best else 1


if __name__ == "__main__":
    sys.exit(main())
