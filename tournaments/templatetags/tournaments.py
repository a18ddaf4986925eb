"""Names, numbers and money of tournaments in templates: `{% load tournaments %}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django import template

from clubs import text as club_text
from domain.tournament.state import Phase
from tournaments import text
from tournaments.director.log_text import phase_name as name_of_phase

register = template.Library()


@register.simple_tag(takes_context=True)
def typed(context: dict[str, Any], do: str, field: str, default: Any = "", what: Any = "") -> Any:
    """What somebody typed into this field of the form that was refused, else its default."""
    sent = context.get("typed")
    if sent is None or context.get("refused_do") != do or str(what) != context.get("refused_what", ""):
        return default
    return sent.get(field, "")


@register.filter
def chf(rappen: int) -> str:
    """Rappen as "CHF 10.50"."""
    return text.money_text(rappen)


@register.filter
def francs(rappen: int) -> str:
    """Rappen as "10.–"."""
    return text.short_money(rappen)


@register.filter
def signed(number: int) -> str:
    """A difference with its sign: "+12", "−3", "0"."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


@register.filter
def phase_name(phase: Phase) -> str:
    return name_of_phase(phase)


@register.filter
def criterion_name(code: str) -> str:
    return club_text.criterion(code).name


@register.filter
def criterion_short(code: str) -> str:
    """A criterion as the head of a column has it."""
    return club_text.criterion(code).short


@register.filter
def criterion_meaning(code: str) -> str:
    return club_text.criterion(code).meaning


@register.filter
def value(number: int | None, code: str) -> str:
    return club_text.criterion_value(code, number)


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
    return text.table_state(state)


@register.filter
def points(number: int) -> str:
    """`{{ value|points }}`: a number with a real minus sign, as one prints it."""
    return f"−{-number}" if number < 0 else str(number)


@register.filter
def sign(number: int) -> str:
    """`{{ gain|sign }}`: "plus", "minus", or nothing."""
    return "plus" if number > 0 else "minus" if number < 0 else ""
