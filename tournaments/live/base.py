"""What the pages in the hall share: the tournament of an address, and answers for browsers with and without script.

Nobody signs in here: a code in the address is the right to do something. What is posted therefore needs no proof that it
came from one of our pages (whoever knows the code could do it anyway), and phones that refuse cookies can write, too.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_cache_control, patch_vary_headers

from accounts.middleware import address_of
from core.exceptions import Refusal
from core.limits import take
from domain.tournament.state import State
from tournaments.exceptions import HallError
from tournaments.models import Tournament
from tournaments.online.selectors import veiled
from tournaments.selectors import state_of
from tournaments.views import request_id

P = ParamSpec("P")
WRITES_AN_HOUR: Final = 400
WRITES_AT_ONCE: Final = 120
"""One code: a phone that was without network sends a whole round at once."""
WRONG_CODES: Final = 60
"""Wrong codes from one address within ten minutes; a whole hall may share an address."""
MARK_LENGTH: Final = 16


@dataclass(slots=True)
class Hall:
    """One request in the hall.

    `state` is how the tournament stands; `look_again` after something was done. `sent` is the id of the request: sent
    twice, it is done once.
    """

    request: HttpRequest
    tournament: Tournament
    state: State
    sent: uuid.UUID

    @property
    def scripted(self) -> bool:
        """Whether a script asks, which wants to be told instead of shown."""
        return "application/json" in self.request.headers.get("Accept", "")

    def look_again(self) -> None:
        self.tournament.refresh_from_db(fields=["number", "status"])
        self.state = veiled(state_of(self.tournament))

    def url(self, name: str, *args: object) -> str:
        return reverse(f"tournament:{name}", args=[self.tournament.public_id, *args])

    def absolute(self, name: str, *args: object) -> str:
        """The same for QR codes and mails: with the name of the site in front."""
        return self.request.build_absolute_uri(self.url(name, *args))

    def limit_writing(self, code: str) -> None:
        """Raise ``too-often`` for a code that writes more than people can."""
        if not take(f"hall:{code}", rate=WRITES_AN_HOUR, per=3600, burst=WRITES_AT_ONCE):
            raise HallError("too-often")


def in_the_hall(
    view: Callable[Concatenate[Hall, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]:
    """A page of the hall: finds the tournament (one query), and tells times by the clock on the wall there."""

    @wraps(view)
    def page(request: HttpRequest, public_id: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        tournament = Tournament.objects.select_related("club").filter(public_id=public_id).first()
        if tournament is None:
            raise Http404
        with timezone.override(settings.TIME_ZONE):
            return view(Hall(request, tournament, veiled(state_of(tournament)), request_id(request)), *args, **kwargs)

    return page


def page(hall: Hall, template: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """A page, for nobody's cache and no search engine."""
    whole = {
        "tournament": hall.tournament,
        "club": hall.tournament.club,
        "state": hall.state,
        "now": timezone.now(),
        "language": translation.get_language(),
        **context,
    }
    return private(render(hall.request, template, whole, status=status))


def private(response: HttpResponse) -> HttpResponse:
    """What is made for the holder of one code is kept by nobody on the way, and leads no stranger there."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["Referrer-Policy"] = "same-origin"
    patch_cache_control(response, private=True, no_store=True)
    patch_vary_headers(response, ["Accept"])
    return response


def done_answer(hall: Hall, url: str) -> HttpResponse:
    """Something was done: a script is told so, a browser is led to the page that shows it."""
    if hall.scripted:
        return private(JsonResponse({"done": True, "number": hall.state.number}))
    return private(HttpResponseRedirect(url, status=303))


def refused_answer(refusal: Refusal, **more: object) -> HttpResponse:
    facts = {"done": False, "code": refusal.code, "message": str(refusal.message), **more}
    return private(JsonResponse(facts, status=refusal.status))


def wrong(hall: Hall, what: str) -> HttpResponse:
    """The page for a code that opens nothing (any more); 404, or 429 for an address from which too many came."""
    status = 404
    if not take(f"hall-wrong:{address_of(hall.request)}", rate=WRONG_CODES, per=600, burst=WRONG_CODES):
        status = 429
    if hall.scripted:
        return refused_answer(HallError("code-ended")) if status == 404 else refused_answer(HallError("too-often"))
    return page(hall, "tournaments/live/wrong.html", {"what": what, "too_often": status == 429}, status=status)


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
