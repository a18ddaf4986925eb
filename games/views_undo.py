"""Taking back over HTTP: asking for it, agreeing, declining. One form for each, with the number of the action it is about."""

from __future__ import annotations

from django.http import HttpResponseBase, QueryDict
from django.views.decorators.http import require_POST

from accounts.visits import PlayerRequest
from games import forms, taking_back, views
from games.models import Game
from games.refusals import Malformed, NotYourSeat, Refusal


@require_POST
def undo(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Do what a form about taking back asks for: its field `do` says what (ask, agree, decline), `move` which action."""
    game = views.game_of(public_id)
    try:
        _do(request, game)
    except Refusal as refusal:
        return views.answer(request, game, refusal)
    return views.answer(request, game, None)


def _do(request: PlayerRequest, game: Game) -> None:
    data, player = request.POST, request.player
    request_id, move, what = forms.read_request_id(data), _move(data), data.get("do", "")
    seat = game.seats.filter(player=player).values_list("number", flat=True).first() if player is not None else None
    if player is None or seat is None:
        raise NotYourSeat
    if what == "ask":
        taking_back.propose(game.pk, seat, move, request_id=request_id, by=player)
    elif what in ("agree", "decline"):
        taking_back.answer(game.pk, seat, move, agree=what == "agree", request_id=request_id, by=player)
    else:
        raise Malformed("do is ask, agree or decline")


def _move(data: QueryDict) -> int:
    text = data.get("move", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise Malformed("move is the number of an action")
    return int(text)
