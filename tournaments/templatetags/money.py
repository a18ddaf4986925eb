"""Rappen as money, in templates."""

from django import template

from tournaments import money

register = template.Library()


@register.filter
def francs(rappen: int) -> str:
    """ "10.–"."""
    return money.short(rappen)


@register.filter
def chf(rappen: int) -> str:
    """ "CHF 10.00"."""
    return money.money_text(rappen)
