"""The way from a puzzle to its position with all cards open, where it can be played on: for people who have tried
it."""

from __future__ import annotations

from django.http import Http404, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.middleware import PlayerRequest
from core.http import private
from games.positions.layout import NAMES
from games.positions.selectors import address_of
from games.puzzles import selectors, stored


@require_safe
def open_position(request: PlayerRequest, name: str) -> HttpResponseBase:
    """Redirect to the position of a puzzle, or back to the puzzle if the viewer has not answered it."""
    puzzle = selectors.named(name)
    if puzzle is None:
        raise Http404
    if selectors.attempt_of(puzzle, request.visit.player) is None:
        return private(HttpResponseRedirect(reverse("puzzles:puzzle", args=[name])))
    record = stored.record_of(puzzle, NAMES[: puzzle.rules.seats])
    return private(HttpResponseRedirect(reverse("position:show", args=[address_of(record)])))
