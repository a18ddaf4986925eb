"""Changing, translating and creating pages: everybody suggests, editors publish; `rules.services` decides."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from accounts.services import ensure_player
from core import limits
from core.exceptions import Refusal
from core.http import require_safe_or_post, whole_number
from rules import documents, forms, selectors, services
from rules.documents import BadDocument, Problem
from rules.documents.comparing import compare
from rules.exceptions import Conflict
from rules.markup import troubles
from rules.models import Entry, Redirect, Revision, Suggestion
from rules.selectors import Named
from rules.terms import reading_language
from rules.views.editing_base import (
    FormResult,
    Sent,
    forget_draft,
    is_stale,
    keep_draft,
    kept_draft,
    note_sent,
    rendered,
    sent,
    show,
    shows_stale_form_again,
)

_LOOKS_A_MINUTE: Final = 40
_MOST_LETTERS: Final = 120
"""The length to which a word in the address of the form is cut."""
_TOO_FAST: Final = gettext_lazy("That was quick: the preview rests for a moment. Your text is safe.")
_NOT_A_SLUG: Final = re.compile(r"[^a-z0-9]+")


@shows_stale_form_again
@require_safe_or_post
def edit(request: PlayerRequest, kind: str, key: str, language: str = "") -> HttpResponseBase:
    """The form for one page: show what is published, and handle what somebody submits."""
    if kind == Entry.Kind.ARTICLE and not language:
        return redirect("rules:edit", kind, key, reading_language())
    named = selectors.find_entry(kind, key, language)
    if named is None:
        raise Http404
    return _form(request, kind, named, lambda: _opened_form(request, named))


@shows_stale_form_again
@require_safe_or_post
def new(request: PlayerRequest, kind: str) -> HttpResponseBase:
    document: dict[str, Any] = {"terms": [{}, {}]} if kind == Entry.Kind.CONCEPT else {}
    if request.GET.get("sort") == "phrase" and kind == Entry.Kind.CONCEPT:
        document |= {"sort": "phrase", "theme": "talk"}
    word = " ".join(request.GET.get("word", "")[:_MOST_LETTERS].split())
    if word and kind == Entry.Kind.CONCEPT:  # somebody searched for it and found nothing
        document["terms"] = [{"text": word}]
    return _form(request, kind, None, lambda: Sent(document))


def _form(request: PlayerRequest, kind: str, named: Named | None, opened: Callable[[], Sent]) -> HttpResponseBase:
    """Handle a submitted form, or show the draft kept before signing in, or else the form that `opened` returns."""
    if request.method == "POST":
        return _respond(request, kind, named, sent(kind, named, request.POST))
    draft = kept_draft(request)
    if draft is not None:
        return show(request, kind, named, sent(kind, named, draft), FormResult(kept=True))
    return show(request, kind, named, opened())


@require_POST
def preview(request: PlayerRequest, key: str, language: str) -> HttpResponse:
    """An article's text as its readers would see it, with its errors, for the page's script."""
    if not _may_preview(request):
        return render(request, "rules/editing/_preview.html", {"answer": FormResult(message=_TOO_FAST)}, status=429)
    named = selectors.find_entry(Entry.Kind.ARTICLE, key, language)
    document = forms.document_of(Entry.Kind.ARTICLE, request.POST)
    shown = rendered(named, document, language if language in selectors.SITE_LANGUAGES else settings.LANGUAGE_CODE)
    context = {"answer": FormResult(preview=shown), "written_in": language}
    return render(request, "rules/editing/_preview.html", context)


def _may_preview(request: PlayerRequest) -> bool:
    """Count a preview or comparison. Returns whether this person, or this address, may have it now."""
    who = request.visit.player.pk if request.visit.player else address_of(request)
    return limits.take(f"rules-preview:{who}", rate=_LOOKS_A_MINUTE, per=60)


def _opened_form(request: PlayerRequest, named: Named) -> Sent:
    """The form as opened: with what is published, with a suggestion, or, for a new translation, with its source."""
    number = whole_number(request.GET.get("suggestion", ""), 15)
    if number is not None and named.entry is not None:
        suggestion = (
            Suggestion.objects.filter(pk=number, entry=named.entry, state=Suggestion.State.OPEN)
            .select_related("base")
            .first()
        )
        if suggestion is not None and _may_take_up(request, named, suggestion):
            return _from_suggestion(named, suggestion)
    if named.published is None and named.source is not None:
        return Sent({**named.source.document, "draft": True}, says=named.source)
    return Sent(named.document, base=named.published)


def _may_take_up(request: PlayerRequest, named: Named, suggestion: Suggestion) -> bool:
    player = request.visit.player
    return player is not None and (
        suggestion.author_id == player.pk
        or selectors.standing(player, named.kind, named.language, suggestion.entry.protection).is_editor
    )


def _from_suggestion(named: Named, suggestion: Suggestion) -> Sent:
    """The form with a suggestion, applied to what is published now."""
    document, base = suggestion.document, suggestion.base
    if named.published is not None and named.published != base:
        merge = documents.merge(named.kind, base.document if base else {}, document, named.document)
        document, base = merge.draft, named.published
    return Sent(document, base=base, comment=suggestion.comment, suggestion=suggestion, says=suggestion.follows)


# --- Submitted forms --------------------------------------------------------------------------------------------------


def _respond(request: PlayerRequest, kind: str, named: Named | None, form: Sent) -> HttpResponseBase:
    if is_stale(request):
        message = _("This form was opened before you signed in. Your text is still here: press the button once more.")
        return show(request, kind, named, form, FormResult(403, "stale", message))
    row_path = forms.act_on_rows(kind, form.document, request.POST)
    if row_path:
        return show(request, kind, named, form, FormResult(show=row_path))
    do = request.POST.get("do", "")
    if do == "drop":
        forget_draft(request)
        return redirect(request.path)
    if do in ("preview", "compare") and not _may_preview(request):
        return show(request, kind, named, form, FormResult(429, "too-fast", _TOO_FAST))
    if do == "preview":
        language = named.language if named else reading_language()
        return show(request, kind, named, form, FormResult(preview=rendered(named, form.document, language)))
    try:
        if do == "compare":
            clean = documents.check(kind, form.document)
            before = form.base.document if form.base else {}
            return show(request, kind, named, form, FormResult(comparison=compare(kind, before, clean)))
        if do in ("publish", "suggest"):
            return _submit(request, kind, named, form, publishes=do == "publish")
    except Conflict as conflict:
        form.document, form.base = conflict.merge.draft, conflict.theirs
        return show(request, kind, named, form, _refusal(conflict))
    except Refusal as refusal:
        return show(request, kind, named, form, _refusal(refusal))
    return show(request, kind, named, form)


def _refusal(refused: Refusal) -> FormResult:
    return FormResult(
        refused.status,
        refused.code,
        refused.message,
        problems=refused.problems if isinstance(refused, BadDocument) else (),
        conflict=refused if isinstance(refused, Conflict) else None,
    )


def _submit(request: PlayerRequest, kind: str, named: Named | None, form: Sent, *, publishes: bool) -> HttpResponseBase:
    """Publish or suggest. Raises Refusal."""
    # A user who has done nothing yet may have no player.
    player = (request.visit.player or ensure_player(request)) if request.user.is_authenticated else None
    if player is None:
        kept = keep_draft(request)
        message = (
            _("Sign in, or make an account, to send this. Your text is kept meanwhile.")
            if kept
            else _("Sign in, or make an account, to send this. Keep a copy of your text first.")
        )
        return show(request, kind, named, form, FormResult(403, "sign-in", message))
    if form.lost_base:
        message = _("The version your text was made from is no longer known. Read it through, then send it again.")
        form.base = named.published if named else None
        form.lost_base = False
        return show(request, kind, named, form, FormResult(422, "base", message))
    clean = documents.check(kind, form.document)
    _check_reasons(form, named, clean, needs_reason=not (publishes and form.minor))
    if kind == Entry.Kind.ARTICLE and not form.anyway:
        language = named.language if named else reading_language()
        wrong = troubles(clean, language, key=named.key if named else "new")
        if wrong:
            message = _("Some of the text cannot be shown as intended. Correct it, or tick below to keep it as it is.")
            return show(request, kind, named, form, FormResult(422, "troubles", message, troubles=wrong))
    done = _publish_or_suggest(kind, named, form, clean, player, publishes=publishes)
    note_sent(request)
    return _redirect_after(request, done)


def _check_reasons(form: Sent, named: Named | None, clean: Mapping[str, Any], *, needs_reason: bool) -> None:
    problems = []
    if needs_reason and not form.comment.strip():
        problems.append(Problem("comment", _("Say in a few words what you changed, and why.")))
    untouched = named is not None and named.source is not None and named.source.document.get("text")
    if untouched and clean.get("text") == untouched:
        problems.append(Problem("text", _("This is still the text in English: write your translation over it.")))
    if problems:
        raise BadDocument(problems)


def _publish_or_suggest(
    kind: str, named: Named | None, form: Sent, clean: dict[str, Any], player: Player, *, publishes: bool
) -> Revision | Suggestion:
    entry = named.entry if named else None
    taken_up = form.suggestion if form.suggestion and form.suggestion.state == Suggestion.State.OPEN else None
    if publishes and taken_up is not None:
        answer = form.comment if form.comment != taken_up.comment else ""
        return services.accept(taken_up, by=player, document=clean, base=form.base, answer=answer, minor=form.minor)
    result: Revision | Suggestion
    # A new entry is only created together with its first revision or suggestion.
    with transaction.atomic() if entry is None else nullcontext():
        entry = entry or _new_entry(kind, named, form, clean)
        if publishes:
            result = services.publish(
                entry, clean, by=player, base=form.base, comment=form.comment, minor=form.minor, follows=form.says
            )
        else:
            result = services.suggest(entry, clean, by=player, base=form.base, comment=form.comment, follows=form.says)
    if isinstance(result, Suggestion) and taken_up is not None and taken_up.author_id == player.pk:
        services.withdraw(taken_up, by=player)
    return result


def _redirect_after(request: PlayerRequest, done: Revision | Suggestion) -> HttpResponseBase:
    if isinstance(done, Suggestion):
        messages.success(request, _("Thank you. An editor will look at your suggestion."))
        return redirect("rules:suggestion", done.pk)
    messages.success(request, _("Published."))
    entry = done.entry
    address = selectors.address(entry) if entry.language in ("", reading_language()) else ""
    return redirect(address) if address else redirect("rules:history", *entry.args)


def _new_entry(kind: str, named: Named | None, form: Sent, clean: Mapping[str, Any]) -> Entry:
    if named is not None:
        return services.new_entry(kind, named.key, named.language)
    language = reading_language() if kind == Entry.Kind.ARTICLE else ""
    return services.new_entry(kind, form.key or _free_key(kind, clean), language)


def _free_key(kind: str, document: Mapping[str, Any]) -> str:
    """A key for a new page, made from its title; with a number if it is taken."""
    if kind == Entry.Kind.CONCEPT:
        name = next((t["text"] for t in document["terms"] if t["lang"] == "en"), document["terms"][0]["text"])
        stem = f"{'phrases' if document.get('sort') == 'phrase' else 'words'}.{_slug(name)}"
    elif kind == Entry.Kind.SOURCE:
        author = str(document.get("author", "")).partition(",")[0].rpartition(" ")[2]
        stem = _slug(f"{author} {document.get('year', '')}" if author else document["title"])
    else:
        stem = _slug(selectors.title(kind, document, "", key=""))
    number, key = 1, stem
    while _is_taken(kind, key):
        number += 1
        key = f"{stem}-{number}"
    return key


def _is_taken(kind: str, key: str) -> bool:
    """Whether something is published or suggested under this key, or another page has the address that it would get."""
    in_use = Q(published__isnull=False) | Q(suggestions__state=Suggestion.State.OPEN)
    address = {"kind": kind, "slug": services.default_slug(kind, key)}
    return (
        Entry.objects.filter(in_use, kind=kind, key=key).exists()
        or Entry.objects.filter(**address).exclude(key=key).exists()
        or Redirect.objects.filter(**address).exclude(key=key).exists()
    )


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _NOT_A_SLUG.sub("-", letters).strip("-")[:60].strip("-") or "page"
