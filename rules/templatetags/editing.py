"""Addresses of what belongs to an entry in templates: `{% load editing %}`."""

from __future__ import annotations

from typing import Protocol

from django import template
from django.urls import reverse

from rules.documents.kinds import LANGUAGES

register = template.Library()


class Addressed(Protocol):
    """An entry, or a page that could become one."""

    kind: str
    key: str
    language: str


@register.simple_tag
def entry_url(name: str, entry: Addressed, number: int | None = None) -> str:
    """`{% entry_url 'history' entry %}`, `{% entry_url 'revision' entry 3 %}`: for articles with their language."""
    given: dict[str, str | int] = {"kind": entry.kind, "key": entry.key}
    if entry.language:
        given["language"] = entry.language
    if number is not None:
        given["number"] = number
    return reverse(f"rules:{name}", kwargs=given)


@register.filter
def written_language(code: str) -> str:
    """`{{ "gsw"|written_language }}`: a language of words or articles in the words of the page; the code of any other."""
    return str(LANGUAGES.get(code, code))
