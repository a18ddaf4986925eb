"""What is believed about each player while results are read, one after the other.

Two sides against each other: skill as points per deal, learnt from the margin.

Each player adds their skill to the margin of their side, the opponents subtract theirs; the cards dealt and the play add
luck. A match changes what is believed by the rule of Bayes for normal distributions, player by player; `separation` puts
all matches together in the end. Where other tables played the same deals, what they made of them tells
what the cards were worth: then most of the luck is gone.

Each for themselves: skill as points per deal above the mean of the table, learnt from everybody's score.

What a side scores is a mean of its table that nobody knows, the skills of its players, and luck. That mean is no news about
anybody, so what counts is how the scores lie to each other. A match changes what is believed by the rule of Bayes for
normal distributions, player by player; `separation` puts all matches together in the end. Where other tables played the
same deals, what they made in the same seats tells what the cards were worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist

from domain.rating.model import CAP, Model, within
from domain.rating.results import Result, Side, gains
from domain.rating.separation import Company


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
        """Everybody's ids, in order."""
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
    """What one result said: the points per deal expected of the first side, those it gained (the worth of its cards
    taken off as far as it is known), and the variance of the difference."""

    result: Result
    expected: float
    gained: float
    variance: float


class Partners:
    """The fold over results with two sides; give them to `add` in order.

    By no more than `cap` standard deviations may one result surprise: a blow-out counts, but no more than a large win.
    `company` gets to know every match, for the final ratings; estimates do without.
    """

    def __init__(self, model: Model, *, cap: float = CAP, company: Company | None = None) -> None:
        self.model = model
        self.people = People(model)
        self._cap = cap
        self._company = company

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
        return Step(result, expected, gained, variance)

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


@dataclass(frozen=True, slots=True)
class Scored:
    """What one result said, side by side: the points per deal `expected` above the mean of the table, and those `gained`
    (the worth of the cards taken off as far as it is known). `squares`: the surprises, squared, in the variances they
    were expected to have; `spread`: the logarithm of how far the results could have lain apart."""

    result: Result
    expected: tuple[float, ...]
    gained: tuple[float, ...]
    squares: float
    spread: float


class Alone:
    """The fold over results of players for themselves, or of more than two sides; give them to `add` in order.

    By no more than `cap` standard deviations may one side surprise: a Solo won against all is a very large win, no more.
    `company` gets to know every match, for the final ratings; estimates do without.
    """

    def __init__(self, model: Model, *, cap: float = CAP, company: Company | None = None) -> None:
        self.model = model
        self.people = People(model)
        self._cap = cap
        self._company = company

    def add(self, result: Result, elsewhere: Sequence[Result] = ()) -> Scored:
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
        return Scored(result, tuple(expected), tuple(gained), squares, spread)

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
