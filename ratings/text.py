"""Ratings in words: what the lists are called, and how a number is said.

How many deals it takes until chance stops deciding: for the page that explains ratings.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from statistics import NormalDist
from typing import Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.rating.fitting import prior
from domain.rating.model import Model
from games.selectors import rulesets
from ratings.kinds import AT, usual_stake


def pool_name(name: str) -> str:
    """What the game of a list is called: "Troccas", "Troccas, 5 people, each alone". Raises KeyError for no game."""
    game, _at, people = name.partition(AT)
    called = rulesets.game_name(game)
    if not people:
        return called
    if not people.isdecimal():
        raise KeyError(name)
    told = ngettext("%(count)d person", "%(count)d people", int(people)) % {"count": int(people)}
    return _("%(game)s, %(people)s, each alone") % {"game": called, "people": told}


def in_rappen(name: str) -> bool:
    """Whether the numbers of a list are money."""
    try:
        return usual_stake(ruleset(name.partition(AT)[0])) > 0
    except UnknownRuleset:
        return False


def signed(value: float) -> str:
    """One decimal with its sign, a true minus."""
    figure = decimal(abs(value))
    if figure == decimal(0.0):
        return figure
    return f"+{figure}" if value > 0 else f"−{figure}"


def decimal(value: float) -> str:
    """One decimal, rounded (what formats numbers cuts off)."""
    return str(number_format(round(value, 1), 1))


def figure(mean: float, spread: float) -> str:
    """ "+1.3 ± 0.6"."""
    return _("%(mean)s ± %(error)s") % {"mean": signed(mean), "error": decimal(spread)}


def with_unit(mean: float, spread: float, *, rappen: bool) -> str:
    """ "+1.3 ± 0.6 points per deal"."""
    figures = {"figure": figure(mean, spread)}
    return _("%(figure)s Rappen per deal") % figures if rappen else _("%(figure)s points per deal") % figures


def percent(share: float) -> str:
    """A chance in hundredths, never quite 0 or 100."""
    return str(number_format(min(max(round(share * 100), 1), 99), 0))


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
