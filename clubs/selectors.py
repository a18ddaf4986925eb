"""What the pages of a club show: its list among all clubs, its staff, its size."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from accounts.models import Player
from clubs.models import Club, JoinRequest, Member
from core.text import fold


def clubs_named(name: str, canton: str = "") -> QuerySet[Club]:
    """The open clubs of a canton (by default of all) with every word of `name` in their name or village, with their
    number of members as `people`."""
    clubs = Club.objects.filter(closed_at__isnull=True, provisional=False)
    for word in fold(name).split():
        clubs = clubs.filter(name_key__contains=word)
    if canton:
        clubs = clubs.filter(canton=canton)
    here = Q(members__left_on__isnull=True, members__kind=Member.Kind.MEMBER)
    return clubs.annotate(people=Count("members", filter=here)).order_by("name_key", "pk")


def entries_of(player: Player | None) -> list[Member]:
    """The player's own entries in clubs, ordered by the name of the club."""
    if player is None or not player.is_member:
        return []
    rows = Member.objects.filter(player=player, left_on__isnull=True, club__closed_at__isnull=True)
    return list(rows.select_related("club").order_by("club__name_key"))


def staff_of(club: Club) -> list[Member]:
    """The members with a role, presidents first."""
    rows = Member.objects.select_related("club").filter(club=club, left_on__isnull=True)
    order = list(Member.Role)
    return sorted(rows.exclude(role=Member.Role.MEMBER), key=lambda member: order.index(Member.Role(member.role)))


def member_count(club: Club) -> int:
    """How many members the club has, not counting guests."""
    return Member.objects.filter(club=club, left_on__isnull=True, kind=Member.Kind.MEMBER).count()


def has_open_request(club: Club, player: Player | None) -> bool:
    """Whether the player has asked to join and not been answered yet."""
    if player is None:
        return False
    return JoinRequest.objects.filter(club=club, player=player, state=JoinRequest.State.OPEN).exists()
