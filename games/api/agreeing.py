"""Time, and agreements about it: coming back, more time for others, pauses, playing on live, substitutes."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from django.http import HttpRequest
from ninja import Field, Router
from pydantic import AwareDatetime

from games.api import schemas
from games.api.base import LAYS, PLAYS, limit, player_of, problems
from games.api.games import game_for, perform, seen
from games.services import agreements, timing

router = Router(tags=["time"])
_ANSWERS = {200: schemas.ActedOut, **problems(401, 403, 404, 409, 422)}
_LONGEST = 99 * 24 * 3600


class PauseIn(schemas.RequestIn):
    """Proposing that all clocks stand still."""

    until: AwareDatetime = Field(description="at the latest; from an hour to sixty days from now, with its offset")


class MoreTimeIn(schemas.SeatIn):
    """Giving time to somebody else."""

    seconds: int = Field(
        ge=1, le=_LONGEST, description="at a table of days from one to seven days, live from 30 seconds to 10 minutes"
    )


@router.post("/games/{key}/back", auth=PLAYS, response=_ANSWERS, summary="Play yourself again")
def back(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """After your time ran out, while a computer player acts for you or a substitute is sought. Needs `games:play`."""
    return perform(request, key, timing.come_back, payload)


@router.post("/games/{key}/pause", auth=PLAYS, response=_ANSWERS, summary="Propose a pause")
def pause(request: HttpRequest, key: schemas.Key, payload: PauseIn) -> Any:
    """It begins when everybody has agreed: `POST /games/{id}/answer` about `pause`. Needs `games:play`."""
    return perform(request, key, partial(agreements.propose_pause, until=payload.until), payload, exclude=("until",))


@router.post("/games/{key}/resume", auth=PLAYS, response=_ANSWERS, summary="End a pause")
def resume(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """Anybody at the table may. Needs `games:play`."""
    return perform(request, key, agreements.resume, payload)


@router.post("/games/{key}/live", auth=PLAYS, response=_ANSWERS, summary="Propose to play live")
def live(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """At a table of days. It begins when everybody has agreed: `POST /games/{id}/answer` about `live`. Needs `games:play`."""
    return perform(request, key, agreements.offer_live, payload)


@router.post("/games/{key}/days", auth=PLAYS, response=_ANSWERS, summary="Go back from live play to days")
def days(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """Anybody at the table may. Needs `games:play`."""
    return perform(request, key, agreements.end_live, payload)


@router.post("/games/{key}/more-time", auth=PLAYS, response=_ANSWERS, summary="Give somebody else more time")
def more_time(request: HttpRequest, key: schemas.Key, payload: MoreTimeIn) -> Any:
    """It goes into their reserve. Needs `games:play`."""
    give = partial(agreements.more_time, amount=timedelta(seconds=payload.seconds))
    return perform(request, key, give, payload, exclude=("seat", "seconds"), about=payload.seat)


@router.post("/games/{key}/ask-substitute", auth=PLAYS, response=_ANSWERS, summary="Look for a substitute")
def ask_substitute(request: HttpRequest, key: schemas.Key, payload: schemas.SeatIn) -> Any:
    """For a seat where a computer player acts because its time ran out. Needs `games:play`."""
    return perform(request, key, timing.ask_substitute, payload, exclude=("seat",), about=payload.seat)


@router.post("/games/{key}/play-on", auth=PLAYS, response=_ANSWERS, summary="Stop looking for a substitute")
def play_on(request: HttpRequest, key: schemas.Key, payload: schemas.SeatIn) -> Any:
    """A computer player acts for a seat for which somebody is sought, until its player is back. Needs `games:play`."""
    return perform(request, key, timing.play_on, payload, exclude=("seat",), about=payload.seat)


@router.post(
    "/games/{key}/substitute",
    auth=LAYS,
    response={200: schemas.GameOut, **problems(401, 403, 404, 409, 422)},
    summary="Take a seat for which somebody is sought",
)
def substitute(request: HttpRequest, key: schemas.Key, payload: schemas.SeatIn) -> Any:
    """From then on it is yours, with all that it knows. Needs `tables:write`."""
    player = player_of(request)
    limit("join-table", player, rate=60, burst=30)
    game = game_for(key, player)
    timing.substitute(game.pk, payload.seat, request_id=payload.request_id, by=player)
    game.refresh_from_db()
    return seen(game, player)
