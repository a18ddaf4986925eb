"""What the pages in the hall share: the tournament of an address, and responses for browsers with and without script.

Nobody signs in here: a code in the address gives the right to act. Therefore forms need no CSRF token (whoever knows
the code could act anyway), and phones that refuse cookies can write, too.
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
"""Per code: a phone that was without network sends a whole round at once."""
WRONG_CODES: Final = 60
"""Wrong codes from one address within ten minutes; a whole hall may share an address."""
MARK_LENGTH: Final = 16


class WrongCode(HallError):
    """A code that is wrong or has expired. `what` it was for: a table, a person, or something in the hall."""

    code = "code-ended"

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what


class Hall(Visit):
    """A request in the hall. It does not load the visitor, so finding the tournament takes one query."""

    def __init__(self, request: PlayerRequest, tournament: Tournament) -> None:
        self.request, self.tournament, self.club = request, tournament, tournament.club

    @cached_property
    def state(self) -> State:
        """The state of the tournament, without what would reveal a sealed deal. Call `read_again` after changing it."""
        return veiled(state_of(self.tournament))

    def read_again(self) -> None:
        self.tournament.refresh_from_db(fields=["number", "status"])
        self.__dict__.pop("state", None)

    def absolute(self, name: str, *args: object) -> str:
        """The address of a page of this tournament with the name of the site, for QR codes and mails."""
        return self.request.build_absolute_uri(self.url(name, *args))

    def limit_writing(self, code: str) -> None:
        """Raise ``too-often`` if more is written with this code than people can write."""
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
        """The page for a wrong or expired code: 404, or 429 for an address that has sent too many of them.

        Pages show all other refusals themselves.
        """
        if not isinstance(refusal, WrongCode):
            raise refusal
        few = take(f"hall-wrong:{address_of(self.request)}", rate=WRONG_CODES, per=600, burst=WRONG_CODES)
        if self.scripted:
            return refused_response(HallError("code-ended" if few else "too-often"))
        context = {"what": refusal.what, "too_often": not few}
        return self.page("tournaments/live/wrong.html", context, status=404 if few else 429)


in_the_hall = page_for(Hall)


def private(response: HttpResponse) -> HttpResponse:
    """Mark a response made for the holder of a code: not cached, not indexed, its address not sent to other sites."""
    response["Referrer-Policy"] = "same-origin"
    patch_vary_headers(response, ["Accept"])
    return unlisted(response, NOT_FOUND)


def done_response(hall: Hall, url: str) -> HttpResponse:
    """The response after something was done: JSON for a script, for a browser a redirect to the page that shows it."""
    if hall.scripted:
        return private(JsonResponse({"done": True, "number": hall.state.number}))
    return private(HttpResponseRedirect(url, status=303))


def refused_response(refusal: Refusal, **more: object) -> HttpResponse:
    facts = {"done": False, "code": refusal.code, "message": str(refusal.message), **more}
    return private(JsonResponse(facts, status=refusal.status))


def unchanged(hall: Hall) -> HttpResponse:
    """The response if nothing that the page shows has changed; the current event number is in `X-Number`."""
    response = private(HttpResponse(status=204))
    response["X-Number"] = str(hall.state.number)
    return response


def mark_of(*shown_things: object) -> str:
    """A short fingerprint of what a page shows, which is the same in every process.

    Pass only frozen data without sets, because sets have no order.
    """
    return hashlib.sha256(repr(shown_things).encode()).hexdigest()[:MARK_LENGTH]
