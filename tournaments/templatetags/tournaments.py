"""Names, numbers and money of tournaments in templates: `{% load tournaments %}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, TypeVar

from django import template
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext

from clubs import money
from clubs import text as club_text
from domain.tournament.state import CLOSED, DRAFT, State
from games.text.common import signed
from games.text.figures import decimal, with_minus
from tournaments import text

register = template.Library()


@register.simple_tag(takes_context=True)
def typed(context: dict[str, Any], do: str, field: str, default: Any = "", what: Any = "") -> Any:
    """What was typed into this field if its form was refused, else the default."""
    sent = context.get("typed")
    if sent is None or context.get("refused_do") != do or str(what) != context.get("refused_what", ""):
        return default
    return sent.get(field, "")


register.filter("chf", money.money_text)
register.filter("francs", money.short_money)
register.filter("signed", signed)
register.filter("phase_name", text.phase_name)
register.filter("table_state", text.table_state)


@register.filter
def criterion_name(code: str) -> str:
    return club_text.criterion(code).name


@register.filter
def criterion_short(code: str) -> str:
    """The short name of a criterion, for heads of columns."""
    return club_text.criterion(code).short


@register.filter
def criterion_meaning(code: str) -> str:
    return club_text.criterion(code).meaning


@register.filter
def value(number: int | None, code: str) -> str:
    return club_text.criterion_value(code, number)


@register.simple_tag
def evening_mark(state: State) -> str:
    """`data-round` and `data-label`, by which the desk's browser saves the evening's file after every round.

    Empty before the first round and once the tournament is closed, because there is nothing to continue then.
    """
    rounds = [round for phase in state.phases for round in phase.rounds if round.status != DRAFT]
    if not rounds or state.closed:
        return ""
    last = rounds[-1]
    if last.status == CLOSED:
        label = gettext("Round %(number)s is over") % {"number": last.number}
    else:
        label = gettext("Round %(number)s is published") % {"number": last.number}
    return format_html('data-round="{}:{}" data-label="{}"', last.key, last.status, label)


T = TypeVar("T")


@register.filter
def at(items: Sequence[T], index: int) -> T | str:
    """`{{ scores|at:forloop.counter0 }}`: the item at that index, or nothing beyond the end."""
    return items[index] if 0 <= index < len(items) else ""


@register.filter
def item(items: Mapping[object, T], key: object) -> T | str:
    """`{{ names|item:id }}`: the item with that key, or nothing."""
    return items.get(key, "")


@register.filter
def points(number: int | Fraction) -> str:
    """`{{ value|points }}`: a number with a true minus; an average with one decimal place if any."""
    return with_minus(int(number)) if number.denominator == 1 else decimal(float(number)).replace("-", "−")


@register.filter
def scores(numbers: Sequence[int]) -> str:
    """`{{ line.scores|scores }}`: "38 : −4"."""
    return " : ".join(map(with_minus, numbers))


@register.filter
def sign(number: int) -> str:
    """`{{ gain|sign }}`: "plus", "minus", or nothing."""
    return "plus" if number > 0 else "minus" if number < 0 else ""


@register.filter(expects_localtime=True)
def weekday_time(moment: datetime) -> str:
    """ "Friday, 27 November 2026, 19:30"."""
    return f"{date_format(moment, 'l')}, {date_format(moment, 'DATE_FORMAT')}, {date_format(moment, 'H:i')}"
