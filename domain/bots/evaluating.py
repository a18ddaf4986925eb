"""The worth of each possible action of a seat: tried in worlds that fit what it knows, in the game's own points.

The worlds are drawn from all that fit (`worlds`), uniformly or by how likely the others' plays were in them
(`likely_worlds`), and are the same for every action. The policy of the fast core plays each to its end; the last tricks
between two sides are solved exactly. Actions that fall behind are dropped early. The result depends only on the view,
the number of worlds and the seed, and the time it takes does not depend on the others' cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from domain.bots.before_play import BEFORE_PLAY
from domain.bots.fast import encoding
from domain.bots.fast.compiling import COMPILED, State, numbers, table
from domain.bots.fast.count import points_of
from domain.bots.fast.layout import ACTIONS, ASKED, OVER, SIDE, SIZE, TRICKS, WON_TRICKS, WON_TRUMPS
from domain.bots.fast.play import apply
from domain.bots.fast.policy import choose, weights
from domain.bots.fast.search import DEEP, MARKS, play_out, try_action
from domain.bots.knowledge import know
from domain.bots.likely_worlds import likely
from domain.bots.playing import read, weigh
from domain.bots.racing import Valued, race
from domain.bots.worlds import Worlds
from domain.engine.actions import Action
from domain.engine.cards import BAGAT, BIT, set_of
from domain.engine.tapp import MISERE
from domain.engine.view import View

SOLVED_CARDS: Final = 20 if COMPILED else 16
"""With at most this many cards in all hands, the rest of a hand between two sides is solved exactly."""
SOLVED_WORLDS: Final = 60 if COMPILED else 30
"""The most worlds that are solved, unless they are all that fit and count alike.

