"""The text of an article without its markup, section by section: what can be searched, and shown as an excerpt."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from domain.engine.cards import CODES
from rules.markup.page import MAX_PARAGRAPH
from rules.text import names

_OPENING: Final = re.compile(r"[ ]{0,3}:::[ \t]*([a-z]+)(?:[ \t]+([a-z0-9][a-z0-9-]*))?[ \t]*")
_CLOSING: Final = re.compile(r"[ ]{0,3}:::[ \t]*")
_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*(?:\{#([a-z][a-z0-9-]*)\}[ \t]*)?")
_CITED: Final = re.compile(r"[ ]?\[@[^\]\n]{1,300}\]")
_TERM: Final = re.compile(r"\[\[([a-z][a-z0-9._-]*)(?:\|([^\]\n]+))?\]\]", re.ASCII)
_CARD: Final = re.compile(r"\{([A-Z0-9]{1,3})\}", re.ASCII)
_MARKUP: Final = re.compile(r"[*_`\[\]{}\\&<>#|~=\n]|^\s*[-+\d]")
"""Whatever a line holds that is not simply itself."""
_SHOWN: Final = ("title", "claim", "reading", "truth", "why", "caption", "quote", "paraphrase", "says")
"""The fields of a directive's body that readers see as text, in the order they see them."""
_BOXES: Final = ("question", "mistake")
"""Directives that stand by themselves and have an address of their own."""


@dataclass(slots=True)
class Section:
    """A heading and the text under it. `anchor` is its address on the page; empty before the first heading."""

    heading: str
    anchor: str
    is_box: bool = False
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What stands under the heading."""
        return "\n".join(self.parts)


def sections(text: str, language: str) -> list[Section]:
    """An article's sections and boxes in their order, those without text too. Broken markup is read as text; never raises."""
    found = [Section("", "")]
    section = found[0]
    prose: list[str] = []

    def end_prose() -> None:
        section.parts.extend(_paragraphs("\n".join(prose), language))
        prose.clear()

    for block in _blocks(text):
        if block.heading:
            end_prose()
            section = Section(inline(block.heading, language), block.id or section.anchor)
            found.append(section)
        elif block.directive in {"", "note"}:
            prose.extend(["", *block.lines, ""] if block.directive else block.lines)
        else:
            end_prose()
            said = [inline(each, language) for each in _said(block)]
            if block.directive in _BOXES and said and block.id:
                found.append(Section(said[0], f"{block.directive}-{block.id}", is_box=True, parts=said[1:]))
            else:
                section.parts.extend(said)
    end_prose()
    return found


def inline(text: str, language: str) -> str:
    """A line of markup as plain text: a caption, a definition."""
    if not _MARKUP.search(text):
        return text
    return " ".join(_paragraphs(text, language))


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, a directive, or else a line of prose."""

    lines: list[str]
    heading: str = ""
    directive: str = ""
    id: str = ""


def _blocks(text: str) -> Iterator[_Block]:
    lines = iter(text.splitlines())
    for line in lines:
        if opening := _OPENING.fullmatch(line):
            body = []
            for inner in lines:
                if _CLOSING.fullmatch(inner):
                    break
                body.append(inner)
            yield _Block(body, directive=opening[1], id=opening[2] or "")
        elif heading := _HEADING.fullmatch(line):
            yield _Block([], heading=heading[2] or " ", id=heading[3] or "")
        else:
            yield _Block([line])


def _said(block: _Block) -> list[str]:
    """The texts of a directive that is not prose itself."""
    if block.directive == "glance":
        return block.lines
    try:
        body = tomllib.loads("\n".join(block.lines))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return []
    return list(_texts(body))


def _texts(body: dict[str, Any]) -> Iterator[str]:
    for key in _SHOWN:
        value = body.get(key)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield from _texts(each)
            elif isinstance(each, str) and each:
                yield each


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["html_block", "html_inline", "image"])
    parser.core.ruler.before("inline", "long_paragraphs", _long_paragraphs)
    return parser


def _long_paragraphs(state: StateCore) -> None:
    """Take paragraphs that nobody writes as they are typed, as their page does: their marks would cost seconds to match."""
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > MAX_PARAGRAPH:
            token.type = "code_block"


def _paragraphs(text: str, language: str) -> Iterable[str]:
    """The text of every block, without what only places and links it."""
    text = _CITED.sub("", text)
    text = _TERM.sub(lambda found: found[2] or found[1].rpartition(".")[2].replace("-", " "), text)
    text = _CARD.sub(lambda found: _card(found[1], language) or found[0], text)
    for token in _parser().parse(text):
        if token.type in {"fence", "code_block"}:
            yield token.content.strip()
        elif token.type == "inline":
            said = "".join(
                " " if child.type in {"softbreak", "hardbreak"} else child.content
                for child in token.children or ()
                if child.type in {"text", "code_inline", "softbreak", "hardbreak"}
            ).strip()
            if said:
                yield said


def _card(code: str, language: str) -> str:
    return names.card_name(code, language, in_sentence=True) if code in CODES else ""
