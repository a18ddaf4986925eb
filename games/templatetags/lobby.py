"""Tables that wait, in templates: `{% load lobby %}`."""

from __future__ import annotations

import uuid

from django import template

register = template.Library()


@register.simple_tag
def request_id() -> str:
    """A fresh id for one form: the same request sent twice is done once."""
    return str(uuid.uuid4())