Callers with more time may ask for more.
"""
SOLVED_TRICKS: Final = 4
"""The most whole tricks that are solved while somebody waits: five took 0.2 s, and occasionally a whole second."""
WEIGHED: Final = 0.5 if COMPILED else 5
"""Weighed worlds are drawn from this many times as many worlds; compiled, they are also moved on, which does more."""
PREFERS: Final = 0.25
"""With few worlds, the part of a point that is given up for each point by which rules of thumb prefer another play."""
LEADING: Final = 0.5
"""The factor for leads, about which rules of thumb say less."""
SURE: Final = 3.0
"""A lead that gives something away must be better by more than this many standard errors."""
PLAYED: Final = ("play", "call", "fool", "take")
"""The questions of the play; `BEFORE_PLAY` has the others that can be evaluated."""
PROSPECTS: Final = 300
"""The default number of worlds for `prospects`."""


def luck_for(view: View, seed: bytes) -> Random:
    """A random generator that depends only on the seed, the seat, and the number of actions so far."""
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
    """The worth of each sensible action of the viewer, best first; empty for a question that cannot be evaluated.

    Actions are tried in `worlds` worlds, or in `solved` worlds if the last tricks are solved. With `weighed`, worlds
    count by how likely the others' plays were in them (`likely_worlds`), and nothing is exact. With `at_once`,
    positions that take long to solve are not solved. The same view, numbers and seed give the same result. Raises
    ValueError if the viewer is not on turn.
    """
    if view.seat is None or view.turn != view.seat or view.over:
        raise ValueError("the viewer is not on turn")
    luck = luck_for(view, seed)
    if view.asked in PLAYED:
        return _play(view, worlds, solved, luck, weighed=weighed, at_once=at_once)
    valued = BEFORE_PLAY.get(view.asked)
    return valued(view, worlds, luck) if valued is not None else ()


def preferred(view: View, valued: Sequence[Valued], prefers: float = PREFERS) -> Action:
    """The action to take, from evaluated ones, best first.

    Among plays that are worth nearly the same, it is the one that rules of thumb prefer, as a good partner expects. A
    lead that a partner would call a gift is made only if it is better than the others by more than chance explains.
    """
    if view.asked != "play" or view.contract == MISERE or valued[0].exact or len(valued) == 1:
        return valued[0].action
    situation = read(view)
    weighed = {option: weigh(situation, option.action) for option in valued}
    factor = prefers if view.trick else LEADING * prefers
    worth = {option: option.points + factor * each.value for option, each in weighed.items()}
    best = max(valued, key=worth.__getitem__)
    fair = max((option for option in valued if not weighed[option].gift), key=worth.__getitem__, default=best)
    doubt = SURE * max(best.error, fair.error)  # one of the two is (nearly) the error of their difference
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
    by_sides: dict[tuple[tuple[int, ...], int], State] = {}
    for at, world in enumerate(drawn):
        key = encoding.sides_in(view, world.hands)
        if key not in by_sides:
            by_sides[key] = encoding.base_of(view, known, *key)
        bases[at][:] = encoding.in_world(by_sides[key], view, world.hands, world.rest)
    actions = list(view.legal)
    solved = late and all(len(set(sides)) <= 2 for sides, _ in by_sides)
    work = table(DEEP, SIZE), table(DEEP, ACTIONS), table(DEEP, MARKS), numbers(8)
    w = weights()
    worths = table(len(actions), len(drawn))

    def evaluate_in(action: int, first: int, last: int) -> State:
        number = encoding.number_of(actions[action])
        try_action(bases, first, last, r, w, number, worths[action], known.seat, int(solved), *work)
        return worths[action][first:last]

    exact = solved and not weighed and len(drawn) == worlds.count
    return race(actions, len(drawn), evaluate_in, finer=rules.bidding is not None, exact=exact)


def is_late(view: View, most_solved: int, *, at_once: bool) -> bool:
    """Whether few enough cards are left for solving the rest of a hand between two sides in `most_solved` worlds."""
    left = sum(view.counts)
    if view.ruleset.bidding is not None and most_solved <= SOLVED_WORLDS:
        left += len(view.counts)  # five tricks of Troggu take seconds to solve: only for callers who have the time
    return left <= SOLVED_CARDS and (not at_once or min(view.counts) <= SOLVED_TRICKS)


@dataclass(frozen=True, slots=True)
class Prospects:
    """The prospects of a card or call for the side of the player who decides. All numbers are in hundredths.

    They explain in words why one action is better than another if nothing can be proven.

    `trick`: how often the side takes the current trick. `bagat`: how often the lowest trump ends with it (-1 if it is
    out already). `tricks`: how many tricks it takes, from this one on. `points`: how many card points this trick brings
    it.
    """

    trick: int
    bagat: int
    tricks: int
    points: int


def prospects(view: View, actions: Sequence[Action], number: int = PROSPECTS) -> list[Prospects]:
    """The prospects of each of these actions, in the same worlds, if everybody plays by the policy of the fast core."""
    assert view.seat is not None
    seat = view.seat
    worlds = Worlds(view).some(number, luck_for(view, b"prospects"))
    r, w = encoding.rules_for(view.ruleset, dict(view.options), view.dealer, view.face_up), weights()
    bagat_is_left = bool((view.unseen | view.held | set_of(view.trick)) & BIT[BAGAT])
    of_actions = []
    for action in actions:
        taken = bagat = tricks = points = 0
        for world in worlds:
            s = encoding.state_in(view, world)
            side, number_of_tricks = s[SIDE + seat], s[TRICKS]
            tricks_before, points_before = s[WON_TRICKS + side], points_of(s, r, side)
            apply(s, r, encoding.number_of(action))
            while s[ASKED] != OVER and s[TRICKS] == number_of_tricks:
                apply(s, r, choose(s, r, w))
            taken += s[WON_TRICKS + side] - tricks_before
            points += points_of(s, r, side) - points_before
            play_out(s, r, w)
            bagat += s[WON_TRUMPS + side] & 1
            tricks += s[WON_TRICKS + side] - tricks_before
        sums = (taken, bagat, tricks, points)
        taken, bagat, tricks, points = (round(100 * int(each) / len(worlds)) for each in sums)
        of_actions.append(Prospects(taken, bagat if bagat_is_left else -1, tricks, points))
    return of_actions
