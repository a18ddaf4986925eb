"""The table over HTTP: each view reads the request, calls the door or the view of the game, and renders."""

from __future__ import annotations

import uuid
from typing import Any, Final

from django.db.models import Prefetch, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.guests import ensure_player
from accounts.limits import address_of, take
from accounts.models import Player
from accounts.visits import PlayerRequest
from games import (
    ahead_seen,
    choosing,
    clocks,
    closed_page,
    confirming,
    drawing,
    forms,
    play,
    practising,
    rematch,
    sight,
    tables,
    wording,
    work,
)
from games.chat import panel as beside
from games.daily import reading as daily
from games.engine.rulesets import ruleset
from games.mine import my_games, seeing
from games.mine.since import for_viewer as missed_by
from games.models import Game, Seat
from games.refusals import Forbidden, NotYourSeat, Refusal
from games.seen import Sight
from games.table_form import TableForm
from games.watching import rights
from games.watching import seen as watching

_ON_THE_FRONT_PAGE: Final = 8
"""Open games that are named there; the rest are one link away."""


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody."""
    patch_cache_control(response, private=True, no_store=True)
    return response


def game_of(public_id: str) -> Game:
    """The game with this public id, after what was due by its clock, with its seats read. Raises Http404."""
    game = Game.objects.filter(public_id=public_id).first()
    if game is None:
        raise Http404
    game = work.catch_up(game)
    prefetch_related_objects([game], Prefetch("seats", Seat.objects.select_related("player__merged_into")))
    return game


def _seat(game: Game, player: Player | None) -> tuple[int, Player]:
    """Where the player sits. Raises NotYourSeat for anybody else."""
    if player is not None:
        seat = next((seat for seat in game.seats.all() if seat.player_id == player.pk), None)
        if seat is not None:
            return seat.number, player
    raise NotYourSeat


def _wants_fragment(request: HttpRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def _context(request: PlayerRequest, game: Game, refusal: Refusal | None) -> dict[str, Any]:
    seen = sight.of(game, request.player)
    context: dict[str, Any] = {
        "sight": seen,
        "player": request.player,
        "request_id": uuid.uuid4(),
        "lesson": tables.lesson_of(game, seen),
        "practice": practising.origin_of(game, request.player),
        "others_waiting": my_games.others_waiting(request.player, game),
        "rematch": rematch.offered(game, request.player),
        "ahead": ahead_seen.of(game, request.player, seen),
        "draw": drawing.draw_of(game, request.player) if game.hand_number == 1 else None,
        "drawn": drawing.is_past(game),
        "chat_unread": beside.unread(game, request.player),
        "daily": daily.at_table(game),
        "everybody_here": seen.viewer is not None and clocks.everybody_here(game),
    }
    if refusal is not None:
        context["refusal"] = refusal_text(refusal)
    return context


def _beside(request: PlayerRequest, game: Game, seen: Sight) -> dict[str, Any]:
    """What stands beside the table on its page, and keeps itself up to date there."""
    shared = game.kind == Game.Kind.PLAY
    return {
        "beside": beside.of(game, request.player, seen),
        "watching": watching.of(game, request.player) if shared and seen.shared != "sealed" else None,
    }


def refusal_text(refusal: Refusal) -> str:
    """A refusal in the reader's language, with what to do."""
    if isinstance(refusal, Forbidden):
        return wording.refusal(sight.why_of(refusal.illegality))
    return str(refusal.message)


def answer(
    request: PlayerRequest, game: Game, refusal: Refusal | None, confirm: confirming.Confirmation | None = None
) -> HttpResponseBase:
    """The table as it stands now, as the page's script or a browser without script wants it; `confirm` is asked on it."""
    if not _wants_fragment(request) and refusal is None and confirm is None:
        return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)
    game.refresh_from_db()
    if not rights.may_see(game, request.player):
        return closed_page.instead_of_table(request, game, request.player, refusal)
    template = "games/_table.html" if _wants_fragment(request) else "games/table.html"
    context = _context(request, game, refusal) | {"confirm": confirm}
    if not _wants_fragment(request):
        context |= _beside(request, game, context["sight"])
    response = render(request, template, context, status=200 if refusal is None else refusal.status)
    response["X-Number"] = str(context["sight"].number)
    return _private(response)


