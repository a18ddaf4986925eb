"""Words in templates: `{% load words %}`. Rendered here, not by templates, because a page has hundreds of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from rules.markup import inline
from rules.wordbook.lists import Row
from rules.wordbook.naming import Naming, PlaceLink

register = template.Library()

_NOTHING = SafeString("")


@register.simple_tag
def word_name(name: Naming, address: str = "") -> SafeString:
    """A word in its language, with its article toned down, and its gender; with `address`, it is a link."""
    shown = _name(name)
    return format_html(
        "{}{}", format_html('<a href="{}">{}</a>', address, shown) if address else shown, _about(name, {})
    )


@register.simple_tag
def place_link(place: PlaceLink) -> SafeString:
    """The name of a place; a link if it has a page."""
    return format_html('<a href="{}">{}</a>' if place.address else "{1}", place.address, place.name)


@register.simple_tag
def list_row(row: Row, places: Mapping[str, str]) -> SafeString:
    """One row of the word list; `places` are the names of its words' places, by key."""
    first, *others = row.names
    linked = format_html('<a href="{}">{}</a>{}', row.address, _name(first), _about(first, places))
    if not first.is_usable:
        linked = format_html("{} <small>{}</small>", linked, first.status_means)
    names = _joined([linked, *_several(others, places)])
    return format_html("<tr><td>{}</td><td>{}{}</td></tr>", names, _meaning(row, places), _explanation(row))


def _meaning(row: Row, places: Mapping[str, str]) -> SafeString:
    if row.meanings:
        return _joined(_several(row.meanings, places))
    if row.literal:
        return format_html('<q lang="{}">{}</q>', row.literal.language, row.literal.text)
    if row.explanation:
        return _NOTHING
    return format_html('<span aria-hidden="true">–</span><span class="visually-hidden">{}</span>', _("no word known"))


def _explanation(row: Row) -> SafeString:
    if not row.explanation:
        return _NOTHING
    text = inline(row.explanation.text, row.explanation.language, reader=get_language() or "")
    return format_html(
        '<span class="explained block soft text-s close" lang="{}">{}</span>', row.explanation.language, text
    )


def _several(names: Iterable[Naming], places: Mapping[str, str]) -> list[SafeString]:
    return [format_html("{}{}", _name(name), _about(name, places)) for name in names]


def _joined(parts: list[SafeString]) -> SafeString:
    return format_html_join(", ", "{}", ((part,) for part in parts))


def _name(name: Naming) -> SafeString:
    article = name.article
    return format_html(
        '<span class="name{}" lang="{}">{}{}</span>',
        " draft" if name.is_draft else "",
        name.language,
        format_html('<span class="the">{}</span>', article) if article else "",
        name.text[len(article) :],
    )


def _about(name: Naming, places: Mapping[str, str]) -> SafeString:
    """The marks after a word: its gender, whether it is a draft, how certain it is, its place."""
    marks = _NOTHING
    if name.gender:
        marks += format_html(' <abbr title="{}">{}</abbr>', name.gender_name, name.gender_short)
    if name.is_draft:
        marks += format_html('<span class="visually-hidden"> ({})</span>', _("draft"))
    if not name.is_sure:
        marks += format_html(' <small class="standing" title="{}">{}</small>', name.standing_means, name.standing_name)
    if name.place in places:
        marks += format_html(' <small class="where">{}</small>', places[name.place])
    return marks
