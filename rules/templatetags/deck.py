"""Cards and words in templates: `{% load deck %}`."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from rules.text import names

register = template.Library()

BACK = "back"
SPRITE = "deck/deck.svg"
_HIDDEN = SafeString('aria-hidden="true" focusable="false"')


@register.simple_tag
def card(code: str, *, decorative: bool = False, css: str = "") -> SafeString:
    """The picture of a card as an inline SVG that points into the deck's sprite; `back` is the back of a card.

    Named for screen readers in the reader's language; `decorative=True` hides it from them, for where the name stands
    beside it. `css` adds classes. Raises UnknownTerm for what is no card.
    """
    name = _("Face-down card") if code == BACK else names.card_name(code)
    return format_html(
        '<svg class="card{}" viewBox="0 0 120 216" {}><use href="{}#{}"></use></svg>',
        f" {css}" if css else "",
        _HIDDEN if decorative else format_html('role="img" aria-label="{}"', name),
        static(SPRITE),
        code,
    )


@register.simple_tag
def own_word(concept: str) -> SafeString:
    """The game's own word in its own language, its meaning in the reader's language as the title."""
    return _span("own-word", names.own_word(concept))


@register.simple_tag
def word(concept: str) -> SafeString:
    """A word of the game in the reader's language; marked up as what it is where another language stands in."""
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


@register.filter
def card_name(code: str) -> str:
    """`{{ "CK"|card_name }}`: the card's name as a label."""
    return names.card_name(code)


@register.filter
def card_short(code: str) -> str:
    """`{{ "T21"|card_short }}`: the shortest name, for lists."""
    return names.card_short(code)


@register.filter
def card_object(code: str) -> str:
    """`{{ "CK"|card_object }}`: the card with its article, as what somebody plays."""
    return names.card_object(code)


@register.filter
def suit_name(letter: str) -> str:
    """`{{ "C"|suit_name }}`: the suit's name in running text."""
    return names.suit_name(letter)


@register.filter
def rank_name(rank: str) -> str:
    """`{{ "K"|rank_name }}`: the rank's name in running text."""
    return names.rank_name(rank)


@register.filter
def trump_numeral(number: int) -> str:
    """`{{ 17|trump_numeral }}`: the numeral as the cards print it."""
    return names.trump_numeral(number)
