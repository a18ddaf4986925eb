"""The forms about time over HTTP: more time for others, pauses, playing on live, coming back, substitutes.

Taking back over HTTP: asking for it, agreeing, declining. One form for each, with the number of the action it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final

from django.http import HttpResponseBase, QueryDict
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts import availability
from accounts.middleware import PlayerRequest
from accounts.models import Player
from accounts.services import ensure_player
from core.exceptions import Refusal
from games import forms
from games.exceptions import Malformed, NotYourSeat
from games.models import Game
from games.services import agreements, timing
from games.services import undo as taking_back
from games.table.views import game as views

_MORNING: Final = time(8)
"""When a pause ends on the day that was chosen."""


@require_POST
def clock(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Do what a form about time asks for: its field `do` says what."""
    game = views.game_of(public_id)
    try:
        _time_action(request, game)
    except Refusal as refusal:
        return views.answer(request, game, refusal)
    return views.answer(request, game, None)


def _time_action(request: PlayerRequest, game: Game) -> None:
    data, what = request.POST, request.POST.get("do", "")
    request_id = forms.read_request_id(data)
    if what == "substitute":
        # Whoever helps out may be new here.
        timing.substitute(
            game.pk, forms.read_number(data, "seat", digits=7), request_id=request_id, by=ensure_player(request)
        )
        return
    player = request.visit.player
    if player is None:
        raise NotYourSeat
    if what == "more":
        amount = timedelta(seconds=forms.read_number(data, "seconds", digits=7))
        agreements.more_time(
            game.pk, forms.read_number(data, "seat", digits=7), amount, request_id=request_id, by=player
        )
        return
    if what == "ask-substitute":
        timing.ask_substitute(game.pk, forms.read_number(data, "seat", digits=7), request_id=request_id, by=player)
        return
    seat = game.seats.filter(player=player).values_list("number", flat=True).first()
    if seat is None:
        raise NotYourSeat
    if what == "pause":
        agreements.propose_pause(game.pk, seat, _until(data, player), request_id=request_id, by=player)
    elif what in ("agree", "decline"):
        agreements.answer(game.pk, seat, agree=what == "agree", request_id=request_id, by=player)
    elif what in _SIMPLE:
        _SIMPLE[what](game.pk, seat, request_id=request_id, by=player)
    else:
        raise Malformed("do names what is wanted")


_SIMPLE: Final[dict[str, Callable[..., object]]] = {
    "back": timing.come_back,
    "resume": agreements.resume,
    "live": agreements.offer_live,
    "days": agreements.end_live,
}


def _until(data: QueryDict, player: Player) -> datetime:
    """The morning of the chosen day, where the player lives."""
    try:
        day = date.fromisoformat(data.get("until", ""))
    except ValueError:
        raise Malformed("until is a day, as 2026-12-24") from None
    return timezone.make_aware(datetime.combine(day, _MORNING), availability.zone_of(player))


@require_POST
def undo(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Do what a form about taking back asks for: its field `do` says what (ask, agree, decline), `move` which action."""
    game = views.game_of(public_id)
    try:
        _undo_action(request, game)
    except Refusal as refusal:
        return views.answer(request, game, refusal)
    return views.answer(request, game, None)


def _undo_action(request: PlayerRequest, game: Game) -> None:
    data, player = request.POST, request.visit.player
    request_id, move, what = forms.read_request_id(data), forms.read_number(data, "move", digits=9), data.get("do", "")
    seat = game.seats.filter(player=player).values_list("number", flat=True).first() if player is not None else None
    if player is None or seat is None:
        raise NotYourSeat
    if what == "ask":
        taking_back.propose(game.pk, seat, move, request_id=request_id, by=player)
    elif what in ("agree", "decline"):
        taking_back.answer(game.pk, seat, move, agree=what == "agree", request_id=request_id, by=player)
    else:
        raise Malformed("do is ask, agree or decline")
