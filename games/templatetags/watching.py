"""Tables worth watching in templates: `{% load watching %}`."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from games import choosing
from games.watching.listing import Party, Worth
from games.wording_people import listed, signed

register = template.Library()


@register.filter
def named_game(ruleset: str) -> str:
    """What a game is called."""
    return choosing.game_name(ruleset)


@register.filter
def together(party: Party) -> str:
    """The names of those who share a total."""
    return listed(party.names)


@register.filter
def standing(party: Party, row: Worth) -> str:
    """How it stands for a party."""
    score = signed(party.total)
    return _("%(score)s Rappen") % {"score": score} if row.rappen else score


@register.filter
def why_watch(row: Worth) -> list[str]:
    """What makes a table worth watching, a few words each."""
    said = {
        "live": _("live"),
        "watched": _("many watch"),
        "close": _("close score"),
        "last-tricks": _("last tricks of the hand"),
        "last-hand": _("last hand"),
        "regulars": _("practised players"),
        "just-now": _("played just now"),
    }
    return [said[reason] for reason in row.reasons]
