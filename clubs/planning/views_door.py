"""The door over HTTP: one list for staff and for helpers with a code; the page is whole without script."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import address_of, take
from clubs.evening.refused import EveningRefused
from clubs.evening.state import PAIR
from clubs.planning import door_acts, entering, outlook, people
from clubs.planning.people import SHOW
from clubs.planning.refusals import Alike, AskFirst, DoorOver, TooManyGuesses, WrongCode
from clubs.room import naming
from clubs.tournament_models import Tournament
from clubs.tournaments import actors, keys
from clubs.tournaments.actors import Actor
from clubs.tournaments.pages import Visit, at_tournament, done, shown
from clubs.tournaments.reading import state_of
from games.refusals import Refusal

FOUND: Final = 12
"""People of the club's list who are shown for what was typed."""
LEAST_LETTERS: Final = 2


@dataclass(frozen=True, slots=True)
class Door:
    """Who stands at the door, and by which address."""

    visit: Visit
    by: Actor
    url: str
    staff: bool

    @property
    def live(self) -> bool:
        """Whether a script asks, which wants only the list."""
        return self.visit.request.headers.get("X-Requested-With") == "fetch"

    def asked_for(self) -> tuple[str, str]:
        """What is looked for, and which part of the list is shown."""
        query, show = self.visit.request.GET.get("q", "")[:80], self.visit.request.GET.get("show", "all")
        return query, show if show in SHOW else "all"

    def back(self) -> str:
        """The list as it was asked for."""
        query, show = self.asked_for()
        asked = {name: value for name, value in (("q", query), ("show", show)) if value and value != "all"}
        return f"{self.url}?{urlencode(asked)}" if asked else self.url


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def door(visit: Visit) -> HttpResponseBase:
    """The door, for who runs the tournament."""
    visit.check_runs()
    return _page(Door(visit, visit.asked.director, visit.url("door"), staff=True))


@require_http_methods(["GET", "HEAD", "POST"])
@at_tournament
def by_code(visit: Visit, code: str) -> HttpResponseBase:
    """The door, for whoever holds its code. Raises WrongCode, TooManyGuesses, DoorOver: who helped one evening reads the
    club's list that evening, and takes no fees after it."""
    asked = visit.asked
    if keys.read_hall(asked.tournament, asked.state, code) != keys.DOOR:
        if not take(f"hall-code:{address_of(visit.request)}", rate=20, per=600, burst=20):
            raise TooManyGuesses
        raise WrongCode
    if asked.state.closed or asked.tournament.status == Tournament.Status.CANCELLED:
        raise DoorOver
    return _page(Door(visit, actors.helper(asked.player), visit.url("door-code", code), staff=False))


def _page(at: Door) -> HttpResponseBase:
    request = at.visit.request
    if request.method != "POST":
        return _shown(at)
    data = request.POST
    sure = bool(data.get("sure"))
    try:
        if data.get("do") == "make-pair":
            one, two = data.get("one", ""), data.get("two", "")
            said = door_acts.make_pair(at.visit.asked.tournament, one, two, by=at.by, request_id=at.visit.sent)
        else:
            said = door_acts.do(
                at.visit.asked.tournament, data.get("do", ""), data, by=at.by, request_id=at.visit.sent, sure=sure
            )
    except AskFirst as ask:
        return _ask(at, ask)
    except Alike as alike:
        return _shown(at, refusal=str(alike.message), alike=alike, typed=data, status=alike.status)
    except Refusal as refusal:
        return _shown(at, refusal=str(refusal.message), typed=data, status=refusal.status)
    except ValidationError as wrong:
        return _shown(at, refusal=" ".join(wrong.messages), typed=data, status=422)
    if at.live:
        return _shown(at, said=said)
    messages.success(request, said)
    return done(at.back())


def _ask(at: Door, ask: AskFirst) -> HttpResponse:
    """Ask once more. The question keeps its request id, so that yes twice is yes once."""
    context = {
        "title": str(ask.message),
        "lost": [],
        "button": ask.button,
        "back": at.back(),
        "action": at.back(),
        "hidden": {"do": ask.do, "sure": "1"},
        "tab": "door",
    }
    template = "clubs/planning/_ask.html" if at.live else "clubs/planning/confirm.html"
    return shown(at.visit, template, context)


def _shown(
    at: Door,
    *,
    refusal: str = "",
    said: str = "",
    alike: Alike | None = None,
    typed: Any = None,
    status: int = 200,
) -> HttpResponse:
    tournament = at.visit.asked.tournament
    tournament.refresh_from_db()
    state = state_of(tournament)
    names = people.names_of(tournament, state)
    everybody = people.rows(state, names, people.recent(tournament, state))
    query, show = at.asked_for()
    count = people.count(everybody)
    pairs = state.plan.kind == PAIR
    context = {
        "door": at,
        "state": state,
        "number": state.number,
        "rows": [row for row in everybody if people.fits(row, query, show)],
        "all": len(everybody),
        "count": count,
        "tables": _tables(state, count.ready),
        "query": query,
        "show": show,
        "shows": _shows(pairs, state.fee),
        "found": _found(at, state, query),
        "halves": [row for row in everybody if row.half] if pairs and at.staff else [],
        "halves_here": sum(1 for row in everybody if row.half and row.is_here),
        "pairs": pairs,
        "fee": state.fee,
        "refusal": refusal,
        "said": said,
        "alike": [(each, naming.full_name(each)) for each in alike.members] if alike else [],
        "alike_entered": entering.entered(state) if alike else (),
        "typed": _typed(query, typed),
        "walk_in_open": bool(refusal and typed is not None and str(typed.get("do", "")).startswith("walk-in")),
        "undo_seconds": people.UNDO_SECONDS,
        "closed": state.closed or tournament.status == Tournament.Status.CANCELLED,
        "request_id": uuid.uuid4(),
        "tab": "door",
    }
    template = "clubs/planning/_door.html" if at.live else "clubs/planning/door.html"
    response = shown(at.visit, template, context, status=status)
    patch_vary_headers(response, ["X-Requested-With"])
    return response


def _tables(state: Any, ready: int) -> tuple[str, int]:
    try:
        return outlook.would_be(state.plan, ready)
    except EveningRefused:  # a plan of an older version of the games
        return "", 0


def _shows(pairs: bool, fee: int) -> list[tuple[str, str]]:
    found = [("all", _("all")), ("expected", _("not here yet")), ("here", _("here"))]
    if pairs:
        found.append(("partner", _("needs a partner")))
    if fee:
        found.append(("owing", _("still to pay")))
    return [*found, ("away", _("gone"))]


def _found(at: Door, state: Any, query: str) -> list[tuple[str, str]]:
    """People of the club's list who are not in this tournament yet: only for what was typed, never the whole list."""
    if len(query.strip()) < LEAST_LETTERS or state.closed:
        return []
    rows = entering.candidates(at.visit.asked.tournament.club, state, query)[:FOUND]
    return [(member.public_id, naming.full_name(member)) for member in rows]


def _typed(query: str, data: Any) -> dict[str, str]:
    """What stands in the fields of a walk-in: what was typed there, else the words that were looked for."""
    if data is not None and "first_name" in data:
        return {
            "first_name": data.get("first_name", ""),
            "last_name": data.get("last_name", ""),
            "named": data.get("named", ""),
        }
    first, _blank, last = query.strip().partition(" ")
    return {"first_name": first, "last_name": last, "named": ""}
