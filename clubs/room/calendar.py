"""The calendar of a club: dates of its own and its tournaments in one list. A wing of `clubs.room.door`."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from clubs.room import evenings, rights, steps
from clubs.room.evenings import Entry
from clubs.room.refusals import NoSuchEntry
from clubs.room.rights import Act
from clubs.room_models import Club, ClubDate

USUAL_LENGTH: Final = timedelta(hours=4)
"""How long something without an end is taken to last."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A date as its form has it."""

    title: str
    starts: datetime
    ends: datetime | None = None
    place: str = ""
    text: str = ""


def add(club: Club, by: Player, plan: Plan, *, request_id: uuid.UUID) -> ClubDate:
    """A new date. Raises ClubGone, NotAllowed, Suspended, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        before = steps.answered(row, by, request_id, "date.added")
        if before is not None:
            return of(row, str(before.data.get("date", "")))
        rights.check(by, row, Act.CALENDAR)
        made = ClubDate(club=row)
        _write(made, plan)
        steps.log(row, "date.added", actor=by, data={"date": made.public_id}, request_id=request_id)
        return made


def change(club: Club, by: Player, public_id: str, plan: Plan, *, request_id: uuid.UUID) -> ClubDate:
    """Change a date. Raises ClubGone, NotAllowed, Suspended, NoSuchEntry, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        rights.check(by, row, Act.CALENDAR)
        found = of(row, public_id)
        if steps.answered(row, by, request_id, "date.changed") is None:
            found.sequence += 1
            _write(found, plan)
            steps.log(row, "date.changed", actor=by, data={"date": public_id}, request_id=request_id)
        return found


def cancel(club: Club, by: Player, public_id: str, *, cancelled: bool, request_id: uuid.UUID) -> ClubDate:
    """Say that it does not take place, or does after all. Calendars of others are told, so it stays in the list.

    Raises ClubGone, NotAllowed, Suspended, NoSuchEntry, RequestReused.
    """
    with transaction.atomic():
        row = steps.locked(club.pk)
        rights.check(by, row, Act.CALENDAR)
        found = of(row, public_id)
        if steps.answered(row, by, request_id, "date.cancelled") is None:
            found.cancelled, found.sequence, found.changed_at = cancelled, found.sequence + 1, timezone.now()
            found.save()
            data = {"date": public_id, "cancelled": cancelled}
            steps.log(row, "date.cancelled", actor=by, data=data, request_id=request_id)
        return found


def remove(club: Club, by: Player, public_id: str, *, request_id: uuid.UUID) -> None:
    """Delete a date, and with it its trace in calendars. Raises ClubGone, NotAllowed, NoSuchEntry, RequestReused."""
    with transaction.atomic():
        row = steps.locked(club.pk)
        if steps.answered(row, by, request_id, "date.removed") is not None:
            return
        rights.check(by, row, Act.CALENDAR)
        of(row, public_id).delete()
        steps.log(row, "date.removed", actor=by, data={"date": public_id}, request_id=request_id)


def of(club: Club, public_id: str) -> ClubDate:
    """One date. Raises NoSuchEntry."""
    found = ClubDate.objects.filter(club=club, public_id=public_id).first()
    if found is None:
        raise NoSuchEntry
    return found


def entries(club: Club) -> list[Entry]:
    """Everything in the calendar: the club's own dates and its tournaments, by their beginning."""
    return merged(club, ClubDate.objects.filter(club=club), evenings.source().dates(club))


def merged(club: Club, dates: Iterable[ClubDate], tournaments: Sequence[Entry]) -> list[Entry]:
    """Both sources in one list, by their beginning, then by id."""
    own = [entry_of(club, date) for date in dates]
    return sorted([*own, *tournaments], key=lambda entry: (entry.starts, entry.id))


def upcoming(found: Iterable[Entry], now: datetime | None = None) -> list[Entry]:
    """What is not over, the next one first."""
    moment = now or timezone.now()
    return [entry for entry in found if end_of(entry) >= moment]


def past(found: Iterable[Entry], now: datetime | None = None) -> list[Entry]:
    """What is over, the latest first."""
    moment = now or timezone.now()
    return [entry for entry in reversed(list(found)) if end_of(entry) < moment]


def end_of(entry: Entry) -> datetime:
    """When it ends, or is taken to."""
    return entry.ends or entry.starts + USUAL_LENGTH


def entry_of(club: Club, date: ClubDate) -> Entry:
    """A date as a line of the calendar."""
    return Entry(
        id=date.public_id,
        title=date.title,
        starts=date.starts,
        ends=date.ends,
        place=date.place,
        text=date.text,
        url=reverse("club:date", args=[club.slug, date.public_id]),
        cancelled=date.cancelled,
        sequence=date.sequence,
        changed_at=date.changed_at,
        tournament=False,
    )


def _write(row: ClubDate, plan: Plan) -> None:
    row.title, row.starts, row.ends = plan.title, plan.starts, plan.ends
    row.place, row.text, row.changed_at = plan.place, plan.text, timezone.now()
    row.save()
