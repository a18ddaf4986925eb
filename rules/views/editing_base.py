"""What the editors' pages share: tabs, finding the page at an address, refusals, and the form of a page.

Nothing that was typed is lost: forms survive an expired login, an expired CSRF token, and a text that is too long. A form
sent by somebody who is not signed in is kept in their session, and offered again once they have signed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure
from django.views.decorators.csrf import csrf_exempt

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from core import limits
from core.exceptions import Refusal
from core.http import whole_number
from core.registry import Registry
from rules import forms, selectors, services
from rules.documents import BadDocument, Problem, label_of
from rules.documents.comparing import Comparison, compare, compare_texts
from rules.exceptions import Conflict
from rules.forms import Choices, Part, datalist_html, message_at, part_at
from rules.markup import Trouble
from rules.markup import render as render_markup
from rules.models import Entry, Revision, Suggestion
from rules.selectors import Named
from rules.terms import reading_language

also_waiting: Final = Registry[Callable[[], int]]()
"""Each counts something else that waits for editors, besides suggestions."""


@dataclass(frozen=True, slots=True)
class Tab:
    name: str
    address: str
    is_current: bool
    count: int = 0


def tabs_for(request: PlayerRequest, current: str = "") -> list[Tab]:
    """Tabs for the editors’ pages that this reader may see; `current` is the name of the one that is shown."""
    player = request.visit.player
    tabs = [Tab(_("Recent changes"), reverse("rules:changes"), current == "changes")]
    if player is not None and player.is_member:
        tabs.append(Tab(_("My suggestions"), reverse("rules:suggestions"), current == "suggestions"))
    if account_permissions.languages(player):
        waiting = Suggestion.objects.filter(state=Suggestion.State.OPEN).count() + sum(more() for more in also_waiting)
        tabs.append(Tab(_("Suggestions to look at"), reverse("rules:queue"), current == "queue", waiting))
    if account_permissions.may(player, account_permissions.ADMINISTRATOR):
        tabs.append(Tab(_("Roles"), reverse("rules:roles"), current == "roles"))
    return tabs


def named_or_404(kind: str, key: str, language: str) -> Named:
    """The page at an address. Raises Http404 if there is nothing, not even a suggestion."""
    named = selectors.find_entry(kind, key, language)
    if named is None or named.entry is None:
        raise Http404
    return named


def reason(refused: Refusal) -> str:
    problems = [str(problem.message) for problem in refused.problems] if isinstance(refused, BadDocument) else []
    return " ".join(problems) or str(refused.message)


def warn(request: PlayerRequest, refused: Refusal) -> None:
    """Show on the next page why something was refused."""
    messages.error(request, reason(refused))


def attempt(request: PlayerRequest, do: Callable[[], object], done: str) -> int:
    """Call `do`, and show the message `done` or the reason for a refusal on the next page. Returns the HTTP status."""
    try:
        do()
    except Refusal as refusal:
        warn(request, refusal)
        return refusal.status
    messages.success(request, done)
    return 200


def author_name(player: Player | None) -> str:
    return player.display_name if player else _("from the files")


def entry_title(entry: Entry, language: str, document: dict[str, Any] | None = None) -> str:
    if document is None:
        document = entry.published.document if entry.published else {}
    return selectors.title(entry.kind, document, language, key=entry.key)


_P = ParamSpec("_P")
_M = TypeVar("_M", bound=Model)
_View = Callable[Concatenate[PlayerRequest, _P], HttpResponseBase]

_DRAFT: Final = "rules.draft"
_SENT: Final = "rules.sent"
_SENT_KEPT: Final = 12
_KEPT_AN_HOUR: Final = 20


class _Reasons(CsrfViewMiddleware):
    """Django's CSRF check, returning what is wrong instead of a response, as REST frameworks do."""

    def _reject(self, request: HttpRequest, reason: str) -> str:
        return reason

    def is_from_here(self, request: HttpRequest) -> bool:
        """Whether the form was sent by a page of ours, according to the browser."""
        return "Origin" in request.headers and self._origin_verified(request)  # type: ignore[attr-defined]  # its stub leaves it out


