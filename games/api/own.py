"""The player's own data apart from games: notices, calendar, hours and absences. Also other people's pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Field, Router

from accounts import availability
from accounts.models import Absence, Player
from core.schemas import Schema
from games.api import schemas
from games.api.base import NOTICES, OWN, READS, player_of, problem, problems
from games.mygames import calendar
from games.statistics import permissions as statistics_permissions
from games.statistics.selectors import Scope, variants
from notices import selectors

router = Router(tags=["yourself"])
_KEY = 999_999_999_999


class NoticeOut(Schema):
    """Something you were told. It never names a card."""

    id: int
    kind: str = Field(description="turn, deadline, game, table, talk, other, test")
    subject: str
    line: str
    url: str = Field(description="where one sees it or can act")
    until: datetime | None = Field(description="by when something has to be done")
    at: datetime
    unread: bool


class NoticesOut(Schema):
    """Notices, newest first. What is no longer true is left out."""

    unread: int
    results: list[NoticeOut]
    onward: int | None = Field(description="send it as `before` for those that follow; null at the end")


class ReadIn(schemas.Asked):
    """Which notices you have read."""

    ids: list[Annotated[int, Field(ge=1, le=_KEY)]] | None = Field(
        None, max_length=200, description="null: all of them"
    )


class CalendarOut(Schema):
    """Your calendar of deadlines (RFC 5545). Whoever knows the address can read it."""

    address: str | None = Field(description="null while you have none")


class CalendarIn(schemas.Asked):
    """Asking for an address, or giving it up."""

    on: bool = Field(description="true: a new address, the one before opens nothing any more; false: none")


Span = Annotated[list[Annotated[int, Field(ge=0, le=1440)]], Field(min_length=2, max_length=2)]


class AbsenceOut(Schema):
    """Days on which nobody waits for you."""

    id: int
    first_day: date
    last_day: date


class HoursOut(Schema):
    """When you can be expected to play, by your own clock."""

    time_zone: str
    week: list[Span | None] = Field(description="Monday first: from and to in minutes after midnight; null: a day off")
    absences: list[AbsenceOut]
    vacation_left: int = Field(description="days of this year that are neither used nor planned")


class HoursIn(schemas.Asked):
    """Your waking hours."""

    week: list[Span | None] = Field(min_length=7, max_length=7)


class AbsenceIn(schemas.Asked):
    """Being away, both days included."""

    first_day: date
    last_day: date


class ComeBackIn(schemas.Asked):
    """Ending an absence."""

    id: int = Field(ge=1, le=_KEY)


class PersonPageOut(Schema):
    """Somebody with an account or a seat here."""

    player: str
    name: str
    member: bool
    computer: bool = Field(description="a computer player of this site")
    program: bool = Field(description="somebody's program plays under this account")
    url: str


class VariantOut(Schema):
    """What somebody's hands of one game came to."""

    ruleset: str
    size: int
    hands: int
    mean: float = Field(description="points for each hand")
    won: int = Field(description="hands that came out above the average of the table")


@router.get("/notices", auth=NOTICES, response={200: NoticesOut, **problems(401, 403)}, summary="Your notices")
def notices(request: HttpRequest, before: schemas.Before = None) -> dict[str, Any]:
    """The same list as on the page. Needs `notices:write`."""
    player = player_of(request)
    lines, onward = selectors.lines(player, before=before)
    results = [
        {
            "id": line.id,
            "kind": line.kind,
            "subject": line.words.subject,
            "line": line.words.line,
            "url": settings.SITE_URL + line.words.url,
            "until": line.words.until,
            "at": line.at,
            "unread": line.unread,
        }
        for line in lines
    ]
    return {"unread": selectors.unread(player), "results": results, "onward": onward}


@router.post("/notices/read", auth=NOTICES, response={204: None, **problems(401, 403)}, summary="Mark notices as read")
def read(request: HttpRequest, payload: ReadIn) -> HttpResponse:
    """Some, or all. Needs `notices:write`."""
    selectors.mark_read(player_of(request), payload.ids)
    return HttpResponse(status=204)


