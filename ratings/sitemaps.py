"""The pages of ratings that name nobody, for the sitemap."""

from __future__ import annotations

from rules.sitemaps import Item, OurSitemap, languages_of_page


class Ratings(OurSitemap):
    """The overview of games, and how ratings are worked out."""

    def items(self) -> list[Item]:
        return [Item(name, "", languages_of_page(name)) for name in ("ratings:index", "ratings:how")]
