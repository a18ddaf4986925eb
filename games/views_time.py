"""The forms about time over HTTP: more time for others, pauses, playing on live, coming back, substitutes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final

from django.http import HttpResponseBase, QueryDict
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts import rhythms
from accounts.guests import ensure_player
from accounts.models import Player
from accounts.visits import PlayerRequest
from games import agreements, forms, timing, views
from games.models import Game
from games.refusals import Malformed, NotYourSeat, Refusal

_MORNING: Final = time(8)
"""When a pause ends on the day that was chosen."""


@require_POST
def clock(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Do what a form about time asks for: its field `do` says what."""
    game = views.game_of(public_id)
    try:
        _do(request, game)
    except Refusal as refusal:
        return views.answer(request, game, refusal)
    return views.answer(request, game, None)


def _do(request: PlayerRequest, game: Game) -> None:
    data, what = request.POST, request.POST.get("do", "")
    request_id = forms.read_request_id(data)
    if what == "substitute":
        # Whoever helps out may be new here.
        timing.substitute(game.pk, _number(data, "seat"), request_id=request_id, by=ensure_player(request))
        return
    player = request.player
    if player is None:
        raise NotYourSeat
    if what == "more":
        amount = timedelta(seconds=_number(data, "seconds"))
        agreements.more_time(game.pk, _number(data, "seat"), amount, request_id=request_id, by=player)
        return
    if what == "ask-substitute":
        timing.ask_substitute(game.pk, _number(data, "seat"), request_id=request_id, by=player)
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


def _number(data: QueryDict, name: str) -> int:
    text = data.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 7):
        raise Malformed(f"{name} is a whole number")
    return int(text)


def _until(data: QueryDict, player: Player) -> datetime:
    """The morning of the chosen day, where the player lives."""
    try:
        day = date.fromisoformat(data.get("until", ""))
    except ValueError:
        raise Malformed("until is a day, as 2026-12-24") from None
    return timezone.make_aware(datetime.combine(day, _MORNING), rhythms.zone_of(player))
