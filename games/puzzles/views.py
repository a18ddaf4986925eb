"""The pages of puzzles: the list, the puzzle of the day, a puzzle to answer, and another one; and a puzzle in an
article."""

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
from core.http import page_of, private, require_safe_or_post
from core.limits import take
from games.puzzles import selectors, services, text
from games.puzzles.exceptions import PuzzleError
from games.puzzles.models import Attempt
from games.puzzles.selectors import Position
from games.puzzles.stored import Puzzle
from games.read_models import TrickSeen
from games.selectors import rulesets
from games.text.advice import doing
from rules.examples.showing import CardOnPage

PER_PAGE = 25


def position_context(puzzle: Puzzle) -> dict[str, Any]:
    """The context of the position itself."""
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
        "hand": [CardOnPage(card.code) for card in position.cards],
    }


def laid(trick: TrickSeen, position: Position) -> Sequence[CardOnPage]:
    """The cards of a trick with the names of those who played them."""
    return [CardOnPage(card.code, under=text.seat_name(position, card.seat)) for card in trick.cards]


def solution_context(puzzle: Puzzle, position: Position, given: str = "") -> dict[str, Any]:
    """The context of the solution with its reasons; `given` is the reader's answer."""
    return {
        "best": doing(puzzle.best, puzzle.game),
        "options": text.option_lines(puzzle, given),
        "reasons": text.reasons(puzzle, position),
        "how": text.method_of(puzzle),
        "rappen": position.rappen,
    }


def show(name: str, language: str, reader: str) -> SafeString | None:
    """The puzzle as a part of an article in `language`, with a folded answer; None if there is no puzzle of that name.

    Links lead to pages in the language of the `reader`.
    """
    puzzle = selectors.named(name)
    if puzzle is None:
        return None
    with override(reader):
        address = reverse("puzzles:puzzle", args=[name])
        others = f"{reverse('puzzles:list')}?game={puzzle.game}"
    with override(language):
        context = position_context(puzzle)
        position = context["position"]
        context |= solution_context(puzzle, position)
        context |= {"name": name, "address": address, "others": others}
        return render_to_string("games/puzzles/_article.html", context)


@require_safe
def puzzles(request: PlayerRequest) -> HttpResponseBase:
    """All puzzles, or those of a game or a theme."""
    player = request.visit.player
    game, theme = request.GET.get("game", ""), request.GET.get("theme", "")
    solver = selectors.solver_of(player)
    page = page_of(request, selectors.rows(player, game, theme), PER_PAGE)
    rows = [
        (
            row,
            text.theme_name(row.theme, row.game),
            text.difficulty(row),
            text.title(row.game, row.table_size, row.number),
        )
        for row in page
    ]
    context = {
        "page": page,
        "rows": rows,
        "games": [(each, rulesets.game_name(each)) for each in selectors.games()],
        "themes": [(each.value, text.theme_name(each, game)) for each in selectors.themes(game)],
        "game": game,
        "theme": theme,
        "skill": text.skill(solver) if solver is not None else "",
        "today": selectors.today(),
    }
    return private(render(request, "games/puzzles/list.html", context))


@require_safe
def today(request: PlayerRequest) -> HttpResponseBase:
    """Redirect to the puzzle of the day."""
    return _redirect_to(selectors.today())


@require_safe
def another(request: PlayerRequest) -> HttpResponseBase:
    """Redirect to a puzzle that the reader has not tried, or to the list if they have tried all."""
    game = request.GET.get("game", "")
    return _redirect_to(selectors.next_for(request.visit.player, game if game in selectors.games() else ""))


def _redirect_to(target: Puzzle | None) -> HttpResponseBase:
    address = reverse("puzzles:puzzle", args=[target.name]) if target is not None else reverse("puzzles:list")
    return private(HttpResponseRedirect(address))


@require_safe_or_post
def puzzle(request: PlayerRequest, name: str) -> HttpResponseBase:
    """A puzzle, with the answer for people who have tried it. An answer (POST) only counts if it is the first."""
    current = selectors.named(name)
    if current is None:
        raise Http404
    if request.method != "POST":
        attempt = selectors.attempt_of(current, request.visit.player)
        return _page(request, current, request.visit.player, attempt)
    try:
        action = services.answer_of(current, request.POST.get("action", ""), request.POST.getlist("card"))
    except PuzzleError as refusal:
        attempt = selectors.attempt_of(current, request.visit.player)
        return _page(request, current, request.visit.player, attempt, refusal)
    if not take(f"puzzle:{address_of(request)}", rate=600, per=3600, burst=60):
        return render(request, "games/too_many.html", status=429)
    services.attempt(current, ensure_player(request).current, action)
    return HttpResponseRedirect(f"{reverse('puzzles:puzzle', args=[name])}#answer", status=303)


def _page(
    request: PlayerRequest,
    current: Puzzle,
    player: Player | None,
    attempt: Attempt | None,
    refusal: PuzzleError | None = None,
) -> HttpResponseBase:
    context: dict[str, Any] = {
        "puzzle": current.name,
        "game": current.game,
        "tried": attempt,
        "refusal": refusal,
        "is_today": selectors.today() is current,
        **position_context(current),
    }
    position = context["position"]
    if attempt is None:
        context["others"] = [(str(action), text.short(action)) for action in position.others]
    else:
        solver = selectors.solver_of(player)
        context |= solution_context(current, position, attempt.action)
        context |= {
            "given": text.done(attempt.action, current.game),
            "difficulty": text.difficulty(attempt.puzzle),
            "skill": text.skill(solver) if solver is not None else "",
        }
    return private(
        render(request, "games/puzzles/puzzle.html", context, status=refusal.status if refusal is not None else 200)
    )
