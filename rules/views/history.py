"""The history of a page, its revisions and its discussion; recent changes of the whole encyclopedia."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import permissions as account_permissions
from accounts.middleware import PlayerRequest
from accounts.services import ensure_player
from core.exceptions import Refusal
from core.http import page_of, require_safe_or_post, whole_number
from rules import documents, selectors, services
from rules.documents.comparing import compare
from rules.markup import render as render_markup
from rules.models import COMMENT_LENGTH, Entry, Remark, Revision
from rules.selectors import Named
from rules.terms import fallbacks, reading_language
from rules.views.editing_base import (
    attempt,
    entry_title,
    is_stale,
    keep_draft,
    kept_draft,
    named_or_404,
    note_sent,
    reason,
    shows_stale_form_again,
    tabs_for,
)

_EACH: Final = 40


@require_safe
def history(request: PlayerRequest, kind: str, key: str, language: str = "") -> HttpResponseBase:
    if kind == Entry.Kind.ARTICLE and not language:
        return redirect("rules:history", kind, key, reading_language())
    named = named_or_404(kind, key, language)
    assert named.entry is not None
    rows = named.entry.revisions.select_related("author", "published_by", "follows", "reverts_to").defer("document")
    page = page_of(request, rows.order_by("-number"), _EACH)
    return render(request, "rules/editing/history.html", _context(request, named) | {"page": page})


@require_safe
def revision(request: PlayerRequest, kind: str, key: str, number: int, language: str = "") -> HttpResponse:
    named = named_or_404(kind, key, language)
    found = _revision(named, number)
    context = _context(request, named) | {"revision": found, "lines": documents.lines(kind, found.document)}
    if kind == Entry.Kind.ARTICLE:
        context["rendered"] = render_markup(found.document, language, key=key, reader=reading_language())
    return render(request, "rules/editing/revision.html", context)


@require_safe
def diff(request: PlayerRequest, kind: str, key: str, language: str = "") -> HttpResponse:
    """Two revisions side by side: `from` and `to` are their numbers.

    Without `to` it is the newest revision, without `from` the one before `to`.
    """
    named = named_or_404(kind, key, language)
    newest = named.published
    if newest is None:
        raise Http404
    after_number = whole_number(request.GET.get("to", ""))
    after = _revision(named, newest.number if after_number is None else after_number)
    before_number = whole_number(request.GET.get("from", ""))
    if before_number is None:
        before_number = after.number - 1
    before = _revision(named, before_number) if before_number > 0 else None
    if before is not None and before.number > after.number:
        before, after = after, before
    context = _context(request, named) | {
        "before": before,
        "after": after,
        "comparison": compare(kind, before.document if before else {}, after.document),
    }
    return render(request, "rules/editing/diff.html", context)


@shows_stale_form_again
@require_http_methods(["POST"])
def revert(request: PlayerRequest, kind: str, key: str, number: int, language: str = "") -> HttpResponseBase:
    named = named_or_404(kind, key, language)
    target = _revision(named, number)
    assert named.entry is not None
    comment = request.POST.get("comment", "")
    status = 403
    player = ensure_player(request) if request.user.is_authenticated and not is_stale(request) else None
    if player is None:
        messages.error(request, _("Sign in as an editor, then press the button once more."))
    else:
        revert = partial(services.revert, named.entry, target, by=player, comment=comment)
        status = attempt(request, revert, _("Published again."))
        if status == 200:
            return redirect("rules:history", *named.args)
    context = _context(request, named) | {
        "revision": target,
        "lines": documents.lines(kind, target.document),
        "reason": comment,
    }
    return render(request, "rules/editing/revision.html", context, status=status)


def _revision(named: Named, number: int) -> Revision:
    assert named.entry is not None
    rows = named.entry.revisions.select_related("author", "published_by", "follows", "reverts_to")
    found = rows.filter(number=number).first() if 0 < number < 2**31 else None
    if found is None:
        raise Http404
    return found


def _context(request: PlayerRequest, named: Named) -> dict[str, Any]:
    entry = named.entry
    assert entry is not None
    newest = named.published or entry.revisions.order_by("-number").first()
    document = newest.document if newest else {}
    return {
        "named": named,
        "entry": entry,
        "written_in": named.language,
        "title": selectors.title(named.kind, document, reading_language(), key=named.key),
        "address": selectors.address(entry),
        "standing": selectors.standing(request.visit.player, named.kind, named.language, entry.protection),
    }


_CHANGES_EACH: Final = 50


@require_safe
def changes(request: PlayerRequest) -> HttpResponse:
    """What was published, the newest first; `language`, `kind` and `files` filter it, `page` counts from 1."""
    chosen = chosen_filters(request.GET)
    rows = filtered(chosen)
    page = page_of(request, rows, _CHANGES_EACH)
    context = {
        "tabs": tabs_for(request, "changes"),
        "page": page,
        "rows": [(row, entry_title(row.entry, reading_language(), row.document)) for row in page],
        "languages": settings.LANGUAGES,
        "kinds": Entry.Kind.choices,
        "chosen": chosen,
        "feed": f"{reverse('changes-feed')}?{urlencode({**chosen, 'in': reading_language()})}",
    }
    return render(request, "rules/editing/changes.html", context)


_PAGE: Final = re.compile(r"(?:article|concept|source|place):[a-z0-9.-]{1,80}(?::[a-z]{2,3}(?:-[a-z]{2,8})?)?")


def chosen_filters(query: QueryDict) -> dict[str, str]:
    """The valid filters in a query, without empty ones."""
    language, kind = query.get("language", ""), query.get("kind", "")
    chosen = {
        "language": language if language in {code for code, _name in settings.LANGUAGES} else "",
        "kind": kind if kind in Entry.Kind.values else "",
        "files": "1" if query.get("files") == "1" else "",
        "page": query.get("page", "") if _PAGE.fullmatch(query.get("page", "")) else "",
    }
    return {name: value for name, value in chosen.items() if value}


def filtered(chosen: dict[str, str]) -> QuerySet[Revision]:
    """The revisions that match the filters, the newest first; those from files only if `files` is chosen.

    `page` (`concept:words.scart`, `article:troccas:de`) selects all revisions of one page. A language selects its
    articles, and the kinds that have all languages in one document.
    """
    rows = Revision.objects.select_related("entry__published", "author", "published_by").order_by("-at", "-pk")
    if "page" in chosen:
        kind, key, *language = chosen["page"].split(":")
        return rows.filter(entry__kind=kind, entry__key=key, entry__language="".join(language))
    if "files" not in chosen:
        rows = rows.filter(author__isnull=False)
    if "kind" in chosen:
        rows = rows.filter(entry__kind=chosen["kind"])
    if "language" in chosen:
        rows = rows.filter(Q(entry__language=chosen["language"]) | Q(entry__language=""))
    return rows


_REMARKS_EACH: Final = 50
_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@shows_stale_form_again
@require_safe_or_post
def talk(request: PlayerRequest, kind: str, key: str) -> HttpResponseBase:
    """Remarks in the order they were made, and a field for another one. `question` restricts them to a question box."""
    about = list(Entry.objects.filter(kind=kind, key=key).select_related("published"))
    if not about:
        raise Http404
    draft = kept_draft(request) if request.method != "POST" else None
    data: QueryDict = request.POST if request.method == "POST" else (draft or QueryDict())
    question = data.get("question", "") or request.GET.get("question", "")
    question = question if _ID.fullmatch(question[:80]) else ""
    text, status, error = data.get("text", ""), 200, ""
    if request.method == "POST":
        if is_stale(request):
            status, error = 403, _("This page was opened before you signed in. Press the button once more.")
        elif not request.user.is_authenticated:
            keep_draft(request)
            status, error = 403, _("Sign in, or make an account, to take part. Your text is kept meanwhile.")
        else:
            try:
                remark = services.remark(kind, key, text, by=ensure_player(request), question=question)
            except Refusal as refusal:
                status, error = refusal.status, reason(refusal)
            else:
                note_sent(request)
                messages.success(request, _("Your remark is below."))
                last = -(-_remarks(kind, key, question).count() // _REMARKS_EACH)
                return redirect(f"{_address(kind, key, question, last)}#remark-{remark.pk}")
    context = _talk_context(request, about, question) | {"text": text, "said": error, "kept": draft is not None}
    return render(request, "rules/editing/talk.html", context, status=status)


@never_cache
@require_safe_or_post
def hide(request: PlayerRequest, number: int) -> HttpResponseBase:
    remark = Remark.objects.filter(pk=number).select_related("author").first()
    if remark is None or not account_permissions.languages(request.visit.player):
        raise Http404
    assert request.visit.player is not None
    status = 200
    if request.method == "POST":
        hide = partial(services.hide_remark, remark, by=request.visit.player, why=request.POST.get("why", ""))
        status = attempt(request, hide, _("Hidden. Its text is kept for editors."))
        if status == 200:
            return redirect(_address(remark.kind, remark.key, ""))
    context = {"remark": remark, "why": request.POST.get("why", ""), "most": COMMENT_LENGTH}
    return render(request, "rules/editing/hide.html", context, status=status)


def _address(kind: str, key: str, question: str, page: int = 1) -> str:
    query = {"question": question} if question else {}
    return reverse("rules:talk", args=[kind, key], query=query | ({"page": page} if page > 1 else {}))


def _remarks(kind: str, key: str, question: str) -> QuerySet[Remark]:
    """The remarks on an entry, or on one of its question boxes, oldest first."""
    remarks = Remark.objects.filter(kind=kind, key=key).order_by("at", "pk")
    return remarks.filter(question=question) if question else remarks


def _talk_context(request: PlayerRequest, about: list[Entry], question: str) -> dict[str, Any]:
    """What `talk.html` needs: a page of the remarks, and what they are about."""
    by_language = {entry.language: entry for entry in about}
    entry = next((by_language[code] for code in fallbacks(reading_language()) if code in by_language), about[0])
    document = entry.published.document if entry.published else {}
    remarks = _remarks(entry.kind, entry.key, question).select_related("author", "hidden_by")
    page = page_of(request, remarks, _REMARKS_EACH)
    titles = {row.question: _question_title(document, row.question) for row in page if row.question}
    return {
        "entry": entry,
        "kind": entry.kind,
        "key": entry.key,
        "title": selectors.title(entry.kind, document, reading_language(), key=entry.key),
        "address": selectors.address(entry),
        "page": page,
        "remarks": [(row, titles.get(row.question, "")) for row in page],
        "question": question,
        "question_title": _question_title(document, question) if question else "",
        "is_member": request.visit.player is not None and request.visit.player.is_member,
        "is_editor": bool(account_permissions.languages(request.visit.player)),
        "most": services.REMARK_LENGTH,
        "login_next": request.get_full_path(),
    }


def _question_title(document: dict[str, Any], question: str) -> str:
    """What a question box of an article asks; its id if the box no longer exists."""
    found = re.search(
        rf'^::: question {re.escape(question)}[ \t]*\n(?:(?!:::).*\n)*?title *= *"([^"\n]+)"',
        str(document.get("text", "")),
        re.MULTILINE,
    )
    return found[1] if found else question
