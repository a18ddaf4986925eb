"""What each possible action is worth to a seat: tried in worlds that fit what it knows, and counted in the game's own points.

The worlds are drawn from all that fit (`worlds`), alike or by how likely the others' plays were in them (`likely_worlds`), the same
ones for every action. Each is played to its end by the policy of the fast core, and the last tricks of two sides exactly.
Actions that fall behind are dropped early. It depends on nothing but the view, the number of worlds and the seed, and takes no
longer for one holding of the others than for another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import Final

from domain.bots.before_play import BEFORE_PLAY
from domain.bots.fast import encoding
from domain.bots.fast.compiling import COMPILED, State, numbers, table
from domain.bots.fast.layout import ACTIONS, SIZE
from domain.bots.fast.policy import weights
from domain.bots.fast.search import DEEP, MARKS, try_action
from domain.bots.knowledge import know
from domain.bots.likely_worlds import likely
from domain.bots.playing import read, weigh
from domain.bots.racing import Valued, race
from domain.bots.worlds import Worlds
from domain.engine.actions import Action
from domain.engine.tapp import MISERE
from domain.engine.view import View

SOLVED_CARDS: Final = 20 if COMPILED else 16
"""With at most so many cards in all hands the rest of a hand between two sides is solved,"""
SOLVED_WORLDS: Final = 60 if COMPILED else 30
"""in no more worlds than this, unless they are all that fit and count alike. Callers with more time may ask for more."""
SOLVED_TRICKS: Final = 4
"""Where somebody waits for the answer, with at most so many whole tricks to come: five took 0.2 s, now and then a whole second."""
WEIGHED: Final = 0.5 if COMPILED else 5
"""Where worlds are weighed, they are drawn from so many times as many; compiled, they are also moved on, which does more."""
PREFERS: Final = 0.25
"""So much of a point is given up for each point by which rules of thumb hold another play better, where worlds are few;"""
LEADING: Final = 0.5
"""for a lead only this part of it: rules of thumb say less there."""
SURE: Final = 3.0
"""A lead that gives something away must be better by more than so many standard errors."""


def luck_for(view: View, seed: bytes) -> Random:
    """Chance that depends on nothing but the seed, the seat, and how many actions have happened."""
    key = b"%b|%d|%d" % (seed, -1 if view.seat is None else view.seat, len(view.history))
    return Random(int.from_bytes(hashlib.sha256(key).digest()[:16], "big"))


def evaluate(
    view: View,
    *,
    worlds: int = 60,
    solved: int = SOLVED_WORLDS,
    seed: bytes = b"",
    weighed: bool = False,
    at_once: bool = False,
) -> tuple[Valued, ...]:
    """What each sensible action of the viewer is worth, the best first; nothing for a question that is not valued.

    Tried in so many `worlds`, or, where the last tricks are solved, in so many `solved`. With `weighed`, worlds count by how
    likely the others' plays were in them (`likely_worlds`), and nothing is exact. With `at_once` what takes long to solve is not solved.
    The same view, numbers and seed give the same answer. Raises ValueError if the viewer is not on turn.
    """
    if view.seat is None or view.turn != view.seat or view.over:
        raise ValueError("the viewer is not on turn")
    luck = luck_for(view, seed)
    if view.asked in PLAYED:
        return _play(view, worlds, solved, luck, weighed=weighed, at_once=at_once)
    valued = BEFORE_PLAY.get(view.asked)
    return valued(view, worlds, luck) if valued is not None else ()


def preferred(view: View, valued: Sequence[Valued], prefers: float = PREFERS) -> Action:
    """The action to take, of some that have been valued, the best first: of plays that are worth nearly the same, the one that
    rules of thumb hold better, as a good partner expects it. A lead that a partner would call a gift is not made unless it lies
    above the others by more than chance explains.
    """
    if view.asked != "play" or view.contract == MISERE or valued[0].exact or len(valued) == 1:
        return valued[0].action
    situation = read(view)
    weighed = {option: weigh(situation, option.action) for option in valued}
    heeded = prefers if view.trick else LEADING * prefers
    worth = {option: option.points + heeded * each.value for option, each in weighed.items()}
    best = max(valued, key=worth.__getitem__)
    fair = max((option for option in valued if not weighed[option].gift), key=worth.__getitem__, default=best)
    doubt = SURE * max(best.error, fair.error)  # one of the two is that of their difference, or nearly
    return fair.action if worth[best] - worth[fair] <= doubt else best.action


def _play(
    view: View, number: int, most_solved: int, luck: Random, *, weighed: bool, at_once: bool
) -> tuple[Valued, ...]:
    known = know(view)
    worlds = Worlds(view, known)
    late = is_late(view, most_solved, at_once=at_once)
    number = min(number, most_solved) if late and (weighed or worlds.count > number) else number
    drawn = worlds.some(round(WEIGHED * number) if weighed else number, luck)
    if weighed:
        drawn = likely(view, drawn, number, luck, worlds)
    rules = view.ruleset
    r = encoding.rules_for(rules, dict(view.options), view.dealer, view.face_up)
    bases = table(len(drawn), SIZE)
    made: dict[tuple[tuple[int, ...], int], State] = {}
    for at, world in enumerate(drawn):
        key = encoding.sides_in(view, world.hands)
        if key not in made:
            made[key] = encoding.base_of(view, known, *key)
        bases[at][:] = encoding.in_world(made[key], view, world.hands, world.rest)
    actions = list(view.legal)
    solved = late and all(len(set(sides)) <= 2 for sides, _ in made)
    work = table(DEEP, SIZE), table(DEEP, ACTIONS), table(DEEP, MARKS), numbers(8)
    w = weights()
    found = table(len(actions), len(drawn))

    def look(at: int, first: int, last: int) -> State:
        number = encoding.number_of(actions[at])
        try_action(bases, first, last, r, w, number, found[at], known.seat, int(solved), *work)
        return found[at][first:last]

    exact = solved and not weighed and len(drawn) == worlds.count
    return race(actions, len(drawn), look, finer=rules.bidding is not None, exact=exact)


def is_late(view: View, most_solved: int, *, at_once: bool) -> bool:
    """Whether so few cards are left that the rest of a hand between two sides is solved, in so many worlds."""
    left = sum(view.counts)
    if view.ruleset.bidding is not None and most_solved <= SOLVED_WORLDS:
        left += len(view.counts)  # five tricks of Troggu take seconds to solve: only those who have the time do
    return left <= SOLVED_CARDS and (not at_once or min(view.counts) <= SOLVED_TRICKS)


PLAYED: Final = ("play", "call", "fool", "take")
"""The questions of the play; `BEFORE_PLAY` has the others that are valued."""
