"""A rule sheet: an article cut down to what one wants on the table, its prose, its tables and how open questions are played.

What is tried, told at length or looked up stays on the article's page: examples, what each source says, words, notes. The
works that the sheet rests on are named once, at its foot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from markdown_it.token import Token

from rules.markup.citations import short_title
from rules.markup.cleaning import clean
from rules.markup.filling import fill
from rules.markup.lexicon import lexicon
from rules.markup.links import Links
from rules.markup.page import PAGE, Page
from rules.markup.render import wrapped
from rules.markup.resolving import resolve
from rules.markup.syntax import parser
from rules.markup.troubles import MAX_BYTES

_SECTIONS_LEFT_OUT: Final = ("example", "words", "sources")
_NO_HEADING: Final = 7


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rule sheet as HTML, and the works it rests on, each in a few words with its language."""

    html: SafeString
    sources: tuple[tuple[str, str], ...] = ()


def sheet(document: Mapping[str, Any], language: str, *, key: str, reader: str = "") -> Sheet:
    """The sheet of an article's document, written in `language`; `reader` is the language its links lead to."""
    text = str(document.get("text", ""))
    if len(text.encode()) > MAX_BYTES:
        return Sheet(SafeString(""))
    links = Links(reader or language)
    page = Page(language, links, key=key, ruleset=str(document.get("ruleset") or ""), sheet=True)
    markdown = parser()
    env: dict[str, Any] = {PAGE: page}
    with override(language):
        tokens = _with_something_below(_without_sections(markdown.parse(text, env)))
        resolve(tokens, page, lexicon(language))
        fill(tokens, page)
        html = page.put_back(clean(markdown.renderer.render(wrapped(tokens), markdown.options, env)))
    works = [page.notes.works[source] for source in dict.fromkeys(each.source for each in page.notes.numbers)]
    sources = tuple((short_title(work), str(work.get("language") or "")) for work in works)
    return Sheet(mark_safe(html), sources)  # noqa: S308  # cleaned; what was put back is made by format_html


def _without_sections(tokens: list[Token]) -> list[Token]:
    """The text without the sections that a sheet has no room for, each up to the next of its level."""
    kept: list[Token] = []
    leaving_out = False
    for token in tokens:
        if token.type == "heading_open" and token.tag in ("h1", "h2") and token.level == 0:
            leaving_out = token.meta.get("id") in _SECTIONS_LEFT_OUT
        if not leaving_out:
            kept.append(token)
    return kept


def _with_something_below(tokens: list[Token]) -> list[Token]:
    """The text without headings that have lost all that stood below them."""
    kept: list[Token] = []
    below, something = _NO_HEADING, False  # the level of the next heading that is kept; whether text stands before it
    at = len(tokens)
    while at:
        at -= 1
        token = tokens[at]
        if token.type == "heading_close" and token.level == 0:
            level = int(token.tag[1])
            if something or level < below < _NO_HEADING:
                kept += (token, tokens[at - 1], tokens[at - 2])
                below = level
            something = False
            at -= 2
        else:
            kept.append(token)
            something = True
    kept.reverse()
    return kept
