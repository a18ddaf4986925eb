"""What those get of a game who may not see it: the same for every table and at every moment, but that a seat is sought.

Who is looked for as a substitute where deals are shared cannot look at the table before they sit there. They are told the
game, its pace and the people: nothing of what was dealt and played.
"""

from __future__ import annotations

import uuid

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control

from accounts.models import Player
from games import boards
from games.lobby import finding
from games.models import Game
from games.refusals import MetAlready, Refusal
from games.watching.rights import ClosedTable, SealedTable


def closed(request: HttpRequest, game: Game, refusal: Refusal | None = None) -> HttpResponseBase:
    """The page that says that the table is closed; `refusal` is why what was asked for was not done."""
    sealed = game.is_sealed
    reason = SealedTable if sealed else ClosedTable
    if request.path.endswith(".json"):
        return _private(JsonResponse({"code": reason.code, "message": str(reason.message)}, status=reason.status))
    context = {"sealed": sealed, "refusal": str(refusal.message) if refusal is not None else ""}
    status = refusal.status if refusal is not None else reason.status
    return _private(render(request, "games/watching/closed.html", context, status=status))


def instead_of_table(
    request: HttpRequest, game: Game, player: Player | None, refusal: Refusal | None = None
) -> HttpResponseBase:
    """What stands at the address of a table that `player` may not see: that it is closed, or that a seat can be taken."""
    if not (game.is_sealed and game.seeks and game.status == Game.Status.PLAYING):
        return closed(request, game, refusal)
    assert game.board_set is not None
    if refusal is None and player is not None and boards.has_met(player, game.board_set):
        refusal = MetAlready()
    context = {
        "seeking": finding.seeking_of(game),
        "request_id": uuid.uuid4(),
        "refusal": str(refusal.message) if refusal is not None else "",
        "met": isinstance(refusal, MetAlready),
    }
    status = refusal.status if refusal is not None and request.method == "POST" else 200
    return _private(render(request, "games/watching/seat_sought.html", context, status=status))


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody, and found by no search engine."""
    patch_cache_control(response, private=True, no_store=True)
    response["X-Robots-Tag"] = "noindex"
    return response
