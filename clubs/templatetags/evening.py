"""Small helpers of the public pages and the paper: `{% load evening %}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from django import template

from clubs import words
from clubs.tournaments import money, wording

register = template.Library()
T = TypeVar("T")


@register.filter
def at(things: Sequence[T], place: int) -> T | str:
    """`{{ scores|at:forloop.counter0 }}`: the thing at that place, nothing beyond the end."""
    return things[place] if 0 <= place < len(things) else ""


@register.filter
def item(things: Mapping[object, T], key: object) -> T | str:
    """`{{ names|item:id }}`: what stands under the key, or nothing."""
    return things.get(key, "")


@register.filter
def table_state(state: str) -> str:
    """`{{ table.state|table_state }}`: what a table is doing, in words."""
    return wording.table_state(state)


@register.filter
def francs(rappen: int) -> str:
    """`{{ amount|francs }}`: Rappen as "CHF 10.50"."""
    return money.shown(rappen)


@register.filter
def value(number: int | None, code: str) -> str:
    """`{{ value|value:code }}`: the value of a criterion, as people read it."""
    return words.value(code, number)


@register.filter
def points(number: int) -> str:
    """`{{ value|points }}`: a number with a real minus sign, as one prints it."""
    return f"−{-number}" if number < 0 else str(number)
