"""How much luck there is in a game, estimated from the results themselves.

* The luck of a deal is estimated from how far results lie apart (moments).
* The part of it that is the cards is estimated from deals that several tables played (analysis of variance).
* The spread of skill is estimated from how well results can be predicted from earlier ones (maximum likelihood).

All three begin with a prior for the game, which counts like a few results: a first evening changes little, a thousand
results decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, log, sqrt
from statistics import median
from typing import Final

from domain.errors import refuse_if, require
from domain.rating.results import PARTNERS, Model, Result, gains, in_order, model, others
from domain.rating.skills import Alone, Partners

# The luck of one deal (standard deviation of the points above the mean of the table) and the part of its variance that
# is the cards. From 70 deals of each game, each played three times by computer players who take every seventh decision
# at random.
PRIORS: Final[dict[str, tuple[float, float]]] = {
    "troccas": (9.1, 0.70),
    "troccas-3": (12.1, 0.87),
    "troccas-3-singles": (17.8, 0.89),
    "troccas-5": (16.6, 0.81),
    "troccas-6": (10.9, 0.80),
    "troccas-oinkers": (17.0, 0.50),
    "troccas-online": (8.8, 0.84),
    "troggu": (31.3, 0.21),
    "troggu-graechen": (15.8, 0.13),
    "troggu-st-niklaus": (16.8, 0.15),
}
UNKNOWN_SHARE: Final = 0.5
PRIOR_RESULTS: Final = 20  # the prior of luck counts like this many results
SKILL_SPREAD: Final = 0.7  # standard deviation of the logarithm of the ratio of skill to luck, around SKILL
LEAST_SKILL: Final = 0.005
MOST_SKILL: Final = 0.6
FAR_OUT: Final = (
    4.0  # standard deviations; results further out are moved to this bound, so that one slip decides nothing
)
MOST_FITTED: Final = 3000  # only the latest results are used; older ones would only take time
_SEARCHED: Final = 9


def prior(ruleset: str, table: int = 2) -> Model | None:
    """The model of a game before any result; None if nothing is known about the game."""
    known = PRIORS.get(ruleset)
    return model(*known, table=table) if known else None


def fit(results: Sequence[Result], before: Model | None = None) -> Model:
    """The model that fits results of one ruleset, beginning with `before` (None: the prior of the game).

    Depends on nothing but the results, whatever their order. Raises DomainError as `in_order` does, for results of
    several rulesets, and if there are neither results nor a prior.
    """
    log_of_results = in_order(results)[-MOST_FITTED:]
    refuse_if(len({each.ruleset for each in log_of_results}) > 1, "mixed-rulesets", "results")
    table = _usual_table(log_of_results) if log_of_results else 2
    if before is None and log_of_results:
        before = prior(log_of_results[0].ruleset, table)
    if not log_of_results:
        return require(before, "nothing-known", "results")
    if before is None:
        before = model(sqrt(_luck(log_of_results, table)) or 1.0, UNKNOWN_SHARE, table=table)
    tidy = _within_reason(log_of_results, before)
    return _likeliest(tidy, before, _deal_share(tidy, before), table)


def _usual_table(results: Sequence[Result]) -> int:
    """The number of sides with the most deals; the smaller number in a tie."""
    deals: dict[int, int] = defaultdict(int)
    for each in results:
        deals[len(each.sides)] += each.deals
    return min(deals, key=lambda table: (-deals[table], table))


def _luck(results: Sequence[Result], table: int) -> float:
    """The variance of one deal at tables with that many sides, skill included."""
    total, count = 0.0, 0
    for each in results:
        if len(each.sides) == table:
            freedom = 2 if each.kind == PARTNERS else table - 1  # two sides have the same margin: it is summed twice
            total += each.deals * sum(gain**2 for gain in gains(each, None)) / freedom
            count += 1
    return total / count


def _within_reason(results: Sequence[Result], before: Model) -> list[Result]:
    """The results, with scores that are implausibly far from the mean of the table moved nearer to it."""
    sizes = [abs(gain) * sqrt(each.deals) for each in results for gain in gains(each, None)]
    usual = max(median(sizes) / 0.6745, before.luck if len(results) < PRIOR_RESULTS else 0.0) or max(sizes) or 1.0
    bounded = []
    for each in results:
        bound = FAR_OUT * usual * sqrt(each.deals)
        mean = sum(score for _, score in each.sides) / len(each.sides)
        sides = tuple((players, round(max(mean - bound, min(mean + bound, score)))) for players, score in each.sides)
        bounded.append(each if sides == each.sides else replace(each, sides=sides))
    return bounded


def _deal_share(results: Sequence[Result], before: Model) -> float:
    """The part of the variance of a deal that is the cards: 1 minus the part that remains between tables with them."""
    boards: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for each in results:
        if each.board:
            boards[each.board].append(gains(each, None))
    prior_share = before.deal**2 / before.luck**2
    within, between, freedom, rows = 0.0, 0.0, 0, 0
    for tables in boards.values():
        if len(tables) < 2:
            continue
        for seat in zip(*tables, strict=True):
            mean = sum(seat) / len(seat)
            within += sum((value - mean) ** 2 for value in seat) / len(tables[0])
            between += sum(value**2 for value in seat) / len(tables[0])
        freedom += len(tables) - 1
        rows += len(tables)
    if not freedom or not between:
        return prior_share
    play_share = (within / freedom) / (between / rows)
    play_share = (PRIOR_RESULTS * (1 - prior_share) + freedom * play_share) / (PRIOR_RESULTS + freedom)
    return min(max(1 - play_share, 0.01), 0.99)


def _likeliest(results: Sequence[Result], before: Model, share: float, table: int) -> Model:
    """The model under which the results are likeliest, each one given the results before it.

    Only the differences between the scores of a table count. The model `before` counts like a few more results. Only
    the ratio of skill to luck has to be searched: the luck that fits best follows from it, because all variances grow
    together.
    """
    elsewhere = others(results)
    fold_of = Partners if results[0].kind == PARTNERS else Alone
    count = sum(len(each.sides) - 1 for each in results)
    prior_count = PRIOR_RESULTS * (table - 1)

    def likelihood_and_luck(ratio: float) -> tuple[float, float]:
        fold = fold_of(model(1.0, share, ratio), cap=float("inf"))
        steps = [fold.add(each, elsewhere.get(each.id, ())) for each in results]
        squares, spread = sum(step.squares for step in steps), sum(step.spread for step in steps)
        variance = (squares + prior_count * before.luck**2) / (count + prior_count)
        return -0.5 * (spread + (count + prior_count) * log(variance)), sqrt(variance)

    ratio = _best_ratio(lambda each: likelihood_and_luck(each)[0], before.skill / before.luck)
    return model(likelihood_and_luck(ratio)[1], share, ratio, table=table, results=len(results))


def _best_ratio(likelihood: Callable[[float], float], usual: float) -> float:
    """The ratio of skill to luck with the greatest (logarithmic) likelihood, with a prior around the `usual` ratio.

    Found by golden-section search over the logarithm of the ratio.
    """

    def posterior(log_ratio: float) -> float:
        return likelihood(exp(log_ratio)) - ((log_ratio - log(usual)) / SKILL_SPREAD) ** 2 / 2

    golden = (sqrt(5) - 1) / 2
    low, high = log(LEAST_SKILL), log(MOST_SKILL)
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = posterior(left), posterior(right)
    for _ in range(_SEARCHED):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = posterior(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = posterior(right)
    return exp((low + high) / 2)
