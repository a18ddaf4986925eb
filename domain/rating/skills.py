"""The estimated skill of each player while results are read, and in the end which players can be told apart.

Two sides against each other: each player adds their skill, in points per deal, to the margin of their side, and the
opponents subtract theirs; the cards and the play add luck. Each alone: skill is points per deal above the mean of the
table. A match updates the estimates by Bayes' rule for normal distributions. If other tables played the same deals,
their scores tell what the cards were worth; then most of the luck is gone.

A fold goes from match to match with one mean and one variance for each player. But every match says something only
about a *sum* of skills. So in the end the information of all matches is added up, and all skills are solved for at
once, with the true variance of each one and of each pair.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import Final

from domain.rating.results import CAP, Model, Result, Side, gains, within

NEAREST: Final = 24  # the other players that enter a variance; more would change it by a few hundredths
CLOSE_ENOUGH: Final = 1e-20  # as a part of the first sum of squares, when skills are found step by step
MOST_STEPS: Final = 1000


class SkillEquations:
    """The information of all matches, as of day `until`, as a system of linear equations for the skills.

    There is information about each player, and about each two players who met: positive for the same side, negative for
    opponents.
    """

    __slots__ = ("_alone", "_model", "_right_side", "_shared", "_until")

    def __init__(self, model: Model, until: int) -> None:
        self._model = model
        self._until = until
        self._alone: dict[str, float] = {}  # the diagonal of the information matrix
        self._shared: dict[str, dict[str, float]] = defaultdict(dict)  # its other elements
        self._right_side: dict[str, float] = defaultdict(float)  # of the equations: information times gain

    def add_match_of_two(self, sides: Sequence[Sequence[str]], when: int, points: float, variance: float) -> None:
        """Add a match of two sides: the first gained this many points per deal, with this variance of luck."""
        information = self._model.kept(self._until - when) / variance
        signed = [(player, sign) for players, sign in zip(sides, (1.0, -1.0), strict=True) for player in players]
        for player, sign in signed:
            self._right_side[player] += sign * points * information
            for other, sign_of_other in signed:
                self._weigh(player, other, sign * sign_of_other * information)

    def add_match_of_several(
        self, sides: Sequence[Sequence[str]], when: int, points: Sequence[float], variance: float
    ) -> None:
        """Add a match of several sides: each gained this many points per deal, with this variance of luck.

        The gains are above an unknown mean, so they say something about each side only compared with the mean of all.
        """
        information = self._model.kept(self._until - when) / variance
        middle = sum(points) / len(points)
        seated = [(player, side) for side, players in enumerate(sides) for player in players]
        for player, side in seated:
            self._right_side[player] += (points[side] - middle) * information
            for other, other_side in seated:
                self._weigh(player, other, ((side == other_side) - 1 / len(sides)) * information)

    def _weigh(self, player: str, other: str, information: float) -> None:
        """Add information about the product of these two skills, or about the square of one."""
        if player == other:
            self._alone[player] = self._alone.get(player, 1 / self._model.skill**2) + information
        else:
            row = self._shared[player]
            row[other] = row.get(other, 0.0) + information

    def skills(self) -> dict[str, float]:
        """The most likely skills of all players, by id.

        Solves one equation for each player by conjugate gradients, which takes few steps because everybody met few of
        the others.
        """
        names = sorted(self._alone)
        skills = dict.fromkeys(names, 0.0)
        residual = {name: self._right_side[name] for name in names}
        direction = dict(residual)
        square = first_square = sum(value * value for value in residual.values())
        for _ in range(MOST_STEPS):
            if square <= CLOSE_ENOUGH * first_square:
                break
            image = {
                name: self._alone[name] * direction[name]
                + sum(value * direction[other] for other, value in self._shared[name].items())
                for name in names
            }
            step = square / sum(direction[name] * image[name] for name in names)
            for name in names:
                skills[name] += step * direction[name]
                residual[name] -= step * image[name]
            before, square = square, sum(value * value for value in residual.values())
            direction = {name: residual[name] + square / before * direction[name] for name in names}
        return skills

    def variance(self, *players: str) -> float:
        """The variance of the sum of the skills of one or two players."""
        order = [*self._nearest(players), *players]
        matrix = [[self._shared[one].get(other, 0.0) for other in order] for one in order]
        for index, one in enumerate(order):
            matrix[index][index] = self._alone[one]
        return _variance_of_last(matrix, len(players))

    def _nearest(self, players: Sequence[str]) -> list[str]:
        weight: dict[str, float] = defaultdict(float)
        for player in players:
            for other, value in self._shared[player].items():
                if other not in players:
                    weight[other] += value**2 / self._alone[other]
        return sorted(weight, key=lambda other: (-weight[other], other))[:NEAREST]


def _variance_of_last(matrix: list[list[float]], count: int) -> float:
    """The variance of the sum of the last `count` (1 or 2) unknowns of an information matrix, the others eliminated."""
    size = len(matrix)
    for pivot in range(size - count):
        row = matrix[pivot]
        for below in range(pivot + 1, size):
            part = row[below] / row[pivot]
            if part:  # the matrix is symmetric: elements left of the diagonal are never read
                target = matrix[below]
                for column in range(below, size):
                    target[column] -= part * row[column]
    if count == 1:
        return 1 / matrix[-1][-1]
    (a, b), (_, c) = matrix[-2][-2:], matrix[-1][-2:]
    return (a + c - 2 * b) / (a * c - b * b)


def inseparable(results: Iterable[Result]) -> dict[str, tuple[str, ...]]:
    """For everybody who never sat anywhere without certain others: those others, in order of their ids.

    Such players cannot be told apart: every result is about all of them together.
    """
    seats: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for each in results:
        for side, (players, _) in enumerate(each.sides):
            for player in players:
                seats[player].append((each.id, side))
    together: dict[tuple[tuple[str, int], ...], list[str]] = defaultdict(list)
    for player, where in seats.items():
        together[tuple(where)].append(player)
    return {
        player: tuple(sorted(other for other in group if other != player))
        for group in together.values()
        if len(group) > 1
        for player in group
    }


@dataclass(slots=True)
class Standing:
    """The estimate of one player: mean and variance of their skill on day `when`, from `deals` deals."""

    mean: float
    variance: float
    when: int
    deals: int = 0


class People:
    """Everybody seen so far. New players begin with mean 0 and the model's variance of skill."""

    __slots__ = ("_standings", "model")

    def __init__(self, model: Model) -> None:
        self.model = model
        self._standings: dict[str, Standing] = {}

    def names(self) -> list[str]:
        return sorted(self._standings)

    def known(self, player: str) -> tuple[float, float]:
        """The mean and variance of `player` after their last match; those of a new player if there was none."""
        standing = self._standings.get(player)
        return (standing.mean, standing.variance) if standing else (0.0, self.model.skill**2)

    def present(self, player: str, when: int) -> Standing:
        """The standing of `player` on that day; the caller may change it.

        What was learnt fades with time, so that after a long absence the standing resembles that of a new player.
        """
        standing = self._standings.get(player)
        if standing is None:
            standing = self._standings[player] = Standing(0.0, self.model.skill**2, when)
        elif when > standing.when:
            kept = self.model.kept(when - standing.when)
            prior = 1 / self.model.skill**2
            certainty = prior + kept * max(1 / standing.variance - prior, 0.0)
            standing.mean *= kept / (standing.variance * certainty)
            standing.variance = 1 / certainty
            standing.when = when
        return standing


