"""Clubs in the sitemap: those that let search engines keep their public pages, and their public tournaments."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse

from clubs.room_models import Club
from clubs.tournament_models import Tournament
from rules.sitemaps import SiteSitemap


class Clubs(SiteSitemap):
    """The first page of each club; from there the others are found. They carry no language."""

    def items(self) -> QuerySet[Club]:
        """By key, so that what was given out before stays in its place."""
        return Club.objects.filter(found_by_search=True, closed_at__isnull=True).order_by("pk")

    def location(self, item: Club) -> str:
        """Its address."""
        return reverse("club:home", args=[item.slug])


class Tournaments(SiteSitemap):
    """The first page of each public tournament of these clubs, but of those that do not take place."""

    def items(self) -> QuerySet[Tournament]:
        """By key."""
        found = Tournament.objects.filter(club__found_by_search=True, club__closed_at__isnull=True, is_public=True)
        return found.exclude(status=Tournament.Status.CANCELLED).order_by("pk")

    def location(self, item: Tournament) -> str:
        """Its address."""
        return reverse("tournament:home", args=[item.public_id])

    def lastmod(self, item: Tournament) -> datetime:
        """When its announcement was changed last."""
        return item.changed_at
