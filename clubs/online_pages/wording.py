"""Rounds that are played online in words, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs import words
from clubs.evening.state import Plan
from clubs.planning.forms_online import pace_words


def from_dealer(place: int) -> str:
    """Where a seat lies, counted from the dealer in the order of play."""
    if place == 0:
        return _("dealer")
    return ngettext("%(place)s place after the dealer", "%(place)s places after the dealer", place) % {"place": place}


def lane(number: int, sides: int) -> str:
    """Whose cards a side held: of two sides the dealer's or the others', else the place they were dealt to."""
    if sides == 2:
        return _("dealer’s side") if number == 0 else _("other side")
    return from_dealer(number)


def how_it_works(plan: Plan) -> list[str]:
    """What somebody should know before they enter: how long it lasts, how fast one plays, what happens at the deadline."""
    online, rules = plan.online, plan.rules
    if online is None:
        return []
    weeks = max(1, round(online.days * rules.rounds / 7))
    facts = {"rounds": rules.rounds, "deals": rules.deals, "days": online.days, "weeks": weeks}
    lasts = ngettext("about %(weeks)s week", "about %(weeks)s weeks", weeks) % facts
    rounds = ngettext("%(rounds)s round", "%(rounds)s rounds", rules.rounds) % facts
    deals = ngettext("%(deals)s deal", "%(deals)s deals", rules.deals) % facts
    days = ngettext("%(days)s day", "%(days)s days", online.days) % facts
    found = [
        _(
            "You play on this site, whenever you have time: %(rounds)s of %(deals)s, %(days)s for each round, %(lasts)s in all."
        )
        % {"rounds": rounds, "deals": deals, "days": days, "lasts": lasts},
        _("Pace – %(pace)s") % {"pace": pace_words(online)},
    ]
    if online.duplicate:
        found.append(
            _(
                "All tables play the same deals, so what counts is what you make of them compared with the others. Until every"
                " table has played a deal, tell nobody about it."
            )
        )
    if online.fill:
        found.append(_("If the number does not fit, computer players take the seats that are left over."))
    found.append(
        _("If a table is not over at the deadline: %(what)s.") % {"what": words.choice("overdue", rules.overdue)}
    )
    return found
