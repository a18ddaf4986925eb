"""Tournaments in the sitemap: the public ones of clubs that let search engines index their pages."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse

from rules.sitemaps import SiteSitemap
from tournaments.models import Tournament


class Tournaments(SiteSitemap):
    """The home page of each public tournament of these clubs, except cancelled ones."""

    def items(self) -> QuerySet[Tournament]:
        found = Tournament.objects.filter(club__found_by_search=True, club__closed_at__isnull=True, is_public=True)
        return found.exclude(status=Tournament.Status.CANCELLED).order_by("pk")

    def location(self, item: Tournament) -> str:
        return reverse("tournament:home", args=[item.public_id])

    def lastmod(self, item: Tournament) -> datetime:
        return item.changed_at
