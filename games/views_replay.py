"""Looking back over HTTP: a finished deal, the list of all of them, records, pictures, and playing on from a moment.

A table that is closed to others while its game goes on is closed here too: `views_watching.guarded` sees to it.
"""

from __future__ import annotations

from django.http import HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import ensure_player
from accounts.limits import address_of, take
from accounts.visits import PlayerRequest
from games import choosing, looking_back, practising, replay_page
from games.chat.seen import messages_of, notes_of
from games.engine import Record
from games.models import Game
from games.views import game_of


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody."""
    patch_cache_control(response, private=True, no_store=True)
    return response


def _closed(request: PlayerRequest, game: Game) -> HttpResponseBase:
    """The page that says why a deal is not open yet."""
    context = {"public_id": game.public_id, "sealed": game.is_sealed}
    return _private(render(request, "games/not_open.html", context, status=404))


@require_safe
def replay(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """A finished deal, step by step, all hands open."""
    game = game_of(public_id)
    try:
        seen = looking_back.replay(game, number, replay_page.step_of(request), request.player)
    except looking_back.NotOpen:
        return _closed(request, game)
    if request.GET.get("fragment") == "1":
        where = replay_page.addresses_of(seen, "games")
        return _private(render(request, "games/_replay.html", {"replay": seen, "where": where}))
    context = replay_page.context(
        seen,
        replay_page.addresses_of(seen, "games"),
        messages=messages_of(game, number, request.player),
        notes=notes_of(game, number, request.player),
        shared=True,
    )
    context |= {
        "player": request.player,
        "public_id": public_id,
        "drawn": game.draws_partners,
        "game_notes": notes_of(game, 0, request.player),
    }
    return _private(render(request, "games/replay.html", context))


@require_safe
def hands(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """All deals of a game that are over, with their scores, and the records."""
    game = game_of(public_id)
    seen = looking_back.overview(game, request.player)
    context = {"overview": seen, "room": "games", "title": choosing.game_name(seen.ruleset)}
    return _private(render(request, "games/hands.html", context))


@require_safe
def record(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The game's record: every deal that may be looked back at."""
    return sent(looking_back.record(game_of(public_id)), public_id)


@require_safe
def hand_record(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """The record of one deal."""
    game = game_of(public_id)
    try:
        return sent(looking_back.record_of_hand(game, number), f"{public_id}-{number}")
    except looking_back.NotOpen:
        return _closed(request, game)


def sent(written: Record, name: str) -> HttpResponseBase:
    """A record as a file to keep."""
    response = JsonResponse(written.to_json(), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{written.ruleset.id}-{name}.json"'
    return _private(response)


@require_safe
def picture(request: PlayerRequest, public_id: str, number: int, kind: str) -> HttpResponseBase:
    """A moment as a picture. Nobody is spoken to in it: whoever looks at it, it is the same."""
    game = game_of(public_id)
    try:
        seen = looking_back.replay(game, number, replay_page.step_of(request), None)
    except looking_back.NotOpen:
        return _closed(request, game)
    return replay_page.picture(request, seen, kind)


@require_POST
def from_here(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """Lay a practice table at a moment (`step`) of a deal, and sit down at `seat`."""
    game = game_of(public_id)
    try:
        # The deal must be open itself; the record has every deal up to it then, or it is not open for long.
        looking_back.replay(game, number, None, request.player)
        written = looking_back.record(game)
    except looking_back.NotOpen:
        return _closed(request, game)
    return play_on(request, written, public_id, number, imported=False)


def play_on(
    request: PlayerRequest, written: Record, public_id: str, number: int, *, imported: bool
) -> HttpResponseBase:
    """A practice table at the moment a form asks for, `player` sitting where they chose."""
    moment = practising.Moment(public_id, number, _number(request, "step"), _number(request, "seat"), imported=imported)
    if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
        return render(request, "games/too_many.html", status=429)
    try:
        practising.check(written, moment)
    except practising.NothingToPlay:
        back = reverse(f"{'imported' if imported else 'games'}:replay", args=[public_id, number])
        return _private(render(request, "games/nothing_to_play.html", {"back": back}, status=422))
    game = practising.table_from(ensure_player(request), written, moment)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


def _number(request: PlayerRequest, name: str) -> int:
    """A small number in a form, -1 for anything else."""
    given = request.POST.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) <= 4 else -1
