"""A player's own games in templates: `{% load mine %}`."""

from __future__ import annotations

from typing import Any

from django import template

from games.mine import my_games

register = template.Library()


@register.inclusion_tag("games/mine/_count.html", takes_context=True)
def games_waiting(context: dict[str, Any]) -> dict[str, Any]:
    """The way to one's games with the number of those that wait; nothing for a stranger. One query."""
    request = context.get("request")
    player = getattr(request, "player", None)
    return {"player": player, "request": request, "waiting": my_games.waiting(player) if player is not None else 0}


@register.filter
def at_most(count: int, most: int) -> str:
    """A number, or "99+" beyond the most that is counted."""
    return str(count) if count <= most else f"{most}+"
