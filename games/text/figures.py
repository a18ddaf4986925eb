"""Figures in the reader's language: means with their errors, shares, and the names of rows in tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import UnknownRuleset, ruleset
from games.charts import Mean, Result, Share, Variant
from games.selectors import rulesets


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table of results. `href` links to details; empty if there are none."""

    label: str
    hands: int
    above: str
    points: str
    href: str = ""


def too_few() -> str:
    """The words in place of a figure if there is too little data for it."""
    return _("too few hands")


def mean(figure: Mean) -> str:
    """ "+1.4 ± 0.8": the mean and its standard error."""
    if not figure.enough:
        return too_few()
    return _("%(mean)s ± %(error)s") % {"mean": signed(figure.mean), "error": decimal(figure.error)}


def against_the_best(less: float, error: float) -> str:
    """ "−1.4 ± 0.8": what something brings less than the best, and the standard error, unless that is next to nothing."""
    if decimal(error) == decimal(0.0):
        return signed(-less)
    return _("%(mean)s ± %(error)s") % {"mean": signed(-less), "error": decimal(error)}


def share(figure: Share) -> str:
    """ "54 %"."""
    return _("%(percent)s %%") % {"percent": decimal(figure.percent, 0)} if figure.enough else too_few()


def signed(value: float) -> str:
    """One decimal with its sign, a true minus."""
    figure = decimal(abs(value))
    if figure == decimal(0.0):
        return figure
    return f"+{figure}" if value > 0 else f"−{figure}"


def with_minus(number: int) -> str:
    """A whole number, with a true minus: "4", "−4"."""
    return str(number).replace("-", "−")


def decimal(value: float, places: int = 1) -> str:
    """A number with `places` decimals, in the format of the reader's language."""
    return str(number_format(round(value, places), places))  # number_format itself would truncate


def line(label: str, result: Result, href: str = "") -> Line:
    return Line(label, result.points.hands, share(result.above), mean(result.points), href)


def rules_of(variant: Variant) -> Ruleset | None:
    """The present rules of a variant; None if it is not offered any more."""
    try:
        return ruleset(variant[0], None, variant[1])
    except UnknownRuleset:
        return None


def variant_name(variant: Variant) -> str:
    """ "Troccas", "Troggu of Visp, 5 players"."""
    name, size = variant
    rules = rules_of(variant)
    called = rulesets.game_name(name, name)
    if rules is None or len(rules.sizes) == 1:
        return called
    players = ngettext("%(size)d player", "%(size)d players", size) % {"size": size}
    return _("%(game)s, %(players)s") % {"game": called, "players": players}


def in_rappen(variant: Variant) -> bool:
    rules = rules_of(variant)
    return rules is not None and any(option.name == "stake" for option in rules.options)


def month_name(month: int, *, short: bool = False) -> str:
    """ "November 2026"; short "Nov 26"."""
    day = date(month // 100, month % 100, 1)
    return str(date_format(day, "M y" if short else "YEAR_MONTH_FORMAT"))
