"""Finding people to play with: standing wishes, appointments and alerts, by the commands of `games.meeting`.

The input is validated by the forms of the pages.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Field, Path, Router, Status
from pydantic import StrictBool

from accounts.models import Player
from core.forms import LOCAL_TIME
from core.schemas import Schema
from games.api import schemas
from games.api.base import LAYS, READS, player_of, problem, problems
from games.api.games import errors_of
from games.meeting import forms, selectors
from games.meeting.models import REASON_LENGTH
from games.meeting.services import alerts, appointments, common, wishes

router = Router(tags=["meeting"])
_MOST_KEY: Final = 999_999_999_999
_Code = Annotated[str, Field(max_length=40)]


@schemas.shape_of(selectors.WishSeen)
class StandingWishOut(Schema):
    """A wish of yours: `state` is open, seated, withdrawn or expired; `missing` says for each game how many people it still
    needs; `game` and `appointment` are what came of it."""


@schemas.shape_of(selectors.Crowd)
class CrowdOut(Schema):
    """How many other people wait for a game, and how many it needs."""


class WishesOut(Schema):
    """Your wishes, and what others wait for."""

    wishes: list[StandingWishOut]
    waiting: list[CrowdOut]


class StandingWishIn(schemas.Asked):
    """What you would play: any of these games, at any of these paces. Wishing the same again changes nothing."""

    games: list[_Code] = Field(max_length=20, description="rulesets")
    paces: list[_Code] = Field(max_length=10, description="day, slow, brisk, live, fast")
    sizes: list[int] = Field([], max_length=8, description="how many players, where a game is played by more or fewer")
    weekdays: list[int] = Field(
        [], max_length=7, description="evenings on which you can play live: 0 is Monday; needed for live and fast"
    )
    hour: int = Field(forms.USUAL_HOUR, description="when such an evening begins, by your clock")
    languages: list[_Code] = Field([], max_length=20, description="any of them; none: whatever the others speak")


@schemas.shape_of(selectors.AppointmentSeen)
class AppointmentOut(Schema):
    """A live game at an hour to come. `state`: planned, open (it has a `table`), cancelled, failed. `own`: your answer: asked,
    yes, no, or empty."""


class AppointmentIn(schemas.RequestIn):
    """A live game that you propose, and to which you come."""

    game: str = Field(max_length=40, description="a ruleset")
    size: int = Field(ge=1, le=9, description="how many players")
    hands: int = Field(ge=1, le=999)
    pace: Literal["live", "fast"] = "live"
    starts_at: datetime = Field(description="half an hour ahead at least, two months at most; to the minute")
    language: str = Field("", max_length=12)
    note: str = Field("", max_length=REASON_LENGTH)


class ComesIn(schemas.Asked):
    """Whether you come."""

    comes: StrictBool


class CancelIn(schemas.Asked):
    """Why the appointment is cancelled: the others read it."""

    reason: str = Field(max_length=REASON_LENGTH)


class AlertIn(schemas.Asked):
    """Of which new tables you want to hear: what is empty takes everything."""

    games: list[_Code] = Field([], max_length=20, description="rulesets")
    pace: Literal["", "days", "live"] = ""
    language: str = Field("", max_length=12)


class AlertOut(Schema):
    """New tables of which you are told."""

    id: int
    words: str = Field(description="which, in your language")


_WISHES: Final = {200: WishesOut, **problems(401, 403, 409)}
_MADE: Final = {201: StandingWishOut, **problems(401, 403, 422)}
_APPOINTMENT: Final = {200: AppointmentOut, **problems(401, 403, 404, 409, 422)}
_ALERTS: Final = {200: list[AlertOut], **problems(401, 403, 404, 422)}
_AlertId = Annotated[int, Path(ge=1, le=_MOST_KEY, description="the id of an alert of yours")]


@router.get("/wishes", auth=READS, response={200: WishesOut, **problems(401)}, summary="Your wishes")
def own_wishes(request: HttpRequest) -> dict[str, Any]:
    """Those that are open, and those that ended in the last week; and how many people wait for what."""
    player = player_of(request)
    return {"wishes": selectors.wishes_of(player), "waiting": selectors.crowds(player)}


@router.post("/wishes", auth=LAYS, response=_MADE, summary="Wish for a game with others")
def wish(request: HttpRequest, payload: StandingWishIn) -> Any:
    """Seats people whose wishes match: at once, or as soon as there are enough. For a live game everybody is asked first. Needs `tables:write`."""
    player = player_of(request)
    form = forms.WishForm(payload.model_dump())
    if wrong := errors_of(form):
        return _unusable(wrong)
    common.limit(player)
    made = wishes.make(player, form.terms())
    return Status(201, selectors.wish_seen(made, player))


@router.post("/wishes/{key}/keep", auth=LAYS, response=_WISHES, summary="Let a wish go on")
def keep(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """It lasts from now on as long as a new one. Needs `tables:write`."""
    player = player_of(request)
    common.limit(player, rate=240, burst=60)
    wishes.keep(player, key)
    return own_wishes(request)


@router.post("/wishes/{key}/withdraw", auth=LAYS, response=_WISHES, summary="Withdraw a wish")
def withdraw(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """Needs `tables:write`."""
    player = player_of(request)
    common.limit(player, rate=240, burst=60)
    wishes.withdraw(player, key)
    return own_wishes(request)


@router.get(
    "/appointments", auth=READS, response={200: list[AppointmentOut], **problems(401)}, summary="Appointments to come"
)
def coming(request: HttpRequest) -> Any:
    """Soonest first; none with people whom you do not meet."""
    return selectors.coming_appointments(player_of(request))


@router.post(
    "/appointments",
    auth=LAYS,
    response={201: AppointmentOut, **problems(401, 403, 409, 422)},
    summary="Propose an appointment",
)
def propose(request: HttpRequest, payload: AppointmentIn) -> Any:
    """Its table opens by itself shortly before, with a seat for each who said yes first. Needs `tables:write`."""
    player = player_of(request)
    fields = payload.model_dump(exclude={"request_id", "size"})
    try:
        local = timezone.localtime(_aware(payload.starts_at)).strftime(LOCAL_TIME)
    except OverflowError:  # at an end of the calendar there is no other time zone
        return _unusable([{"where": "starts_at", "message": _("Choose a day within the next two months.")}])
    form = forms.AppointmentForm(fields | {"game": f"{payload.game}:{payload.size}", "starts_at": local})
    if wrong := errors_of(form):
        return _unusable(wrong)
    common.limit(player)
    made = appointments.propose(player, form.plan(), request_id=payload.request_id)
    return Status(201, selectors.appointment_of(made.public_id, player))


@router.get(
    "/appointments/{key}",
    auth=READS,
    response={200: AppointmentOut, **problems(401, 404)},
    summary="One appointment",
)
def appointment(request: HttpRequest, key: schemas.Key) -> Any:
    """Also when it is over; `table` leads to its table."""
    return _appointment_or_404(key, player_of(request))


@router.post("/appointments/{key}/answer", auth=LAYS, response=_APPOINTMENT, summary="Say whether you come")
def answer(request: HttpRequest, key: schemas.Key, payload: ComesIn) -> Any:
    """As often as you change your mind. Needs `tables:write`."""
    player = player_of(request)
    _appointment_or_404(key, player)
    common.limit(player, rate=240, burst=60)
    appointments.answer(player, key, comes=payload.comes)
    return _appointment_or_404(key, player)


@router.post("/appointments/{key}/cancel", auth=LAYS, response=_APPOINTMENT, summary="Cancel an appointment")
def cancel(request: HttpRequest, key: schemas.Key, payload: CancelIn) -> Any:
    """For whoever proposed it; the others read the reason. Needs `tables:write`."""
    player = player_of(request)
    _appointment_or_404(key, player)
    form = forms.CancelForm(payload.model_dump())
    if wrong := errors_of(form):
        return _unusable(wrong)
    common.limit(player)
    appointments.cancel(player, key, form.cleaned_data["reason"])
    return _appointment_or_404(key, player)


@router.get(
    "/alerts", auth=READS, response={200: list[AlertOut], **problems(401)}, summary="Of which tables you are told"
)
def own_alerts(request: HttpRequest) -> Any:
    """Your alerts, oldest first."""
    return [{"id": key, "words": words} for key, words in selectors.alerts_of(player_of(request))]


@router.post("/alerts", auth=LAYS, response=_ALERTS, summary="Create an alert for new tables")
def alert(request: HttpRequest, payload: AlertIn) -> Any:
    """You get a notice as soon as such a table opens. Needs `tables:write`."""
    player = player_of(request)
    form = forms.AlertForm(payload.model_dump())
    if wrong := errors_of(form):
        return _unusable(wrong)
    common.limit(player)
    alerts.make(player, **form.cleaned_data)
    return own_alerts(request)


@router.post("/alerts/{id}/remove", auth=LAYS, response=_ALERTS, summary="Delete an alert")
def remove(request: HttpRequest, id: _AlertId) -> Any:
    """Needs `tables:write`."""
    player = player_of(request)
    common.limit(player, rate=240, burst=60)
    alerts.remove(player, id)
    return own_alerts(request)


def _appointment_or_404(key: str, player: Player) -> selectors.AppointmentSeen:
    seen = selectors.appointment_of(key, player)
    if seen is None:
        raise Http404
    return seen


def _aware(at: datetime) -> datetime:
    """`at` with a time zone: by default that of the site."""
    return timezone.make_aware(at) if timezone.is_naive(at) else at


def _unusable(wrong: list[dict[str, str]]) -> Any:
    return problem(422, "unusable", _("Some of it is not possible: see which parts."), errors=wrong)
