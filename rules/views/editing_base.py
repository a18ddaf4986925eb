"""What the pages of the writers' desk share: their tabs, finding what an address names, refusals, and leafing through lists.

Nothing that was typed is lost: forms survive a login that ran out, a proof that is stale, and a text that is too long.

A form sent by somebody who is not signed in is kept in their session, and offered again once they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure
from django.views.decorators.csrf import csrf_exempt

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from core import limits
from core.exceptions import Refusal
from core.http import whole_number
from rules import selectors
from rules.documents import BadDocument
from rules.models import Entry, Suggestion
from rules.selectors import Named

MOST_PAGES = 10_000


@dataclass(frozen=True, slots=True)
class Tab:
    """One page of the desk."""

    name: str
    address: str
    is_current: bool
    count: int = 0


def desk(request: PlayerRequest, current: str = "") -> list[Tab]:
    """The pages of the desk that this reader has; `current` is the name of the one that is shown."""
    player = request.visit.player
    tabs = [Tab(_("Recent changes"), reverse("rules:changes"), current == "changes")]
    if player is not None and player.is_member:
        tabs.append(Tab(_("My suggestions"), reverse("rules:suggestions"), current == "suggestions"))
    if account_permissions.languages(player):
        waiting = Suggestion.objects.filter(state=Suggestion.State.OPEN).count()
        tabs.append(Tab(_("Suggestions to look at"), reverse("rules:queue"), current == "queue", waiting))
    if account_permissions.may(player, account_permissions.ADMINISTRATOR):
        tabs.append(Tab(_("Roles"), reverse("rules:roles"), current == "roles"))
    return tabs


def named_or_404(kind: str, key: str, language: str) -> Named:
    """What an address names. Raises Http404 where there is nothing, not even a suggestion."""
    named = selectors.find_entry(kind, key, language)
    if named is None or named.entry is None:
        raise Http404
    return named


def leaf(rows: QuerySet[Any] | Sequence[Any], asked: str, *, each: int) -> Page[Any]:
    """One page of a list; the nearest for a number that is none."""
    return Paginator(rows, each).get_page(min(whole_number(asked, 5) or 1, MOST_PAGES))


def warn(request: PlayerRequest, refused: Refusal) -> None:
    """Say on the next page why something was not done."""
    said = [str(problem.message) for problem in refused.problems] if isinstance(refused, BadDocument) else []
    messages.error(request, " ".join(said) or str(refused.message))


def who(player: Player | None) -> str:
    """The name of who wrote something."""
    return player.display_name if player else _("from the files")


def entry_title(entry: Entry, language: str, document: dict[str, Any] | None = None) -> str:
    """What a page is called."""
    shown = document if document is not None else (entry.published.document if entry.published else {})
    return selectors.title(entry.kind, shown, language, key=entry.key)


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
    if not limits.take(f"rules-draft:{address_of(request)}", rate=_KEPT_AN_HOUR, per=3600, burst=_KEPT_AN_HOUR):
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
