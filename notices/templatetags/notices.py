"""Tags about the reader's notices: how many are unread, and how the reader wants to be notified."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.middleware import Visit
from notices import mail, preferences, push, selectors

register = template.Library()


@register.simple_tag(takes_context=True)
def unread_notices(context: dict[str, Any]) -> int:
    """How many notices the reader has not read: `{% unread_notices as count %}`.

    No query for a visitor without a player.
    """
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    return selectors.unread(visit.player) if visit is not None and visit.player is not None else 0


@register.inclusion_tag("notices/_how.html", takes_context=True)
def tell_how(context: dict[str, Any], *, folded: bool = False) -> dict[str, Any]:
    """Ask how the reader wants to be notified, unless they have answered before: `{% tell_how %}`.

    `folded`: collapsed to a line.
    """
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    player = visit.player if visit is not None else None
    if player is None or preferences.is_asked_how(player):
        return {"how": None}
    return {
        "how": {"key": push.public_key(), "address": mail.address_of(player), "is_member": player.is_member},
        "folded": folded,
        "request": context["request"],
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag(takes_context=True)
def is_reached(context: dict[str, Any]) -> bool:
    """Whether the reader is told what happens at tables while they are away: `{% is_reached as reached %}`."""
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    return visit is not None and visit.player is not None and selectors.is_reached(visit.player)
