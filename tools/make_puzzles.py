"""Find puzzles in hands that computer players play: `python tools/make_puzzles.py troccas troggu … [--seed 1] [--hands 60] [--count 10]`.

Writes `games/puzzles/content/<game>.jsonl`, one puzzle on a line (`games/puzzles/stored.py` reads it). What is found hangs on
nothing but the game, the seed and the numbers. Every decision of a hand is looked at in `--first` worlds, and where one action is
clearly best there, twice more in `--worlds`; the last tricks of two sides are solved in each world. It takes minutes for a game with
the fast core compiled (requirements-fast.txt), hours without.

Of the puzzles of a game no more than `--alike` have one theme (in the second half of the hands one more), no two are of one hand,
and a rule of thumb solves no more than one in two.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
if importlib.util.find_spec("numba"):
    os.environ["TROCCAS_COMPILED"] = "1"

from domain.bots.advice import choose  # noqa: E402  # only once it is said whether to compile
from domain.bots.puzzling import Solution, Theme, solve  # noqa: E402
from domain.engine import CODES, Action, Card, Hand, cards_in, ruleset  # noqa: E402
from domain.engine.legal import LegalPlays  # noqa: E402
from domain.engine.ruleset import Ruleset  # noqa: E402

CONTENT: Final = ROOT / "games" / "puzzles" / "content"
OTHERWISE: Final = 12
"""One card in so many is played by a beginner, so that positions are not all those of careful players."""
FEWEST: Final = 3
"""A puzzle of the play has at least so many cards that may be played."""
EASY: Final = 2
"""A rule of thumb solves no more than one puzzle in so many,"""
PLAIN: Final = {False: 5.0, True: 20.0}
"""and where it does, and what it finds is better than all else by more than this, in points or (where there is bidding) in Rappen,
that is too plain for a puzzle."""


Line: TypeAlias = dict[str, Any]
"""A puzzle as it is written."""


class Shelf:
    """The puzzles of a game, no more of a kind than wanted."""

    def __init__(self, count: int, alike: int) -> None:
        self.count, self.alike = count, alike
        self.themes: Counter[Theme] = Counter()
        self.easy = 0

    @property
    def is_full(self) -> bool:
        return self.themes.total() >= self.count

    @property
    def wants_no_easy(self) -> bool:
        return self.easy >= self.count // EASY

    @property
    def full_themes(self) -> list[Theme]:
        return [theme for theme, number in self.themes.items() if number >= self.alike]

    def add(self, line: Line, *, easy: bool) -> None:
        self.themes[Theme(line["theme"])] += 1
        self.easy += easy


def decisions(rules: Ruleset, options: Mapping[str, object], seed: str) -> Iterator[tuple[Hand, tuple[Card, ...]]]:
    """A hand as computer players play it, before each of their actions."""
    luck = Random(seed)
    pack = list(cards_in(rules.pack))
    luck.shuffle(pack)
    hand = Hand(rules, luck.randrange(rules.seats), pack, options=options)
    key = seed.encode()
    while not hand.over:
        yield hand, tuple(pack)
        view = hand.view(hand.turn)
        if hand.asked == "cut":
            hand.push(Action("cut", number=luck.randrange(1, len(pack))))
        elif hand.asked == "play" and luck.randrange(OTHERWISE):
            hand.push(choose(view, level="club", seed=key))
        else:
            hand.push(choose(view, seed=key))


def is_worth_a_look(hand: Hand) -> bool:
    legal = hand.legal
    if isinstance(legal, LegalPlays):
        return legal.cards.bit_count() >= FEWEST and len(hand.tricks) > 0
    return len(legal) > 1


def found_in(
    rules: Ruleset, options: Mapping[str, object], seed: str, first: int, worlds: int, shelf: Shelf
) -> Iterator[tuple[Line, bool]]:
    """The puzzles of one hand as they are written, and whether a rule of thumb solves them."""
    for hand, pack in decisions(rules, options, seed):
        if not is_worth_a_look(hand):
            continue
        solution = solve(
            hand.view(hand.turn),
            first=first,
            worlds=worlds,
            misleading=shelf.wants_no_easy,
            but_not=shelf.full_themes,
        )
        if solution is None:
            continue
        easy = solution.thumb in solution.right
        second = max(each.points for each in solution.options if each.action not in solution.right)
        if not easy or solution.options[0].points - second <= PLAIN[rules.bidding is not None]:
            yield written(hand, pack, options, solution), easy


def written(hand: Hand, pack: tuple[Card, ...], options: Mapping[str, object], solution: Solution) -> Line:
    """The line of one puzzle."""
    rules = hand.ruleset
    defaults = rules.settled_options({})
    return {
        "game": rules.id,
        "version": rules.version,
        "seats": rules.seats,
        "options": {name: value for name, value in options.items() if value != defaults[name]},
        "dealer": hand.dealer,
        "pack": " ".join(CODES[card] for card in pack),
        "actions": [f"{seat} {action}" for seat, action in hand.history],
        "seat": hand.turn,
        "theme": solution.theme.value,
        "worlds": solution.worlds,
        "exact": solution.options[0].exact,
        "values": [[str(each.action), round(each.points, 2), round(each.error, 2)] for each in solution.options],
        "right": [str(action) for action in solution.right],
        "thumb": str(solution.thumb),
        "instead": str(solution.instead),
        "reason": solution.reason.value if solution.reason is not None else "",
        "facts": [
            [fact.kind.value, fact.seat, CODES[fact.card] if fact.card >= 0 else "", fact.lane, fact.number]
            for fact in solution.facts
        ],
        "prospects": [list(astuple(each)) for each in solution.prospects],
    }  # fmt: skip


def main() -> None:
    """Read what is asked for, search, and write."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("games", nargs="+", metavar="game")
    asked.add_argument("--seed", default="1")
    asked.add_argument(
        "--hands", type=int, default=60, help="no more hands than these are looked through (default: 60)"
    )
    asked.add_argument("--count", type=int, default=10)
    asked.add_argument("--alike", type=int, default=2, help="so many of one theme (default: 2)")
    asked.add_argument("--first", type=int, default=120)
    asked.add_argument("--worlds", type=int, default=2400)
    asked.add_argument("--into", type=Path, default=CONTENT, help="the folder of the files (default: that of the site)")
    given = asked.parse_args()
    given.into.mkdir(parents=True, exist_ok=True)
    for game in given.games:
        file = given.into / f"{game}.jsonl"
        file.write_text("")
        for number, line in enumerate(puzzles_of(game, given), 1):
            with file.open("a") as more:
                more.write(json.dumps({"id": f"{game}-{number}", **line}, separators=(",", ":")) + "\n")


def puzzles_of(game: str, given: argparse.Namespace) -> Iterator[Line]:
    """The puzzles of a game, as many as are found and wanted."""
    sizes = ruleset(game).sizes
    shelf = Shelf(given.count, given.alike)
    for number in range(given.hands):
        shelf.alike = given.alike + number * 2 // given.hands
        rules = ruleset(game, seats=sizes[number % len(sizes)])
        options = dict(
            rules.settled_options({"hands": 1} if any(each.name == "hands" for each in rules.options) else {})
        )
        if "demands" in options:
            options["demands"] = False
        found = next(found_in(rules, options, f"{given.seed} {game} {number}", given.first, given.worlds, shelf), None)
        if found is not None:  # one of a hand
            line, easy = found
            shelf.add(line, easy=easy)
            print(number, line["seats"], line["theme"], line["values"][:2], "easy" if easy else "", flush=True)
            yield line
        if shelf.is_full:
            break


if __name__ == "__main__":
    main()
