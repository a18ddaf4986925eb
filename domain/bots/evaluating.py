"""What each possible action is worth to a seat: tried in worlds that fit what it knows, and counted in the game's own points.

The worlds are drawn alike from all that fit (`worlds`), the same ones for every action; each is played to its end by the
policy of the fast core, and the last tricks of two sides exactly. Actions that fall behind are dropped early. It depends on
nothing but the view, the number of worlds and the seed, and takes no longer for one holding of the others than for another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final, TypeAlias

from domain.bots.fast import setting
from domain.bots.fast.compiling import State, Table, numbers, table
from domain.bots.fast.layout import ACTIONS, SIZE
from domain.bots.fast.policy import weights
from domain.bots.fast.search import DEEP, try_all
from domain.bots.knowledge import know
from domain.bots.worlds import Worlds
from domain.engine.actions import Action
from domain.engine.legal import LegalPlays
from domain.engine.view import View

SOLVED_CARDS: Final = 16
"""With at most so many cards in all hands the rest of a hand between two sides is solved."""
_AT_FIRST: Final = 4  # the first look takes one world in so many


@dataclass(frozen=True, slots=True)
class Valued:
    """One action and what it should bring.

    `points` is the expected result of this hand for the viewer's seat, in the game's own count: points above par in Troccas,
    Rappen in Troggu. `error` is the standard error of its difference to the best action (0 for the best itself). `exact`:
    every world that fits was looked at, and the rest of the hand solved in each.
    """

    action: Action
    points: float
    error: float
    exact: bool


Values: TypeAlias = list[list[int]]
"""By action, by world: the worth, in the core's count; shorter for actions that were dropped."""


def luck_for(view: View, seed: bytes) -> Random:
    """Chance that depends on nothing but the seed, the seat, and how many actions have happened."""
    key = b"%b|%d|%d" % (seed, -1 if view.seat is None else view.seat, len(view.history))
    return Random(int.from_bytes(hashlib.sha256(key).digest()[:16], "big"))


def evaluate(view: View, *, worlds: int = 60, seed: bytes = b"") -> tuple[Valued, ...]:
    """What each sensible action of the viewer is worth, the best first; nothing for a question that is not valued.

    The same view, number of worlds and seed give the same answer. Raises ValueError if the viewer is not on turn.
    """
    if view.seat is None or view.turn != view.seat or view.over:
        raise ValueError("the viewer is not on turn")
    valued = VALUED.get(view.asked)
    return valued(view, worlds, luck_for(view, seed)) if valued is not None else ()


def _play(view: View, number: int, luck: Random) -> tuple[Valued, ...]:
    known = know(view)
    worlds = Worlds(view, known)
    drawn = worlds.some(number, luck)
    rules = view.ruleset
    r = setting.rules_for(rules, dict(view.options), view.dealer)
    bases = table(len(drawn), SIZE)
    made: dict[tuple[tuple[int, ...], int], State] = {}
    for at, world in enumerate(drawn):
        key = setting.sides_in(view, world.hands)
        if key not in made:
            made[key] = setting.base_of(view, known, *key)
        bases[at][:] = setting.in_world(made[key], view, world.hands, world.rest)
    actions = [action for action in view.legal if not (isinstance(view.legal, LegalPlays) and action.signal == "knock")]
    asked = _without_likes(view, actions)
    solved = sum(view.counts) <= SOLVED_CARDS and all(len(set(sides)) <= 2 for sides, _ in made)
    found = _try(bases, len(drawn), r, [setting.number_of(action) for action in asked], view.seat or 0, solved)
    exact = solved and len(drawn) == worlds.count
    return _valued(actions, asked, found, exact)


def _without_likes(view: View, actions: Sequence[Action]) -> dict[Action, list[Action]]:
    """One action of those that come to the same: cards of one suit and value with nothing unseen between them."""
    return {action: [action] for action in actions}


def _try(bases: Table, number: int, r: State, actions: list[int], seat: int, solved: bool) -> Values:
    """The worths of the actions: of all in a part of the worlds, then of those that may still be the best."""
    tried = numbers(ACTIONS)
    for at, action in enumerate(actions):
        tried[at] = action
    alive = numbers(ACTIONS)
    for at in range(len(actions)):
        alive[at] = 1
    found = table(len(actions), number)
    looked = [0] * len(actions)
    work = table(DEEP, SIZE), table(DEEP, ACTIONS), numbers(8)
    w = weights()
    done = 0
    for until in _looks(number, len(actions)):
        try_all(bases, done, until, r, w, tried, len(actions), alive, found, seat, int(solved), *work)
        for at in range(len(actions)):
            if alive[at]:
                looked[at] = until
        done = until
        _drop(found, looked, done, alive, len(actions))
        if sum(alive[at] for at in range(len(actions))) == 1:
            break
    return [[int(worth) for worth in found[at][: looked[at]]] for at in range(len(actions))]


def _looks(number: int, actions: int) -> list[int]:
    """After how many worlds actions are dropped."""
    if actions == 1 or number <= 2 * _AT_FIRST:
        return [number]
    return sorted({max(1, number // _AT_FIRST), max(1, number // 2), number})


def _drop(found: Table, looked: list[int], done: int, alive: State, actions: int) -> None:
    """Give up the actions that are behind the best by more than chance explains, and all but the best half."""
    living = [at for at in range(actions) if alive[at]]
    means = {at: sum(int(worth) for worth in found[at][:done]) / done for at in living}
    living.sort(key=lambda at: (-means[at], at))
    best = living[0]
    for place, at in enumerate(living[1:], 1):
        if place >= max(2, (len(living) + 1) // 2):
            alive[at] = 0
            continue
        behind, error = _difference(found[best][:done], found[at][:done])
        if behind > 2.5 * error:
            alive[at] = 0


def _difference(first: Sequence[int], second: Sequence[int]) -> tuple[float, float]:
    """How far the first lies above the second in the worlds where both were tried, and the standard error of that."""
    number = min(len(first), len(second))
    gaps = [int(first[at]) - int(second[at]) for at in range(number)]
    mean = sum(gaps) / number
    if number < 2:
        return mean, 0.0
    variance = sum((gap - mean) ** 2 for gap in gaps) / (number - 1)
    return mean, sqrt(variance / number)


def _valued(
    order: Sequence[Action], asked: dict[Action, list[Action]], found: Values, exact: bool
) -> tuple[Valued, ...]:
    """The actions with their values. One that was dropped lies as far behind the best as in the worlds it was tried in."""
    most = max(len(worths) for worths in found)
    best = max((at for at in range(len(found)) if len(found[at]) == most), key=lambda at: (sum(found[at]), -at))
    top = sum(worth >> 8 for worth in found[best]) / most
    listed = []
    for at, alike in enumerate(asked.values()):
        behind, error = _difference(found[best], found[at])
        score, _ = _difference([worth >> 8 for worth in found[best]], [worth >> 8 for worth in found[at]])
        for action in alike:
            valued = Valued(action, top - score, 0.0 if exact else error / 256, exact)
            listed.append((at != best, behind, order.index(action), valued))
    listed.sort(key=lambda item: item[:3])
    return tuple(valued for *_, valued in listed)


VALUED: Final[dict[str, Callable[[View, int, Random], tuple[Valued, ...]]]] = {
    "play": _play,
    "call": _play,
    "fool": _play,
    "take": _play,
}
