"""People in templates: `{% load people %}`."""

from __future__ import annotations

from django import template

from accounts.devices import name_of

register = template.Library()


@register.filter
def device_name(user_agent: str) -> str:
    """`{{ session.user_agent|device_name }}`: the browser and the system, as a person calls them."""
    return name_of(user_agent)
