"""What is believed about each player while results are read, and who can be told apart in the end.

Two sides against each other: each player adds their skill, in points per deal, to the margin of their side, the opponents
subtract theirs; the cards dealt and the play add luck. Each alone: skill is points per deal above the mean of the table. A
match changes what is believed by the rule of Bayes for normal distributions. Where other tables played the same deals, what
they made of them tells what the cards were worth: then most of the luck is gone.

A fold goes from match to match with one mean and one variance for each player. But every match says something about a
*sum* of skills only: in the end all matches are put together, information adds up, and all skills are found at once, with
how sure each one, or two together, really are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import Final

from domain.rating.results import CAP, Model, Result, Side, gains, within

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


@dataclass(slots=True)
class Standing:
    """What is believed about one player: mean and variance of their skill on day `when`, from so many deals."""

    mean: float
    variance: float
    when: int
    deals: int = 0


class People:
    """Everybody seen so far. Who is new begins in the middle, as unsure as the model's spread of skill."""

    __slots__ = ("_standings", "model")

    def __init__(self, model: Model) -> None:
        self.model = model
        self._standings: dict[str, Standing] = {}

    def names(self) -> list[str]:
        return sorted(self._standings)

    def known(self, player: str) -> tuple[float, float]:
        """Mean and variance as they stand; those of a new player if nothing is known."""
        standing = self._standings.get(player)
        return (standing.mean, standing.variance) if standing else (0.0, self.model.skill**2)

    def present(self, player: str, when: int) -> Standing:
        """The standing of `player` on that day, to be changed. As time passes what was learnt fades, and the player comes
        nearer to a new one."""
        standing = self._standings.get(player)
        if standing is None:
            standing = self._standings[player] = Standing(0.0, self.model.skill**2, when)
        elif when > standing.when:
            left = self.model.kept(when - standing.when)
            nothing = 1 / self.model.skill**2
            certainty = nothing + left * max(1 / standing.variance - nothing, 0.0)
            standing.mean *= left / (standing.variance * certainty)
            standing.variance = 1 / certainty
            standing.when = when
        return standing


@dataclass(frozen=True, slots=True)
class Step:
    """What one result said: the points per deal that sides `gained` (two: the first of them), the worth of the cards taken
    off as far as it is known. `squares`: the surprises, squared, in the variances they were expected to have; `spread`: the
    logarithm of how far the results could have lain apart."""

    gained: tuple[float, ...]
    squares: float
    spread: float


class _Fold:
    """What is learnt from results; give them to `add` in order.

    By no more than `cap` standard deviations may one side surprise: a blow-out, or a Solo won against all, is a very large
    win, no more. `company` gets to know every match, for the final ratings; estimates do without.
    """

    def __init__(self, model: Model, *, cap: float = CAP, company: Company | None = None) -> None:
        self.model = model
        self.people = People(model)
        self._cap = cap
        self._company = company


class Partners(_Fold):
    """The fold over results with two sides."""

    def add(self, result: Result, elsewhere: Sequence[Result] = ()) -> Step:
        """Learn from `result`; `elsewhere` are the other tables with the same deals."""
        (first, _), (second, _) = result.sides
        ours = [(self.people.present(player, result.when), 1.0) for player in first]
        ours += [(self.people.present(player, result.when), -1.0) for player in second]
        worth, unknown = self._cards(result, elsewhere)
        expected = sum(standing.mean * sign for standing, sign in ours)
        luck = self.model.play**2 / result.deals + unknown
        variance = luck + sum(standing.variance for standing, _ in ours)
        gained = gains(result, None)[0] - worth
        surprise = within(gained - expected, self._cap * sqrt(variance))
        for standing, sign in ours:
            part = standing.variance / variance
            standing.mean += sign * part * surprise
            standing.variance -= part * standing.variance
            standing.deals += result.deals
        if self._company is not None:
            self._company.met((first, second), result.when, expected + surprise, luck)
        return Step((gained,), (gained - expected) ** 2 / variance, log(variance))

    def _cards(self, result: Result, elsewhere: Sequence[Result]) -> tuple[float, float]:
        """What the first side's cards were worth, in points per deal, and the variance of what of that stays unknown.

        Every other table is a witness, as good as its luck and what is known of its players allow; without any the worth
        is 0 and everything unknown.
        """
        dealt, played = self.model.deal**2 / result.deals, self.model.play**2 / result.deals
        information, told = 1 / dealt, 0.0
        for other in elsewhere:
            expected, skills = self._believed(other.sides)
            unsure = played + skills
            seen = within(gains(other, None)[0] - expected, self._cap * sqrt(dealt + unsure))
            information += 1 / unsure
            told += seen / unsure
        if result.datum is not None:
            seen = (result.datum.scores[0] - result.datum.scores[1]) / (2 * result.deals)
            unsure = (played + len(result.players) * self.model.skill**2) / result.datum.tables
            information += 1 / unsure
            told += within(seen, self._cap * sqrt(dealt + unsure)) / unsure
        return told / information, 1 / information

    def _believed(self, sides: Sequence[Side]) -> tuple[float, float]:
        mean, variance = 0.0, 0.0
        for (players, _), sign in zip(sides, (1.0, -1.0), strict=True):
            for player in players:
                skill, unsure = self.people.known(player)
                mean += sign * skill
                variance += unsure
        return mean, variance


