"""What a page fills in by itself: tables from the engine, examples, the words it uses, the sources it cites."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from markdown_it.token import Token

from games.engine.rulesets import UnknownRuleset, ruleset
from rules import examples
from rules.markup import engine_tables
from rules.markup.directives import DIRECTIVE, Directive, broken_html, toml
from rules.markup.lexicon import Lexicon, Word
from rules.markup.one_line import inline
from rules.markup.page import Page
from rules.markup.troubles import Broken

_TABLES: Final = {
    "values": engine_tables.card_values,
    "ranks": engine_tables.ranks,
    "packets": engine_tables.packets,
}
WORDS: Final = "words"
SOURCES: Final = "sources"


def fill(tokens: Iterable[Token], page: Page) -> dict[str, str]:
    """Make the directives that were left for later into HTML, in place.

    Words and sources are known only when the whole page is: what stands for them is returned by name.
    """
    waiting: dict[str, str] = {}
    for token in tokens:
        if token.type != DIRECTIVE:
            continue
        found: Directive = token.meta[DIRECTIVE]
        token.type = "html_block"
        if found.name in (WORDS, SOURCES):
            token.content = waiting.setdefault(found.name, page.keep(""))
            continue
        try:
            token.content = page.keep(_made(found, page))
        except Broken as broken:
            page.trouble(found.line + broken.line, broken.message)
            token.content = broken_html(page, found.line + broken.line, broken.message)
    return waiting


def _made(found: Directive, page: Page) -> str:
    if found.name == "example":
        return _example(found, page)
    game = toml(found.body).get("ruleset") or page.ruleset
    if not isinstance(game, str) or not game:
        raise Broken(_('Say of which game: ruleset = "troccas".'))
    try:
        return _TABLES[found.name](ruleset(game))
    except UnknownRuleset:
        raise Broken(_("There is no game “%(id)s”.") % {"id": game}) from None


def _example(found: Directive, page: Page) -> str:
    if found.id in page.examples:
        raise Broken(_("There is an example “%(id)s” already.") % {"id": found.id})
    try:
        example = examples.read(found.body, ruleset=page.ruleset or None, seats=None)
        shown = examples.show(example, page.language, article_key=page.key, id=found.id)
    except examples.BadExample as bad:
        raise Broken(str(bad)) from None
    page.examples.append(found.id)
    return shown


def word_list(page: Page, words: Lexicon) -> SafeString:
    """The words a page uses, in the order of their first mention, each with what it means."""
    used = [words.words[key] for key in page.terms]
    items = format_html_join(
        "", '<div data-term="{}"><dt>{}</dt><dd{}>{}</dd></div>', (_row(word, page) for word in used)
    )
    return format_html('<dl class="word-list">{}</dl>', items) if used else SafeString("")


def _row(word: Word, page: Page) -> tuple[str, SafeString, SafeString, SafeString]:
    name = _name(word.text, word.lang, page, draft=word.draft)
    address = page.links.to("word", word.slug)
    if address:
        name = format_html('<a href="{}">{}</a>', address, name)
    if word.own and word.own.casefold() != word.text.casefold():
        name = format_html("{} <small>{}</small>", name, _name(word.own, word.own_lang, page))
    foreign = word.meaning and word.meaning_lang != page.language
    lang = format_html(' lang="{}"', word.meaning_lang) if foreign else SafeString("")
    meaning = inline(word.meaning, word.meaning_lang or page.language, reader=page.links.language)
    return word.key, name, lang, meaning


def _name(text: str, language: str, page: Page, *, draft: bool = False) -> SafeString:
    css = SafeString(' class="draft"') if draft else SafeString("")
    if language == page.language and not draft:
        return format_html("{}", text)
    return format_html('<span lang="{}"{}>{}</span>', language, css, text)
