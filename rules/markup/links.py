"""Addresses inside the encyclopedia, and which schemes a writer's link may have.

The second wall: only these elements and attributes leave the renderer, whatever went in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

import nh3
from django.urls import NoReverseMatch, reverse
from django.utils.translation import override

from rules.models import Article, Source

_STAND_IN: Final = "stand-in"
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9_-]*\Z", re.ASCII)
_WRITTEN: Final = re.compile(
    r"(?:https?://[^\s/]|(?:rules|words|sources):[a-z0-9]|#[a-z0-9])", re.IGNORECASE | re.ASCII
)


def writable(url: str) -> bool:
    """Whether a writer may link there: the web, the encyclopedia's own names, a section of the same page."""
    return _WRITTEN.match(url) is not None


@dataclass(slots=True)
class Links:
    """Addresses in the language of who reads. Each kind is resolved once, then only its slug is exchanged."""

    language: str
    _patterns: dict[str, str] = field(default_factory=dict)
    _articles: dict[str, str] | None = None
    _sources: frozenset[str] | None = None

    def to(self, name: str, slug: str) -> str:
        """The address of `rules:<name>` for a slug; empty if there is no such address."""
        if not _SLUG.match(slug):
            return ""
        pattern = self._patterns.get(name)
        if pattern is None:
            with override(self.language):
                try:
                    pattern = reverse(f"rules:{name}", args=[_STAND_IN])
                except NoReverseMatch:
                    pattern = ""
            self._patterns[name] = pattern
        return pattern.replace(_STAND_IN, slug)

    def talk(self, key: str, question: str) -> str:
        """Where a question box of an article is discussed; empty if there is no such address."""
        with override(self.language):
            try:
                return f"{reverse('rules:talk', args=['article', key])}?question={question}"
            except NoReverseMatch:
                return ""

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
    "a": {"href", "rel", "data-term", "role", "aria-label"},
    "aside": {"aria-label"},
    "div": {"aria-label"},
    "section": {"aria-labelledby"},
    "ol": {"start"},
}
_BOXES: Final = {
    "broken",
    "note",
    "question",
    "mistake",
    "mark",
    "says",
    "reading",
    "why",
    "talk",
    "placed",
    "claim",
    "truth",
}
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
    """The allowed part of `html`. Links go to the web by http(s), into this site, or nowhere."""
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
