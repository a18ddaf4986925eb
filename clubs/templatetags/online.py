"""Rounds that are played online in templates: `{% load online %}`."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter
def sign(number: int) -> str:
    """`{{ gain|sign }}`: "plus", "minus", or nothing."""
    return "plus" if number > 0 else "minus" if number < 0 else ""
