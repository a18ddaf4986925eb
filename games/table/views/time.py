"""What players do beside playing a card, over HTTP: more time for others, pauses, playing on live, coming back, substitutes;
taking back; claiming the rest, adding chance to a pack.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Final

from django.http import HttpResponse, HttpResponseBase, QueryDict
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts import availability
from accounts.middleware import PlayerRequest
from accounts.models import Player
from accounts.services import ensure_player
from core.exceptions import Refusal
from core.http import whole_number
from games import forms
from games.exceptions import GameEnded, Malformed, NotNow, NotYourSeat, Stale
from games.models import Game
from games.permissions import seat_of
from games.plans import services
from games.services import agreements, ending, promises, timing
from games.services import undo as undo_services
from games.table.views import game as views

_MORNING: Final = time(8)
"""When a pause ends on the day that was chosen."""


@views.acting
def clock(request: PlayerRequest, game: Game) -> None:
    """Do what a form about time asks for: its field `do` says what."""
    data, what = request.POST, request.POST.get("do", "")
    request_id = forms.read_request_id(data)
    if what == "substitute":
        named = forms.read_number(data, "seat", digits=7)
        timing.substitute(game.pk, named, request_id=request_id, by=ensure_player(request))  # who helps out may be new
        return
    player = request.visit.player
    if player is None:
        raise NotYourSeat
    if what == "more":
        amount = timedelta(seconds=forms.read_number(data, "seconds", digits=7))
        named = forms.read_number(data, "seat", digits=7)
        agreements.more_time(game.pk, named, amount, request_id=request_id, by=player)
        return
    if what == "ask-substitute":
        timing.ask_substitute(game.pk, forms.read_number(data, "seat", digits=7), request_id=request_id, by=player)
        return
    if what == "play-on":
        timing.play_on(game.pk, forms.read_number(data, "seat", digits=7), request_id=request_id, by=player)
        return
    seat = seat_of(game, player)
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


@views.acting
def undo(request: PlayerRequest, game: Game) -> None:
    """Do what a form about taking back asks for: its field `do` says what (ask, agree, decline), `move` which action."""
    data, what = request.POST, request.POST.get("do", "")
    request_id, move = forms.read_request_id(data), forms.read_number(data, "move", digits=9)
    seat, player = views.own_seat(game, request.visit.player)
    if what == "ask":
        undo_services.propose(game.pk, seat, move, request_id=request_id, by=player)
    elif what in ("agree", "decline"):
        undo_services.answer(game.pk, seat, move, agree=what == "agree", request_id=request_id, by=player)
    else:
        raise Malformed("do is ask, agree or decline")


@views.acting
def end(request: PlayerRequest, game: Game) -> None:
    """Do what a form about ending the game by consent asks for: its field `do` says what (count, drop, agree, decline)."""
    data, what = request.POST, request.POST.get("do", "")
    request_id = forms.read_request_id(data)
    seat, player = views.own_seat(game, request.visit.player)
    if what in ("count", "drop"):
        ending.propose(game.pk, seat, counts=what == "count", request_id=request_id, by=player)
    elif what in ("agree", "decline"):
        ending.answer(game.pk, seat, agree=what == "agree", request_id=request_id, by=player)
    else:
        raise Malformed("do is count, drop, agree or decline")


@require_POST
def claim(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    game = views.game_of(public_id)
    try:
        seat, player = views.own_seat(game, request.visit.player)
        asked = forms.read_request(request.POST)
        services.claim(game.pk, seat, expected=asked.expected, request_id=asked.request_id, by=player)
    except Refusal as refusal:
        return views.answer(request, game, refusal)
    return views.onward(request, game, player)


@require_POST
def add_chance(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The page's script adds chance to the pack of deal `hand`, whose promise it has shown. Answers without a page.

    Nobody asked for it: where that deal has begun meanwhile, or will not come, nothing is said and nothing changes.
    """
    game = views.game_of(public_id)
    hand, entropy = _number(request.POST.get("hand", "")), request.POST.get("entropy", "").strip().lower()
    try:
        _where, player = views.own_seat(game, request.visit.player)
        promises.add_entropy(game.pk, hand, entropy, by=player)
    except Refusal as refusal:
        game.refresh_from_db()
        is_late = isinstance(refusal, GameEnded | NotNow | Stale)
        if is_late and (game.status != Game.Status.PLAYING or 0 < hand <= game.hand_number):
            return HttpResponse(status=204)
        return HttpResponse(
            views.refusal_text(refusal), status=refusal.status, content_type="text/plain; charset=utf-8"
        )
    return HttpResponse(status=204)


def _number(text: str) -> int:
    return whole_number(text, 2) or 0
