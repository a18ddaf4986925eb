"""What the pages in the hall share: the tournament of an address, and answers for browsers with and without script.

Nobody signs in here: a code in the address is the right to do something. What is posted therefore needs no proof that it
came from one of our pages (whoever knows the code could do it anyway), and phones that refuse cookies can write, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts.middleware import PlayerRequest, address_of
from clubs.views.base import NOT_FOUND
from core.exceptions import Refusal
from core.http import unlisted
from core.limits import take
from domain.tournament.state import State
from tournaments.exceptions import HallError
from tournaments.models import Tournament
from tournaments.online.selectors import veiled
from tournaments.selectors import state_of
from tournaments.views import Visit, page_for

WRITES_AN_HOUR: Final = 400
WRITES_AT_ONCE: Final = 120
"""One code: a phone that was without network sends a whole round at once."""
WRONG_CODES: Final = 60
"""Wrong codes from one address within ten minutes; a whole hall may share an address."""
MARK_LENGTH: Final = 16


class WrongCode(HallError):
    """A code opens nothing (any more). `what` it was for: a table, a person, or something in the hall."""

    code = "code-ended"

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what


class Hall(Visit):
    """One request in the hall. Who looks is not asked: it takes one query to find the tournament."""

    def __init__(self, request: PlayerRequest, tournament: Tournament) -> None:
        self.request, self.tournament, self.club = request, tournament, tournament.club

    @cached_property
    def state(self) -> State:
        """How the tournament stands, without what tells something of a sealed deal; `read_again` after something was done."""
        return veiled(state_of(self.tournament))

    def read_again(self) -> None:
        self.tournament.refresh_from_db(fields=["number", "status"])
        self.__dict__.pop("state", None)

    def absolute(self, name: str, *args: object) -> str:
        """The same for QR codes and mails: with the name of the site in front."""
        return self.request.build_absolute_uri(self.url(name, *args))

    def limit_writing(self, code: str) -> None:
        """Raise ``too-often`` for a code that writes more than people can."""
        if not take(f"hall:{code}", rate=WRITES_AN_HOUR, per=3600, burst=WRITES_AT_ONCE):
            raise HallError("too-often")

    def page(self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HttpResponse:
        whole = {
            "tournament": self.tournament,
            "club": self.club,
            "state": self.state,
            "now": timezone.now(),
            "language": translation.get_language(),
            **(context or {}),
        }
        return private(render(self.request, template, whole, status=status))

    def refused(self, refusal: Refusal) -> HttpResponseBase:
        """The page for a code that opens nothing (any more); 404, or 429 for an address from which too many came. What else is
        refused, each page tells itself."""
        if not isinstance(refusal, WrongCode):
            raise refusal
        few = take(f"hall-wrong:{address_of(self.request)}", rate=WRONG_CODES, per=600, burst=WRONG_CODES)
        if self.scripted:
            return refused_answer(HallError("code-ended" if few else "too-often"))
        context = {"what": refusal.what, "too_often": not few}
        return self.page("tournaments/live/wrong.html", context, status=404 if few else 429)


in_the_hall = page_for(Hall)


def private(response: HttpResponse) -> HttpResponse:
    """What is made for the holder of one code is kept by nobody on the way, and leads no stranger there."""
    response["Referrer-Policy"] = "same-origin"
    patch_vary_headers(response, ["Accept"])
    return unlisted(response, NOT_FOUND)


def done_answer(hall: Hall, url: str) -> HttpResponse:
    """Something was done: a script is told so, a browser is led to the page that shows it."""
    if hall.scripted:
        return private(JsonResponse({"done": True, "number": hall.state.number}))
    return private(HttpResponseRedirect(url, status=303))


def refused_answer(refusal: Refusal, **more: object) -> HttpResponse:
    facts = {"done": False, "code": refusal.code, "message": str(refusal.message), **more}
    return private(JsonResponse(facts, status=refusal.status))


def unchanged(hall: Hall) -> HttpResponse:
    """Nothing that this page shows has changed; it stands at the number told."""
    response = private(HttpResponse(status=204))
    response["X-Number"] = str(hall.state.number)
    return response


def mark_of(*shown_things: object) -> str:
    """A short mark of what a page shows; the same things have the same mark, also in another process.

    Give it frozen data without sets: those are in no order.
    """
    return hashlib.sha256(repr(shown_things).encode()).hexdigest()[:MARK_LENGTH]
