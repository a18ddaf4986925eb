"""Following what happens: streams of server-sent events for a game, a table that waits, and the list of one's games."""

from __future__ import annotations

from typing import Annotated, Any, Final

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Header, Query, Router

from games import bell
from games.api.auth import READS, Asking, player_of
from games.api.base import problems
from games.api.games import game_for, seen
from games.api.list_shapes import Key
from games.api.shapes import GameOut
from games.api.streams import LONGEST, News, Stream
from games.api.tables import table_for
from games.lobby_models import OpenTable
from games.mine import my_games
from games.models import Game

router = Router(tags=["following"])

Seconds = Annotated[
    int, Query(ge=0, le=LONGEST, description="how long the stream stays open; 0: one look, and the end")
]
LastSeen = Annotated[
    str, Header(alias="Last-Event-ID", pattern=r"^[0-9]{0,9}$", description="the id of the last event you have got")
]
_STREAM: Final[dict[str, Any]] = {
    "responses": {
        200: {
            "description": "A stream of server-sent events.",
            "content": {
                "text/event-stream": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "event": {"enum": ["game", "table", "games", "end"]},
                            "id": {"type": "string", "description": "the number; send it as Last-Event-ID"},
                            "data": {"type": "string", "description": "JSON"},
                        },
                        "required": ["event", "data"],
                    }
                }
            },
        }
    }
}


@router.get(
    "/games/{key}/events",
    auth=READS,
    response={200: None, **problems(401, 404)},
    openapi_extra=_STREAM,
    summary="Follow a game",
)
def game_events(
    request: HttpRequest,
    key: Key,
    state: Annotated[bool, Query(description="true: each event holds the game as you see it")] = False,
    seconds: Seconds = LONGEST,
    last_seen: LastSeen = "",
) -> StreamingHttpResponse:
    """Event `game` with `{"game", "number", "status"}` at once and whenever something has happened; its id is the number.

    With the id of the last event in `Last-Event-ID` only what is newer is told. Event `end` closes the stream for good when
    the game is over. Lines that begin with a colon are signs of life.
    """
    player = player_of(request)
    public_id = game_for(key, player).public_id

    def look() -> News:
        game = game_for(public_id, player)
        data: dict[str, Any] = {"game": public_id, "number": game.number, "status": game.status}
        if state:
            told = GameOut.model_validate(seen(game, player)).model_dump()
            data |= {"number": told["number"], "status": told["status"], "state": told}
        return News(data["number"], data, over=data["status"] != Game.Status.PLAYING)

    stream = Stream(bell.group_of(public_id), "game", _token(request), look)
    return stream.response(seen=_number(last_seen), seconds=seconds)


@router.get(
    "/tables/{key}/events",
    auth=READS,
    response={200: None, **problems(401, 404)},
    openapi_extra=_STREAM,
    summary="Follow a table that waits",
)
def table_events(
    request: HttpRequest, key: Key, seconds: Seconds = LONGEST, last_seen: LastSeen = ""
) -> StreamingHttpResponse:
    """Event `table` with `{"table", "number", "state", "game"}`; `end` when it does not wait any more."""
    public_id = table_for(key).public_id

    def look() -> News:
        table = table_for(public_id)
        game = table.game.public_id if table.game is not None else ""
        data = {"table": public_id, "number": table.number, "state": table.state, "game": game}
        return News(table.number, data, over=table.state != OpenTable.State.WAITING)

    stream = Stream(bell.group_of_waiting(public_id), "table", _token(request), look)
    return stream.response(seen=_number(last_seen), seconds=seconds)


@router.get(
    "/events",
    auth=READS,
    response={200: None, **problems(401)},
    openapi_extra=_STREAM,
    summary="Follow your list of games",
)
def list_events(request: HttpRequest, seconds: Seconds = LONGEST) -> StreamingHttpResponse:
    """Event `games` with `{"waiting"}`, how many games wait for you, whenever the list may have changed."""
    player = player_of(request)

    def look() -> News:
        waiting = my_games.waiting(player)
        return News(waiting, {"waiting": waiting})

    stream = Stream(bell.group_of_player(player.public_id), "games", _token(request), look, always=True)
    return stream.response(seen=None, seconds=seconds)


def _token(request: HttpRequest) -> Any:
    asking = request.auth  # type: ignore[attr-defined]  # ninja sets it
    assert isinstance(asking, Asking)
    return asking.token


def _number(text: str) -> int | None:
    return int(text) if text else None
