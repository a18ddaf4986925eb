"""Ratings in words and drawings: the names of the lists, a number in words, and how certain it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from statistics import NormalDist
from typing import Final, NamedTuple

from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine.rulesets import UnknownRuleset, ruleset
from domain.rating.results import Model
from games.selectors import rulesets
from games.text.figures import decimal, signed
from ratings.sources import AT, usual_stake


def pool_name(name: str) -> str:
    """The name of a list's game: "Troccas", "Troccas, 5 people, each alone". Raises KeyError for an unknown game."""
    game, _at, people = name.partition(AT)
    game_name = rulesets.game_name(game)
    if not people:
        return game_name
    if not people.isdecimal():
        raise KeyError(name)
    counted = ngettext("%(count)d person", "%(count)d people", int(people)) % {"count": int(people)}
    return _("%(game)s, %(people)s, each alone") % {"game": game_name, "people": counted}


def in_rappen(name: str) -> bool:
    """Whether the numbers of a list are money."""
    try:
        return usual_stake(ruleset(name.partition(AT)[0])) > 0
    except UnknownRuleset:
        return False


def figure(mean: float, spread: float) -> str:
    """ "+1.3 ± 0.6"."""
    return _("%(mean)s ± %(error)s") % {"mean": signed(mean), "error": decimal(spread)}


def with_unit(mean: float, spread: float, *, rappen: bool) -> str:
    """ "+1.3 ± 0.6 points per deal"."""
    figures = {"figure": figure(mean, spread)}
    return _("%(figure)s Rappen per deal") % figures if rappen else _("%(figure)s points per deal") % figures


def percent(share: float) -> str:
    """A chance in percent, without the sign; never 0 or 100."""
    return str(number_format(min(max(round(share * 100), 1), 99), 0))


SURE: Final = 0.95
BETTER: Final = 1.0
"""How much better than average each player of a strong pair is, in spreads of skill."""
TABLES: Final = 4


@dataclass(frozen=True, slots=True)
class Luck:
    """One game in figures.

    `cards`, `play` and `skill` (points per deal): how far the cards and the play move one deal, and how far players are
    apart. `free` and `duplicate`: the deals it takes until a strong pair is ahead of an average one in 19 of 20
    matches, with cards of their own and with the same cards at five tables. `results`: the number of results behind the
    estimate (0: from computer players).
    """

    cards: float
    play: float
    skill: float
    free: int
    duplicate: int
    results: int


def luck_of(model: Model) -> Luck:
    """The figures of a game with partners."""
    return Luck(model.deal, model.play, model.skill, deals_needed(model), deals_needed(model, TABLES), model.results)


def deals_needed(model: Model, tables: int = 0) -> int:
    """How many deals a strong pair needs to be ahead of an average one with probability `SURE`.

    Each of the two is better by `BETTER` spreads of skill. With `tables` others that play the same deals, the gain over
    them counts.
    """
    ahead = 2 * BETTER * model.skill
    luck = model.play**2 + 1 / (1 / model.deal**2 + tables / model.play**2)
    return ceil(luck * (NormalDist().inv_cdf(SURE) / ahead) ** 2)


_WIDTH: Final = 360
_LEFT: Final = 12
_RIGHT: Final = 12
_STEPS: Final = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_MOST_TICKS: Final = 7


class Interval(NamedTuple):
    mean: float
    spread: float


def bar(key: str, title: str, text: str, interval: Interval) -> SafeString:
    """One interval on a scale with 0, the average: twice the spread as a line, the spread as a bar, the mean as a mark.

    Screen readers read `title` and `text`; the ids on the page are made from `key`.
    """
    ticks = _ticks(interval)
    low, high = ticks[0], ticks[-1]

    def x(value: float) -> float:
        return round(_LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT), 1)

    lines = [
        format_html(
            '<line class="{}" x1="{}" y1="4" x2="{}" y2="46"/>', "zero" if not tick else "grid", x(tick), x(tick)
        )
        for tick in ticks
    ]
    figures = [
        format_html(
            '<text x="{}" y="62" text-anchor="{}">{}</text>',
            x(tick),
            "start" if tick == low else "end" if tick == high else "middle",
            signed(tick),
        )
        for tick in ticks
    ]
    mean, spread = interval
    shape = [
        format_html(
            '<line class="error" x1="{}" y1="25" x2="{}" y2="25"/>', x(mean - 2 * spread), x(mean + 2 * spread)
        ),
        format_html(
            '<rect class="bar" x="{}" y="16" width="{}" height="18"/>',
            x(mean - spread),
            round(x(mean + spread) - x(mean - spread), 1),
        ),
        format_html('<line class="mean" x1="{}" y1="12" x2="{}" y2="38"/>', x(mean), x(mean)),
    ]
    inside = format_html_join("", "{}", ((part,) for part in [*lines, *shape, *figures]))
    return format_html(
        '<svg class="chart" role="img" viewBox="0 0 {} 66" aria-labelledby="{}-title {}-text">'
        '<title id="{}-title">{}</title><desc id="{}-text">{}</desc><g aria-hidden="true">{}</g></svg>',
        *(_WIDTH, key, key, key, title, key, text, inside),
    )


def _ticks(interval: Interval) -> Sequence[float]:
    """Round numbers that span the whole interval, including 0."""
    low = min(interval.mean - 2 * interval.spread, 0.0)
    high = max(interval.mean + 2 * interval.spread, 0.0)
    reach = max(high - low, _STEPS[0])
    step = next((step for step in _STEPS if reach / step <= _MOST_TICKS - 2), reach / (_MOST_TICKS - 2))
    first, last = floor(low / step), ceil(high / step)
    if last == first:
        last += 1
    return [round(number * step, 6) for number in range(first, last + 1)]
