"""A document to HTML: parse, resolve, print, clean, and put in what only the engine and the term base know.

A rule sheet: an article cut down to what one wants on the table, its prose, its tables and how open questions are played.

What is tried, told at length or looked up stays on the article's page: examples, what each source says, words, notes. The
works that the sheet rests on are named once, at its foot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import override
from markdown_it.token import Token

from rules.markup.citations import Citation, short_title
from rules.markup.filling import SOURCES, WORDS, fill, word_list
from rules.markup.lexicon import lexicon
from rules.markup.links import Links, clean
from rules.markup.page import MAX_BYTES, PAGE, Heading, Page, Trouble
from rules.markup.resolving import parser, resolve

_NOTHING: Final = SafeString("")


@dataclass(frozen=True, slots=True)
class Rendered:
    """A text as HTML, and what is in it.

    `outline`: the sections. `citations`: in the order of their numbers. `examples`, `questions`: ids. `terms`: keys of the
    concepts mentioned. `glossary`: their meanings, where the text has no section of words that shows them. `troubles`: what
    cannot be shown as it was meant, by line.
    """

    html: SafeString
    outline: tuple[Heading, ...] = ()
    citations: tuple[Citation, ...] = ()
    examples: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    glossary: SafeString = _NOTHING
    troubles: tuple[Trouble, ...] = ()


def render(
    document: Mapping[str, Any], language: str, *, key: str, preview: bool = False, reader: str = ""
) -> Rendered:
    """An article's document as HTML.

    `language` is what the text is written in, `reader` the language of who reads it, where that is another: links lead
    there. Whatever the text holds, the answer is harmless HTML; with `preview` it says on the page what is wrong.
    """
    text = str(document.get("text", ""))
    page = Page(
        language, Links(reader or language), key=key, ruleset=str(document.get("ruleset") or ""), preview=preview
    )
    with override(language):
        if len(text.encode()) > MAX_BYTES:
            message = _("This text is too long: %(most)d kB are the most.") % {"most": MAX_BYTES // 1000}
            return Rendered(format_html('<p class="broken">{}</p>', message), troubles=(Trouble(0, message),))
        return _render(text, page)


def troubles(document: Mapping[str, Any], language: str, *, key: str) -> tuple[Trouble, ...]:
    """What is wrong with an article's text, in the order of its lines; nothing if it can be published as it is."""
    return render(document, language, key=key, preview=True).troubles


def _render(text: str, page: Page) -> Rendered:
    markdown = parser()
    env: dict[str, Any] = {PAGE: page}
    words = lexicon(page.language)
    tokens = markdown.parse(text, env)
    resolve(tokens, page, words)
    waiting = fill(tokens, page)
    html = clean(markdown.renderer.render(wrapped(tokens), markdown.options, env))
    used = word_list(page, words)
    notes = page.notes.html({source: page.links.to("source", source) for source in page.notes.works})
    for name, shown in ((WORDS, used), (SOURCES, notes)):
        if name in waiting:
            html = html.replace(waiting[name].rstrip("\n"), shown, 1)
    html = page.put_back(html)
    if notes and SOURCES not in waiting:
        html += format_html('<h2 id="sources">{}</h2>\n{}', _("Sources"), notes)
        page.outline.append(Heading("sources", _("Sources")))
    return Rendered(
        mark_safe(html),  # noqa: S308  # cleaned; what was put back is made by templates and format_html
        tuple(page.outline),
        tuple(page.notes.numbers),
        tuple(page.examples),
        tuple(page.questions),
        tuple(page.terms),
        _NOTHING if WORDS in waiting else used,
        tuple(sorted(page.troubles)),
    )


def scroll_box() -> SafeString:
    """The beginning of a box for a wide table: reached by keyboard, and named, because it scrolls by itself."""
    return format_html('<div class="table-scroll" role="region" tabindex="0" aria-label="{}">', _("Table"))


def wrapped(tokens: list[Token]) -> list[Token]:
    """Tables in a box that scrolls by itself, so that the page never does."""
    made: list[Token] = []
    for token in tokens:
        if token.type == "table_open":
            token.attrSet("class", "data")
            made.append(Token("html_block", "", 0, content=scroll_box()))
        made.append(token)
        if token.type == "table_close":
            made.append(Token("html_block", "", 0, content="</div>\n"))
    return made


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
