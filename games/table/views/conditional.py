"""What saves visits, over HTTP: claiming the rest of a hand, and the page on which one says ahead what to do."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST

from accounts.middleware import PlayerRequest
from accounts.models import Player
from core.exceptions import Refusal
from core.http import require_safe_or_post, whole_number
from games import forms
from games.conditional import selectors, services
from games.conditional.plans import LONGEST, NoPlan, NoTalk, read_plan, read_talk
from games.exceptions import Malformed, NotYourSeat
from games.models import Game
from games.selectors import table
from games.services import entropy as chance
from games.table.views import game as views


@require_POST
def claim(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """Claim every trick that is left."""
    game = views.game_of(public_id)
    try:
        seat, player = _seat(game, request.visit.player)
        asked = forms.read_request(request.POST)
        services.claim(game.pk, seat, expected=asked.expected, request_id=asked.request_id, by=player)
    except Refusal as refusal:
        return views.answer(request, game, refusal)
    return views.onward(request, game, player)


@require_POST
def add_chance(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """The page's script adds chance to the pack of deal `hand`, whose promise it has shown. Answers without a page."""
    game = views.game_of(public_id)
    try:
        _where, player = _seat(game, request.visit.player)
        hand, entropy = _number(request.POST.get("hand", "")), request.POST.get("entropy", "").strip().lower()
        chance.add(game.pk, hand, entropy, by=player)
    except Refusal as refusal:
        return HttpResponse(
            views.refusal_text(refusal), status=refusal.status, content_type="text/plain; charset=utf-8"
        )
    return HttpResponse(status=204)


@require_safe_or_post
def say_ahead(request: PlayerRequest, public_id: str) -> HttpResponseBase:
    """What the viewer has said ahead in this game; `do` (POST) says which part of it is said anew: `plan` or `talk`."""
    game = views.game_of(public_id)
    try:
        seat, player = _seat(game, request.visit.player)
    except NotYourSeat as refusal:
        return views.answer(request, game, refusal)
    if request.method != "POST":
        return _page(request, game, player, None)
    try:
        _say(request.POST, game, seat, player)
    except Refusal as refusal:
        return _page(request, game, player, refusal)
    return HttpResponseRedirect(reverse("games:table", args=[game.public_id]), status=303)


def _page(request: HttpRequest, game: Game, player: Player, refusal: Refusal | None) -> HttpResponseBase:
    game.refresh_from_db()
    seen = table.sight_of(game, player)
    context = {
        "sight": seen,
        "player": player,
        "ahead": selectors.said_ahead(game, player, seen),
        "form": selectors.form_of(game, player, seen),
    }
    if refusal is not None:
        context["refusal"] = views.refusal_text(refusal)
    response = render(request, "games/ahead.html", context, status=200 if refusal is None else refusal.status)
    patch_cache_control(response, private=True, no_store=True)
    return response


def _say(data: QueryDict, game: Game, seat: int, player: Player) -> None:
    what = data.get("do", "")
    try:
        if what == "plan":
            services.say_plan(game.pk, seat, read_plan(_plan(data)), by=player)
        elif what == "no-plan":
            services.say_plan(game.pk, seat, read_plan({}), by=player)
        elif what == "talk":
            talk = read_talk({"rounds": data.getlist("round")[:9], "fewer": _number(data.get("fewer", ""))})
            services.say_talk(game.pk, seat, talk, every_deal=bool(data.get("every")), by=player)
        else:
            raise Malformed("do names what is said")
    except (NoPlan, NoTalk) as error:
        raise Malformed(str(error)) from None


def _plan(data: QueryDict) -> dict[str, object]:
    """The plan of the form as JSON: of each of the numbered lines its parts; a line that plays nothing is none."""
    lines: list[dict[str, object]] = []
    for number in range(LONGEST):
        play = data.get(f"play-{number}", "")
        if play:
            line: dict[str, object] = {"play": play, "last": bool(data.get(f"last-{number}"))}
            for part in ("led", "winning", "fallen"):
                line[part] = data.get(f"{part}-{number}", "")
            lines.append(line)
    return {"lines": lines, "lasts": bool(data.get("lasts"))}


def _number(text: str) -> int:
    return whole_number(text, 2) or 0


def _seat(game: Game, player: Player | None) -> tuple[int, Player]:
    if player is not None:
        seat = game.seats.filter(player=player).values_list("number", flat=True).first()
        if seat is not None:
            return seat, player
    raise NotYourSeat