def shows_stale_form_again(view: _View[_P]) -> _View[_P]:
    """Let a view show a form again as it was if its CSRF token is stale; the view must ask `is_stale` before acting.

    A token becomes stale when people sign in, in another window, after opening the form. A form sent by another site is
    refused as everywhere; for one that is too large, a page says so.
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
                request.is_stale = True  # type: ignore[attr-defined]  # read by the view that is called below
        response = view(request, *args, **kwargs)
        add_never_cache_headers(response)
        return response

    return kept


def is_stale(request: HttpRequest) -> bool:
    """Whether the form's CSRF token is stale, so that nothing may be done."""
    return bool(getattr(request, "is_stale", False))


def _nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def keep_draft(request: PlayerRequest) -> bool:
    """Keep the submitted form until its writer has signed in. Returns False if too many were kept from this address."""
    if not limits.take(f"rules-draft:{address_of(request)}", rate=_KEPT_AN_HOUR, per=3600):
        return False
    request.session[_DRAFT] = {"path": request.path, "form": request.POST.urlencode()}
    return True


def kept_draft(request: PlayerRequest) -> QueryDict | None:
    """The form that was kept for this address, if any."""
    kept = request.session.get(_DRAFT)
    return QueryDict(kept["form"]) if isinstance(kept, dict) and kept.get("path") == request.path else None


def forget_draft(request: PlayerRequest) -> None:
    """Forget the kept form, because it was sent or is no longer wanted."""
    request.session.pop(_DRAFT, None)


def note_sent(request: PlayerRequest) -> None:
    """Remember that this form arrived, so that the page's script can delete its copy."""
    forget_draft(request)
    try:
        number = str(UUID(request.POST.get("form", "")))
    except ValueError:
        return
    request.session[_SENT] = [*request.session.get(_SENT, []), number][-_SENT_KEPT:]


def sent_forms(request: PlayerRequest) -> str:
    """The numbers of the forms that arrived lately, for the page's script."""
    return " ".join(request.session.get(_SENT, []))


@dataclass(slots=True)
class Sent:
    """The content of a form, taken from the published revision or from what somebody submitted."""

    document: dict[str, Any]
    base: Revision | None = None
    """The revision that the text was made from."""
    comment: str = ""
    minor: bool = False
    says: Revision | None = None
    """For a translation: the revision of its source that it now corresponds to."""
    suggestion: Suggestion | None = None
    """The suggestion it was made from, for an editor who changes it before accepting, or for its author."""
    anyway: bool = False
    """Whether to keep the text although something in it cannot be shown."""
    key: str = ""
    """For a new page: the key that its writer chose, if any."""
    number: str = field(default_factory=lambda: str(uuid4()))
    """Identifies this form: the browser deletes its copy once the form has arrived."""
    lost_base: bool = False
    """Whether the form named a base that cannot be found."""


def sent(kind: str, named: Named | None, data: QueryDict) -> Sent:
    """The content of a submitted form; nothing in it has been checked yet."""
    entry = named.entry if named else None
    base = _row(Revision.objects.filter(entry=entry), data.get("base", ""))
    source = named.source.entry if named and named.source else None
    return Sent(
        document=forms.document_of(kind, data),
        base=base,
        comment=data.get("comment", ""),
        minor=bool(data.get("minor")),
        says=_row(Revision.objects.filter(entry=source), data.get("says", "")),
        suggestion=_row(Suggestion.objects.filter(entry=entry), data.get("suggestion", "")),
        anyway=bool(data.get("anyway")),
        key=data.get("key", "").strip(),
        number=data.get("form", "")[:36] or str(uuid4()),
        lost_base=base is None and bool(data.get("base")),
    )


def _row(rows: QuerySet[_M], text: str) -> _M | None:
    number = whole_number(text, 15)
    return rows.filter(pk=number).first() if number is not None else None


@dataclass(slots=True)
class FormResult:
    """What the page says about a submitted form: why it was refused, or what it would change."""

    status: int = 200
    code: str = ""
    message: str | Promise = ""
    problems: Sequence[Problem] = ()
    troubles: Sequence[Trouble] = ()
    conflict: Conflict | None = None
    preview: Any = None
    comparison: Comparison | None = None
    show: str = ""
    """The path of the row to continue at."""
    kept: bool = False
    """Whether the text was kept from before signing in."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A part of the document that two people changed: the change that each made, for the page."""

    label: str
    mine: Comparison
    theirs: Comparison