class Alone(_Fold):
    """The fold over results of players for themselves, or of more than two sides."""

    def add(self, result: Result, elsewhere: Sequence[Result] = ()) -> Step:
        """Learn from `result`; `elsewhere` are the other tables with the same deals."""
        teams = [[self.people.present(player, result.when) for player in players] for players, _ in result.sides]
        worths, unknown = self._cards(result, elsewhere)
        luck = self.model.play**2 / result.deals + unknown
        expected = _level([sum(each.mean for each in team) for team in teams])
        gained = _level([own - worth for own, worth in zip(gains(result, None), worths, strict=True)])
        variances = [luck + sum(each.variance for each in team) for team in teams]
        weights = [1 / each for each in variances]
        total = sum(weights)
        news = [own - hoped for own, hoped in zip(gained, expected, strict=True)]
        middle = sum(weight * each for weight, each in zip(weights, news, strict=True)) / total
        off = [each - middle for each in news]
        felt = [
            within(each, self._cap * sqrt(variance - 1 / total)) for each, variance in zip(off, variances, strict=True)
        ]
        for team, weight, surprise in zip(teams, weights, felt, strict=True):
            for standing in team:
                standing.mean += standing.variance * weight * surprise
                standing.variance -= standing.variance**2 * (weight - weight**2 / total)
                standing.deals += result.deals
        if self._company is not None:
            told = [hoped + surprise for hoped, surprise in zip(expected, felt, strict=True)]
            self._company.scored([players for players, _ in result.sides], result.when, told, luck)
        squares = sum(each**2 * weight for each, weight in zip(off, weights, strict=True))
        spread = sum(log(each) for each in variances) + log(total / len(teams))
        return Step(tuple(gained), squares, spread)

    def _cards(self, result: Result, elsewhere: Sequence[Result]) -> tuple[list[float], float]:
        """What the cards of each seat were worth, in points per deal above the mean of the table, and the variance of what of
        that stays unknown. Every other table is a witness, as good as its luck and what is known of its players allow.
        """
        dealt, played = self.model.deal**2 / result.deals, self.model.play**2 / result.deals
        information, told = 1 / dealt, [0.0] * len(result.sides)
        for other in elsewhere:
            known = [[self.people.known(player) for player in players] for players, _ in other.sides]
            expected = _level([sum(mean for mean, _ in side) for side in known])
            unsure = played + sum(variance for side in known for _, variance in side) / len(known)
            information += 1 / unsure
            for place, (own, hoped) in enumerate(zip(gains(other, None), expected, strict=True)):
                told[place] += within(own - hoped, self._cap * sqrt(dealt + unsure)) / unsure
        if result.datum is not None:
            players = len(result.players) / len(result.sides)
            unsure = (played + players * self.model.skill**2) / result.datum.tables
            information += 1 / unsure
            for place, own in enumerate(_level(result.datum.scores)):
                told[place] += within(own / result.deals, self._cap * sqrt(dealt + unsure)) / unsure
        return [each / information for each in told], 1 / information


def first(means: Sequence[float], variances: Sequence[float]) -> tuple[float, ...]:
    """The probability of each of these normal numbers to be the highest; they add up to 1. Summed over 80 values of each,
    which is right to four digits."""
    normal = NormalDist()
    found = []
    for place, (mean, variance) in enumerate(zip(means, variances, strict=True)):
        total = 0.0
        for step in range(-40, 40):
            value = (step + 0.5) / 8
            below = normal.pdf(value)
            for other, (their, unsure) in enumerate(zip(means, variances, strict=True)):
                if other != place:
                    below *= normal.cdf((mean + value * sqrt(variance) - their) / sqrt(unsure))
            total += below
        found.append(total)
    return tuple(each / sum(found) for each in found)


def _level(values: Sequence[float]) -> list[float]:
    """Each above the mean of all."""
    middle = sum(values) / len(values)
    return [each - middle for each in values]
