"""Ratings in the sitemap: the pages that name nobody."""

from __future__ import annotations

from rules.selectors import SITE_LANGUAGES
from rules.sitemaps import Item, OurSitemap


class Ratings(OurSitemap):
    """All games, and how ratings are worked out."""

    def items(self) -> list[Item]:
        return [Item(name, "", SITE_LANGUAGES) for name in ("ratings:index", "ratings:how")]
