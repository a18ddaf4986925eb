"""Ratings in the sitemap: the pages that name nobody."""

from __future__ import annotations

from rules.sitemaps import Item, OurSitemap, languages_of_page


class Ratings(OurSitemap):
    """All games, and how ratings are worked out."""

    def items(self) -> list[Item]:
        return [Item(name, "", languages_of_page(name)) for name in ("ratings:index", "ratings:how")]
