"""The views of composed positions: their editor, and their pages, which look like those of a replay.

Nothing is stored: the URL of a position contains the position.
"""

from __future__ import annotations

from django.http import Http404, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.middleware import PlayerRequest, address_of
from core.http import private, require_safe_or_post, unlisted
from core.limits import take
from domain.engine import Record
from games.forms import read_example
from games.positions import selectors
from games.positions.forms import PositionForm, initial_of, table_named, table_value, tables
from games.positions.layout import NAMES
from games.positions.selectors import address_of as position_address
from games.positions.selectors import record_at
from games.puzzles import selectors as puzzles
from games.puzzles import stored
from games.read_models import Replay
from games.table import replay as replay_page
from games.table import services as practice
from games.table.views import replay as replays


@require_safe_or_post
def edit(request: PlayerRequest) -> HttpResponseBase:
    """The editor, empty or with the position in the query.

    POST leads to the page of the position, if it is possible in play.
    """
    if request.method == "POST":
        form = PositionForm(request.POST, rules=table_named(request.POST.get("table", "")))
        # Checked before the form, because the search for earlier tricks is expensive.
        if not take(f"position:{address_of(request)}", rate=240, per=3600, burst=40):
            return unlisted(render(request, "games/too_many.html", status=429))
        if form.is_valid():
            return HttpResponseRedirect(reverse("position:show", args=[position_address(form.record)]), status=303)
    elif "position" in request.GET:
        layout = selectors.layout_at(_record_at(request.GET["position"]), selectors.NUMBER, None)
        form = PositionForm(rules=layout.rules, initial=initial_of(layout))
    else:
        form = PositionForm(rules=table_named(request.GET.get("table", "")))
    context = {"form": form, "tables": tables(), "table": table_value(form.rules)}
    return private(render(request, "games/positions/edit.html", context, status=422 if form.errors else 200))


def _record_at(address: str) -> Record:
    record = record_at(address)
    if record is None:
        raise Http404
    return record


def _addresses(shown: Replay) -> dict[str, str]:
    address = shown.public_id
    return {
        "page": reverse("position:show", args=[address]),
        "record": reverse("position:record", args=[address]),
        "from_here": reverse("position:from_here", args=[address]),
        "edit": reverse("position:edit", args=[address]),
        **{kind: reverse("position:picture", args=[address, kind]) for kind in ("png", "svg")},
    }


@require_safe
def show(request: PlayerRequest, address: str) -> HttpResponseBase:
    """The page of a position, with every step on the way to it."""
    record = _record_at(address)
    shown = selectors.replay(record, replay_page.step_of(request, None))
    where = _addresses(shown)
    if request.GET.get("fragment") == "1":
        return unlisted(render(request, "games/_replay.html", {"replay": shown, "where": where}))
    context = replay_page.page_context(shown, where, shared=True, laid=True)
    context |= {"player": request.visit.player, "example": selectors.example_of(record)}
    return unlisted(render(request, "games/positions/position.html", context))


@require_safe
def of_puzzle(request: PlayerRequest, name: str) -> HttpResponseBase:
    """Redirect to the position of a puzzle, with all cards open, or back to the puzzle if the viewer has not tried it."""
    puzzle = puzzles.named(name)
    if puzzle is None:
        raise Http404
    if puzzles.attempt_of(puzzle, request.visit.player) is None:
        return private(HttpResponseRedirect(reverse("puzzles:puzzle", args=[name])))
    record = stored.record_of(puzzle, NAMES[: puzzle.rules.seats])
    return private(HttpResponseRedirect(reverse("position:show", args=[position_address(record)])))


@require_safe
def edit_position(request: PlayerRequest, address: str) -> HttpResponseBase:
    return HttpResponseRedirect(
        selectors.edit_address(_record_at(address), selectors.NUMBER, replay_page.step_of(request, None))
    )


@require_POST
def edit_example(request: PlayerRequest) -> HttpResponseBase:
    """Open the editor with the position of an example in an article."""
    at = practice.position_of(read_example(request.POST))
    if at is None:
        return render(request, "games/no_example.html", status=404)
    written = selectors.record_at_position(at)
    return HttpResponseRedirect(selectors.edit_address(written, selectors.NUMBER, None), status=303)


@require_safe
def record(request: PlayerRequest, address: str) -> HttpResponseBase:
    return replays.sent(_record_at(address), "position")


@require_safe
def picture(request: PlayerRequest, address: str, kind: str) -> HttpResponseBase:
    shown = selectors.replay(_record_at(address), replay_page.step_of(request, None))
    return unlisted(replay_page.picture(request, shown, kind, laid=True))


@require_POST
def from_here(request: PlayerRequest, address: str) -> HttpResponseBase:
    """Begin a practice game at the position, or at a step on the way to it."""
    record = _record_at(address)
    at = position_address(record)
    back = reverse("position:show", args=[at])
    return replays.play_on(request, record, at, selectors.NUMBER, source="position", back=back)