@dataclass(frozen=True, slots=True)
class Step:
    """What one result said.

    `gained`: the points per deal that each side gained (of two sides, only the first), less the worth of its cards as
    far as that is known. `squares`: the squared surprises, each divided by its expected variance. `spread`: the
    logarithm of the determinant of the expected variances.
    """

    gained: tuple[float, ...]
    squares: float
    spread: float


class _Fold:
    """A fold that learns from results; give them to `add` in order.

    A surprise counts as at most `cap` standard deviations: a blow-out, or a Solo won against all, is a very large win
    and nothing more. `equations` collect every match for the final ratings; estimates of a model do without them.
    """

    def __init__(self, model: Model, *, cap: float = CAP, equations: SkillEquations | None = None) -> None:
        self.model = model
        self.people = People(model)
        self._cap = cap
        self._equations = equations


class Partners(_Fold):
    """The fold over results with two sides."""

    def add(self, result: Result, elsewhere: Sequence[Result] = ()) -> Step:
        """Learn from `result`, and return what it said. `elsewhere` are the other tables with the same deals."""
        (first, _), (second, _) = result.sides
        signed = [(self.people.present(player, result.when), 1.0) for player in first]
        signed += [(self.people.present(player, result.when), -1.0) for player in second]
        worth, worth_variance = self._worth_of_cards(result, elsewhere)
        expected = sum(standing.mean * sign for standing, sign in signed)
        luck_variance = self.model.play**2 / result.deals + worth_variance
        variance = luck_variance + sum(standing.variance for standing, _ in signed)
        gain = gains(result, None)[0] - worth
        surprise = within(gain - expected, self._cap * sqrt(variance))
        for standing, sign in signed:
            part = standing.variance / variance
            standing.mean += sign * part * surprise
            standing.variance -= part * standing.variance
            standing.deals += result.deals
        if self._equations is not None:
            capped_gain = expected + surprise
            self._equations.add_match_of_two((first, second), result.when, capped_gain, luck_variance)
        return Step((gain,), (gain - expected) ** 2 / variance, log(variance))

    def _worth_of_cards(self, result: Result, elsewhere: Sequence[Result]) -> tuple[float, float]:
        """Mean and variance of what the first side's cards were worth, in points per deal.

        Every other table gives evidence, weighted by its luck and by how well its players are known. Without other
        tables the mean is 0 and the variance that of the deals.
        """
        deal_variance, play_variance = self.model.deal**2 / result.deals, self.model.play**2 / result.deals
        information, weighted_sum = 1 / deal_variance, 0.0
        for other in elsewhere:
            expected, skill_variance = self._expected_margin(other.sides)
            variance = play_variance + skill_variance
            seen = within(gains(other, None)[0] - expected, self._cap * sqrt(deal_variance + variance))
            information += 1 / variance
            weighted_sum += seen / variance
        if result.datum is not None:
            seen = (result.datum.scores[0] - result.datum.scores[1]) / (2 * result.deals)
            variance = (play_variance + len(result.players) * self.model.skill**2) / result.datum.tables
            information += 1 / variance
            weighted_sum += within(seen, self._cap * sqrt(deal_variance + variance)) / variance
        return weighted_sum / information, 1 / information

    def _expected_margin(self, sides: Sequence[Side]) -> tuple[float, float]:
        """Mean and variance of what the skills of the players add to the first side's gain."""
        margin, margin_variance = 0.0, 0.0
        for (players, _), sign in zip(sides, (1.0, -1.0), strict=True):
            for player in players:
                mean, variance = self.people.known(player)
                margin += sign * mean
                margin_variance += variance
        return margin, margin_variance


