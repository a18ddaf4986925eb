"""What became of a page: its revisions, one of them as it was, any two compared, and going back to one."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.guests import ensure_player
from accounts.visits import PlayerRequest
from rules import documents, door, entries
from rules.entries import Named
from rules.markup import render as render_markup
from rules.models import Entry, Revision
from rules.refused import Refused
from rules.views.editing_desk import leaf, named_or_404, tell
from rules.views.editing_form import reader
from rules.views.editing_kept import keeps_what_was_typed
from rules.writing.comparing import compare

_EACH: Final = 40


@require_safe
def history(request: PlayerRequest, kind: str, key: str, language: str = "") -> HttpResponseBase:
    """All revisions of a page, the newest first."""
    if kind == Entry.Kind.ARTICLE and not language:
        return redirect("rules:history", kind, key, reader())
    named = named_or_404(kind, key, language)
    assert named.entry is not None
    rows = named.entry.revisions.select_related("author", "published_by", "follows", "reverts_to").defer("document")
    page = leaf(rows.order_by("-number"), request.GET.get("page", ""), each=_EACH)
    return render(request, "rules/editing/history.html", _context(request, named) | {"page": page})


@require_safe
def revision(request: PlayerRequest, kind: str, key: str, number: int, language: str = "") -> HttpResponse:
    """One revision as it was."""
    named = named_or_404(kind, key, language)
    found = _revision(named, number)
    context = _context(request, named) | {"revision": found, "lines": documents.lines(kind, found.document)}
    if kind == Entry.Kind.ARTICLE:
        context["rendered"] = render_markup(found.document, language, key=key, reader=reader())
    return render(request, "rules/editing/revision.html", context)


@require_safe
def diff(request: PlayerRequest, kind: str, key: str, language: str = "") -> HttpResponse:
    """Two revisions side by side: `from` and `to` are their numbers; without `to` the newest, without `from` the one before."""
    named = named_or_404(kind, key, language)
    newest = named.published
    if newest is None:
        raise Http404
    after = _revision(named, _number(request.GET.get("to", ""), newest.number))
    before_number = _number(request.GET.get("from", ""), after.number - 1)
    before = _revision(named, before_number) if before_number > 0 else None
    if before is not None and before.number > after.number:
        before, after = after, before
    context = _context(request, named) | {
        "before": before,
        "after": after,
        "comparison": compare(kind, before.document if before else {}, after.document),
    }
    return render(request, "rules/editing/diff.html", context)


@keeps_what_was_typed
@require_http_methods(["POST"])
def revert(request: PlayerRequest, kind: str, key: str, number: int, language: str = "") -> HttpResponseBase:
    """Publish again what a revision said."""
    named = named_or_404(kind, key, language)
    found = _revision(named, number)
    assert named.entry is not None
    reason = request.POST.get("comment", "")
    status = 403
    player = ensure_player(request) if request.user.is_authenticated and not _is_stale(request) else None
    if player is None:
        messages.error(request, _("Sign in as an editor, then press the button once more."))
    else:
        try:
            door.revert(named.entry, found, by=player, comment=reason)
        except Refused as refused:
            tell(request, refused)
            status = refused.status
        else:
            messages.success(request, _("Published again."))
            return redirect("rules:history", *named.args)
    context = _context(request, named) | {
        "revision": found,
        "lines": documents.lines(kind, found.document),
        "reason": reason,
    }
    return render(request, "rules/editing/revision.html", context, status=status)


def _is_stale(request: PlayerRequest) -> bool:
    return bool(getattr(request, "is_stale", False))


def _revision(named: Named, number: int) -> Revision:
    assert named.entry is not None
    rows = named.entry.revisions.select_related("author", "published_by", "follows", "reverts_to")
    found = rows.filter(number=number).first() if 0 < number < 2**31 else None
    if found is None:
        raise Http404
    return found


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def _context(request: PlayerRequest, named: Named) -> dict[str, Any]:
    entry = named.entry
    assert entry is not None
    newest = named.published or entry.revisions.order_by("-number").first()
    document = newest.document if newest else {}
    return {
        "named": named,
        "entry": entry,
        "written_in": named.language,
        "title": entries.title(named.kind, document, reader(), key=named.key),
        "address": entries.address(entry),
        "standing": entries.standing(request.player, named.kind, named.language, entry.protection),
    }
