"""Metadata for search engines and other sites: the sitemap of all pages, and what each page is about.

Head elements are the description, the canonical address, hreflang and Open Graph (ogp.me); JSON-LD has schema.org data.
Browsers do not run such data blocks, so our content security policy allows them in the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from core.reading_languages import PAGES as READ
from core.reading_languages import WHOLE
from rules.markup import inline
from rules.models import Article, Concept, Place, Source
from rules.selectors import OVERVIEW, SITE_LANGUAGES, Shown
from rules.terms import reading_language

_LOCALES: Final = {"en": "en_GB", "de": "de_CH", "rm-sursilv": "rm_CH", "fr": "fr_CH", "it": "it_CH"}
_DESCRIPTION: Final = 200
_NO_MARKUP_IN_JSON: Final = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alternate:
    """The same page in another language; `x-default` leads every reader to theirs."""

    language: str
    address: str


@dataclass(frozen=True, slots=True)
class Head:
    """The metadata in the head of a page.

    `kind` is an Open Graph type, `locale` its language as Open Graph names it.
    """

    title: str
    description: str
    canonical: str
    kind: str
    locale: str
    alternates: tuple[Alternate, ...] = ()
    other_locales: tuple[str, ...] = ()


def in_order(languages: Iterable[str]) -> tuple[str, ...]:
    """These languages in the order of the site; those that are not the site's are left out."""
    codes = set(languages)
    return tuple(code for code in SITE_LANGUAGES if code in codes)


def languages_of_page(name: str) -> tuple[str, ...]:
    """The languages in which a page without a text of its own exists."""
    return tuple(code for code in SITE_LANGUAGES if code in WHOLE or name in READ)


def languages_of(document: Mapping[str, Any]) -> tuple[str, ...]:
    """The languages in which a concept's page explains it: by its definition or, for a phrase, by what it tells."""
    codes = {*document.get("definitions", {})}
    if document["sort"] == "phrase":
        codes |= {*document.get("tells", {})}
    return in_order(codes) or (settings.LANGUAGE_CODE,)


def article_head(shown: Shown) -> Head:
    """The head of an article's page; its canonical address is in the language that its text is in."""
    article = shown.article
    name, arguments = ("rules:contents", []) if article.key == OVERVIEW else ("rules:article", [article.slug])
    languages = [row.language for row in shown.published]
    return _head(article.title, article.summary, name, arguments, shown.language, languages, "article")


def word_head(concept: Concept) -> Head:
    reader = reading_language()
    languages = languages_of(concept.document)
    language = reader if reader in languages else languages[0]
    names = _names(concept.document, reader)
    description = _definition(concept.document, language)
    return _head(names[0], description, "rules:word", [concept.slug], language, languages, "article")


def article_data(shown: Shown, head: Head) -> SafeString:
    """schema.org `Article` (about a ruleset: with its game), as a JSON-LD block."""
    article = shown.article
    about: dict[str, Any] = {"about": {"@type": "Game", "name": article.title}} if article.ruleset else {}
    return _block(
        {
            "@type": "Article",
            "@id": head.canonical,
            "url": head.canonical,
            "headline": article.title,
            "description": article.summary,
            "inLanguage": shown.language,
            "dateModified": shown.revision.at.isoformat(),
            "publisher": {"@type": "Organization", "name": _("Troccas & Troggu"), "url": f"{settings.SITE_URL}/"},
            "isAccessibleForFree": True,
            **about,
        }
    )


def word_data(concept: Concept) -> SafeString:
    """schema.org `DefinedTerm` in its `DefinedTermSet`, as a JSON-LD block."""
    reader = reading_language()
    document = concept.document
    head = word_head(concept)
    names = _names(document, reader)
    with override(reader):
        words = settings.SITE_URL + reverse("rules:words")
    return _block(
        {
            "@type": "DefinedTerm",
            "@id": f"{settings.SITE_URL}/id/{concept.key}",
            "url": head.canonical,
            "name": names[0],
            "alternateName": names[1:],
            "description": _definition(
                document, reader if reader in languages_of(document) else languages_of(document)[0]
            ),
            "termCode": concept.key,
            "inLanguage": reader,
            "inDefinedTermSet": {
                "@type": "DefinedTermSet",
                "@id": f"{settings.SITE_URL}/id/words",
                "name": _("Words of Troccas and Troggu"),
                "url": words,
            },
        }
    )


def _head(
    title: str,
    description: str,
    name: str,
    arguments: list[str],
    language: str,
    languages: Iterable[str],
    kind: str,
) -> Head:
    codes = in_order(languages)
    addresses = {code: settings.SITE_URL + _address(name, arguments, code) for code in {*codes, language}}
    alternates = [Alternate(code, addresses[code]) for code in codes]
    if alternates:
        path = _address(name, arguments, codes[0]).removeprefix(f"/{codes[0]}")
        alternates.append(Alternate("x-default", settings.SITE_URL + path))
    return Head(
        title,
        Truncator(strip_tags(description)).chars(_DESCRIPTION),
        addresses[language],
        kind,
        _LOCALES.get(language, language),
        tuple(alternates),
        tuple(_LOCALES[code] for code in codes if code != language),
    )


