"""The entry point: from a log of results to ratings.

Nothing is kept between calls, so a corrected result corrects them all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Final

from domain.errors import DomainError, refuse_if
from domain.rating.fitting import fit
from domain.rating.results import PARTNERS, Model, Result, in_order, others
from domain.rating.skills import Alone, Partners, SkillEquations, inseparable, win_probabilities

PROVISIONAL_BELOW: Final = 40  # deals


@dataclass(frozen=True, slots=True)
class _Estimate:
    """`mean`: points per deal above the mean of the table; `variance`: how uncertain that is."""

    mean: float
    variance: float
    deals: int

    @property
    def provisional(self) -> bool:
        return self.deals < PROVISIONAL_BELOW

    @property
    def spread(self) -> float:
        """The standard deviation: nineteen times out of twenty, the true value lies within two of them."""
        return sqrt(self.variance)

    @property
    def cautious(self) -> float:
        """What the player almost certainly brings: two standard deviations below the mean. Lists are ordered by it."""
        return self.mean - 2 * self.spread


@dataclass(frozen=True, slots=True)
class Rating(_Estimate):
    """One player in one game: the points they bring their side in average company. `provisional` below 40 deals.

    `inseparable`: the others without whom they never sat anywhere, so that only the rating of all of them together
    means something.
    """

    player: str
    inseparable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairRating(_Estimate):
    """Two players as partners, in order of their ids: the points they bring together.

    `deals` are those they played on the same side; `provisional` below 40 of them. `inseparable`: these two were never
    seen apart.
    """

    players: tuple[str, str]
    inseparable: bool


@dataclass(frozen=True, slots=True)
class Pool:
    """Everybody's ratings in one ruleset, by id and by pair of ids, with the model they rest on.

    `pairs` has everyone who sat on the same side at least once.
    """

    ruleset: str
    kind: str
    model: Model
    players: Mapping[str, Rating]
    pairs: Mapping[tuple[str, str], PairRating]

    def ranked(self) -> tuple[Rating, ...]:
        """The ratings by cautious value, with the provisional ones after all others."""
        return tuple(sorted(self.players.values(), key=lambda each: (each.provisional, -each.cautious, each.player)))

    def chances(self, sides: Sequence[Sequence[str]], deals: int, tables: int = 0) -> tuple[float, ...]:
        """For each side, the probability that it is first after `deals` deals; draws count half. They add up to 1.

        `tables`: the number of other tables that play the same deals; the gain over them counts then. Players without a
        rating are taken as average. Raises DomainError for fewer than two sides (more than two among partners), no
        deals, or `tables` below 0.
        """
        if len(sides) < 2 or (self.kind == PARTNERS and len(sides) > 2):
            raise DomainError("bad-count", "sides", expected=2, given=len(sides))
        refuse_if(deals < 1, "no-deals", "deals")
        refuse_if(tables < 0, "negative", "tables")
        means = [sum(self._of(player)[0] for player in side) for side in sides]
        variances = [sum(self._of(player)[1] for player in side) for side in sides]
        played = self.model.play**2
        luck = (played + 1 / (1 / self.model.deal**2 + tables / played)) / deals
        if self.kind == PARTNERS:
            ahead = NormalDist().cdf((means[0] - means[1]) / sqrt(luck + sum(variances)))
            return (ahead, 1 - ahead)
        return win_probabilities(means, [luck + each for each in variances])

    def _of(self, player: str) -> tuple[float, float]:
        rating = self.players.get(player)
        return (rating.mean, rating.variance) if rating else (0.0, self.model.skill**2)


Ratings = Mapping[str, Pool]
"""The pools by ruleset."""


def rate(results: Iterable[Result], models: Mapping[str, Model] | None = None) -> Ratings:
    """The ratings that follow from this log, separately for each ruleset.

    The same results give the same ratings in whatever order they are given. `models` says how much luck is in a game,
    by ruleset; models that are missing are estimated from the results. Raises DomainError as `in_order` does.
    """
    by_ruleset: dict[str, list[Result]] = defaultdict(list)
    for each in in_order(results):
        by_ruleset[each.ruleset].append(each)
    given = models or {}
    return {ruleset: _pool(ruleset, log, given.get(ruleset)) for ruleset, log in sorted(by_ruleset.items())}


def _pool(ruleset: str, log: Sequence[Result], given: Model | None) -> Pool:
    model = given or fit(log)
    kind, today = log[0].kind, log[-1].when
    equations = SkillEquations(model, today)
    fold = Partners(model, equations=equations) if kind == PARTNERS else Alone(model, equations=equations)
    elsewhere = others(log)
    for each in log:
        fold.add(each, elsewhere.get(each.id, ()))
    standings = {player: fold.people.present(player, today) for player in fold.people.names()}
    means, variance = equations.skills(), equations.variance
    always_with = inseparable(log)
    players = {
        player: Rating(means[player], variance(player), standing.deals, player, always_with.get(player, ()))
        for player, standing in standings.items()
    }
    pairs = {
        (one, other): PairRating(
            means[one] + means[other], variance(one, other), deals, (one, other), other in always_with.get(one, ())
        )
        for (one, other), deals in sorted(_together(log).items())
    }
    return Pool(ruleset, kind, model, players, pairs)


def _together(log: Sequence[Result]) -> dict[tuple[str, str], int]:
    """How many deals each two players played on the same side, for every pair that did."""
    deals: dict[tuple[str, str], int] = defaultdict(int)
    for each in log:
        for players, _ in each.sides:
            for pair in combinations(sorted(players), 2):
                deals[pair] += each.deals
    return deals
