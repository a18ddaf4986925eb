"""The parser: CommonMark and tables, without HTML, with citations, term links, card names and directives added."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

from games.engine.cards import CODES
from rules.markup.citations import citations
from rules.markup.directives import directive
from rules.markup.links import writable
from rules.markup.troubles import MAX_PARAGRAPH

TOO_LONG: Final = "too long"
_MAX_LEVEL: Final = 40  # where the parser stops by itself; our own limit speaks up long before
_CITED: Final = re.compile(r"\[(@[^\]\n]{1,300})\]")
_TERM: Final = re.compile(r"\[\[([a-z][a-z0-9._-]{0,79})(?:\|([^\]\n]{1,200}))?\]\]", re.ASCII)
_CARD: Final = re.compile(r"\{([A-Z0-9]{1,3})\}", re.ASCII)
_HEADING_ID: Final = re.compile(r"\s*\{#([a-z][a-z0-9-]{0,59})\}\s*\Z", re.ASCII)


@cache
def parser() -> MarkdownIt:
    """The parser. It keeps nothing between texts: what belongs to one is in its environment."""
    markdown = MarkdownIt(
        "commonmark", {"html": False, "linkify": False, "typographer": False, "maxNesting": _MAX_LEVEL}
    )
    markdown.enable("table")
    markdown.disable(["html_block", "html_inline", "image"])
    markdown.validateLink = writable  # type: ignore[method-assign]  # how markdown-it is told which links it may make
    markdown.inline.ruler.before("link", "citation", _citation)
    markdown.inline.ruler.before("link", "term", _term)
    markdown.inline.ruler.before("link", "card", _card)
    markdown.block.ruler.before("fence", "directive", directive, {"alt": ["paragraph", "blockquote", "list"]})
    markdown.core.ruler.before("inline", "heading_ids", _heading_ids)
    markdown.core.ruler.before("inline", "long_paragraphs", _long_paragraphs)
    return markdown


def _citation(state: StateInline, silent: bool) -> bool:
    match = _CITED.match(state.src, state.pos, state.posMax)
    cited = citations(match[1]) if match else ()
    if match is None or not cited:
        return False
    if not silent:
        state.push("citation", "", 0).meta = {"citations": cited}
    state.pos = match.end()
    return True


def _term(state: StateInline, silent: bool) -> bool:
    match = _TERM.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("term", "", 0).meta = {"key": match[1], "label": (match[2] or "").strip()}
    state.pos = match.end()
    return True


def _card(state: StateInline, silent: bool) -> bool:
    match = _CARD.match(state.src, state.pos, state.posMax)
    if match is None or match[1] not in CODES:
        return False
    if not silent:
        state.push("card", "", 0).meta = {"code": match[1]}
    state.pos = match.end()
    return True


def _heading_ids(state: StateCore) -> None:
    """Take `{#deal}` off the end of a heading and make it the heading's id."""
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open" and inline.type == "inline":
            match = _HEADING_ID.search(inline.content)
            if match:
                inline.content = inline.content[: match.start()]
                opening.meta["id"] = match[1]


def _long_paragraphs(state: StateCore) -> None:
    """Keep paragraphs that nobody writes from the search for links and emphasis; they are shown as they are typed."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_PARAGRAPH:
            token.meta[TOO_LONG] = token.content
            token.content = ""
