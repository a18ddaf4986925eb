"""The answers to numbers that do not fit, as a form offers them: each with what is fair about it."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from clubs.text import choice, given_in_words, uneven_dealing
from core.sursilvan import capfirst
from domain.standings.profile import HouseRules
from domain.tournament.odd_numbers import FAIR_AT_THREE, made_fair


def odd_answers(names: Iterable[str], rules: HouseRules, chosen: str) -> list[tuple[str, str]]:
    """The answers to numbers that do not fit, each with what is fair about it by these rules, filled up for all but the one
    `chosen` already (`domain.tournament.odd_numbers.made_fair`)."""
    return [
        (
            name,
            f"{capfirst(choice('odd_numbers', name))}. {_fair(rules if name == chosen else made_fair(rules, name), name)}",
        )
        for name in names
    ]


def _fair(rules: HouseRules, answer: str) -> str:
    if answer == "larger":
        return _("Fair: everybody plays as many deals; whoever is one too many looks on in turn.")
    if answer == "bye":
        if rules.bye.method == "own-average":
            return _("Fair: it brings the average of one’s own rounds, and goes round.")
        return _("It goes round, and brings: %(what)s.") % {"what": given_in_words(rules.bye)}
    if rules.at(3).per_deal == FAIR_AT_THREE:
        fair = _("Fair: they get 10 points more for a deal, which brings 26 there and 36 at four, on average.")
        return f"{fair} {uneven_dealing(rules.at(3).deals, 3)}".strip()
    return _("A deal brings 26 points there and 36 at four, on average: 10 points more for each would be fair.")
