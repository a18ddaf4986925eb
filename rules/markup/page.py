"""What is known while one text is rendered: handed through the parser as its environment.

What is wrong with a text: shown to who writes it with the line, never to who reads it.
"""

from __future__ import annotations

import secrets
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final

from rules.markup.citations import Footnotes
from rules.markup.links import Links

MAX_BYTES = 60_000
MAX_NESTING = 8
"""Lists and quotes inside each other."""
MAX_PARAGRAPH = 8_000
"""Characters of one paragraph: what brackets cost to match grows with its square."""
MAX_TOLD = 100
"""Troubles that are told of one text; nobody reads more at once."""


@dataclass(frozen=True, slots=True, order=True)
class Trouble:
    """Something that cannot be shown as it was meant. `line` counts from 1; 0 concerns the whole text."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}: {self.message}" if self.line else self.message


class Broken(Exception):
    """A directive that cannot be made into anything; `line` counts from the directive's own line, which is 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


PAGE: Final = "page"


@dataclass(frozen=True, slots=True)
class Heading:
    """A section of the page."""

    id: str
    title: str


@dataclass(slots=True)
class Page:
    """One text on its way to HTML. `language` is what it is written in, `links.language` that of who reads."""

    language: str
    links: Links
    key: str = ""
    ruleset: str = ""
    preview: bool = False
    one_line: bool = False
    """A caption or definition: citations stand in the line, terms are not linked by themselves."""
    sheet: bool = False
    """A rule sheet for the table: no notes, no links to words, of an open question the reading alone."""
    troubles: list[Trouble] = field(default_factory=list)
    outline: list[Heading] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    """The ids given to headings, and how often each was wanted."""
    examples: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    terms: list[str] = field(default_factory=list)
    """Keys of the concepts mentioned, in the order of their first mention."""
    notes: Footnotes = field(default_factory=Footnotes)
    _nonce: str = field(default_factory=lambda: secrets.token_hex(8))
    _kept: list[str] = field(default_factory=list)

    @property
    def game(self) -> str:
        """The game the text is about, as far as its ruleset tells: `troccas`, `troggu` or empty."""
        return self.ruleset.partition("-")[0]

    def trouble(self, line: int, message: str) -> None:
        """Note what is wrong at a line, up to a number that anybody would read."""
        if len(self.troubles) < MAX_TOLD:
            self.troubles.append(Trouble(line, message))

    def keep(self, html: str) -> str:
        """Put trusted HTML aside until the page is cleaned; what is returned stands for it meanwhile.

        A writer cannot type it: it holds a number that is drawn anew for each rendering.
        """
        self._kept.append(html)
        return f"<div>\ue000{self._nonce}.{len(self._kept) - 1}\ue001</div>\n"

    def put_back(self, html: str) -> str:
        """`html` with all that was put aside in its place."""
        for number, kept in enumerate(self._kept):
            html = html.replace(f"<div>\ue000{self._nonce}.{number}\ue001</div>", kept, 1)
        return html


def page_of(env: MutableMapping[str, Any]) -> Page:
    """The page in a parser's environment."""
    page: Page = env[PAGE]
    return page
