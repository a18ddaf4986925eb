"""Acting in a game, through the same door as the page of the table: the same checks, the same answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from ninja import Router

from accounts.models import Player
from games.api.base import LAYS, PLAYS, limit, player_of, problems, refusal
from games.api.games import game_for, seat_of, seen
from games.api.schemas.games import GameOut
from games.api.schemas.lists import (
    ActedOut,
    ActIn,
    AnswerIn,
    ChanceIn,
    ClaimIn,
    Key,
    ReadyIn,
    RequestIn,
    TableOut,
    UndoIn,
    table_out,
)
from games.conditional import services
from games.exceptions import Malformed, Stale
from games.lobby.services import rematch
from games.models import Game
from games.mygames import services as mygames_services
from games.services import agreements, entropy, play
from games.services import undo as taking_back
from games.services.common import Receipt

router = Router(tags=["acting"])
_ANSWERS = {200: ActedOut, **problems(401, 403, 404, 409, 422)}


@router.post("/games/{key}/ready", auth=PLAYS, response=_ANSWERS, summary="Sit down, or be ready for the next deal")
def ready(request: HttpRequest, key: Key, wanted: ReadyIn) -> Any:
    """Asked where `legal` says `ready`. When all people are ready the deal begins. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return play.ready(
            game.pk,
            seat,
            entropy=wanted.entropy,
            expected=wanted.expected,
            request_id=wanted.request_id,
            by=player,
        )

    return _acted(request, key, act)


@router.post(
    "/games/{key}/chance",
    auth=PLAYS,
    response={200: GameOut, **problems(401, 403, 404, 409, 422)},
    summary="Add chance to a pack that is promised",
)
def add_chance(request: HttpRequest, key: Key, wanted: ChanceIn) -> Any:
    """Where `adds_to` names a deal: nobody sits down for it, and its pack is mixed with what each player adds.

    Needs `games:play`.
    """
    player = player_of(request)
    game = game_for(key, player)
    seat_of(game, player)
    entropy.add(game.pk, wanted.deal, wanted.entropy, by=player)
    game.refresh_from_db()
    return seen(game, player)


@router.post("/games/{key}/act", auth=PLAYS, response=_ANSWERS, summary="Act: cut, speak, lay away, bid, play, call")
def act(request: HttpRequest, key: Key, wanted: ActIn) -> Any:
    """Any action of `legal`, words of the talk with it. Needs `games:play`.

    409 if the game has moved on since `expected`: the answer holds the present table, decide again. 422 if it is not
    allowed: the answer names the rule.
    """
    if not wanted.action.isprintable():
        raise Malformed("an action is one line of plain signs")

    def do(game: Game, seat: int, player: Player) -> Receipt:
        receipt = play.submit(
            game.pk, seat, wanted.action, expected=wanted.expected, request_id=wanted.request_id, by=player
        )
        mygames_services.note(game, player, wanted.expected, done=True)
        return receipt

    return _acted(request, key, do)


@router.post("/games/{key}/claim", auth=PLAYS, response=_ANSWERS, summary="Claim every trick that is left")
def claim(request: HttpRequest, key: Key, wanted: ClaimIn) -> Any:
    """Where `question.claim` is true: your cards prove it, and the hand is played to its end. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return services.claim(game.pk, seat, expected=wanted.expected, request_id=wanted.request_id, by=player)

    return _acted(request, key, act)


@router.post("/games/{key}/undo", auth=PLAYS, response=_ANSWERS, summary="Ask to take an action back")
def undo(request: HttpRequest, key: Key, wanted: UndoIn) -> Any:
    """Where `undo.by` is null: all people at the table have to agree. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return taking_back.propose(game.pk, seat, wanted.move, request_id=wanted.request_id, by=player)

    return _acted(request, key, act)


@router.post("/games/{key}/answer", auth=PLAYS, response=_ANSWERS, summary="Agree to what is proposed, or decline it")
def answer(request: HttpRequest, key: Key, wanted: AnswerIn) -> Any:
    """Where `undo.mine` or `clock.proposal.mine` is true. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        asked: dict[str, Any] = {"agree": wanted.agree, "request_id": wanted.request_id, "by": player}
        if wanted.about == "undo":
            return taking_back.answer(game.pk, seat, wanted.move, **asked)
        return agreements.answer(game.pk, seat, **asked)

    return _acted(request, key, act)


@router.post("/games/{key}/leave", auth=PLAYS, response=_ANSWERS, summary="Leave the game for good")
def leave(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """The game ends; where time is kept and others play on, a computer player takes over instead. Needs `games:play`."""

    def act(game: Game, seat: int, player: Player) -> Receipt:
        return play.resign(game.pk, seat, request_id=wanted.request_id, by=player)

    return _acted(request, key, act)


@router.post(
    "/games/{key}/rematch",
    auth=LAYS,
    response={200: TableOut, **problems(401, 403, 404, 409, 422)},
    summary="The same people once more",
)
def play_again(request: HttpRequest, key: Key, wanted: RequestIn) -> Any:
    """Lays the table of another game after one that is over, or sits down at the one that is laid. Needs `tables:write`."""
    player = player_of(request)
    limit("rematch", player, rate=30, burst=15)
    table = rematch.rematch(game_for(key, player).pk, player, request_id=wanted.request_id)
    return table_out(table, player)


def _acted(request: HttpRequest, key: str, act: Callable[[Game, int, Player], Receipt]) -> Any:
    """Let the player act where they sit; then the game as they see it now."""
    player = player_of(request)
    game = game_for(key, player)
    try:
        receipt = act(game, seat_of(game, player), player)
    except Stale as stale:
        game.refresh_from_db()
        return refusal(stale, seen(game, player))
    game.refresh_from_db()
    return {"number": receipt.number, "at": receipt.at, "game": seen(game, player)}
