"""Cards and words in templates: `{% load deck %}`."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from rules.markup.trumps import BACK, SPRITE, picture
from rules.terms import cached_by_language
from rules.text import names

__all__ = ["BACK", "SPRITE"]  # of `rules.markup.trumps`, for the templates' side of the program

register = template.Library()


# `{% card "CK" %}`: the picture of a card.
register.simple_tag(picture, name="card")


@register.simple_tag
@cached_by_language(1_000)
def own_word(concept: str) -> SafeString:
    """The game's own word in its own language, its meaning in the reader's language as the title."""
    return _span("own-word", names.own_word(concept))


@register.simple_tag
@cached_by_language(1_000)
def word(concept: str) -> SafeString:
    """A word of the game in the reader's language; if it is in another language, its markup says so."""
    return _span("word", names.word(concept))


def _span(css: str, term: names.Term) -> SafeString:
    title = term.meaning
    if term.draft:
        mark = _("Draft: this word still needs a native speaker's look")
        title = f"{title} ({mark})" if title else mark
    return format_html(
        '<span lang="{}" class="{}{}"{}>{}</span>',
        term.lang,
        css,
        " draft" if term.draft else "",
        format_html(' title="{}"', title) if title else "",
        term.text,
    )


# `{{ "CK"|card_name }}`: each as described in `rules.text.names`, in the reader's language.
for name in (
    names.card_name,
    names.card_short,
    names.card_object,
    names.suit_name,
    names.rank_name,
    names.trump_numeral,
):
    register.filter(name.__name__, name)
