"""The desk in templates: `{% load desk %}`."""

from __future__ import annotations

from typing import Any

from django import template

from clubs import words
from clubs.desk.words import phase_name as name_of_phase
from clubs.evening.state import Phase
from clubs.tournaments import money

register = template.Library()


@register.simple_tag(takes_context=True)
def typed(context: dict[str, Any], do: str, field: str, default: Any = "", what: Any = "") -> Any:
    """What somebody typed into this field of the form that was refused, else its default."""
    sent = context.get("typed")
    if sent is None or context.get("refused_do") != do or str(what) != context.get("refused_what", ""):
        return default
    return sent.get(field, "")


@register.filter
def francs(rappen: int) -> str:
    """Rappen as "CHF 10.50"."""
    return money.shown(rappen)


@register.filter
def get(values: Any, key: Any) -> Any:
    """What a mapping holds under a key that the template only knows as a variable; nothing where it holds none."""
    return values.get(key, "")


@register.filter
def signed(number: int) -> str:
    """A difference with its sign: "+12", "−3", "0"."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


@register.filter
def phase_name(phase: Phase) -> str:
    """What a part of the tournament is called."""
    return name_of_phase(phase)


@register.filter
def criterion_name(code: str) -> str:
    """A criterion of the ranking."""
    return words.criterion(code).name


@register.filter
def criterion_short(code: str) -> str:
    """A criterion as the head of a column has it."""
    return words.criterion(code).short


@register.filter
def criterion_meaning(code: str) -> str:
    """What a criterion means."""
    return words.criterion(code).meaning


@register.filter
def value(number: int | None, code: str) -> str:
    """The value of a criterion."""
    return words.value(code, number)
