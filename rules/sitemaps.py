"""The sitemap: every page that search engines should know, with its translations. Addresses are those of `SITE_URL`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.urls import NoReverseMatch, reverse
from django.utils.translation import override

from rules import discovery
from rules.models import Article, Concept, Place, Source

PAGES: Final = (
    "home", "choose", "fairness", "rules:contents", "rules:words", "rules:word-list", "rules:phrase-book", "rules:elsewhere",
    "rules:sources", "rules:data", "rules:data-api", "daily:today", "daily:archive",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """One page in all its languages."""

    name: str
    slug: str
    languages: tuple[str, ...]
    changed: datetime | None = None


class SiteSitemap(Sitemap):  # type: ignore[type-arg]  # generic in its stub only
    """Pages under the address of the site, whichever way it was asked for."""

    def get_protocol(self, protocol: str | None = None) -> str:
        """As people see the site, not as a proxy asks for it."""
        return urlsplit(settings.SITE_URL).scheme

    def get_domain(self, site: Any = None) -> str:
        """As people see the site."""
        return urlsplit(settings.SITE_URL).netloc


class OurSitemap(SiteSitemap):
    """Pages under their language, each naming the others."""

    i18n = True
    alternates = True
    x_default = True

    def get_languages_for_item(self, item: Item) -> list[str]:
        """The languages in which the page exists."""
        return list(item.languages)

    def location(self, item: Item) -> str:
        """Its address in the language that is active."""
        return reverse(item.name, args=[item.slug] if item.slug else [])

    def lastmod(self, item: Item) -> datetime | None:
        """When it was changed last, where that is known."""
        return item.changed


class Pages(OurSitemap):
    """Pages that the program brings along."""

    def items(self) -> list[Item]:
        """All that there are."""
        return [Item(name, "", discovery.SITE_LANGUAGES) for name in PAGES if _is_there(name)]


class Articles(OurSitemap):
    """Articles, in the languages they are published in."""

    def items(self) -> list[Item]:
        """By key."""
        rows = Article.objects.filter(entry__published__isnull=False).values_list(
            "key", "slug", "language", "entry__published__at"
        )
        found: dict[str, tuple[str, set[str], datetime]] = {}
        for key, slug, language, at in rows:
            _slug, languages, newest = found.get(key, (slug, set(), at))
            found[key] = (slug, languages | {language}, max(newest, at))
        return [
            Item("rules:article", slug, discovery.in_order(languages), newest)
            for key, (slug, languages, newest) in sorted(found.items())
            if key != discovery.OVERVIEW  # it opens the contents
        ]


class Words(OurSitemap):
    """Words and phrases, in the languages that say what they are."""

    def items(self) -> list[Item]:
        """By key."""
        if not _is_there("rules:word", "x"):
            return []
        rows = Concept.objects.filter(entry__published__isnull=False).order_by("key")
        values = rows.values_list("slug", "document", "entry__published__at")
        return [Item("rules:word", slug, discovery.languages_of(document), at) for slug, document, at in values]


class Works(OurSitemap):
    """Sources."""

    def items(self) -> list[Item]:
        """By key."""
        values = Source.objects.order_by("key").values_list("entry__slug", "entry__published__at")
        return [Item("rules:source", slug, discovery.SITE_LANGUAGES, at) for slug, at in values]


class Places(OurSitemap):
    """Places."""

    def items(self) -> list[Item]:
        """By key."""
        values = Place.objects.order_by("key").values_list("entry__slug", "entry__published__at")
        return [Item("rules:place", slug, discovery.SITE_LANGUAGES, at) for slug, at in values]


SITEMAPS: Final[dict[str, type[SiteSitemap]]] = {
    "pages": Pages,
    "articles": Articles,
    "words": Words,
    "sources": Works,
    "places": Places,
}


def register(name: str, pages: type[SiteSitemap]) -> None:
    """Let a room above this one name its pages, too; a later call of the same name takes the place. Call it from `AppConfig.ready`."""
    SITEMAPS[name] = pages


def _is_there(name: str, *arguments: str) -> bool:
    try:
        with override(settings.LANGUAGE_CODE):
            reverse(name, args=arguments)
    except NoReverseMatch:
        return False
    return True
