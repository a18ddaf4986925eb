"""What happens at a seat, in few words: they stand beside the player's name, so nobody is named in them."""

from __future__ import annotations

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.read_models import Choice, Happened
from games.text.table import Worded, choice
from rules.text import names


def in_short(told: Happened) -> Worded:
    """ "Buob!", "jack for 7", "owes a card for the Fool"."""
    if told.kind in ("buob", "buob-sche"):
        term = names.own_word(told.kind)
        return Worded(f"{capfirst(term.text)}!", term.lang)
    if told.kind in ("pass", "take", "solo", "throw-in"):
        return choice(Choice(told.kind, told.kind))
    return Worded(_sentence(told), "")


def _sentence(told: Happened) -> str:
    if told.kind == "asked-deal":
        return ngettext(
            "asks for the deal in %(number)d round", "asks for the deal in %(number)d rounds", told.number
        ) % {"number": told.number}
    ranks = [_rank(code) for code in told.cards]
    fields = {
        "rank": ranks[0] if ranks else "",
        "back": ranks[1] if len(ranks) > 1 else "",
        "card": names.card_short(told.cards[0]) if told.cards else "",
        "label": names.card_label(told.cards[0]) if told.cards else "",
    }
    return {
        "quiet": _("does not call"),
        "knock": _("knocks"),
        "pair": _("%(rank)s and %(back)s together"),
        "jack-given": _("%(rank)s for %(back)s"),
        "jack-kept": _("holds %(card)s, keeps it"),
        "no-jack": _("%(label)s does not come."),
        "jack-back": _("nothing to take: %(rank)s back"),
        "taken-back": _("leaves %(rank)s, takes %(back)s"),
        "fool": _("plays the Fool"),
        "keep": _("leaves the Fool in the trick"),
        "fool-owed": _("owes a card for the Fool"),
        "fool-paid": _("paid for the Fool"),
        "fool-lost": _("gets the Fool"),
        "trick-won": _("takes the trick"),
        "laid-away": _("has laid cards away"),
        "must-play": _("holds %(card)s and must play"),
        "partner-called": _("calls %(card)s"),
        "partner-shown": _("is the partner"),
        "alone-shown": _("plays alone"),
    }[told.kind] % fields


def _rank(code: str) -> str:
    """What a card is called beside others of its suit: "jack", "7"; a trump or the Fool as it is called anywhere."""
    return names.card_short(code) if code == "F" or code[0] == "T" else names.rank_name(code[1:])
