"""How much luck there is, estimated from the results themselves.

What moves a deal is told by how far results lie apart (moments), how much of that is the cards by deals that several
tables played (analysis of variance), and how far players lie apart by how well results can be predicted from those before
(maximum likelihood). All three begin with what is known of the game, which counts like a few results, so that a first
evening says little and a thousand results decide.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, log, sqrt
from statistics import median
from typing import Final

from domain.errors import found, refuse_if
from domain.rating.results import PARTNERS, Model, Result, gains, in_order, model, others
from domain.rating.skills import Alone, Partners

# Luck of one deal (standard deviation of the points above the mean of the table) and the part of its variance that is the
# cards: 70 deals of each game, each played three times by computer players who take every seventh decision at random.
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
PRIOR_RESULTS: Final = 20  # as so many results count what is known of luck before there are any
SKILL_SPREAD: Final = 0.7  # how unsure SKILL is, as a logarithm
LEAST_SKILL: Final = 0.005
MOST_SKILL: Final = 0.6
FAR_OUT: Final = 4.0  # standard deviations; results beyond are taken as that far, so that one slip moves nothing
MOST_FITTED: Final = 3000  # the latest results; older ones would only take time
_SEARCHED: Final = 9


def prior(ruleset: str, table: int = 2) -> Model | None:
    """What is known of a game before any result; None if nothing is."""
    known = PRIORS.get(ruleset)
    return model(*known, table=table) if known else None


def fit(results: Sequence[Result], before: Model | None = None) -> Model:
    """The model that fits results of one ruleset, beginning with `before` (None: what is known of the game).

    Depends on nothing but the results, whatever their order. Raises DomainError as `in_order` does, for results of
    several rulesets, and for none at all if nothing is known before.
    """
    log_of_results = in_order(results)[-MOST_FITTED:]
    refuse_if(len({each.ruleset for each in log_of_results}) > 1, "mixed-rulesets", "results")
    table = _usual_table(log_of_results) if log_of_results else 2
    if before is None and log_of_results:
        before = prior(log_of_results[0].ruleset, table)
    if not log_of_results:
        return found(before, "nothing-known", "results")
    if before is None:
        before = model(sqrt(_luck(log_of_results, table)) or 1.0, UNKNOWN_SHARE, table=table)
    tidy = _within_reason(log_of_results, before)
    return _likeliest(tidy, before, _deal_share(tidy, before), table)


def _usual_table(results: Sequence[Result]) -> int:
    """The number of sides with the most deals; of equals the smaller."""
    deals: dict[int, int] = defaultdict(int)
    for each in results:
        deals[len(each.sides)] += each.deals
    return min(deals, key=lambda table: (-deals[table], table))


def _luck(results: Sequence[Result], table: int) -> float:
    """The variance of one deal at tables of that many sides, skill included."""
    total, count = 0.0, 0
    for each in results:
        if len(each.sides) == table:
            freedom = 2 if each.kind == PARTNERS else table - 1  # the margin of two sides stands there twice
            total += each.deals * sum(gain**2 for gain in gains(each, None)) / freedom
            count += 1
    return total / count


def _within_reason(results: Sequence[Result], before: Model) -> list[Result]:
    """The results with margins no further out than anything that happens."""
    sizes = [abs(gain) * sqrt(each.deals) for each in results for gain in gains(each, None)]
    usual = max(median(sizes) / 0.6745, before.luck if len(results) < PRIOR_RESULTS else 0.0) or max(sizes) or 1.0
    found = []
    for each in results:
        bound = FAR_OUT * usual * sqrt(each.deals)
        middle = sum(score for _, score in each.sides) / len(each.sides)
        tidy = tuple((players, round(max(middle - bound, min(middle + bound, score)))) for players, score in each.sides)
        found.append(each if tidy == each.sides else replace(each, sides=tidy))
    return found


def _deal_share(results: Sequence[Result], before: Model) -> float:
    """Which part of the variance of a deal is the cards: one less what still differs between tables with the same deals."""
    boards: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for each in results:
        if each.board:
            boards[each.board].append(gains(each, None))
    known = before.deal**2 / before.luck**2
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
        return known
    left = (within / freedom) / (between / rows)
    left = (PRIOR_RESULTS * (1 - known) + freedom * left) / (PRIOR_RESULTS + freedom)
    return min(max(1 - left, 0.01), 0.99)


def _likeliest(results: Sequence[Result], before: Model, share: float, table: int) -> Model:
    """The model under which results are likeliest, each given those before (the scores of a table as they lie to each
    other), when what was known `before` counts like some results more.

    Only the ratio of skill and luck has to be searched: with it, the luck that fits best is known, because all variances
    grow together.
    """
    elsewhere = others(results)
    fold_of = Partners if results[0].kind == PARTNERS else Alone
    count = sum(len(each.sides) - 1 for each in results)
    known = PRIOR_RESULTS * (table - 1)

    def tried(ratio: float) -> tuple[float, float]:
        fold = fold_of(model(1.0, share, ratio), cap=float("inf"))
        steps = [fold.add(each, elsewhere.get(each.id, ())) for each in results]
        squares, spread = sum(step.squares for step in steps), sum(step.spread for step in steps)
        luck = (squares + known * before.luck**2) / (count + known)
        return -0.5 * (spread + (count + known) * log(luck)), sqrt(luck)

    ratio = _best(lambda each: tried(each)[0], before.skill / before.luck)
    return model(tried(ratio)[1], share, ratio, table=table, results=len(results))


def _best(likelihood: Callable[[float], float], usual: float) -> float:
    """The ratio of skill and luck with the greatest likelihood, held near the `usual` one; by golden section."""

    def worth(place: float) -> float:
        return likelihood(exp(place)) - ((place - log(usual)) / SKILL_SPREAD) ** 2 / 2

    golden = (sqrt(5) - 1) / 2
    low, high = log(LEAST_SKILL), log(MOST_SKILL)
    left, right = high - golden * (high - low), low + golden * (high - low)
    at_left, at_right = worth(left), worth(right)
    for _ in range(_SEARCHED):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - golden * (high - low)
            at_left = worth(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + golden * (high - low)
            at_right = worth(right)
    return exp((low + high) / 2)
