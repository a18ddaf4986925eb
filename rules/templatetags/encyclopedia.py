"""The encyclopedia in templates: texts, names and addresses, and metadata for search engines."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Protocol

import segno
from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from core import reading_languages
from rules import licence, selectors, sitemaps
from rules.documents.kinds import LANGUAGES
from rules.markup import inline
from rules.markup.page import described, short_title
from rules.models import SOURCE_LANGUAGE, Concept, Place, Source
from rules.selectors import Shown
from rules.terms import fallbacks, reading_language

register = template.Library()


@register.simple_tag
def licence_note() -> SafeString:
    """`{% licence_note %}`: the terms for using texts and words, or a note that no licence has been chosen yet."""
    chosen = licence.chosen()
    if chosen is None:
        return format_html("{}", licence.statement())
    link = format_html('<a rel="license" href="{}">{}</a>', chosen.address, chosen.name)
    return format_html(escape(_("Texts and data: %(licence)s")).replace("%(licence)s", "{}"), link)


@register.simple_tag
def agreement() -> SafeString:
    """`{% agreement %}`: what people agree to when they send something in."""
    chosen = licence.chosen()
    if chosen is None:
        return format_html(
            "{}",
            _("By sending it you agree that it may be published under the licence that the owner of this site will choose for texts and data."),
        )  # fmt: skip
    link = format_html('<a rel="license" href="{}">{}</a>', chosen.address, chosen.name)
    return format_html(
        escape(_("By sending it you agree that it is published under this licence: %(licence)s")).replace("%(licence)s", "{}"), link
    )  # fmt: skip


@register.filter
def described_source(source: Source) -> SafeString:
    return described(source.document)


_LICENCES: Final = {
    "© the author": gettext_lazy("© the author"),
    "free for private use, teaching and research; not free to republish": gettext_lazy(
        "free for private use, teaching and research; not free to republish"
    ),
}


@register.filter
def licence_words(licence: str) -> str:
    """The licence of a source in the reader's language; the name of a known licence stays as it is."""
    return str(_LICENCES.get(licence, licence))


@register.filter
def source_title(source: Source) -> str:
    return short_title(source.document)


@register.filter
def note_language(source: Source) -> str:
    """`{{ source|note_language }}`: the language of the note that is shown: the page's, or else one that it has."""
    notes: dict[str, str] = source.document.get("note", {})
    return next((code for code in (*fallbacks(reading_language()), *notes) if code in notes), "")


@register.filter
def note_text(source: Source) -> SafeString:
    """`{{ source|note_text }}`: its note, in the language that `note_language` returns."""
    language = note_language(source)
    return inline(source.document.get("note", {}).get(language, ""), language or SOURCE_LANGUAGE)


@register.filter
def place_name(place: Place) -> str:
    """`{{ place|place_name }}`: the name of a place in the language of the page."""
    return selectors.place_name(place, reading_language())


@register.filter
def language_name(code: str) -> str:
    """`{{ "rm-sursilv"|language_name }}`: a language by its own name; its code if the site does not have it."""
    try:
        return str(get_language_info(code)["name_local"])
    except KeyError:
        return code


@register.simple_tag
def qr(address: str) -> SafeString:
    """A QR code of an address as an inline SVG; black on white, for printing. It is hidden from screen readers."""
    return _qr(address)


@lru_cache(maxsize=256)
def _qr(address: str) -> SafeString:
    code = segno.make(address, error="m", micro=False)
    picture = code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(picture.replace("<svg ", '<svg aria-hidden="true" focusable="false" ', 1))  # noqa: S308  # segno's own


@register.inclusion_tag("rules/_head_meta.html")
def article_meta(shown: Shown) -> dict[str, Any]:
    """`{% article_meta shown %}` in the head of an article's page: description, canonical address, translations, data."""
    head = sitemaps.article_head(shown)
    return {"head": head, "data": sitemaps.article_data(shown, head)}


@register.inclusion_tag("rules/_head_meta.html")
def word_meta(concept: Concept) -> dict[str, Any]:
    """`{% word_meta concept %}` in the head of a word's page; its data are in `_structured_word.html`."""
    return {"head": sitemaps.word_head(concept)}


@register.simple_tag
def word_data(concept: Concept) -> SafeString:
    """`{% word_data concept %}`: the word as schema.org `DefinedTerm`."""
    return sitemaps.word_data(concept)


@register.inclusion_tag("rules/_head_picture.html", takes_context=True)
def page_picture(context: template.Context) -> dict[str, Any]:
    """`{% page_picture %}` in the head: the picture that other sites show for this page, by its concept or article."""
    concept, shown = context.get("concept"), context.get("shown")
    kind, slug = "page", "troccas"
    if isinstance(concept, Concept):
        kind, slug = "word", concept.slug
    elif isinstance(shown, Shown):
        kind, slug = "article", shown.article.slug
    address = reverse("page-picture", args=[reading_language(), kind, slug])
    return {"address": f"{settings.SITE_URL}{address}"}


class Addressed(Protocol):
    """An entry, or a page that could become one."""

    kind: str
    key: str
    language: str


@register.simple_tag
def entry_url(name: str, entry: Addressed, number: int | None = None) -> str:
    """`{% entry_url 'history' entry %}`, `{% entry_url 'revision' entry 3 %}`: for articles with their language."""
    arguments: dict[str, str | int] = {"kind": entry.kind, "key": entry.key}
    if entry.language:
        arguments["language"] = entry.language
    if number is not None:
        arguments["number"] = number
    return reverse(f"rules:{name}", kwargs=arguments)


@register.filter
def written_language(code: str) -> str:
    """`{{ "gsw"|written_language }}`: the name of a language of words or articles, or the code of any other."""
    return str(LANGUAGES.get(code, code))


@register.filter
def is_read_only(code: str) -> bool:
    """`{% if shown.language|is_read_only %}`: whether a text is in a language of reading, and so translated by us."""
    return code in reading_languages.READING


@register.simple_tag(takes_context=True)
def page_languages(context: template.Context) -> list[str]:
    """The languages for the language menu: those of the whole site, and the languages of reading that this page has."""
    return [code for code, _name in settings.LANGUAGES if code in reading_languages.WHOLE or _is_in(context, code)]


def _is_in(context: template.Context, language: str) -> bool:
    request, shown = context.get("request"), context.get("shown")
    if request is None or not reading_languages.is_read(request.resolver_match):
        return False
    texts = [row.language for row in shown.published] if shown else [language]
    return language in (*texts, get_language())


@register.simple_tag(takes_context=True)
def reading_url(context: template.Context, name: str) -> str:
    """`{% reading_url "rules:words" %}`: the address of a page of the encyclopedia in the reader's language."""
    return reading_languages.address(context.get("request"), name)
