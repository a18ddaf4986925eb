"""How many deals it takes until chance stops deciding: for the page that explains ratings."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from statistics import NormalDist
from typing import Final

from clubs.ratings.fitting import prior
from clubs.ratings.model import Model

SURE: Final = 0.95
BETTER: Final = 1.0
"""By so many spreads of skill each of the better pair is better than average."""
TABLES: Final = 4


@dataclass(frozen=True, slots=True)
class Luck:
    """One game in figures: how far one deal moves by the cards, by play, and how far players lie apart (points per deal);
    how many deals until a strong pair is ahead of an average one in 19 of 20 matches, with cards of their own and with
    the same cards at five tables. `results`: from how many results it was estimated (0: from computer players)."""

    cards: float
    play: float
    skill: float
    free: int
    duplicate: int
    results: int


def luck_of(model: Model) -> Luck:
    """These figures for a game of partners."""
    return Luck(model.deal, model.play, model.skill, deals_needed(model), deals_needed(model, TABLES), model.results)


def deals_needed(model: Model, tables: int = 0) -> int:
    """How many deals a pair needs to be ahead of an average one with probability `SURE`, if each of the two is better by
    one spread of skill; `tables` others play the same deals, and what counts is the gain over them."""
    ahead = 2 * BETTER * model.skill
    luck = model.play**2 + 1 / (1 / model.deal**2 + tables / model.play**2)
    return ceil(luck * (NormalDist().inv_cdf(SURE) / ahead) ** 2)


def usual(ruleset: str) -> Model | None:
    """What is known of a game before anything was played."""
    return prior(ruleset)
