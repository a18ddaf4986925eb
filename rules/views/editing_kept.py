"""Nothing that was typed is lost: forms survive a login that ran out, a proof that is stale, and a text that is too long.

A form sent by somebody who is not signed in is kept in their session, and offered again once they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec
from uuid import UUID

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.views.csrf import csrf_failure
from django.views.decorators.csrf import csrf_exempt

from accounts import limits
from accounts.visits import PlayerRequest

_P = ParamSpec("_P")
_View = Callable[Concatenate[PlayerRequest, _P], HttpResponseBase]

_DRAFT: Final = "rules.draft"
_SENT: Final = "rules.sent"
_SENT_KEPT: Final = 12
_KEPT_AN_HOUR: Final = 20


class _Reasons(CsrfViewMiddleware):
    """Django's check of the proof that a form is ours; it says what is wrong instead of answering, as REST frameworks do."""

    def _reject(self, request: HttpRequest, reason: str) -> str:
        return reason

    def is_from_here(self, request: HttpRequest) -> bool:
        """Whether the browser says that a page of ours sent the form."""
        return "Origin" in request.headers and self._origin_verified(request)  # type: ignore[attr-defined]  # its stub leaves it out


def keeps_what_was_typed(view: _View[_P]) -> _View[_P]:
    """A view whose forms come back as they were if their proof is stale: `request.is_stale` says so, and nothing is done.

    That happens to whoever signs in, in another window, after the form was opened. A form that another site sent is
    refused as everywhere; one that is too large is answered in words.
    """

    @csrf_exempt
    @wraps(view)
    def kept(request: PlayerRequest, *args: _P.args, **kwargs: _P.kwargs) -> HttpResponseBase:
        request.is_stale = False  # type: ignore[attr-defined]  # for the view below
        if request.method == "POST":
            try:
                request.POST  # noqa: B018  # reads the body
            except (RequestDataTooBig, SuspiciousOperation):
                return render(request, "rules/editing/too_long.html", status=413)
            check = _Reasons(_nothing)
            check.process_request(request)
            reason: Any = check.process_view(request, _nothing, (), {})
            if reason:
                if not check.is_from_here(request):
                    return csrf_failure(request, reason=str(reason))
                request.is_stale = True  # type: ignore[attr-defined]
        response = view(request, *args, **kwargs)
        add_never_cache_headers(response)
        return response

    return kept


def is_stale(request: HttpRequest) -> bool:
    """Whether the form's proof has run out."""
    return bool(getattr(request, "is_stale", False))


def _nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def keep_draft(request: PlayerRequest) -> bool:
    """Keep the form that was sent until its writer has signed in; False if this device has kept too many."""
    if not limits.take(f"rules-draft:{limits.address_of(request)}", rate=_KEPT_AN_HOUR, per=3600, burst=_KEPT_AN_HOUR):
        return False
    request.session[_DRAFT] = {"path": request.path, "form": request.POST.urlencode()}
    return True


def kept_draft(request: PlayerRequest) -> QueryDict | None:
    """The form that was kept for this address, if any."""
    kept = request.session.get(_DRAFT)
    return QueryDict(kept["form"]) if isinstance(kept, dict) and kept.get("path") == request.path else None


def forget_draft(request: PlayerRequest) -> None:
    """It was sent, or is not wanted any more."""
    if _DRAFT in request.session:
        del request.session[_DRAFT]


def note_sent(request: PlayerRequest) -> None:
    """Remember that this form arrived, so that the page's script can drop what it kept of it."""
    forget_draft(request)
    try:
        number = str(UUID(request.POST.get("form", "")))
    except ValueError:
        return
    request.session[_SENT] = [*request.session.get(_SENT, []), number][-_SENT_KEPT:]


def sent_forms(request: PlayerRequest) -> str:
    """The numbers of the forms that arrived of late, for the page's script."""
    return " ".join(request.session.get(_SENT, []))