@require_GET
def table(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The table as its viewer may see it, and what they have missed."""
    game = game_of(public_id)
    context = _context(request, game, None)
    context["came_from"] = my_games.came_from(request.player, request.GET.get("from", ""))
    context |= _beside(request, game, context["sight"])
    context["missed"] = missed_by(game, request.player, context["sight"])
    return _private(render(request, "games/table.html", context))


def _all_here(request: PlayerRequest, game: Game) -> str:
    """As the page keeps it: "yes" while all who play look at the table and the reader is one of them, else "no"."""
    sits = request.player is not None and game.seats.filter(player=request.player).exists()
    return "yes" if sits and clocks.everybody_here(game) else "no"


@require_GET
def since(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """The table if it has moved on since `number`, or if all have come together meanwhile (`here` is what it showed), else 204."""
    game = game_of(public_id)
    shown = request.GET.get("here", "")
    if game.number == number and (not shown or shown == _all_here(request, game)):
        response: HttpResponseBase = HttpResponse(status=204)
    else:
        context = _context(request, game, None)
        response = render(request, "games/_table.html", context)
        response["X-Number"] = str(context["sight"].number)
    return _private(response)


@require_GET
def state(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The same as the page shows, as JSON."""
    return _private(JsonResponse(sight.of(game_of(public_id), request.player).as_json()))


@require_GET
def why(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """What may be played now, card by card, and which rule says so."""
    return _private(render(request, "games/why.html", _context(request, game_of(public_id), None)))


@require_POST
def act(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Act at the table."""
    game = game_of(public_id)
    try:
        seat, player = _seat(game, request.player)
        asked = forms.read_request(request.POST)
        action = forms.read_action(request.POST)
        confirm = None if "sure" in request.POST else confirming.asked_about(game, player, action, asked.expected)
        if confirm is not None:
            return answer(request, game, None, confirm)
        play.submit(game.pk, seat, action, expected=asked.expected, request_id=asked.request_id, by=player)
    except Refusal as refusal:
        return answer(request, game, refusal)
    seeing.note(game, player, asked.expected, done=True)
    return onward(request, game, player)


def onward(request: PlayerRequest, game: Game, player: Player) -> HttpResponseBase:
    """After an action: the table, or, for who wishes so, the next game that waits for them."""
    game.refresh_from_db()
    address = my_games.next_address(player, game)
    if address is not None and not _wants_fragment(request):
        return HttpResponseRedirect(address, status=303)
    response = answer(request, game, None)
    if address is not None:
        response["X-Onward"] = address
    return response


@require_POST
def ready(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Take one's seat, or be ready for the next deal."""
    game = game_of(public_id)
    try:
        seat, player = _seat(game, request.player)
        asked = forms.read_request(request.POST)
        entropy = request.POST.get("entropy", "").strip().lower()
        play.ready(game.pk, seat, entropy=entropy, expected=asked.expected, request_id=asked.request_id, by=player)
    except Refusal as refusal:
        return answer(request, game, refusal)
    return answer(request, game, None)


def leave(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Leave the table for good: asks once (GET), then ends the game (POST)."""
    game = game_of(public_id)
    if request.method != "POST":
        return _private(render(request, "games/leave.html", _context(request, game, None)))
    try:
        seat, player = _seat(game, request.player)
        play.resign(game.pk, seat, request_id=forms.read_request_id(request.POST), by=player)
    except Refusal as refusal:
        return answer(request, game, refusal)
    return answer(request, game, None)


@require_POST
def pause(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Switch the computer players' pause for thought on or off."""
    game = game_of(public_id)
    player = request.player
    if player is not None:
        player.bot_pause = not player.bot_pause
        player.save(update_fields=["bot_pause"])
    return answer(request, game, None)


@require_POST
def play_now(request: PlayerRequest) -> HttpResponseBase:
    """Go back to the open game against computer players, or begin one."""
    return _begin(request, Game.Kind.PLAY)


@require_POST
def guided(request: PlayerRequest) -> HttpResponseBase:
    """Go back to the open lesson, or begin it."""
    return _begin(request, Game.Kind.GUIDED)


@require_POST
def skip_guided(request: PlayerRequest) -> HttpResponseBase:
    """Do not offer the guided hand any more."""
    if request.player is not None:
        tables.lesson_done(request.player)
    return HttpResponseRedirect(reverse("home"), status=303)


def _begin(request: PlayerRequest, kind: Game.Kind) -> HttpResponseBase:
    game = tables.open_table_of(request.player, kind) if request.player is not None else None
    if game is None:
        if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
            return render(request, "games/too_many.html", status=429)
        game = tables.new_table(ensure_player(request), kind)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


@require_POST
def practice(request: PlayerRequest) -> HttpResponseBase:
    """Lay a table at the position of an example, and sit down where it asks for a card."""
    wanted = forms.read_example(request.POST)
    position = practising.position_of(wanted)
    if position is None:
        return render(request, "games/no_example.html", status=404)
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    game = practising.table_of(ensure_player(request), wanted, position)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: PlayerRequest) -> HttpResponseBase:
    """All games at a glance, each with the form that lays a table of it (POST)."""
    chosen = request.POST.get("game", "")
    offered = []
    for glance in choosing.glances():
        mine = request.method == "POST" and chosen == glance.id
        form = TableForm(ruleset(glance.id), request.POST if mine else None)
        if mine and form.is_valid():
            return _lay(request, form)
        offered.append((glance, form))
    wrong = request.method == "POST"
    return _private(render(request, "games/choose.html", {"offered": offered}, status=422 if wrong else 200))


def _lay(request: PlayerRequest, form: TableForm) -> HttpResponseBase:
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    size, options = form.chosen()
    rules = ruleset(form.rules.id, form.rules.version, size)
    game = tables.table_of(ensure_player(request), rules, options, form.memory())
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


def home(request: PlayerRequest) -> HttpResponseBase:
    """The front page: one's open games first, then play, and what this place is."""
    player = request.player
    context = {
        "player": player,
        "open_games": my_games.foremost(player, _ON_THE_FRONT_PAGE) if player is not None else [],
        "daily": daily.card(player),
        "offer_guided": player is None or player.guided_done_at is None,
    }
    response = render(request, "home.html", context)
    return _private(response) if player is not None else response