class Alone(_Fold):
    """The fold over results of players who play for themselves, or of more than two sides."""

    def add(self, result: Result, elsewhere: Sequence[Result] = ()) -> Step:
        """Learn from `result`, and return what it said. `elsewhere` are the other tables with the same deals."""
        teams = [[self.people.present(player, result.when) for player in players] for players, _ in result.sides]
        worths, worth_variance = self._worth_of_cards(result, elsewhere)
        luck_variance = self.model.play**2 / result.deals + worth_variance
        expected = _centred([sum(each.mean for each in team) for team in teams])
        gained = _centred([own - worth for own, worth in zip(gains(result, None), worths, strict=True)])
        variances = [luck_variance + sum(each.variance for each in team) for team in teams]
        weights = [1 / each for each in variances]
        total = sum(weights)
        excesses = [own - hoped for own, hoped in zip(gained, expected, strict=True)]
        middle = sum(weight * each for weight, each in zip(weights, excesses, strict=True)) / total
        surprises = [each - middle for each in excesses]
        capped = [
            within(each, self._cap * sqrt(variance - 1 / total))
            for each, variance in zip(surprises, variances, strict=True)
        ]
        for team, weight, surprise in zip(teams, weights, capped, strict=True):
            for standing in team:
                standing.mean += standing.variance * weight * surprise
                standing.variance -= standing.variance**2 * (weight - weight**2 / total)
                standing.deals += result.deals
        if self._equations is not None:
            sides = [players for players, _ in result.sides]
            capped_gains = [hoped + surprise for hoped, surprise in zip(expected, capped, strict=True)]
            self._equations.add_match_of_several(sides, result.when, capped_gains, luck_variance)
        squares = sum(each**2 * weight for each, weight in zip(surprises, weights, strict=True))
        spread = sum(log(each) for each in variances) + log(total / len(teams))
        return Step(tuple(gained), squares, spread)

    def _worth_of_cards(self, result: Result, elsewhere: Sequence[Result]) -> tuple[list[float], float]:
        """What the cards of each seat were worth, in points per deal above the mean of the table, and its variance.

        Every other table gives evidence, weighted by its luck and by how well its players are known.
        """
        deal_variance, play_variance = self.model.deal**2 / result.deals, self.model.play**2 / result.deals
        information, weighted_sums = 1 / deal_variance, [0.0] * len(result.sides)
        for other in elsewhere:
            skills = [[self.people.known(player) for player in players] for players, _ in other.sides]
            expected = _centred([sum(mean for mean, _ in side) for side in skills])
            table_variance = play_variance + sum(variance for side in skills for _, variance in side) / len(skills)
            information += 1 / table_variance
            bound = self._cap * sqrt(deal_variance + table_variance)
            for index, (own, hoped) in enumerate(zip(gains(other, None), expected, strict=True)):
                weighted_sums[index] += within(own - hoped, bound) / table_variance
        if result.datum is not None:
            players = len(result.players) / len(result.sides)
            table_variance = (play_variance + players * self.model.skill**2) / result.datum.tables
            information += 1 / table_variance
            bound = self._cap * sqrt(deal_variance + table_variance)
            for index, own in enumerate(_centred(result.datum.scores)):
                weighted_sums[index] += within(own / result.deals, bound) / table_variance
        return [each / information for each in weighted_sums], 1 / information


def win_probabilities(means: Sequence[float], variances: Sequence[float]) -> tuple[float, ...]:
    """For each of these independent normal variables, the probability that it is the largest; they add up to 1."""
    normal = NormalDist()
    integrals = []
    for index, (mean, variance) in enumerate(zip(means, variances, strict=True)):
        integral = 0.0
        # Integrate the density of this variable times the probability that all others are below it, by the midpoint
        # rule with 80 points, an eighth of a standard deviation apart, from -5 to 5. That is right to four digits.
        for step in range(-40, 40):
            deviation = (step + 0.5) / 8
            density = normal.pdf(deviation)
            for other, (other_mean, other_variance) in enumerate(zip(means, variances, strict=True)):
                if other != index:
                    density *= normal.cdf((mean + deviation * sqrt(variance) - other_mean) / sqrt(other_variance))
            integral += density
        integrals.append(integral)
    return tuple(integral / sum(integrals) for integral in integrals)  # so the width of the points cancels out


def _centred(values: Sequence[float]) -> list[float]:
    """Each value minus the mean of all."""
    mean = sum(values) / len(values)
    return [each - mean for each in values]
