"""The state of one text while it is rendered: addresses, citations and their notes, headings, troubles.

`Page` is passed through the parser in its environment. Troubles are shown to the writer with their line, never to
readers. `clean` lets only allowed elements and attributes leave the renderer, whatever went in.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final
from urllib.parse import urlsplit

import nh3
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from rules.models import Article, Source

_STAND_IN: Final = "stand-in"
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9_-]*\Z", re.ASCII)
_WRITTEN: Final = re.compile(
    r"(?:https?://[^\s/]|(?:rules|words|sources):[a-z0-9]|#[a-z0-9])", re.IGNORECASE | re.ASCII
)


def writable(url: str) -> bool:
    """Whether a writer may link to it: the web, the encyclopedia's own names, a section of the same page."""
    return _WRITTEN.match(url) is not None


@dataclass(slots=True)
class Links:
    """Addresses in the language of the reader. Each kind is resolved once; after that, only the slug is replaced."""

    language: str
    _patterns: dict[str, str] = field(default_factory=dict)
    _articles: dict[str, str] | None = None
    _sources: frozenset[str] | None = None

    def to(self, name: str, slug: str) -> str:
        """The address of `rules:<name>` for a slug; empty for an invalid slug."""
        if not _SLUG.match(slug):
            return ""
        pattern = self._patterns.get(name)
        if pattern is None:
            with override(self.language):
                pattern = self._patterns[name] = reverse(f"rules:{name}", args=[_STAND_IN])
        return pattern.replace(_STAND_IN, slug)

    def talk(self, key: str, question: str) -> str:
        with override(self.language):
            return f"{reverse('rules:talk', args=['article', key])}?question={question}"

    def article(self, target: str) -> str:
        """The address of `key` or `key#section`; empty for an article that does not exist."""
        if self._articles is None:
            self._articles = dict(Article.objects.values_list("key", "slug"))
        key, sign, section = target.partition("#")
        slug = self._articles.get(key)
        return f"{self.to('article', slug)}{sign}{section}" if slug else ""

    def source(self, key: str) -> str:
        """The address of a source; empty for one that does not exist."""
        if self._sources is None:
            self._sources = frozenset(Source.objects.values_list("key", flat=True))
        return self.to("source", key) if key in self._sources else ""


