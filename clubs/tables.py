"""What tables must know about clubs, for `games.hooks.clubs`.

Members may sit at the tables of their club, guests of an evening may not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import Player
from clubs.models import Club, Member
from games.hooks import ClubSeen


def of(player: Player) -> Sequence[ClubSeen]:
    rows = _entries().filter(player=player).select_related("club").order_by("club__name_key")
    return [_seen(row.club) for row in rows]


def has(slug: str, player: Player) -> bool:
    return _entries().filter(player=player.current, club__slug=slug).exists()


def named(slugs: Collection[str]) -> Mapping[str, ClubSeen]:
    return {club.slug: _seen(club) for club in Club.objects.filter(slug__in=slugs)}


def _entries() -> QuerySet[Member]:
    return Member.objects.filter(kind=Member.Kind.MEMBER, left_on__isnull=True, club__closed_at__isnull=True)


def _seen(club: Club) -> ClubSeen:
    return ClubSeen(club.slug, club.name, reverse("club:home", args=[club.slug]))
