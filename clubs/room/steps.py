"""What the doors of a club are made of. Each step expects the lock on the club's row to be held."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping

from django.urls import reverse

from accounts.models import Player
from clubs.room.refusals import ClubGone, NoSuchMember
from clubs.room.rights import GRANTED, Act
from clubs.room_models import Club, ClubEvent, Member
from games.refusals import RequestReused
from notices import outbox


def locked(club_id: int) -> Club:
    """The club, its row locked. Raises ClubGone."""
    club = Club.objects.select_for_update().filter(pk=club_id).first()
    if club is None or club.closed_at is not None:
        raise ClubGone
    return club


def answered(club: Club | None, actor: Player, request_id: uuid.UUID, what: str) -> ClubEvent | None:
    """The event of a request that was accepted before; None for a new one. Raises RequestReused for another request."""
    before = ClubEvent.objects.select_related("club", "member").filter(actor=actor, request_id=request_id).first()
    if before is not None and (before.what != what or (club is not None and before.club_id != club.pk)):
        raise RequestReused
    return before


def log(
    club: Club,
    what: str,
    *,
    actor: Player | None,
    member: Member | None = None,
    data: Mapping[str, object] | None = None,
    request_id: uuid.UUID | None = None,
) -> ClubEvent:
    """Write what was done. `data` names nobody: names go, events stay."""
    return ClubEvent.objects.create(
        club=club, what=what, actor=actor, member=member, data=dict(data or {}), request_id=request_id
    )


def member_of(club: Club, public_id: str) -> Member:
    """An entry of the club's list. Raises NoSuchMember."""
    found = Member.objects.select_related("player").filter(club=club, public_id=public_id).first()
    if found is None:
        raise NoSuchMember
    return found


def who_may(club: Club, act: Act) -> list[Player]:
    """The people who may do this for the club, for telling them that there is something to do."""
    able = [role for role, acts in GRANTED.items() if act in acts]
    entries = Member.objects.filter(club=club, role__in=able, left_on__isnull=True, player__isnull=False)
    return [entry.player for entry in entries.select_related("player") if entry.player is not None]


def tell(event: str, club: Club, players: Iterable[Player], *, by: Player | None = None, url: str = "") -> None:
    """Write a notice for each of the players but the one who did it. `url` is the page where one sees it."""
    params = {"club": club.slug, "name": club.name, "url": url or reverse("club:home", args=[club.slug])}
    if by is not None:
        params["by"] = by.public_id
    for player in players:
        if by is None or player.pk != by.pk:
            outbox.put(event, player, params, topic=f"club:{club.slug}")
