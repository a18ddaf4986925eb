"""What search engines are told, in templates: `{% load discovery %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString

from rules import discovery
from rules.models import Concept
from rules.reading import Shown

register = template.Library()


@register.inclusion_tag("rules/_head_meta.html")
def article_meta(shown: Shown) -> dict[str, Any]:
    """`{% article_meta shown %}` in the head of an article's page: description, canonical address, translations, data."""
    return {"head": discovery.article_head(shown), "data": discovery.article_data(shown)}


@register.inclusion_tag("rules/_head_meta.html")
def word_meta(concept: Concept) -> dict[str, Any]:
    """`{% word_meta concept %}` in the head of a word's page; its data are in `_structured_word.html`."""
    return {"head": discovery.word_head(concept)}


@register.simple_tag
def word_data(concept: Concept) -> SafeString:
    """`{% word_data concept %}`: the word as schema.org `DefinedTerm`."""
    return discovery.word_data(concept)
