"""Clubs in the sitemap: those that let search engines keep their public pages."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse

from clubs.models import Club
from rules.sitemaps import SiteSitemap


class Clubs(SiteSitemap):
    """The first page of each club; from there the others are found. They carry no language."""

    def items(self) -> QuerySet[Club]:
        """By key, so that what was given out before stays in its place."""
        return Club.objects.filter(found_by_search=True, closed_at__isnull=True).order_by("pk")

    def location(self, item: Club) -> str:
        return reverse("club:home", args=[item.slug])
