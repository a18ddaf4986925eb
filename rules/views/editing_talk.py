"""The discussion of a page: of an article in all its languages together, of a question box in it, of a word."""

from __future__ import annotations

import re
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import roles
from accounts.guests import ensure_player
from accounts.visits import PlayerRequest
from rules import door, entries
from rules.documents import BadDocument
from rules.models import COMMENT_LENGTH, Entry, Remark
from rules.refused import Refused
from rules.terms import SOURCE_LANGUAGE
from rules.views.editing_desk import leaf, tell
from rules.views.editing_form import reader
from rules.views.editing_kept import is_stale, keep_draft, keeps_what_was_typed, kept_draft, note_sent

_EACH: Final = 50
_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@keeps_what_was_typed
@require_http_methods(["GET", "HEAD", "POST"])
def talk(request: PlayerRequest, kind: str, key: str) -> HttpResponseBase:
    """Remarks in the order they were made, and a field for another one. `question` narrows it to a question box."""
    about = list(Entry.objects.filter(kind=kind, key=key).select_related("published"))
    if not about:
        raise Http404
    draft = kept_draft(request) if request.method != "POST" else None
    data: QueryDict = request.POST if request.method == "POST" else (draft or QueryDict())
    question = data.get("question", "") or request.GET.get("question", "")
    question = question if _ID.fullmatch(question[:80]) else ""
    text, status, said = data.get("text", ""), 200, ""
    if request.method == "POST":
        if is_stale(request):
            status, said = 403, _("This page was opened before you signed in. Press the button once more.")
        elif not request.user.is_authenticated:
            keep_draft(request)
            status, said = 403, _("Sign in, or make an account, to take part. Your text is kept meanwhile.")
        else:
            try:
                made = door.remark(kind, key, text, by=ensure_player(request), question=question)
            except Refused as refused:
                status, said = refused.status, _reason(refused)
            else:
                note_sent(request)
                messages.success(request, _("Your remark stands below."))
                return redirect(f"{_address(kind, key, question)}#remark-{made.pk}")
    context = _context(request, about, question) | {"text": text, "said": said, "kept": draft is not None}
    return render(request, "rules/editing/talk.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hide(request: PlayerRequest, number: int) -> HttpResponseBase:
    """Take a remark out of sight, with a reason."""
    remark = Remark.objects.filter(pk=number).select_related("author").first()
    if remark is None or not roles.languages(request.player):
        raise Http404
    assert request.player is not None
    status = 200
    if request.method == "POST":
        try:
            door.hide_remark(remark, by=request.player, why=request.POST.get("why", ""))
        except Refused as refused:
            tell(request, refused)
            status = refused.status
        else:
            messages.success(request, _("Hidden. Its text is kept for editors."))
            return redirect(_address(remark.kind, remark.key, ""))
    context = {"remark": remark, "why": request.POST.get("why", ""), "most": COMMENT_LENGTH}
    return render(request, "rules/editing/hide.html", context, status=status)


def _reason(refused: Refused) -> str:
    said = [str(problem.message) for problem in refused.problems] if isinstance(refused, BadDocument) else []
    return " ".join(said) or str(refused.message)


def _address(kind: str, key: str, question: str) -> str:
    address = reverse("rules:talk", args=[kind, key])
    return f"{address}?question={question}" if question else address


def _context(request: PlayerRequest, about: list[Entry], question: str) -> dict[str, Any]:
    by_language = {entry.language: entry for entry in about}
    entry = by_language.get(reader()) or by_language.get(SOURCE_LANGUAGE) or about[0]
    document = entry.published.document if entry.published else {}
    remarks = Remark.objects.filter(kind=entry.kind, key=entry.key).select_related("author", "hidden_by")
    if question:
        remarks = remarks.filter(question=question)
    page = leaf(remarks.order_by("at"), request.GET.get("page", "") or "1", each=_EACH)
    titles = {row.question: _question_title(document, row.question) for row in page if row.question}
    return {
        "entry": entry,
        "kind": entry.kind,
        "key": entry.key,
        "title": entries.title(entry.kind, document, reader(), key=entry.key),
        "address": entries.address(entry),
        "page": page,
        "remarks": [(row, titles.get(row.question, "")) for row in page],
        "question": question,
        "question_title": _question_title(document, question) if question else "",
        "is_member": request.player is not None and request.player.is_member,
        "is_editor": bool(roles.languages(request.player)),
        "most": door.REMARK_LENGTH,
        "login_next": request.get_full_path(),
    }


def _question_title(document: dict[str, Any], question: str) -> str:
    """What a question box of an article asks; its id where the box is gone."""
    found = re.search(
        rf'^::: question {re.escape(question)}[ \t]*\n(?:(?!:::).*\n)*?title *= *"([^"\n]+)"',
        str(document.get("text", "")),
        re.MULTILINE,
    )
    return found[1] if found else question