def show(
    request: PlayerRequest, kind: str, named: Named | None, form: Sent, result: FormResult | None = None
) -> HttpResponse:
    """The page with the form; `named` is None for a new page."""
    answer = result or FormResult()
    language = named.language if named else ""
    entry = named.entry if named else None
    choices = Choices(reading_language())
    parts, more = forms.parts_of(kind, form.document, choices, answer.problems)
    standing = selectors.standing(
        request.visit.player, kind, language or reading_language(), entry.protection if entry else Entry.Protection.OPEN
    )
    context = {
        "kind": kind,
        "kind_name": Entry.Kind(kind).label,
        "named": named,
        "entry": entry,
        "written_in": language,
        "title": _title(kind, named),
        "form": form,
        "parts": parts,
        "more": more,
        "answer": answer,
        "told": _problem_lines(kind, answer.problems, form.document, (*parts, *more)),
        "clashes": _clashes(answer.conflict),
        "standing": standing,
        "words": datalist_html("known-words", choices.words) if kind == Entry.Kind.CONCEPT else "",
        "staleness": services.staleness(entry) if entry else None,
        "since": _since(named),
        "waiting": _waiting(entry),
        "sent_forms": sent_forms(request),
        "address": selectors.address(entry) if entry else "",
        "login_next": request.get_full_path(),
        "preview_url": reverse("rules:preview", args=named.args[1:] if named else ["new", reading_language()])
        if kind == Entry.Kind.ARTICLE
        else "",
    }
    return render(request, "rules/editing/edit.html", context, status=answer.status)


def rendered(named: Named | None, document: Mapping[str, Any], language: str) -> Any:
    """An article's text as its readers would see it, with its errors."""
    return render_markup(document, language, key=named.key if named else "new", preview=True, reader=reading_language())


def _title(kind: str, named: Named | None) -> str:
    if named is None:
        return {
            Entry.Kind.CONCEPT: _("A new word"),
            Entry.Kind.SOURCE: _("A new source"),
            Entry.Kind.PLACE: _("A new place"),
        }.get(Entry.Kind(kind), _("A new page"))
    document = named.document or (named.source.document if named.source else {})
    return selectors.title(kind, document, reading_language(), key=named.key)


def _problem_lines(
    kind: str, problems: Sequence[Problem], document: Mapping[str, Any], parts: Sequence[Part]
) -> list[tuple[str, str, str]]:
    """Each problem with the label of its field and the id of its control."""
    lines = []
    for problem in problems:
        own = {"comment": _("What did you change, and why?"), "key": _("Short name")}.get(problem.field)
        part = None if own else part_at(problem.field, parts)
        at = f"f-{problem.field}" if own else part.id if part else ""
        lines.append((own or label_of(kind, problem.field, document), at, message_at(part, problem)))
    return lines


def _clashes(conflict: Conflict | None) -> list[Clash]:
    clashes = []
    for each in conflict.merge.conflicts if conflict else ():
        base, mine, theirs = (_as_text(value) for value in (each.base, each.mine, each.theirs))
        clashes.append(Clash(each.label, compare_texts(base, mine), compare_texts(base, theirs)))
    return clashes


def _as_text(value: Any) -> str:
    """Any value of a document as text that a reader can compare."""
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {_as_text(part)}" for name, part in value.items())
    if isinstance(value, list):
        return "\n".join(map(_as_text, value))
    return "" if value is None else str(value)


def _since(named: Named | None) -> Comparison | None:
    """What changed in the source article since the revision that the translation follows."""
    if named is None or named.source is None or named.published is None or named.published.follows is None:
        return None
    if named.published.follows_id == named.source.pk:
        return None
    comparison = compare(named.kind, named.published.follows.document, named.source.document)
    return None if comparison.is_empty else comparison


def _waiting(entry: Entry | None) -> int:
    return entry.suggestions.filter(state=Suggestion.State.OPEN).count() if entry else 0