_TAGS: Final = {
    "a", "abbr", "aside", "blockquote", "br", "cite", "code", "dd", "div", "dl", "dt", "em", "h2", "h3", "h4", "h5", "h6",
    "hr", "li", "ol", "p", "pre", "q", "section", "span", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
_ATTRIBUTES: Final = {
    "*": {"id", "lang", "class"},
    "a": {"href", "rel", "data-term", "role", "aria-label", "aria-labelledby"},
    "aside": {"aria-label"},
    "div": {"aria-label"},
    "section": {"aria-labelledby"},
    "ol": {"start"},
    "th": {"scope"},
}
_BOXES: Final = {
    "broken", "note", "question", "mistake", "mark", "says", "reading", "why", "talk", "placed", "claim", "truth",
}  # fmt: skip
_CLASSES: Final = {
    "a": {"term", "external", "cite"},
    "aside": _BOXES,
    "blockquote": _BOXES,
    "dd": _BOXES,
    "div": {"table-scroll"} | _BOXES,
    "dl": {"glance"} | _BOXES,
    "em": {"missing"},
    "p": _BOXES,
    "q": {"quotation"},
    "section": _BOXES,
    "span": {"card-name", "unknown-target", "unknown-source", "draft", "mark"},
    "sup": {"cite"},
    "table": {"data"},
    "td": {"number"},
    "th": {"number"},
}
_ROLES: Final = {"div": {"role": {"region"}, "tabindex": {"0"}}}


def clean(html: str) -> str:
    """The allowed part of `html`. Links lead to the web by http(s), into this site, or nowhere."""
    return nh3.clean(
        html,
        tags=_TAGS,
        clean_content_tags={"script", "style", "template", "svg", "math", "iframe", "object"},
        attributes={tag: names - {"class"} for tag, names in _ATTRIBUTES.items()},
        allowed_classes=_CLASSES,
        tag_attribute_values=_ROLES,
        url_schemes={"http", "https"},
        link_rel=None,
    )


_CITATION: Final = re.compile(r"@?\s*([a-z0-9][a-z0-9-]*)\s*(?::\s*(.+))?\Z", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a source: the source's key, and where in it (a heading, a page), or nothing for the whole."""

    source: str
    locator: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.locator}" if self.locator else self.source


def citations(text: str) -> tuple[Citation, ...]:
    """The citations in a list like `@pagat: Scoring; @jv`; empty if any part is invalid."""
    matches = [_CITATION.match(part.strip()) for part in text.split(";")]
    if any(match is None for match in matches):
        return ()
    return tuple(Citation(match[1], (match[2] or "").strip()) for match in matches if match)


@dataclass(slots=True)
class Footnotes:
    """The notes of one page, numbered by their first mention; the same place in a source always has the same number."""

    numbers: dict[Citation, int] = field(default_factory=dict)
    mentions: dict[int, int] = field(default_factory=dict)
    works: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """The existing sources among those looked up, by key."""

    def look_up(self, keys: Iterable[str]) -> None:
        missing = set(keys) - self.works.keys()
        if missing:
            self.works.update(Source.objects.filter(key__in=missing).values_list("key", "document"))

    def mention(self, citation: Citation) -> tuple[int, int]:
        """The number of the note, and which mention of it this is (from 1)."""
        number = self.numbers.setdefault(citation, len(self.numbers) + 1)
        self.mentions[number] = self.mentions.get(number, 0) + 1
        return number, self.mentions[number]

    def mark(self, citation: Citation) -> SafeString:
        """The number of its note as a link to it; a mark for a source that does not exist."""
        work = self.works.get(citation.source)
        if work is None:
            return format_html('<span class="unknown-source">[{}]</span>', _("source?"))
        number, mention = self.mention(citation)
        return format_html(
            '<sup class="cite" id="cited-{0}-{1}"><a href="#source-{0}" role="doc-noteref" aria-label="{2}">{0}</a></sup>',
            number,
            mention,
            _("Source %(number)d: %(title)s") % {"number": number, "title": short_title(work)},
        )

    def html(self, addresses: Mapping[str, str]) -> SafeString:
        """The list of notes; `addresses` are those of the sources' own pages. Empty if nothing is cited."""
        if not self.numbers:
            return SafeString("")
        rows = [
            (
                number,
                described(self.works[citation.source], citation.locator, address=addresses.get(citation.source, "")),
                _back(number, self.mentions[number]),
            )
            for citation, number in self.numbers.items()
        ]
        items = format_html_join("", '<li id="source-{}">{} {}</li>', rows)
        return format_html('<ol class="footnotes">{}</ol>', items)


def _back(number: int, mentions: int) -> SafeString:
    """Links back to where a note is mentioned."""
    links = (
        (
            number,
            mention,
            _("Back to where note %(number)d is cited") % {"number": number},
            "" if mentions == 1 else mention,
        )
        for mention in range(1, mentions + 1)
    )
    return format_html_join(
        " ", '<a class="back" href="#cited-{}-{}"><span class="visually-hidden">{} </span>↑{}</a>', links
    )


def short_title(work: Mapping[str, Any]) -> str:
    """A source in a few words: where it appeared or else its author, and its title."""
    where = str(work.get("container") or work.get("author") or "")
    title = str(work.get("title") or "")
    return f"{where}, {title}" if where and title else where or title


def described(work: Mapping[str, Any], locator: str = "", *, address: str = "") -> SafeString:
    """A source as notes print it: author, title, where and when it appeared, the place in it, address, date read."""
    title = format_html("<cite>{}</cite>", work.get("title") or work.get("container") or "")
    if address:
        title = format_html('<a href="{}">{}</a>', address, title)
    if work.get("language"):
        title = format_html('<span lang="{}">{}</span>', work["language"], title)
    author = work.get("author")
    parts = [format_html("{}: {}", author, title) if author else title]
    container = work.get("container") if work.get("title") else ""
    appeared = " ".join(str(work[name]) for name in ("place", "year") if work.get(name))
    parts += [format_html("{}", each) for each in (container, appeared) if each]
    if locator:
        parts.append(_place_in(work, locator))
    text = mark_safe(", ".join(parts))  # noqa: S308  # every part is made by format_html
    url = str(work.get("url") or "")
    if urlsplit(url).scheme in ("http", "https"):
        shown = url.removeprefix("https://").removeprefix("http://").removesuffix("/")
        text = format_html(
            '{}{} <a class="external address" rel="nofollow noopener" href="{}">{}</a>', text, _stop(text), url, shown
        )
    if work.get("seen"):
        text = format_html("{} ({})", text, _("read on %(date)s") % {"date": _date(str(work["seen"]))})
    return format_html("{}{}", text, _stop(text))


_VERSIONS: Final = {
    "German version": gettext_lazy("German version"),
    "French version": gettext_lazy("French version"),
    "Italian version": gettext_lazy("Italian version"),
}
_PAGE_OF_WORK: Final = re.compile(r"page (\d+)")


def place_in_words(locator: str) -> str:
    """A page or a version of a work in the reader's language; empty for anything else that is cited, such as a heading."""
    if numbered := _PAGE_OF_WORK.fullmatch(locator):
        return _("page %(number)s") % {"number": numbered[1]}
    return str(_VERSIONS.get(locator, ""))


def _place_in(work: Mapping[str, Any], locator: str) -> SafeString:
    if words := place_in_words(locator):
        return format_html("{}", words)
    if locator[:1].isdigit():
        return format_html("{}", locator)
    lang = format_html(' lang="{}"', work["language"]) if work.get("language") else ""
    return format_html("<q{}>{}</q>", lang, locator)


def _stop(text: SafeString) -> str:
    """The full stop after a sentence; none after a title that ends with punctuation."""
    return "" if strip_tags(text).endswith(("!", "?", ".")) else "."


def _date(written: str) -> str:
    """A date of the form 2026-11-21 in the reader's language; anything else unchanged."""
    try:
        return date_format(date.fromisoformat(written), "DATE_FORMAT")
    except ValueError:
        return written


MAX_BYTES = 60_000
MAX_NESTING = 8
"""The depth of lists and quotations inside each other."""
MAX_PARAGRAPH = 8_000
"""Characters of one paragraph: the cost of matching brackets grows with the square of its length."""
MAX_TOLD = 100
"""Troubles that are reported for one text; nobody reads more at once."""


@dataclass(frozen=True, slots=True, order=True)
class Trouble:
    """Something that cannot be shown as intended. `line` counts from 1; 0 concerns the whole text."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}: {self.message}" if self.line else self.message


class Broken(Exception):
    """A directive that cannot be rendered; `line` counts from the directive's own line, which is 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


PAGE: Final = "page"


@dataclass(frozen=True, slots=True)
class Heading:
    id: str
    title: str


@dataclass(slots=True)
class Page:
    """One text while it is rendered. `language` is that of the text, `links.language` that of the reader."""

    language: str
    links: Links
    key: str = ""
    ruleset: str = ""
    preview: bool = False
    one_line: bool = False
    """For a caption or definition: citations are shown inline, terms are not linked automatically."""
    sheet: bool = False
    """For a rule sheet: no notes, no links to words, and only our reading of an open question."""
    troubles: list[Trouble] = field(default_factory=list)
    outline: list[Heading] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    """The ids given to headings, each with the last number appended to it."""
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
        """Note what is wrong at a line, up to MAX_TOLD troubles."""
        if len(self.troubles) < MAX_TOLD:
            self.troubles.append(Trouble(line, message))

    def keep(self, html: str) -> str:
        """Put trusted HTML aside until the page is cleaned. Returns a placeholder for it.

        A writer cannot type the placeholder, since it contains a number drawn at random for each rendering.
        """
        self._kept.append(html)
        return f"<div>\ue000{self._nonce}.{len(self._kept) - 1}\ue001</div>\n"

    def put_back(self, html: str) -> str:
        """`html` with every placeholder replaced by what was put aside."""
        for number, kept in enumerate(self._kept):
            html = html.replace(f"<div>\ue000{self._nonce}.{number}\ue001</div>", kept, 1)
        return html


def page_of(env: MutableMapping[str, Any]) -> Page:
    page: Page = env[PAGE]
    return page
