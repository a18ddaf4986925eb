"""Lists of games and tables in templates: `{% load lists %}`."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.sursilvan import in_a_row
from games.mygames import selectors
from games.selectors import rulesets
from games.text.common import signed
from games.watching.selectors import Party, WatchLine

register = template.Library()


register.filter("named_game", rulesets.game_name)
register.filter("in_a_row", in_a_row)


@register.filter
def standing(party: Party, row: WatchLine) -> str:
    """The score of a party, with its unit."""
    score = signed(party.total)
    return _("%(score)s Rappen") % {"score": score} if row.rappen else score


_WHY_WATCH: Final = {
    "live": gettext_lazy("live"),
    "watched": gettext_lazy("many watch"),
    "close": gettext_lazy("close score"),
    "last-tricks": gettext_lazy("last tricks of the hand"),
    "last-hand": gettext_lazy("last hand"),
    "regulars": gettext_lazy("practised players"),
    "just-now": gettext_lazy("played just now"),
}


@register.filter
def why_watch(row: WatchLine) -> list[str]:
    """The reasons why a table is worth watching, in a few words each."""
    return [str(_WHY_WATCH[reason]) for reason in row.reasons]


@register.simple_tag
def request_id() -> str:
    """A new id for one form, so that the same request sent twice is done once."""
    return str(uuid.uuid4())


@register.inclusion_tag("games/mygames/_count.html", takes_context=True)
def games_waiting(context: dict[str, Any]) -> dict[str, Any]:
    """The link to one's games, with the number of those that wait; nothing for a stranger. One query."""
    request = context.get("request")
    visit = getattr(request, "visit", None)
    player = visit.player if visit is not None else None
    return {"player": player, "request": request, "waiting": selectors.waiting(player) if player is not None else 0}


@register.filter
def at_most(count: int, most: int) -> str:
    """A number, or "99+" if it is greater than `most`, 99."""
    return str(count) if count <= most else f"{most}+"