@router.get("/calendar", auth=NOTICES, response={200: CalendarOut, **problems(401, 403)}, summary="Your calendar")
def own_calendar(request: HttpRequest) -> dict[str, Any]:
    """Its secret address. Needs `notices:write`."""
    return {"address": calendar.address_of(player_of(request))}


@router.post("/calendar", auth=NOTICES, response={200: CalendarOut, **problems(401, 403)}, summary="Change its address")
def change_calendar(request: HttpRequest, payload: CalendarIn) -> dict[str, Any]:
    """A new one, or none. Needs `notices:write`."""
    player = player_of(request)
    if payload.on:
        calendar.renew(player)
    else:
        calendar.switch_off(player)
    return {"address": calendar.address_of(player)}


_HOURS = {200: HoursOut, **problems(401, 403, 422)}


@router.get("/hours", auth=OWN, response=_HOURS, summary="Your hours and absences")
def hours(request: HttpRequest) -> dict[str, Any]:
    """As clocks of days count them. Needs `profile:write`."""
    player = player_of(request)
    rhythm = availability.availability_of(player)
    today = availability.today_of(player)
    rows = Absence.objects.filter(player=player, last_day__gte=today).order_by("first_day")
    return {
        "time_zone": rhythm.zone.key,
        "week": [list(span) if span is not None else None for span in rhythm.waking],
        "absences": [{"id": row.pk, "first_day": row.first_day, "last_day": row.last_day} for row in rows],
        "vacation_left": rhythm.vacation_left,
    }


@router.post("/hours", auth=OWN, response=_HOURS, summary="Change your hours")
def change_hours(request: HttpRequest, payload: HoursIn) -> Any:
    """At least two hours on a day that is not off, and 28 in a week. Needs `profile:write`."""
    week = tuple((span[0], span[1]) if span is not None else None for span in payload.week)
    return _checked(lambda: availability.keep_week(player_of(request), week), "week") or hours(request)


@router.post("/absences", auth=OWN, response=_HOURS, summary="Plan an absence")
def plan_absence(request: HttpRequest, payload: AbsenceIn) -> Any:
    """Clocks of days stand still for you meanwhile. Needs `profile:write`."""
    player = player_of(request)
    return _checked(lambda: availability.plan(player, payload.first_day, payload.last_day), "first_day") or hours(
        request
    )


@router.post("/absences/end", auth=OWN, response={**_HOURS, **problems(401, 403, 404)}, summary="End an absence")
def end_absence(request: HttpRequest, payload: ComeBackIn) -> Any:
    """What has not begun goes; a day that has begun stays used. Needs `profile:write`."""
    if not availability.end_absence(player_of(request), payload.id):
        raise Http404
    return hours(request)


@router.get("/people/{key}", auth=READS, response={200: PersonPageOut, **problems(401, 404)}, summary="Somebody's page")
def person(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """Who sits at a table, by their public id."""
    found = _person(key)
    return {
        "player": found.public_id,
        "name": found.display_name,
        "member": found.is_member,
        "computer": found.is_computer,
        "program": found.is_program,
        "url": settings.SITE_URL + found.page if found.page else "",
    }


@router.get(
    "/people/{key}/statistics",
    auth=READS,
    response={200: list[VariantOut], **problems(401, 404)},
    summary="What somebody's hands came to",
)
def statistics(request: HttpRequest, key: schemas.Key) -> list[dict[str, Any]]:
    """Your own, and those of whoever shows them to you; empty for nobody's business."""
    found = _person(key)
    if not statistics_permissions.may_see(found, player_of(request)):
        return []
    return [
        {
            "ruleset": ruleset,
            "size": size,
            "hands": result.points.hands,
            "mean": round(result.points.mean, 3),
            "won": result.won,
        }
        for (ruleset, size), result in variants(found, Scope()).items()
    ]


def _person(key: str) -> Player:
    """The person with this public id. Raises Http404 if there is none, or none any more."""
    return get_object_or_404(Player.objects.select_related("merged_into"), public_id=key, retired_at=None).current


def _checked(change: Callable[[], object], where: str) -> HttpResponse | None:
    """Make a change. Returns a problem, in the reader's language, if it is invalid."""
    try:
        change()
    except ValidationError as error:
        message = " ".join(error.messages)
        return problem(422, "unusable", message, errors=[{"where": where, "message": message}])
    return None
