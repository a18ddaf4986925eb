"""The short block about finding people, for the front page, the list of tables and the list of the viewer's games."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.middleware import Visit
from games.meeting import selectors

register = template.Library()


@register.inclusion_tag("games/meeting/_appointments.html", takes_context=True)
def appointments_to_come(context: dict[str, Any]) -> dict[str, Any]:
    """The next appointments, with a button to say yes: `{% appointments_to_come %}`."""
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    player = visit.player if visit is not None else None
    return {
        "appointments": selectors.coming_appointments(player, 5),
        "player": player,
        "request": context["request"],
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("games/meeting/_glance.html", takes_context=True)
def meeting_glance(context: dict[str, Any]) -> dict[str, Any]:
    """Open tables, wishes and the next appointment, with buttons to join or to wish: `{% meeting_glance %}`."""
    visit: Visit | None = getattr(context.get("request"), "visit", None)
    player = visit.player if visit is not None else None
    return {
        "glance": selectors.glance(player),
        "player": player,
        "request": context["request"],
        "csrf_token": context.get("csrf_token"),
    }
