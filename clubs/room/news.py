"""What a club has to tell. A wing of `clubs.room.door`."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Player
from clubs.room import rights, steps
from clubs.room.refusals import NoSuchEntry
from clubs.room.rights import Act
from clubs.room_models import Club, News


def publish(club: Club, by: Player, title: str, text: str, *, request_id: uuid.UUID) -> News:
    """A new piece of news, at once. Raises ClubGone, NotAllowed, Suspended, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        before = steps.answered(row, by, request_id, "news.published")
        if before is not None:
            return of(row, str(before.data.get("news", "")))
        rights.check(by, row, Act.NEWS)
        made = News.objects.create(club=row, title=title, text=text)
        steps.log(row, "news.published", actor=by, data={"news": made.public_id}, request_id=request_id)
        return made


def change(club: Club, by: Player, public_id: str, title: str, text: str, *, request_id: uuid.UUID) -> News:
    """Change it; its time stays, and feeds say that it was changed. Raises ClubGone, NotAllowed, Suspended, NoSuchEntry, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        rights.check(by, row, Act.NEWS)
        found = of(row, public_id)
        if steps.answered(row, by, request_id, "news.changed") is None:
            found.title, found.text, found.changed_at = title, text, timezone.now()
            found.save()
            steps.log(row, "news.changed", actor=by, data={"news": public_id}, request_id=request_id)
        return found


def remove(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Delete it. Raises ClubGone, NotAllowed, NoSuchEntry, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        if steps.answered(row, by, request_id, "news.removed") is not None:
            return
        rights.check(by, row, Act.NEWS)
        of(row, public_id).delete()
        steps.log(row, "news.removed", actor=by, data={"news": public_id}, request_id=request_id)


def listed(club: Club) -> QuerySet[News]:
    """All news, the latest first."""
    return News.objects.filter(club=club).order_by("-at", "-pk")


def of(club: Club, public_id: str) -> News:
    """One piece. Raises NoSuchEntry."""
    found = News.objects.filter(club=club, public_id=public_id).first()
    if found is None:
        raise NoSuchEntry
    return found
