"""Tables that wait for players: finding, laying, joining, leaving, beginning; all by the commands of `games.lobby`."""

from __future__ import annotations

from collections.abc import Callable
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
from games.api.games import errors_of, filled, unknown_options, unknown_ruleset
from games.exceptions import Malformed
from games.lobby import text
from games.lobby.forms import LayForm
from games.lobby.selectors import listed
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
    found = listed.open_tables(listed.Sought(ruleset, pace, language, free), player, str(page))
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
        "invitations": schemas.table_lines(listed.invitations_of(player), player),
        "tables": schemas.table_lines(listed.own_tables(player), player),
    }


@router.post(
    "/tables", auth=LAYS, response={201: schemas.TableOut, **problems(401, 403, 404, 409, 422)}, summary="Lay a table"
)
def lay(request: HttpRequest, wanted: schemas.LayIn) -> Any:
    """You sit down as its host; the game begins as soon as the last seat is taken. Needs `tables:write`."""
    try:
        rules = ruleset(wanted.ruleset)
    except UnknownRuleset:
        return unknown_ruleset()
    player = player_of(request)
    pace = text.pace_of(wanted.pace)
    assert pace is not None  # the names are those of the shape
    given = wanted.model_dump(exclude=set(_ABOUT_THE_TABLE), exclude_none=True)
    if "club" in given:
        if "entry" in given:
            raise Malformed("either entry or club")
        given["entry"] = f"club:{given.pop('club')}"
    form = LayForm(rules, pace, player, filled(LayForm(rules, pace, player), given, wanted.options))
    # A time that is not asked for at this pace, or seats drawn in a game without partners, would be overlooked.
    foreign = [
        {"where": name, "message": _("There is no such choice here.")} for name in given if name not in form.fields
    ]
    wrong = [*foreign, *unknown_options(rules.options, wanted.options), *errors_of(form)]
    if wrong:
        return problem(422, "unusable", _("Some of it is not possible: see which parts."), errors=wrong)
    limit("lay-table", player, rate=30, burst=15)
    table = services.lay(player, form.wish(), request_id=wanted.request_id)
    return Status(201, schemas.table_out(table, player))


@router.get("/clubs", auth=READS, response={200: list[schemas.OwnClubOut], **problems(401)}, summary="Your clubs")
def own_clubs(request: HttpRequest) -> Any:
    """For whose members you can lay tables. The tables of your clubs are in `/tables` like all others."""
    player = player_of(request)
    found = [club for clubs in hooks.clubs for club in clubs.of(player)]
    return [{"slug": club.slug, "name": club.name, "url": settings.SITE_URL + club.url} for club in found]


@router.get("/tables/{key}", auth=READS, response={200: schemas.TableOut, **problems(401, 404)}, summary="One table")
def one(request: HttpRequest, key: schemas.Key) -> dict[str, Any]:
    """The table while it waits; afterwards what became of it: `game` leads to its game."""
    return schemas.table_out(table_of(key), player_of(request))


@router.post("/tables/{key}/join", auth=LAYS, response=_ANSWERS, summary="Sit down")
def join(request: HttpRequest, key: schemas.Key, wanted: schemas.JoinIn) -> Any:
    """Takes a seat, and accepts an invitation. The last seat begins the game: see `game`. Needs `tables:write`."""
    limit("join-table", player_of(request), rate=60, burst=30)
    return _at(request, key, wanted, services.join)


@router.post("/tables/{key}/move", auth=LAYS, response=_ANSWERS, summary="Take another seat")
def move(request: HttpRequest, key: schemas.Key, wanted: schemas.SeatIn) -> Any:
    """Where seats are chosen. Needs `tables:write`."""
    return _at(request, key, wanted, services.move)


@router.post("/tables/{key}/leave", auth=LAYS, response=_ANSWERS, summary="Get up")
def leave(request: HttpRequest, key: schemas.Key, wanted: schemas.RequestIn) -> Any:
    """Your table passes on to who was there longest, or is closed. Needs `tables:write`."""
    return _at(request, key, wanted, services.leave)


@router.post("/tables/{key}/decline", auth=LAYS, response=_ANSWERS, summary="Say no to an invitation")
def decline(request: HttpRequest, key: schemas.Key, wanted: schemas.RequestIn) -> Any:
    """The host is told. Needs `tables:write`."""
    return _at(request, key, wanted, services.decline)


@router.post("/tables/{key}/start", auth=LAYS, response=_ANSWERS, summary="Begin now")
def start(request: HttpRequest, key: schemas.Key, wanted: schemas.RequestIn) -> Any:
    """The host begins; computer players take the empty seats. Needs `tables:write`."""
    return _at(request, key, wanted, services.start)


@router.post("/tables/{key}/extend", auth=LAYS, response=_ANSWERS, summary="Let the table wait longer")
def extend(request: HttpRequest, key: schemas.Key, wanted: schemas.RequestIn) -> Any:
    """The host lets it wait as long again, once the end is near. Needs `tables:write`."""
    return _at(request, key, wanted, common.extend)


@router.post("/tables/{key}/close", auth=LAYS, response=_ANSWERS, summary="Close the table")
def close(request: HttpRequest, key: schemas.Key, wanted: schemas.RequestIn) -> Any:
    """The host closes it, and who waits there is told. Needs `tables:write`."""
    return _at(request, key, wanted, services.close)


@router.post("/tables/{key}/computer", auth=LAYS, response=_ANSWERS, summary="Let a computer player sit down")
def computer(request: HttpRequest, key: schemas.Key, wanted: schemas.JoinIn) -> Any:
    """For the host. Needs `tables:write`."""
    return _at(request, key, wanted, services.add_computer)


@router.post("/tables/{key}/remove", auth=LAYS, response=_ANSWERS, summary="Send somebody away")
def remove(request: HttpRequest, key: schemas.Key, wanted: schemas.SeatIn) -> Any:
    """For the host; people come back only if invited anew. Needs `tables:write`."""
    return _at(request, key, wanted, services.remove)


@router.post("/tables/{key}/invite", auth=LAYS, response=_ANSWERS, summary="Invite somebody")
def invite(request: HttpRequest, key: schemas.Key, wanted: schemas.InviteIn) -> Any:
    """For the host. Needs `tables:write`."""
    limit("invite", player_of(request), rate=40, burst=20)
    person = listed.person_to_invite(wanted.player)
    if person is None:
        raise Malformed("player is the public id of a player")
    return _at(request, key, wanted, partial(services.invite, player=person), "player")


def _at(
    request: HttpRequest, key: str, wanted: schemas.RequestIn, act: Callable[..., object], *known: str
) -> dict[str, Any]:
    """Let the player do something at the table, with all that is `wanted` but what is `known`; then the table as they see it."""
    player = player_of(request)
    limit("at-tables", player, rate=240, burst=60)
    table = table_of(key)
    act(table.pk, player, **wanted.model_dump(exclude=set(known)))
    return schemas.table_out(table, player)
