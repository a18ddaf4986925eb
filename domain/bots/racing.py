"""Comparing actions in the same worlds, and dropping early those that cannot be the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from domain.bots.fast.compiling import State
from domain.bots.fast.search import POINTS_SCALE
from domain.engine.actions import Action

_AT_FIRST: Final = 4  # the first look takes one world in this many


@dataclass(frozen=True, slots=True)
class Valued:
    """One action and its expected result.

    `points` is the expected result of this hand for the viewer's seat, in the game's own count: points above par in
    Troccas, Rappen in Troggu. `error` is the standard error of its difference to the best action (0 for the best
    itself). `exact`: every fitting world was tried, and the rest of the hand solved in each.
    """

    action: Action
    points: float
    error: float
    exact: bool


def race(
    actions: Sequence[Action], worlds: int, look: Callable[[int, int, int], State], *, finer: bool, exact: bool = False
) -> tuple[Valued, ...]:
    """The actions by their worth, best first.

    `look(index, first, last)` returns the worths of an action in the worlds from `first` up to `last`. All actions are
    tried in some of the worlds, then only those that may still be the best. `finer`: the worths have a part that does
    not belong to the score.
    """
    worths: list[list[int]] = [[] for _ in actions]
    living = list(range(len(actions)))
    done = 0
    for until in _looks(worlds, len(actions)):
        for index in living:
            worths[index] += map(int, look(index, done, until))
        done = until
        living = _leading(worths, living)
        if len(living) == 1:
            break
    return _ranked(actions, worths, finer=finer, exact=exact)


def _looks(worlds: int, actions: int) -> list[int]:
    """The numbers of worlds after which actions are dropped."""
    if actions == 1 or worlds <= 2 * _AT_FIRST:
        return [worlds]
    return sorted({max(1, worlds // _AT_FIRST), max(1, worlds // 2), worlds})


def _leading(worths: list[list[int]], living: list[int]) -> list[int]:
    """The better half of the living actions, without those that are behind the best by more than chance explains."""
    ordered = sorted(living, key=lambda index: (-sum(worths[index]), index))
    best = ordered[0]
    kept = [best]
    for index in ordered[1 : max(2, (len(ordered) + 1) // 2)]:
        behind, error = _difference(worths[best], worths[index])
        if behind <= 2.5 * error:
            kept.append(index)
    return kept


def _difference(first: Sequence[int], second: Sequence[int]) -> tuple[float, float]:
    """The mean of first minus second over the worlds in which both were tried, and its standard error."""
    number = min(len(first), len(second))
    gaps = [int(first[index]) - int(second[index]) for index in range(number)]
    mean = sum(gaps) / number
    if number < 2:
        return mean, 0.0
    variance = sum((gap - mean) ** 2 for gap in gaps) / (number - 1)
    return mean, sqrt(variance / number)


def _ranked(actions: Sequence[Action], worths: list[list[int]], *, finer: bool, exact: bool) -> tuple[Valued, ...]:
    """The actions with their values, best first.

    An action that was dropped early is compared with the best only in the worlds in which both were tried.
    """
    most = max(map(len, worths))
    complete = (index for index, each in enumerate(worths) if len(each) == most)
    best = max(complete, key=lambda index: (sum(worths[index]), -index))
    # Whole worths rank the actions, so their differences also say how sure the ranking is; points are the score alone.
    behind = [_difference(worths[best], each) for each in worths]
    scores = _scores(worths, finer=finer)
    best_score = sum(scores[best]) / most

    def valued(index: int) -> Valued:
        gap, _ = _difference(scores[best], scores[index])
        error = 0.0 if exact else behind[index][1] / POINTS_SCALE
        return Valued(actions[index], best_score / POINTS_SCALE - gap / POINTS_SCALE, error, exact)

    order = sorted(range(len(actions)), key=lambda index: (index != best, behind[index][0]))
    return tuple(map(valued, order))


def _scores(worths: list[list[int]], *, finer: bool) -> list[list[int]]:
    """The worths without their finer part (the card points of Troggu), which does not belong to the score."""
    if not finer:
        return worths
    mask = ~(POINTS_SCALE - 1)
    return [[worth & mask for worth in each] for each in worths]
