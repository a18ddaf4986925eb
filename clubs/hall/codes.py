"""The codes of the hall, `k/<code>/`: a helper's door, the big screen, the sheet at the entrance, each to its page."""

from __future__ import annotations

from django.http import HttpResponseBase, HttpResponseRedirect
from django.views.decorators.http import require_GET

from clubs.hall import kit, views_arrive, views_screen
from clubs.hall.kit import Hall, in_the_hall
from clubs.tournaments import keys


@require_GET
@in_the_hall
def hall_code(hall: Hall, code: str) -> HttpResponseBase:
    """What the code opens; a kind page for one that opens nothing (any more)."""
    what = keys.read_hall(hall.tournament, hall.state, code)
    if what == keys.DOOR:
        return kit.private(HttpResponseRedirect(hall.url("door-code", code)))
    if what == keys.SCREEN:
        return views_screen.screen(hall, code)
    if what == keys.ARRIVE:
        return views_arrive.entrance(hall, code)
    return kit.wrong(hall, "hall")
