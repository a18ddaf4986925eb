"""The pages of puzzles: the list, the puzzle of the day, a puzzle to be answered, and another one; and a puzzle in an article."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import override
from django.views.decorators.http import require_safe

from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from accounts.services import ensure_player
from core.http import private, require_safe_or_post
from core.limits import take
from domain.bots.puzzling import Theme
from games.puzzles import selectors, services, text
from games.puzzles.exceptions import PuzzleError
from games.puzzles.models import Attempt
from games.puzzles.selectors import Position, Solution
from games.puzzles.stored import Puzzle
from games.read_models import TrickSeen
from games.text.advice import doing
from rules.examples.showing import Shown


def position_context(puzzle: Puzzle) -> dict[str, Any]:
    """What is shown of the position itself."""
    position = selectors.position_of(puzzle)
    return {
        "position": position,
        "title": text.title(puzzle.game, puzzle.rules.seats, selectors.number_of(puzzle)),
        "theme": text.theme_name(puzzle.theme, puzzle.game),
        "asked": text.asked(position),
        "situation": text.situation(position),
        "lines": text.lines(position),
        "trick": laid(position.trick, position) if position.trick is not None else (),
        "tricks": [
            (each.number, text.seat_name(position, each.winner or 0), laid(each, position)) for each in position.tricks
        ],
        "hand": [Shown(card.code) for card in position.cards],
    }


def laid(trick: TrickSeen, position: Position) -> Sequence[Shown]:
    """The cards of a trick with the names of those who played them."""
    return [Shown(card.code, under=text.seat_name(position, card.seat)) for card in trick.cards]


def solution_context(found: Solution, theme: Theme, position: Position, given: str = "") -> dict[str, Any]:
    """The answer with its reason; `given` is what the reader did."""
    return {
        "best": doing(found.best, position.game),
        "options": text.option_lines(found, given, position.game),
        "reasons": text.reasons(found, theme, position),
        "how": text.how_found(found),
        "rappen": position.rappen,
    }


def show(name: str, language: str, reader: str) -> SafeString | None:
    """The puzzle as a piece of an article in `language`, its answer under a fold; links lead to pages in the language of the
    `reader`. None where there is no puzzle of that name."""
    puzzle = selectors.named(name)
    if puzzle is None:
        return None
    with override(reader):
        address = reverse("puzzles:puzzle", args=[name])
        others = f"{reverse('puzzles:list')}?game={puzzle.game}"
    with override(language):
        context = position_context(puzzle)
        position = context["position"]
        context |= solution_context(selectors.solution_of(puzzle), puzzle.theme, position)
        context |= {"name": name, "address": address, "others": others}
        return render_to_string("games/puzzles/_article.html", context)


@require_safe
def puzzles(request: PlayerRequest) -> HttpResponseBase:
    """All puzzles, or those of a game or a theme."""
    player = request.visit.player
    game, theme = request.GET.get("game", ""), request.GET.get("theme", "")
    found = selectors.rows(player, game, theme)
    solver = selectors.solver_of(player)
    context = {
        "rows": [
            (
                row,
                text.theme_name(row.theme, row.game),
                text.difficulty(row),
                text.title(row.game, row.table_size, row.number),
            )
            for row in found
        ],
        "games": [(each, text.game_only(each)) for each in selectors.games()],
        "themes": [(each.value, text.theme_name(each, game)) for each in selectors.themes(game)],
        "game": game,
        "theme": theme,
        "skill": text.skill(solver) if solver is not None else "",
        "today": selectors.today(),
    }
    return private(render(request, "games/puzzles/list.html", context))


@require_safe
def today(request: PlayerRequest) -> HttpResponseBase:
    """To the puzzle of the day."""
    return _to(selectors.today())


@require_safe
def another(request: PlayerRequest) -> HttpResponseBase:
    """To a puzzle that its reader has not tried; to the list where they have tried all."""
    game = request.GET.get("game", "")
    return _to(selectors.next_for(request.visit.player, game if game in selectors.games() else ""))


def _to(found: Puzzle | None) -> HttpResponseBase:
    where = reverse("puzzles:puzzle", args=[found.name]) if found is not None else reverse("puzzles:list")
    return private(HttpResponseRedirect(where))


@require_safe_or_post
def puzzle(request: PlayerRequest, name: str) -> HttpResponseBase:
    """A puzzle; with its answer for everybody who has tried it. An answer (POST) counts if it is the first."""
    found = selectors.named(name)
    if found is None:
        raise Http404
    if request.method != "POST":
        tried = selectors.attempt_of(found, request.visit.player)
        return _page(request, found, request.visit.player, tried)
    try:
        action = services.answer_of(found, request.POST.get("action", ""), request.POST.getlist("card"))
    except PuzzleError as refusal:
        tried = selectors.attempt_of(found, request.visit.player)
        return _page(request, found, request.visit.player, tried, refusal)
    if not take(f"puzzle:{address_of(request)}", rate=600, per=3600, burst=60):
        return render(request, "games/too_many.html", status=429)
    services.attempt(found, ensure_player(request).current, action)
    return HttpResponseRedirect(f"{reverse('puzzles:puzzle', args=[name])}#answer", status=303)


def _page(
    request: PlayerRequest,
    found: Puzzle,
    player: Player | None,
    tried: Attempt | None,
    refusal: PuzzleError | None = None,
) -> HttpResponseBase:
    context: dict[str, Any] = {
        "puzzle": found.name,
        "game": found.game,
        "tried": tried,
        "refusal": refusal,
        "is_today": selectors.today() is found,
        **position_context(found),
    }
    position = context["position"]
    if tried is None:
        context["others"] = [(str(action), text.short(action)) for action in position.others]
    else:
        solver = selectors.solver_of(player)
        context |= solution_context(selectors.solution_of(found), found.theme, position, tried.action)
        context |= {
            "given": text.done(tried.action, found.game),
            "difficulty": text.difficulty(tried.puzzle),
            "skill": text.skill(solver) if solver is not None else "",
        }
    return private(
        render(request, "games/puzzles/puzzle.html", context, status=refusal.status if refusal is not None else 200)
    )
