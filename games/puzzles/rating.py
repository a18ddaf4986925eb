"""The ratings of solvers and puzzles. Each attempt is a result of two sides, the solver against the puzzle, in the same
arithmetic that rates players (`domain.rating`).

A solver gains half a point for solving a puzzle, and loses half for failing; the expected result is the difference of
their ratings. So a solver at +0.1 finds 60 of 100 average puzzles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from domain.rating.results import PARTNERS, Model, Result
from domain.rating.skills import Partners, Standing

MODEL: Final = Model(skill=0.2, deal=0.01, play=0.5, memory=60)
"""Solvers and puzzles have a spread of 0.2. One answer, right or wrong, is half a point from the expected result. There
is no luck of the deal, since the position is the same for everybody."""
EDGE: Final = 0.49
"""The limit of ratings: nobody is expected to find all average puzzles, or none."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of a rating: `mean` with its `variance`, on `day`."""

    mean: float = 0.0
    variance: float = MODEL.skill**2
    day: int = 0


def after(solver: Estimate, puzzle: Estimate, day: int, *, solved: bool) -> tuple[Estimate, Estimate]:
    """The estimates of solver and puzzle after an attempt on `day`."""
    fold = Partners(MODEL)
    both = {"solver": solver, "puzzle": puzzle}
    for name, before in both.items():
        standing = fold.people.present(name, min(before.day, day))
        standing.mean, standing.variance = before.mean, before.variance
    scores = (1, 0) if solved else (0, 1)
    fold.add(Result("attempt", day, "puzzles", PARTNERS, 1, ((("solver",), scores[0]), (("puzzle",), scores[1]))))
    return tuple(_clamped(fold.people.present(name, day)) for name in both)  # type: ignore[return-value]  # two of them


def on_day(estimate: Estimate, day: int) -> Estimate:
    """The estimate on a later day: it grows less certain with time."""
    people = Partners(MODEL).people
    standing = people.present("one", min(estimate.day, day))
    standing.mean, standing.variance = estimate.mean, estimate.variance
    return _clamped(people.present("one", day))


def _clamped(standing: Standing) -> Estimate:
    return Estimate(max(-EDGE, min(EDGE, standing.mean)), standing.variance, standing.when)
