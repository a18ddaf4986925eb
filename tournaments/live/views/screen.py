"""The big screen over HTTP: one page that turns its slides by itself, in the tournament's language."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpResponse, HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from clubs.text import criterion
from tournaments.live import base
from tournaments.live.base import Hall, WrongCode, in_the_hall
from tournaments.live.selectors import SLIDES, screen_seen
from tournaments.read_models import Names
from tournaments.services import codes


def screen(hall: Hall, code: str) -> HttpResponseBase:
    """The page for the projector. The caller has read the code. `show` chooses slides, else all that say something turn."""
    return _shown(hall, code, "tournaments/live/screen.html")


@require_GET
@in_the_hall
def screen_since(hall: Hall, code: str) -> HttpResponseBase:
    """Its slides, if anything has happened since `mark`, else 204."""
    if codes.read_hall(hall.tournament, hall.state, code) != codes.SCREEN:
        raise WrongCode("hall")
    if hall.request.GET.get("mark") == _mark(hall):
        return base.unchanged(hall)
    return _shown(hall, code, "tournaments/live/_screen.html")


def _shown(hall: Hall, code: str, template: str) -> HttpResponse:
    language = hall.tournament.language or hall.club.language
    if language not in dict(settings.LANGUAGES):
        language = settings.LANGUAGE_CODE
    with translation.override(language):
        return hall.page(template, _context(hall, code))


def _mark(hall: Hall) -> str:
    return str(hall.state.number)


def _context(hall: Hall, code: str) -> dict[str, Any]:
    names = Names(hall.tournament, "hall")
    seen = screen_seen(hall.tournament, hall.state, names, _title(hall))
    wanted = hall.request.GET.get("show", "")
    chosen = [name for name in wanted.split(",") if name in SLIDES]
    return {
        "screen": seen,
        "code": code,
        "mark": _mark(hall),
        "clock": seen.clock,
        "chosen": ",".join(chosen),
        "criteria": [criterion(name) for name in seen.criteria],
        "entrance": hall.absolute("hall-code", codes.hall_code(hall.tournament, hall.state, codes.ARRIVE)),
        "page": _page(hall),
        "live": {"socket": f"/ws/e/{hall.tournament.public_id}/", "since": hall.url("screen-since", code)},
    }


def _title(hall: Hall) -> str:
    """What is going on, in a few words."""
    state = hall.state
    if state.closed:
        return _("Final ranking")
    playing = [phase.rounds[-1] for phase in state.phases if phase.rounds and phase.rounds[-1].status == "out"]
    if not playing:
        return ""
    first = playing[0]
    phase = state.phases[first.phase - 1]
    text = _("Round %(number)s of %(of)s") % {"number": first.number, "of": phase.plan.rules.rounds}
    return f"{phase.name} · {text}" if phase.name and len(playing) == 1 else text


def _page(hall: Hall) -> str:
    """The address of the public page, for phones; empty where strangers may not read it."""
    return hall.absolute("home") if hall.tournament.is_public else ""
