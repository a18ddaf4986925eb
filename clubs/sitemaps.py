"""Clubs in the sitemap: those that let search engines index their public pages."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse

from clubs.models import Club
from rules.sitemaps import SiteSitemap


class Clubs(SiteSitemap):
    """The home page of each club, from which the others can be found.

    These pages have no language in their addresses.
    """

    def items(self) -> QuerySet[Club]:
        """The clubs by primary key, so that each stays at its position in the sitemap."""
        return Club.objects.filter(found_by_search=True, closed_at__isnull=True).order_by("pk")

    def location(self, item: Club) -> str:
        return reverse("club:home", args=[item.slug])
