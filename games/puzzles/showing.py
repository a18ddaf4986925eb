"""A puzzle on a page: what its templates are given, on its own page and in an article."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import override

from domain.bots.puzzling import Theme
from games.puzzles import selectors, text
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
