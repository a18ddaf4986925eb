"""Who can be told apart: every match says something about a *sum* of skills, and so shares its certainty among people.

The fold of `partners` goes from match to match with one mean and one variance for each player, as if what is known of the
others had nothing to do with it. Here all matches are put together: information adds up, and in the end all skills are
found at once, with how sure each one, or two together, really are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from domain.rating.model import Model
from domain.rating.results import Result

NEAREST: Final = 24  # others who are weighed in a variance; those beyond would add a few hundredths of it
CLOSE_ENOUGH: Final = 1e-20  # of the squares, when skills are found step by step
MOST_STEPS: Final = 1000


class Company:
    """What matches say, as of day `until`: for each player, and for each two who met, how much information there is, plus
    for those on the same side and minus for opponents."""

    __slots__ = ("_alone", "_model", "_shared", "_told", "_until")

    def __init__(self, model: Model, until: int) -> None:
        self._model = model
        self._until = until
        self._alone: dict[str, float] = {}
        self._told: dict[str, float] = defaultdict(float)
        self._shared: dict[str, dict[str, float]] = defaultdict(dict)

    def met(self, sides: Sequence[Sequence[str]], when: int, gained: float, variance: float) -> None:
        """The first of two sides gained so many points per deal, with that variance of luck."""
        information = self._model.kept(self._until - when) / variance
        signed = [(player, sign) for players, sign in zip(sides, (1.0, -1.0), strict=True) for player in players]
        for player, sign in signed:
            self._told[player] += sign * gained * information
            for other, sign_of_other in signed:
                self._weigh(player, other, sign * sign_of_other * information)

    def scored(self, sides: Sequence[Sequence[str]], when: int, gained: Sequence[float], variance: float) -> None:
        """Each of several sides gained so many points per deal above a mean that nobody knows, each with that variance of
        luck: what is known of one side is known against the mean of all."""
        information = self._model.kept(self._until - when) / variance
        middle = sum(gained) / len(gained)
        seated = [(player, side) for side, players in enumerate(sides) for player in players]
        for player, side in seated:
            self._told[player] += (gained[side] - middle) * information
            for other, beside in seated:
                self._weigh(player, other, ((side == beside) - 1 / len(sides)) * information)

    def _weigh(self, player: str, other: str, information: float) -> None:
        """So much more is known of the product of these two skills, or of the square of one."""
        if player == other:
            self._alone[player] = self._alone.get(player, 1 / self._model.skill**2) + information
        else:
            row = self._shared[player]
            row[other] = row.get(other, 0.0) + information

    def skills(self) -> dict[str, float]:
        """The most likely skills, all at once, by id. (Conjugate gradients: the solution of as many equations as there are
        players, found in few steps because everybody met few of the others.)"""
        names = sorted(self._alone)
        found = dict.fromkeys(names, 0.0)
        rest = {name: self._told[name] for name in names}
        way = dict(rest)
        square = wanted = sum(value * value for value in rest.values())
        for _ in range(MOST_STEPS):
            if square <= CLOSE_ENOUGH * wanted:
                break
            image = {
                name: self._alone[name] * way[name]
                + sum(value * way[other] for other, value in self._shared[name].items())
                for name in names
            }
            step = square / sum(way[name] * image[name] for name in names)
            for name in names:
                found[name] += step * way[name]
                rest[name] -= step * image[name]
            before, square = square, sum(value * value for value in rest.values())
            way = {name: rest[name] + square / before * way[name] for name in names}
        return found

    def variance(self, *players: str) -> float:
        """The variance of the sum of the skills of one or two players."""
        order = [*self._nearest(players), *players]
        matrix = [[self._shared[one].get(other, 0.0) for other in order] for one in order]
        for place, one in enumerate(order):
            matrix[place][place] = self._alone[one]
        return _variance_of_last(matrix, len(players))

    def _nearest(self, players: Sequence[str]) -> list[str]:
        weight: dict[str, float] = defaultdict(float)
        for player in players:
            for other, value in self._shared[player].items():
                if other not in players:
                    weight[other] += value**2 / self._alone[other]
        return sorted(weight, key=lambda other: (-weight[other], other))[:NEAREST]


def _variance_of_last(matrix: list[list[float]], count: int) -> float:
    """The variance of the sum of the last `count` (1 or 2) unknowns of this information matrix, the others eliminated."""
    size = len(matrix)
    for pivot in range(size - count):
        row = matrix[pivot]
        for below in range(pivot + 1, size):
            part = row[below] / row[pivot]
            if part:  # it is symmetric: what lies left of the diagonal is never looked at
                target = matrix[below]
                for column in range(below, size):
                    target[column] -= part * row[column]
    if count == 1:
        return 1 / matrix[-1][-1]
    (a, b), (_, c) = matrix[-2][-2:], matrix[-1][-2:]
    return (a + c - 2 * b) / (a * c - b * b)


def inseparable(results: Iterable[Result]) -> dict[str, tuple[str, ...]]:
    """For everybody who never sat anywhere without somebody else: these others, in order of their ids.

    Nothing can ever tell such people apart: all that is known is about them together.
    """
    seats: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for each in results:
        for place, (players, _) in enumerate(each.sides):
            for player in players:
                seats[player].append((each.id, place))
    together: dict[tuple[tuple[str, int], ...], list[str]] = defaultdict(list)
    for player, where in seats.items():
        together[tuple(where)].append(player)
    return {
        player: tuple(sorted(other for other in group if other != player))
        for group in together.values()
        if len(group) > 1
        for player in group
    }