def _address(name: str, arguments: list[str], language: str) -> str:
    with override(language):
        return reverse(name, args=arguments)


def _names(document: Mapping[str, Any], reader: str) -> list[str]:
    """The names of a concept: first in the reader's language, then in the game's own, then in all others."""
    usable = [term for term in document["terms"] if term["status"] != "deprecated"] or document["terms"]
    order = [reader, document.get("own", ""), "rm-sursilv", "gsw"]

    def rank(term: Mapping[str, Any]) -> int:
        return order.index(term["lang"]) if term["lang"] in order else len(order)

    return list(dict.fromkeys(term["text"] for term in sorted(usable, key=rank)))


def _definition(document: Mapping[str, Any], language: str) -> str:
    """The definition of a concept as plain text; for a phrase, what it tells."""
    text = document.get("definitions", {}).get(language, {}).get("text") or document.get("tells", {}).get(language, "")
    return strip_tags(inline(text, language)) if text else ""


def _block(data: dict[str, Any]) -> SafeString:
    """A script element with JSON in which nothing can end the element."""
    text = json.dumps({"@context": "https://schema.org", **data}, ensure_ascii=False).translate(_NO_MARKUP_IN_JSON)
    return mark_safe(f'<script type="application/ld+json">{text}</script>')  # noqa: S308  # escaped above


PAGES: Final = (
    "home", "choose", "fairness", "rules:contents", "rules:words", "rules:word-list", "rules:phrase-book", "rules:elsewhere",
    "rules:sources", "rules:data", "rules:data-api", "daily:today", "daily:archive",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    slug: str
    languages: tuple[str, ...]
    changed: datetime | None = None


class SiteSitemap(Sitemap):  # type: ignore[type-arg]  # generic in its stub only
    """Pages under the address of the site, however the request reached it."""

    def get_protocol(self, protocol: str | None = None) -> str:
        """The protocol that people use, not that of a proxy's request."""
        return urlsplit(settings.SITE_URL).scheme

    def get_domain(self, site: Any = None) -> str:
        return urlsplit(settings.SITE_URL).netloc


@lru_cache(maxsize=5000)
def _without_language(name: str, slug: str) -> str:
    return _address(name, [slug] if slug else [], settings.LANGUAGE_CODE).removeprefix(f"/{settings.LANGUAGE_CODE}")


class OurSitemap(SiteSitemap):
    """Pages with a language prefix, each with links to its other languages."""

    i18n = True
    alternates = True
    x_default = True

    def get_languages_for_item(self, item: Item) -> list[str]:
        return list(item.languages)

    def location(self, item: Item) -> str:
        """The address in the active language.

        Addresses differ only in their prefix. This is called for each page very often: for each pair of its languages.
        """
        return f"/{get_language()}{_without_language(item.name, item.slug)}"

    def lastmod(self, item: Item) -> datetime | None:
        return item.changed


class Pages(OurSitemap):
    def items(self) -> list[Item]:
        return [Item(name, "", languages_of_page(name)) for name in PAGES]


class Articles(OurSitemap):
    def items(self) -> list[Item]:
        rows = Article.objects.filter(entry__published__isnull=False).values_list(
            "key", "slug", "language", "entry__published__at"
        )
        articles: dict[str, tuple[str, set[str], datetime]] = {}
        for key, slug, language, at in rows:
            _slug, languages, newest = articles.get(key, (slug, set(), at))
            articles[key] = (slug, languages | {language}, max(newest, at))
        return [
            Item("rules:article", slug, in_order(languages), newest)
            for key, (slug, languages, newest) in sorted(articles.items())
            if key != OVERVIEW  # it is part of the contents page
        ]


class Words(OurSitemap):
    """Words and phrases, in the languages that explain them."""

    def items(self) -> list[Item]:
        rows = Concept.objects.filter(entry__published__isnull=False).order_by("key")
        values = rows.values_list("slug", "document", "entry__published__at")
        return [Item("rules:word", slug, languages_of(document), at) for slug, document, at in values]


class Works(OurSitemap):
    def items(self) -> list[Item]:
        values = Source.objects.order_by("key").values_list("entry__slug", "entry__published__at")
        return [Item("rules:source", slug, SITE_LANGUAGES, at) for slug, at in values]


class Places(OurSitemap):
    def items(self) -> list[Item]:
        values = Place.objects.order_by("key").values_list("entry__slug", "entry__published__at")
        return [Item("rules:place", slug, SITE_LANGUAGES, at) for slug, at in values]


SITEMAPS: Final[dict[str, type[SiteSitemap]]] = {
    "pages": Pages,
    "articles": Articles,
    "words": Words,
    "sources": Works,
    "places": Places,
}
