"""Ratings in words: what the lists are called, and how a number is said."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.rated.kinds import AT, usual_stake
from games import choosing
from games.engine.rulesets import UnknownRuleset, ruleset


def pool_name(name: str) -> str:
    """What the game of a list is called: "Troccas", "Troccas, 5 people, each alone". Raises KeyError for no game."""
    game, _at, people = name.partition(AT)
    called = choosing.game_name(game)
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
