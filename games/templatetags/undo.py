"""Taking back in templates: `{% load undo %}`. All words come from `games.wording_undo`."""

from __future__ import annotations

from django import template

from games import wording_undo
from games.seen import UndoSeen

register = template.Library()


@register.filter
def undo_offer(undo: UndoSeen) -> str:
    """What the viewer may ask for."""
    return wording_undo.offer(undo)
