"""Pages of a player's own games: open games, finished games, the calendar; and requests that note what they have
seen."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_POST, require_safe

from accounts import availability
from accounts.middleware import PlayerRequest
from accounts.models import Player
from core import limits
from core.http import private, require_safe_or_post, shown_count, whole_number
from core.sursilvan import page_language
from games.lobby.selectors import open_tables
from games.models import Game, Seat
from games.mygames import calendar as mygames_calendar
from games.mygames import selectors as mygames_selectors
from games.mygames import services, since
from games.mygames.forms import SearchForm
from notices.preferences import note_answer


@require_safe
def my_games(request: PlayerRequest) -> HttpResponseBase:
    """The player's unfinished games by urgency; for htmx, only the list."""
    player = request.visit.player
    template = "games/mygames/_list.html" if request.htmx else "games/mygames/list.html"
    if player is None:
        return private(render(request, template, {"player": None, "waiting": 0}))
    with timezone.override(availability.zone_of(player)):
        page = mygames_selectors.open_games(player, request.GET.get("page"))
        lines = mygames_selectors.game_lines(page, player)
        first = page.number == 1
        context: dict[str, Any] = {
            "player": player,
            "page": page,
            "waiting": mygames_selectors.waiting(player),
            "mine": [line for line in lines if line.group == mygames_selectors.MINE],
            "others": [line for line in lines if line.group == mygames_selectors.OTHERS],
            "practice": [line for line in lines if line.group == mygames_selectors.PRACTICE],
            "invitations": open_tables.rows(open_tables.invitations_of(player), player) if first else [],
            "tables": open_tables.rows(open_tables.own_tables(player), player) if first else [],
        }
        return private(render(request, template, context))


@require_safe
def over(request: PlayerRequest) -> HttpResponseBase:
    """The player's finished games, with a search."""
    player = request.visit.player
    if player is None:
        return private(render(request, "games/mygames/finished.html", {"player": None}))
    form = SearchForm(request.GET, mygames_selectors.rulesets_of(player))
    valid = form.is_valid()
    with timezone.override(availability.zone_of(player)):
        context: dict[str, Any] = {"player": player, "form": form, "lines": []}
        if valid:
            page = mygames_selectors.finished_games(player, form.search(), request.GET.get("page"))
            context |= {
                "page": page,
                "lines": mygames_selectors.finished_lines(page),
                "searched": any(form.cleaned_data.values()),
                "left": [] if any(form.cleaned_data.values()) else mygames_selectors.left_games(player),
            }
        return private(render(request, "games/mygames/finished.html", context, status=200 if valid else 422))


@require_safe_or_post
def calendar(request: PlayerRequest) -> HttpResponseBase:
    """The address of the calendar of deadlines. POST makes or replaces it, or switches it off if `do` is off."""
    player = request.visit.player
    if player is None:
        return private(render(request, "games/mygames/calendar.html", {"player": None}))
    if request.method == "POST":
        _change_calendar(request, player)
        if "asked" in request.POST:
            note_answer(player)
        return redirect("mine:calendar")
    address = mygames_calendar.address_of(player)
    context = {"player": player, "address": address, "webcal": address and "webcal:" + address.partition(":")[2]}
    return private(render(request, "games/mygames/calendar.html", context))


def _change_calendar(request: HttpRequest, player: Player) -> None:
    if request.POST.get("do") == "off":
        mygames_calendar.switch_off(player)
        messages.success(request, _("The calendar has been switched off; its address no longer opens anything."))
    elif not limits.take(f"calendar:{player.pk}", rate=10, per=3600, burst=10):
        messages.error(request, _("You have done that often enough for now. Please try again in an hour."))
    else:
        mygames_calendar.renew(player)
        messages.success(request, _("The calendar has a new address. Older ones no longer open anything."))


@require_safe
def feed(request: HttpRequest, public_id: str, token: str) -> HttpResponseBase:
    """The calendar itself. Anybody with the address may read it without signing in; it names no card."""
    player = mygames_calendar.player_of(public_id, token)
    if player is None:
        raise Http404
    data = mygames_calendar.feed(player)
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    unchanged = request.headers.get("If-None-Match") == tag
    response = (
        HttpResponse(status=304) if unchanged else HttpResponse(data, content_type="text/calendar; charset=utf-8")
    )
    response["ETag"] = tag
    response["X-Robots-Tag"] = "noindex"
    patch_cache_control(response, private=True, no_cache=True)
    return response


@require_safe
def waiting(request: PlayerRequest) -> HttpResponseBase:
    """The number of games that wait for the player (without the game `but`) and the most urgent of them, as JSON.

    `waiting` counts up to 100. For htmx, only the number, as the head of a page shows it.
    """
    player = request.visit.player
    if request.htmx:
        return shown_count(mygames_selectors.waiting(player) if player is not None else 0)
    if player is None:
        return private(JsonResponse({"waiting": 0, "games": []}))
    but = request.GET.get("but", "")
    count = mygames_selectors.others_waiting(player, but)
    urgent = mygames_selectors.most_urgent(player, but) if "count" not in request.GET else []
    return private(JsonResponse({"waiting": count, "games": [_as_json(seat, player) for seat in urgent]}))


def _as_json(seat: Seat, player: Player) -> dict[str, object]:
    line = mygames_selectors.game_line(seat, player)
    asked = seat.game.asked if seat.asked else "agree"  # type: ignore[attr-defined]  # annotated
    return {
        "game": line.public_id,
        "url": line.url,
        "title": line.title,
        "asked": "undo" if seat.game.undo else asked,
        "line": line.line,
        "until": line.until and line.until.isoformat(),
    }


@require_safe
def offline_list(request: PlayerRequest) -> HttpResponseBase:
    """The player's list as data that their own device may keep, for reading offline; `{"player": null}` for a stranger.

    `html` is the list as it is shown there, the rest as in `since.games_as_data`. With `hands`, which the page only
    requests if the player chose so, it contains their own cards.
    """
    player = request.visit.player
    if player is None:
        return private(JsonResponse({"player": None}))
    with override(page_language()):
        data = since.games_as_data(player, hands="hands" in request.GET)
        html = render_to_string("games/mygames/_last_seen.html", data)
        about = {name: data[name] for name in ("player", "language", "at", "heading", "waiting", "hands", "played")}
        return private(JsonResponse(about | {"html": html}))


@require_safe
def next_game(request: PlayerRequest) -> HttpResponseBase:
    """Redirect to the most urgent game that waits for the player, other than `after`, or else to the list."""
    player = request.visit.player
    if player is None:
        return redirect("mine:list")
    before = Game.objects.filter(public_id=request.GET.get("after", "")[:20]).first()
    following = mygames_selectors.next_game(player, before)
    if following is None:
        return redirect("mine:list")
    return redirect(mygames_selectors.address_after(following, before))


@require_POST
def seen(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Note that the player has seen the table up to `number`, and with `done` has dismissed the news."""
    game = Game.objects.filter(public_id=public_id).first()
    player = request.visit.player
    number = whole_number(request.POST.get("number", ""))
    if game is None or player is None or not game.seats.filter(player=player).exists():
        raise Http404
    done = "done" in request.POST
    if number is not None:
        services.note(game, player, number, done=done)
    if request.htmx:
        return private(HttpResponse(status=204))
    return redirect("games:table", public_id)
