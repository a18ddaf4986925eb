"""Comparing actions in the same worlds, and giving up early those that cannot be the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from domain.bots.fast.compiling import State
from domain.engine.actions import Action

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


def race(
    actions: Sequence[Action], worlds: int, look: Callable[[int, int, int], State], *, finer: bool, exact: bool = False
) -> tuple[Valued, ...]:
    """The actions by their worth, which `look` tells by the place of an action for the worlds from a number up to another.

    All are tried in a part of the worlds, and in the others those that may still be the best.
    """
    found: list[list[int]] = [[] for _ in actions]
    living = list(range(len(actions)))
    done = 0
    for until in _looks(worlds, len(actions)):
        for at in living:
            found[at] += map(int, look(at, done, until))
        done = until
        living = _leading(found, living)
        if len(living) == 1:
            break
    return _valued(actions, found, finer, exact)


def _looks(worlds: int, actions: int) -> list[int]:
    """After how many worlds actions are dropped."""
    if actions == 1 or worlds <= 2 * _AT_FIRST:
        return [worlds]
    return sorted({max(1, worlds // _AT_FIRST), max(1, worlds // 2), worlds})


def _leading(found: list[list[int]], living: list[int]) -> list[int]:
    """The better half of the living actions, without those that are behind the best by more than chance explains."""
    ordered = sorted(living, key=lambda at: (-sum(found[at]), at))
    best = ordered[0]
    kept = [best]
    for at in ordered[1 : max(2, (len(ordered) + 1) // 2)]:
        behind, error = _difference(found[best], found[at])
        if behind <= 2.5 * error:
            kept.append(at)
    return kept


def _difference(first: Sequence[int], second: Sequence[int]) -> tuple[float, float]:
    """How far the first lies above the second in the worlds where both were tried, and the standard error of that."""
    number = min(len(first), len(second))
    gaps = [int(first[at]) - int(second[at]) for at in range(number)]
    mean = sum(gaps) / number
    if number < 2:
        return mean, 0.0
    variance = sum((gap - mean) ** 2 for gap in gaps) / (number - 1)
    return mean, sqrt(variance / number)


def _valued(actions: Sequence[Action], found: list[list[int]], finer: bool, exact: bool) -> tuple[Valued, ...]:
    """The actions with their values. One that was dropped lies as far behind the best as in the worlds it was tried in."""
    most = max(map(len, found))
    best = max((at for at in range(len(found)) if len(found[at]) == most), key=lambda at: (sum(found[at]), -at))
    # The finer part of a worth (the card points of Troggu, which nobody is paid for) is no part of the score.
    scores = [[worth & ~255 if finer else worth for worth in worths] for worths in found]
    top = sum(scores[best]) / most / 256
    listed = []
    for at, action in enumerate(actions):
        behind, error = _difference(found[best], found[at])
        score, _ = _difference(scores[best], scores[at])
        listed.append((at != best, behind, at, Valued(action, top - score / 256, 0.0 if exact else error / 256, exact)))
    listed.sort(key=lambda item: item[:3])
    return tuple(valued for *_, valued in listed)
