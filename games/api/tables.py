"""Tables that wait for players: finding, opening, joining, leaving and beginning, by the commands of `games.lobby`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Annotated, Any, Literal

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router, Status

from domain.engine.rulesets import UnknownRuleset, ruleset
from games import hooks
from games.api import schemas
from games.api.base import LAYS, READS, limit, paged, player_of, problem, problems
from games.api.games import errors_of, filled, unknown_options, unknown_ruleset, wrong_size
from games.exceptions import Malformed
from games.lobby import text
from games.lobby.forms import NewTableForm
from games.lobby.selectors import open_tables
from games.lobby.services import common
from games.lobby.services import tables as services
from games.lobby.views import table_of

router = Router(tags=["tables"])
_ANSWERS = {200: schemas.TableOut, **problems(401, 403, 404, 409, 422)}
_ABOUT_THE_TABLE = ("ruleset", "pace", "options", "request_id")


@router.get(
    "/tables",
    auth=READS,
    response={200: schemas.TableLines, **problems(401)},
    summary="Tables that are waiting for players",
)
def tables(
    request: HttpRequest,
    ruleset: Annotated[str, Query(max_length=40, description="only those of this ruleset")] = "",
    pace: Annotated[Literal["", "live", "days", "none"], Query(description="only those of this pace")] = "",
    language: Annotated[str, Query(max_length=12, description="only those in this language")] = "",
    free: Annotated[int, Query(ge=1, le=8, description="at least so many free seats")] = 1,
    page: schemas.PageNumber = 1,
) -> dict[str, Any]:
    """The open tables that anybody may find, the newest first; those at which you sit are in `/tables/mine`."""
    player = player_of(request)
    found = open_tables.open_tables(open_tables.TableSearch(ruleset, pace, language, free), player, str(page))
    return paged(found, page, schemas.table_lines(list(found), player))


@router.get(
    "/tables/mine",
    auth=READS,
    response={200: schemas.OwnTables, **problems(401)},
    summary="Your tables and invitations",
)
def mine(request: HttpRequest) -> dict[str, Any]:
    """Where you wait, and where you are expected. Joining a table accepts its invitation."""
    player = player_of(request)
    return {
        "invitations": schemas.table_lines(open_tables.invitations_of(player), player),
        "tables": schemas.table_lines(open_tables.own_tables(player), player),
    }


@router.post(
    "/tables", auth=LAYS, response={201: schemas.TableOut, **problems(401, 403, 404, 409, 422)}, summary="Open a table"
)
def lay(request: HttpRequest, payload: schemas.LayIn) -> Any:
    """You sit down as its host; the game begins as soon as the last seat is taken, and with `start` computer players take
    those that are free. Needs `tables:write`."""
    try:
        rules = ruleset(payload.ruleset)
    except UnknownRuleset:
        return unknown_ruleset()
    player = player_of(request)
    pace = text.pace_of(payload.pace)
    assert pace is not None  # the schema allows only these names
    values = payload.model_dump(exclude=set(_ABOUT_THE_TABLE), exclude_none=True)
    if "club" in values:
        if "entry" in values:
            raise Malformed("either entry or club", where="entry")
        values["entry"] = f"club:{values.pop('club')}"
    form = NewTableForm(rules, pace, player, filled(NewTableForm(rules, pace, player), values, payload.options))
    # The form would ignore a time that this pace does not have, or seats drawn in a game without partners.
    foreign = [
        {"where": name, "message": _("There is no such choice here.")}
        for name in values
        if name not in form.fields and name != "size"
    ]
    errors = [
        *foreign,
        *wrong_size(rules, payload.size),
        *unknown_options(rules.options, payload.options),
        *errors_of(form),
    ]
    if errors:
        return problem(422, "unusable", _("Some of it is not possible: see which parts."), errors=errors)
    limit("lay-table", player, rate=30, burst=15)
    table = services.open_table(player, form.wish(), request_id=payload.request_id)
    return Status(201, schemas.table_out(table, player))


@router.get("/clubs", auth=READS, response={200: list[schemas.OwnClubOut], **problems(401)}, summary="Your clubs")
def own_clubs(request: HttpRequest) -> Any:
    """For whose members you can lay tables. The tables of your clubs are in `/tables` like all others."""
    player = player_of(request)
    own = [club for clubs in hooks.clubs for club in clubs.of(player)]
    return [{"slug": club.slug, "name": club.name, "url": settings.SITE_URL + club.url} for club in own]


@router.get("/tables/{key}", auth=READS, response={200: schemas.TableOut, **problems(401, 404)}, summary="One table")
def one(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """The table while it waits; afterwards what became of it: `game` leads to its game."""
    return schemas.table_out(table_of(key), player_of(request))


@router.post("/tables/{key}/join", auth=LAYS, response=_ANSWERS, summary="Sit down")
def join(request: HttpRequest, key: schemas.Key, payload: schemas.JoinIn) -> Any:
    """Take a seat, or accept an invitation. The last seat begins the game: see `game`. If you sit there already, nothing
    changes: `move` takes another seat. Needs `tables:write`."""
    limit("join-table", player_of(request), rate=60, burst=30)
    return _perform(request, key, services.join, payload)


@router.post("/tables/{key}/move", auth=LAYS, response=_ANSWERS, summary="Take another seat")
def move(request: HttpRequest, key: schemas.Key, payload: schemas.SeatIn) -> Any:
    """Where seats are chosen. Needs `tables:write`."""
    return _perform(request, key, services.move, payload)


@router.post("/tables/{key}/leave", auth=LAYS, response=_ANSWERS, summary="Get up")
def leave(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """Your table passes on to who was there longest, or is closed. Needs `tables:write`."""
    return _perform(request, key, services.leave, payload)


@router.post("/tables/{key}/decline", auth=LAYS, response=_ANSWERS, summary="Say no to an invitation")
def decline(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """The host is told. Needs `tables:write`."""
    return _perform(request, key, services.decline, payload)


@router.post("/tables/{key}/start", auth=LAYS, response=_ANSWERS, summary="Begin now")
def start(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """The host begins; computer players take the empty seats. Needs `tables:write`."""
    return _perform(request, key, services.start, payload)


@router.post("/tables/{key}/extend", auth=LAYS, response=_ANSWERS, summary="Let the table wait longer")
def extend(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """The host lets it wait as long again, once the end is near. Needs `tables:write`."""
    return _perform(request, key, common.extend, payload)


@router.post("/tables/{key}/close", auth=LAYS, response=_ANSWERS, summary="Close the table")
def close(request: HttpRequest, key: schemas.Key, payload: schemas.RequestIn) -> Any:
    """The host closes it, and who waits there is told. Needs `tables:write`."""
    return _perform(request, key, services.close, payload)


@router.post("/tables/{key}/computer", auth=LAYS, response=_ANSWERS, summary="Let a computer player sit down")
def computer(request: HttpRequest, key: schemas.Key, payload: schemas.JoinIn) -> Any:
    """For the host. Needs `tables:write`."""
    return _perform(request, key, services.add_computer, payload)


@router.post("/tables/{key}/remove", auth=LAYS, response=_ANSWERS, summary="Send somebody away")
def remove(request: HttpRequest, key: schemas.Key, payload: schemas.SeatIn) -> Any:
    """For the host; people come back only if invited anew. Needs `tables:write`."""
    return _perform(request, key, services.remove, payload)


@router.post("/tables/{key}/invite", auth=LAYS, response=_ANSWERS, summary="Invite somebody")
def invite(request: HttpRequest, key: schemas.Key, payload: schemas.InviteIn) -> Any:
    """For the host. Needs `tables:write`."""
    limit("invite", player_of(request), rate=40, burst=20)
    person = open_tables.person_to_invite(payload.player)
    if person is None:
        raise Malformed("player is the public id of a player", where="player")
    return _perform(request, key, partial(services.invite, player=person), payload, exclude=("player",))


def _perform(
    request: HttpRequest,
    key: str,
    command: Callable[..., object],
    payload: schemas.RequestIn,
    *,
    exclude: Collection[str] = (),
) -> dict[str, Any]:
    """Run `command` for the player with the fields of `payload`, and return the table as the player now sees it."""
    player = player_of(request)
    limit("at-tables", player, rate=240, burst=60)
    table = table_of(key)
    command(table.pk, player, **payload.model_dump(exclude=set(exclude)))
    return schemas.table_out(table, player)
