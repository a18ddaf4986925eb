"""How many notices wait for the reader, for the head of a page."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.models import Player
from notices import inbox

register = template.Library()


@register.simple_tag(takes_context=True)
def unread_notices(context: dict[str, Any]) -> int:
    """How many notices the reader has not read: `{% unread_notices as count %}`. One query; none for a stranger."""
    player: Player | None = getattr(context.get("request"), "player", None)
    return inbox.unread(player) if player is not None else 0
