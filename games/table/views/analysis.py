"""The analysis of a finished hand over HTTP: asking for it, how far it is, what it says, and one decision by itself.

Whoever may look back at the hand may ask for its analysis and read it; nobody else learns whether there is one.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.middleware import PlayerRequest, address_of
from core.http import private, require_safe_or_post
from core.limits import take
from games.analysis import selectors, services, text
from games.analysis.exceptions import AnalysisError
from games.models import Game
from games.read_models import Replay
from games.selectors import replay as replay_selector
from games.table.views.game import game_of
from games.table.views.replay import closed

STOP_ASKING: Final = 286
"""To htmx: that was the last time, here it is."""


@require_safe_or_post
def analysis(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """The analysis of a hand; asked for by POST."""
    game = game_of(public_id)
    try:
        row = services.open_hand(game, number)
        if request.method == "POST":
            return _asked(request, game, number)
        seen = replay_selector.replay(game, number, None, request.visit.player)
    except replay_selector.NotOpen:
        return closed(request, game)
    context = of_page(game, seen, selectors.analysis_of(row, len(seen.seats)))
    if request.GET.get("fragment") != "1":
        return private(render(request, "games/analysis/page.html", context))
    waits = context["analysis"] is not None and context["analysis"].waits
    return private(render(request, "games/analysis/_body.html", context, status=200 if waits else STOP_ASKING))


@require_safe
def decision(request: PlayerRequest, public_id: str, number: int, step: int) -> HttpResponseBase:
    """One decision: what could be done, what each would have brought, and where the hidden cards could lie."""
    game = game_of(public_id)
    try:
        found = selectors.decision_of(services.open_hand(game, number), step)
        seen = replay_selector.replay(game, number, step, request.visit.player)
    except replay_selector.NotOpen:
        return closed(request, game)
    if found is None:
        raise Http404
    seat = seen.seats[found.seat]
    context = {
        "replay": seen,
        "where": addresses(game, number),
        "remark": text.remark(found, seen),
        "seat": seat,
        "exact": found.exact,
        "options": text.option_lines(found, seen.ruleset),
        "places": text.places(found, seen),
        "chances": text.chances_lines(found, seen),
    }
    return private(render(request, "games/analysis/decision.html", context))


def addresses(game: Game, number: int) -> dict[str, str]:
    return {name: reverse(f"games:{name}", args=[game.public_id, number]) for name in ("analysis", "replay")}


def _asked(request: PlayerRequest, game: Game, number: int) -> HttpResponseBase:
    here = reverse("games:analysis", args=[game.public_id, number])
    if not take(f"analysis:{address_of(request)}", rate=40, per=3600, burst=15):
        return private(render(request, "games/too_many.html", status=429))
    try:
        services.ask(game, number)
    except AnalysisError as refusal:
        context = {"refusal": str(refusal), "back": reverse("games:replay", args=[game.public_id, number])}
        return private(render(request, "games/analysis/refused.html", context, status=refusal.status))
    return HttpResponseRedirect(here, status=303)


def of_page(game: Game, seen: Replay, found: selectors.AnalysisSeen | None) -> dict[str, Any]:
    """What the page is made of."""
    context: dict[str, Any] = {
        "replay": seen,
        "where": addresses(game, seen.hand),
        "analysis": found,
        "played": seen.sheet.status == "played",
    }
    if found is None or not found.done:
        return context
    return context | {
        "summary": text.summary(found),
        "turning_points": text.turning_points(found, seen),
        "chapters": text.chapters(found, seen),
        "seat_lines": text.seat_lines(found, seen),
        "course": text.course(found, seen),
        "party_names": text.party_names(seen),
        "drawn": text.drawn(found, seen),
        "luck": text.luck(found, seen),
    }
