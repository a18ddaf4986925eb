"""Tags for pages of the apps below: following a person and writing to them, and the number of unread messages."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.middleware import Visit
from accounts.models import Player
from people import permissions, selectors

register = template.Library()


@register.inclusion_tag("people/_person.html", takes_context=True)
def following(context: dict[str, Any], person: Player) -> dict[str, Any]:
    """The buttons for following somebody and writing to them: `{% following person %}`.

    Nothing if the reader may not.
    """
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    player = visit.player if visit is not None else None
    if player is None or not permissions.can_be_followed(player, person):
        return {"person": None}
    (known,) = selectors.known_to(player, [person])
    return {"person": known, "csrf_token": context.get("csrf_token")}


@register.simple_tag(takes_context=True)
def unread_messages(context: dict[str, Any]) -> int:
    """How many messages the reader has not read: `{% unread_messages as count %}`."""
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    player = visit.player if visit is not None else None
    if player is None or not player.is_member:
        return 0
    return selectors.unread_messages(player)
