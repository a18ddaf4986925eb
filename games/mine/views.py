"""Pages of a player's own games: what waits for them, what is over, the calendar; and taking note of what they have seen."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits, rhythms
from accounts.models import Player
from accounts.visits import PlayerRequest
from games.lobby import finding
from games.mine import finished, ical, last_seen, my_games, seeing
from games.mine.forms import SearchForm
from games.models import Game, Seat

_TOLD_AT_MOST = 20
"""Games named in the answer for programs."""


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody."""
    patch_cache_control(response, private=True, no_store=True)
    return response


@require_safe
def listed(request: PlayerRequest) -> HttpResponseBase:
    """The player's unfinished games by urgency; with `fragment`, only the list."""
    player = request.player
    template = "games/mine/_list.html" if "fragment" in request.GET else "games/mine/list.html"
    if player is None:
        return _private(render(request, template, {"player": None, "waiting": 0}))
    with timezone.override(rhythms.zone_of(player)):
        page = my_games.open_games(player, request.GET.get("page"))
        lines = my_games.lines(page, player)
        first = page.number == 1
        context: dict[str, Any] = {
            "player": player,
            "page": page,
            "waiting": my_games.waiting(player),
            "mine": [line for line in lines if line.group == my_games.MINE],
            "others": [line for line in lines if line.group == my_games.OTHERS],
            "practice": [line for line in lines if line.group == my_games.PRACTICE],
            "invitations": finding.rows(finding.invitations_of(player), player) if first else [],
            "tables": finding.rows(finding.own_tables(player), player) if first else [],
        }
        return _private(render(request, template, context))


@require_safe
def over(request: PlayerRequest) -> HttpResponseBase:
    """The player's finished games, and the search in them."""
    player = request.player
    if player is None:
        return _private(render(request, "games/mine/finished.html", {"player": None}))
    form = SearchForm(request.GET, finished.rulesets_of(player))
    good = form.is_valid()
    with timezone.override(rhythms.zone_of(player)):
        context: dict[str, Any] = {"player": player, "form": form, "lines": []}
        if good:
            page = finished.found(player, form.wanted(), request.GET.get("page"))
            asked = request.GET.copy()
            asked.pop("page", None)
            context |= {
                "page": page,
                "lines": finished.lines(page),
                "searched": any(form.cleaned_data.values()),
                "asked": asked.urlencode(),
            }
        return _private(render(request, "games/mine/finished.html", context, status=200 if good else 422))


@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: PlayerRequest) -> HttpResponseBase:
    """The address of the calendar of deadlines: make one, make another, switch it off (POST `do`)."""
    player = request.player
    if player is None:
        return _private(render(request, "games/mine/calendar.html", {"player": None}))
    if request.method == "POST":
        _change_calendar(request, player)
        return redirect("mine:calendar")
    address = ical.address_of(player)
    context = {"player": player, "address": address, "webcal": address and "webcal:" + address.partition(":")[2]}
    return _private(render(request, "games/mine/calendar.html", context))


def _change_calendar(request: HttpRequest, player: Player) -> None:
    if request.POST.get("do") == "off":
        ical.switch_off(player)
        messages.success(request, _("The calendar is switched off; its address opens nothing any more."))
    elif not limits.take(f"calendar:{player.pk}", rate=10, per=3600, burst=10):
        messages.error(request, _("You have done that often enough for now. Please try again in an hour."))
    else:
        ical.renew(player)
        messages.success(request, _("The calendar has a new address. An older one opens nothing any more."))


@require_safe
def feed(request: HttpRequest, public_id: str, token: str) -> HttpResponseBase:
    """The calendar itself. Whoever has the address may read it, without signing in; it names no card."""
    player = ical.player_of(public_id, token)
    if player is None:
        raise Http404
    data = ical.feed(player)
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
    """How many games wait for the player (`but` one), and the most urgent of them, for scripts and programs.

    `waiting` counts to 100 at most.
    """
    player = request.player
    if player is None:
        return _private(JsonResponse({"waiting": 0, "games": []}))
    seats = my_games.waiting_seats(player).exclude(game__public_id=request.GET.get("but", ""))
    count = my_games.counted(seats)
    urgent = my_games.urgent(my_games.with_tables(seats))[:_TOLD_AT_MOST] if "count" not in request.GET else []
    return _private(JsonResponse({"waiting": count, "games": [_told(seat, player) for seat in urgent]}))


def _told(seat: Seat, player: Player) -> dict[str, object]:
    line = my_games.line(seat, player)
    return {
        "game": line.public_id,
        "url": line.url,
        "title": line.title,
        "asked": "undo" if seat.game.undo else seat.game.asked,
        "line": line.line,
        "until": line.until and line.until.isoformat(),
    }


@require_safe
def kept(request: PlayerRequest) -> HttpResponseBase:
    """What the player's own device may keep of their list, to be read without a connection; `{"player": null}` for a stranger."""
    player = request.player
    return _private(JsonResponse({"player": None} if player is None else last_seen.told(player)))


@require_safe
def next_game(request: PlayerRequest) -> HttpResponseBase:
    """Go on to the most urgent game that waits for the player, not the one named by `after`; else to the list."""
    player = request.player
    if player is None:
        return redirect("mine:list")
    before = Game.objects.filter(public_id=request.GET.get("after", "")[:20]).first()
    following = my_games.next_game(player, before)
    return redirect(my_games.address_after(following, before)) if following is not None else redirect("mine:list")


@require_POST
def seen(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The player has looked at the table up to `number`; with `done` they have taken note of what was news."""
    game = Game.objects.filter(public_id=public_id).first()
    player = request.player
    number = request.POST.get("number", "")
    if game is None or player is None or not game.seats.filter(player=player).exists():
        raise Http404
    done = "done" in request.POST
    if number.isascii() and number.isdigit() and len(number) < 10:
        seeing.note(game, player, int(number), done=done)
    if request.headers.get("X-Requested-With") == "fetch":
        return _private(HttpResponse(status=204))
    return redirect("games:table", public_id)
