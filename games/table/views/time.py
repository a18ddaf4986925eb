"""The views of actions about time (more time for others, pauses, playing on live, coming back, substitutes), of
taking back, ending the game, claiming the remaining tricks, and adding entropy to a pack."""

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
"""The time of day at which a pause ends."""


@views.acting
def clock(request: PlayerRequest, game: Game) -> None:
    """Do what a form about time asks for in its field `do`."""
    data, verb = request.POST, request.POST.get("do", "")
    request_id = forms.read_request_id(data)
    if verb == "substitute":
        other_seat = forms.read_number(data, "seat", digits=7)
        substitute = ensure_player(request)  # they may be new to the site
        timing.substitute(game.pk, other_seat, request_id=request_id, by=substitute)
        return
    player = request.visit.player
    if player is None:
        raise NotYourSeat
    if verb == "more":
        amount = timedelta(seconds=forms.read_number(data, "seconds", digits=7))
        other_seat = forms.read_number(data, "seat", digits=7)
        agreements.more_time(game.pk, other_seat, amount, request_id=request_id, by=player)
        return
    if verb == "ask-substitute":
        timing.ask_substitute(game.pk, forms.read_number(data, "seat", digits=7), request_id=request_id, by=player)
        return
    if verb == "play-on":
        timing.play_on(game.pk, forms.read_number(data, "seat", digits=7), request_id=request_id, by=player)
        return
    seat = seat_of(game, player)
    if verb == "pause":
        agreements.propose_pause(game.pk, seat, _until(data, player), request_id=request_id, by=player)
    elif verb in ("agree", "decline"):
        agreements.answer(game.pk, seat, agree=verb == "agree", request_id=request_id, by=player)
    elif verb in _SIMPLE:
        _SIMPLE[verb](game.pk, seat, request_id=request_id, by=player)
    else:
        raise Malformed("do names no known action")


_SIMPLE: Final[dict[str, Callable[..., object]]] = {
    "back": timing.come_back,
    "resume": agreements.resume,
    "live": agreements.offer_live,
    "days": agreements.end_live,
}


def _until(data: QueryDict, player: Player) -> datetime:
    """The morning of the chosen day, in the player's time zone. Raises Malformed."""
    try:
        day = date.fromisoformat(data.get("until", ""))
    except ValueError:
        raise Malformed("until is a day, as 2026-12-24") from None
    return timezone.make_aware(datetime.combine(day, _MORNING), availability.zone_of(player))


@views.acting
def undo(request: PlayerRequest, game: Game) -> None:
    """Do what a form about taking back asks for in its field `do` (ask, agree, decline); `move` is the number of the
    action."""
    data, verb = request.POST, request.POST.get("do", "")
    request_id, move = forms.read_request_id(data), forms.read_number(data, "move", digits=9)
    seat, player = views.own_seat(game, request.visit.player)
    if verb == "ask":
        undo_services.propose(game.pk, seat, move, request_id=request_id, by=player)
    elif verb in ("agree", "decline"):
        undo_services.answer(game.pk, seat, move, agree=verb == "agree", request_id=request_id, by=player)
    else:
        raise Malformed("do is ask, agree or decline")


@views.acting
def end(request: PlayerRequest, game: Game) -> None:
    """Do what a form about ending the game by consent asks for in its field `do` (count, drop, agree, decline)."""
    data, verb = request.POST, request.POST.get("do", "")
    request_id = forms.read_request_id(data)
    seat, player = views.own_seat(game, request.visit.player)
    if verb in ("count", "drop"):
        ending.propose(game.pk, seat, counts=verb == "count", request_id=request_id, by=player)
    elif verb in ("agree", "decline"):
        ending.answer(game.pk, seat, agree=verb == "agree", request_id=request_id, by=player)
    else:
        raise Malformed("do is count, drop, agree or decline")


@require_POST
def claim(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    game = views.game_of(public_id)
    try:
        seat, player = views.own_seat(game, request.visit.player)
        posted = forms.read_request(request.POST)
        services.claim(game.pk, seat, expected=posted.expected, request_id=posted.request_id, by=player)
    except Refusal as refusal:
        return views.answer(request, game, refusal)
    return views.onward(request, game, player)


@require_POST
def add_chance(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Add entropy from the page's script to the pack of deal `hand`, whose promise the page has shown.

    Responds with 204. The player did not ask for it, so nothing is reported if that deal has begun in the meantime or
    will not come.
    """
    game = views.game_of(public_id)
    hand, entropy = _number(request.POST.get("hand", "")), request.POST.get("entropy", "").strip().lower()
    try:
        _seat, player = views.own_seat(game, request.visit.player)
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
