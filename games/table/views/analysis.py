"""The views of the analysis of a finished hand: asking for it, its progress, its result, and single decisions.

Anyone who may look back at the hand may ask for its analysis and read it; nobody else learns whether there is one.
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
"""The status that tells htmx to stop polling."""


@require_safe_or_post
def analysis(request: PlayerRequest, public_id: str, number: int) -> HttpResponseBase:
    """The analysis of a hand. POST asks for it."""
    game = game_of(public_id)
    try:
        row = services.open_hand(game, number)
        if request.method == "POST":
            return _ask(request, game, number)
        seen = replay_selector.replay(game, number, None, request.visit.player)
    except replay_selector.NotOpen:
        return closed(request, game, number)
    context = page_context(game, seen, selectors.analysis_of(row, len(seen.seats)))
    if request.GET.get("fragment") != "1":
        return private(render(request, "games/analysis/page.html", context))
    waits = context["analysis"] is not None and context["analysis"].waits
    return private(render(request, "games/analysis/_body.html", context, status=200 if waits else STOP_ASKING))


@require_safe
def decision(request: PlayerRequest, public_id: str, number: int, step: int) -> HttpResponseBase:
    """One decision: the options, what each would have brought, and where the hidden cards could have been."""
    game = game_of(public_id)
    try:
        judged = selectors.decision_of(services.open_hand(game, number), step)
        seen = replay_selector.replay(game, number, step, request.visit.player)
    except replay_selector.NotOpen:
        return closed(request, game, number)
    if judged is None:
        raise Http404
    context = {
        "replay": seen,
        "where": addresses(game, number),
        "remark": text.remark(judged, seen),
        "seat": seen.seats[judged.seat],
        "exact": judged.exact,
        "options": text.option_lines(judged, seen.ruleset),
        "places": text.places(judged, seen),
        "chances": text.chances_lines(judged, seen),
    }
    return private(render(request, "games/analysis/decision.html", context))


def addresses(game: Game, number: int) -> dict[str, str]:
    return {name: reverse(f"games:{name}", args=[game.public_id, number]) for name in ("analysis", "replay")}


def _ask(request: PlayerRequest, game: Game, number: int) -> HttpResponseBase:
    here = reverse("games:analysis", args=[game.public_id, number])
    if not take(f"analysis:{address_of(request)}", rate=40, per=3600, burst=15):
        return private(render(request, "games/too_many.html", status=429))
    try:
        services.ask(game, number)
    except AnalysisError as refusal:
        context = {"refusal": str(refusal), "back": reverse("games:replay", args=[game.public_id, number])}
        return private(render(request, "games/analysis/refused.html", context, status=refusal.status))
    return HttpResponseRedirect(here, status=303)


def page_context(game: Game, seen: Replay, analysed: selectors.AnalysisSeen | None) -> dict[str, Any]:
    """The context of the analysis page; `analysed` is None if nobody has asked for the analysis."""
    context: dict[str, Any] = {
        "replay": seen,
        "where": addresses(game, seen.hand),
        "analysis": analysed,
        "played": seen.sheet.status == "played",
    }
    if analysed is None or not analysed.done:
        return context
    return context | {
        "summary": text.summary(analysed),
        "turning_points": text.turning_points(analysed, seen),
        "chapters": text.chapters(analysed, seen),
        "seat_lines": text.seat_lines(analysed, seen),
        "course": text.course(analysed, seen),
        "party_names": text.party_names(seen),
        "drawn": text.drawn(analysed, seen),
        "luck": text.luck(analysed, seen),
    }
