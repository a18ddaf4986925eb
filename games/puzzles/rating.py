"""How good a solver is and how hard a puzzle: each attempt is a result of two sides, the solver against the puzzle, for the
same arithmetic that rates players (`domain.rating`).

Whoever solves it gains half, whoever does not loses half; what is expected is the difference of both. So a solver at +0.1 finds
60 of 100 puzzles of the middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from domain.rating.results import PARTNERS, Model, Result
from domain.rating.skills import Partners, Standing

MODEL: Final = Model(skill=0.2, deal=0.01, play=0.5, memory=60)
"""Solvers, and puzzles, lie 0.2 apart; one answer, right or wrong, lies half a point from what was expected. There is no luck of
the deal: the position is the same for everybody."""
EDGE: Final = 0.49
"""Nobody is expected to find all puzzles of the middle, or none."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is believed: `mean` with its `variance`, on `day`."""

    mean: float = 0.0
    variance: float = MODEL.skill**2
    day: int = 0


def after(solver: Estimate, puzzle: Estimate, day: int, *, solved: bool) -> tuple[Estimate, Estimate]:
    """What is believed of both after an attempt on `day`."""
    fold = Partners(MODEL)
    both = {"solver": solver, "puzzle": puzzle}
    for name, before in both.items():
        standing = fold.people.present(name, min(before.day, day))
        standing.mean, standing.variance = before.mean, before.variance
    scores = (1, 0) if solved else (0, 1)
    fold.add(Result("attempt", day, "puzzles", PARTNERS, 1, ((("solver",), scores[0]), (("puzzle",), scores[1]))))
    return tuple(_kept(fold.people.present(name, day)) for name in both)  # type: ignore[return-value]  # two of them


def on_day(known: Estimate, day: int) -> Estimate:
    """What is believed on a later day: what was learnt fades."""
    people = Partners(MODEL).people
    standing = people.present("one", min(known.day, day))
    standing.mean, standing.variance = known.mean, known.variance
    return _kept(people.present("one", day))


def _kept(standing: Standing) -> Estimate:
    return Estimate(max(-EDGE, min(EDGE, standing.mean)), standing.variance, standing.when)
