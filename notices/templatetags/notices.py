"""How many notices wait for the reader, for the head of a page."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.middleware import Visit
from notices import selectors

register = template.Library()


@register.simple_tag(takes_context=True)
def unread_notices(context: dict[str, Any]) -> int:
    """How many notices the reader has not read: `{% unread_notices as count %}`. One query; none for a stranger."""
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    return selectors.unread(visit.player) if visit is not None and visit.player is not None else 0
