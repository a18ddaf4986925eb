"""Tables that wait for players: finding, laying, joining, leaving, beginning; all by the commands of `games.lobby`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router, Status

from accounts.models import Player
from domain.engine.rulesets import UnknownRuleset, ruleset
from games.api.base import LAYS, READS, limit, player_of, problem, problems
from games.api.games import errors_of, filled, unknown_options, unknown_ruleset
from games.api.schemas import (
    InviteIn,
    JoinIn,
    Key,
    LayIn,
    OwnTables,
    PageNumber,
    RequestIn,
    SeatIn,
    TableLines,
    TableOut,
    table_lines,
    table_out,
)
from games.exceptions import Malformed
from games.lobby import selectors, tasks, text
from games.lobby.forms import LayForm
from games.lobby.models import OpenTable
from games.lobby.services import tables as lobby_services_tables

router = Router(tags=["tables"])
_ANSWERS = {200: TableOut, **problems(401, 403, 404, 409, 422)}
_ABOUT_THE_TABLE = ("ruleset", "pace", "options", "request_id")


@router.get("/tables", auth=READS, response={200: TableLines, **problems(401)}, summary="Tables that wait for players")
def tables(
    request: HttpRequest,
    ruleset: Annotated[str, Query(max_length=40, description="only those of this ruleset")] = "",
    pace: Annotated[Literal["", "live", "days", "none"], Query(description="only those of this pace")] = "",
    language: Annotated[str, Query(max_length=12, description="only those in this language")] = "",
    free: Annotated[int, Query(ge=1, le=8, description="at least so many free seats")] = 1,
    page: PageNumber = 1,
) -> dict[str, Any]:
    """The open tables that anybody may find, the newest first; those at which you sit are in `/tables/mine`."""
    player = player_of(request)
    found = selectors.open_tables(selectors.Sought(ruleset, pace, language, free), player, str(page))
    pages = found.paginator.num_pages
    results = table_lines(list(found), player) if page <= pages else []
    return {"count": found.paginator.count, "page": page, "pages": pages, "results": results}


@router.get(
    "/tables/mine", auth=READS, response={200: OwnTables, **problems(401)}, summary="Your tables and invitations"
)
def mine(request: HttpRequest) -> dict[str, Any]:
    """Where you wait, and where you are expected. Joining a table accepts its invitation."""
    player = player_of(request)
    return {
        "invitations": table_lines(selectors.invitations_of(player), player),
        "tables": table_lines(selectors.own_tables(player), player),
    }


@router.post("/tables", auth=LAYS, response={201: TableOut, **problems(401, 403, 404, 409, 422)}, summary="Lay a table")
def lay(request: HttpRequest, wanted: LayIn) -> Any:
    """You sit down as its host; the game begins as soon as the last seat is taken. Needs `tables:write`."""
    try:
        rules = ruleset(wanted.ruleset)
    except UnknownRuleset:
        return unknown_ruleset()
    player = player_of(request)
    pace = text.pace_of(wanted.pace)
    assert pace is not None  # the names are those of the shape
    given = wanted.model_dump(exclude=set(_ABOUT_THE_TABLE), exclude_none=True)
    form = LayForm(rules, pace, player, filled(LayForm(rules, pace, player), given, wanted.options))
    # A time that is not asked for at this pace, or seats drawn in a game without partners, would be overlooked.
    foreign = [
        {"where": name, "message": _("There is no such choice here.")} for name in given if name not in form.fields
    ]
    wrong = [*foreign, *unknown_options(rules.options, wanted.options), *errors_of(form)]
    if wrong:
        return problem(422, "unusable", _("Some of it cannot be so: see which parts."), errors=wrong)
    limit("lay-table", player, rate=30, burst=15)
    table = lobby_services_tables.lay(player, form.wish(), request_id=wanted.request_id)
    return Status(201, table_out(table, player))


@router.get("/tables/{key}", auth=READS, response={200: TableOut, **problems(401, 404)}, summary="One table")
def one(request: HttpRequest, key: Key) -> dict[str, Any]:
    """The table while it waits; afterwards what became of it: `game` leads to its game."""
    return table_out(table_for(key), player_of(request))


@router.post("/tables/{key}/join", auth=LAYS, response=_ANSWERS, summary="Sit down")
def join(request: HttpRequest, key: Key, wanted: JoinIn) -> Any:
    """Takes a seat, and accepts an invitation. The last seat begins the game: see `game`. Needs `tables:write`."""
    limit("join-table", player_of(request), rate=60, burst=30)
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.join(table, player, request_id=asked, seat=wanted.seat),
    )


@router.post("/tables/{key}/move", auth=LAYS, response=_ANSWERS, summary="Take another seat")
def move(request: HttpRequest, key: Key, wanted: SeatIn) -> Any:
    """Where seats are chosen. Needs `tables:write`."""
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.move(table, player, request_id=asked, seat=wanted.seat),
    )


@router.post("/tables/{key}/leave", auth=LAYS, response=_ANSWERS, summary="Get up")
def leave(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """Your table passes on to who was there longest, or is closed. Needs `tables:write`."""
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.leave(table, player, request_id=asked),
    )


@router.post("/tables/{key}/decline", auth=LAYS, response=_ANSWERS, summary="Say no to an invitation")
def decline(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """The host is told. Needs `tables:write`."""
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.decline(table, player, request_id=asked),
    )


@router.post("/tables/{key}/start", auth=LAYS, response=_ANSWERS, summary="Begin now")
def start(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """The host begins; computer players take the empty seats. Needs `tables:write`."""
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.start(table, player, request_id=asked),
    )


@router.post("/tables/{key}/close", auth=LAYS, response=_ANSWERS, summary="Take the table away")
def close(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """The host closes it, and who waits there is told. Needs `tables:write`."""
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.close(table, player, request_id=asked),
    )


@router.post("/tables/{key}/computer", auth=LAYS, response=_ANSWERS, summary="Let a computer player sit down")
def computer(request: HttpRequest, key: Key, wanted: JoinIn) -> Any:
    """For the host. Needs `tables:write`."""
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.add_computer(
            table, player, request_id=asked, seat=wanted.seat
        ),
    )


@router.post("/tables/{key}/remove", auth=LAYS, response=_ANSWERS, summary="Send somebody away")
def remove(request: HttpRequest, key: Key, wanted: SeatIn) -> Any:
    """For the host; people come back only if invited anew. Needs `tables:write`."""
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.remove(table, player, request_id=asked, seat=wanted.seat),
    )


@router.post("/tables/{key}/invite", auth=LAYS, response=_ANSWERS, summary="Invite somebody")
def invite(request: HttpRequest, key: Key, wanted: InviteIn) -> Any:
    """For the host. Needs `tables:write`."""
    limit("invite", player_of(request), rate=40, burst=20)
    person = selectors.person_to_invite(wanted.player)
    if person is None:
        raise Malformed("player is the public id of a player")
    return _at(
        request,
        key,
        wanted.request_id,
        lambda table, player, asked: lobby_services_tables.invite(
            table, player, person, request_id=asked, seat=wanted.seat
        ),
    )


def table_for(key: str) -> OpenTable:
    """The table, after what was due there. Raises Http404."""
    table = OpenTable.objects.select_related("game", "host__merged_into").filter(public_id=key).first()
    if table is None:
        raise Http404
    return tasks.catch_up(table)


def _at(request: HttpRequest, key: str, request_id: UUID, act: Callable[[int, Player, UUID], object]) -> Any:
    """Let the player do something at the table; then the table as they see it."""
    player = player_of(request)
    limit("at-tables", player, rate=240, burst=60)
    table = table_for(key)
    act(table.pk, player, request_id)
    return table_out(table, player)
