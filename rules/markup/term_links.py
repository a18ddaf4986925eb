"""Terms in running text: the first mention of each becomes a link to its word page."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markdown_it.token import Token

from rules.markup.lexicon import Lexicon, Word
from rules.markup.page import Page


def link(page: Page, word: Word, label: str, *, language: str = "", draft: bool = False) -> SafeString:
    """A link to a word's page; plain text, with its language, on a rule sheet or where that page has no address.

    `language` is that of the label, if it is not the text's own. Notes the concept as mentioned.
    """
    if word.key not in page.terms:
        page.terms.append(word.key)
    lang = format_html(' lang="{}"', language) if language and language != page.language else SafeString("")
    address = "" if page.sheet else page.links.to("word", word.slug)
    if not address:
        return format_html("<span{}>{}</span>", lang, label) if lang else format_html("{}", label)
    return format_html('<a class="term" href="{}" data-term="{}"{}>{}</a>', address, word.key, lang, label)


def linked(page: Page, words: Lexicon, text: str) -> list[Token] | None:
    """A piece of plain text with the terms in it linked that were not mentioned before; None if there are none."""
    made: list[Token] = []
    at = 0
    for start, end, word in words.matches(text, page.game):
        if word.key in page.terms:
            continue
        made += _text(text[at:start])
        made.append(html(link(page, word, text[start:end])))
        at = end
    return [*made, *_text(text[at:])] if made else None


def emphasised(page: Page, words: Lexicon, text: str) -> Token | None:
    """A word in italics that the players call something: linked at its first mention, and always in its language."""
    word = words.own_word(text, page.game)
    if word is None:
        return None
    if word.key in page.terms:
        return html(format_html('<span lang="{}">{}</span>', word.own_lang, text)) if word.own_lang else None
    return html(link(page, word, text, language=word.own_lang))


def html(content: str) -> Token:
    """A token of our own HTML."""
    return Token("html_inline", "", 0, content=content)


def _text(content: str) -> Iterator[Token]:
    if content:
        yield Token("text", "", 0, content=content)
