"""The form by which a page is changed: what it holds, what was sent with it, and how it is shown again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.middleware import PlayerRequest
from core.http import whole_number
from rules import forms, selectors
from rules.documents import Problem, label_of
from rules.documents.comparing import Comparison, compare, compare_texts
from rules.exceptions import Conflict
from rules.forms.layout import Choices, datalist_html
from rules.forms.parts import Part, anchor
from rules.markup import Trouble
from rules.markup import render as render_markup
from rules.models import Entry, Revision, Suggestion
from rules.selectors import Named
from rules.services import editing
from rules.views.editing_base import sent_forms


def reader() -> str:
    """The language of who reads the page."""
    return get_language() or settings.LANGUAGE_CODE


@dataclass(slots=True)
class Sent:
    """What the form holds, from the published revision or from what somebody sent."""

    document: dict[str, Any]
    base: Revision | None = None
    """The revision that the text was made from."""
    comment: str = ""
    minor: bool = False
    says: Revision | None = None
    """Of a translation: the revision of its source that it now says."""
    suggestion: Suggestion | None = None
    """What it was made from, for an editor who changes it before accepting, or for its author."""
    anyway: bool = False
    """Whether it shall be kept although something in it cannot be shown."""
    key: str = ""
    """Of a new page, if its writer chose one."""
    number: str = field(default_factory=lambda: str(uuid4()))
    """Of this form: what the browser keeps of it is dropped when it has arrived."""
    lost_base: bool = False


def sent(kind: str, named: Named | None, data: QueryDict) -> Sent:
    """What a form sent; nothing in it is believed yet."""
    entry = named.entry if named else None
    base = _revision(data.get("base", ""), entry)
    source = named.source.entry if named and named.source else None
    wanted = data.get("suggestion", "")
    found = Suggestion.objects.filter(pk=int(wanted), entry=entry).first() if entry and _number(wanted) else None
    return Sent(
        document=forms.document_of(kind, data),
        base=base,
        comment=data.get("comment", ""),
        minor=bool(data.get("minor")),
        says=_revision(data.get("says", ""), source),
        suggestion=found,
        anyway=bool(data.get("anyway")),
        key=data.get("key", "").strip(),
        number=data.get("form", "")[:36] or str(uuid4()),
        lost_base=base is None and bool(data.get("base")),
    )


def _number(text: str) -> bool:
    return whole_number(text, 15) is not None


def _revision(text: str, entry: Entry | None) -> Revision | None:
    if entry is None or not _number(text):
        return None
    return Revision.objects.filter(pk=int(text), entry=entry).first()


@dataclass(slots=True)
class Answer:
    """What the page says about a form that was sent: why it was not done, or what it would do."""

    status: int = 200
    code: str = ""
    message: str | Promise = ""
    problems: Sequence[Problem] = ()
    troubles: Sequence[Trouble] = ()
    conflict: Conflict | None = None
    preview: Any = None
    comparison: Comparison | None = None
    show: str = ""
    """The path of the row to go on at."""
    kept: bool = False
    """Whether the text comes from before."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A place that two people changed, for the page: both texts beside what they were."""

    label: str
    mine: Comparison
    theirs: Comparison


def show(
    request: PlayerRequest, kind: str, named: Named | None, form: Sent, answer: Answer | None = None
) -> HttpResponse:
    """The page with the form; `named` is None for a new page."""
    answer = answer or Answer()
    language = named.language if named else ""
    entry = named.entry if named else None
    choices = Choices(reader())
    parts, more = forms.parts_of(kind, form.document, choices, answer.problems)
    standing = selectors.standing(
        request.visit.player, kind, language or reader(), entry.protection if entry else Entry.Protection.OPEN
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
        "told": _told(kind, answer.problems, form.document, (*parts, *more)),
        "clashes": _clashes(answer.conflict),
        "standing": standing,
        "words": datalist_html("known-words", choices.words) if kind == Entry.Kind.CONCEPT else "",
        "staleness": editing.staleness(entry) if entry else None,
        "since": _since(named),
        "waiting": _waiting(entry),
        "sent_forms": sent_forms(request),
        "address": selectors.address(entry) if entry else "",
        "login_next": request.get_full_path(),
        "preview_url": reverse("rules:preview", args=named.args[1:] if named else ["new", reader()])
        if kind == Entry.Kind.ARTICLE
        else "",
    }
    return render(request, "rules/editing/edit.html", context, status=answer.status)


def rendered(named: Named | None, document: Mapping[str, Any], language: str) -> Any:
    """An article's text as its readers would see it, with what is wrong in it."""
    return render_markup(document, language, key=named.key if named else "new", preview=True, reader=reader())


def _title(kind: str, named: Named | None) -> str:
    if named is None:
        return {
            Entry.Kind.CONCEPT: _("A new word"),
            Entry.Kind.SOURCE: _("A new source"),
            Entry.Kind.PLACE: _("A new place"),
        }.get(Entry.Kind(kind), _("A new page"))
    document = named.document or (named.source.document if named.source else {})
    return selectors.title(kind, document, reader(), key=named.key)


def _told(
    kind: str, problems: Sequence[Problem], document: Mapping[str, Any], parts: Sequence[Part]
) -> list[tuple[str, str, str]]:
    """Each problem with the label of its field and the id of its control."""
    told = []
    for problem in problems:
        own = {"comment": _("Why"), "key": _("Short name")}.get(problem.field)
        at = f"f-{problem.field}" if own else anchor(problem.field, parts)
        told.append((own or label_of(kind, problem.field, document), at, str(problem.message)))
    return told


def _clashes(conflict: Conflict | None) -> list[Clash]:
    found = []
    for each in conflict.merge.conflicts if conflict else ():
        base, mine, theirs = (_as_text(value) for value in (each.base, each.mine, each.theirs))
        found.append(Clash(each.label, compare_texts(base, mine), compare_texts(base, theirs)))
    return found


def _as_text(value: Any) -> str:
    """Any value of a document as a reader can compare it."""
    if isinstance(value, Mapping):
        return "\n".join(f"{name}: {_as_text(part)}" for name, part in value.items())
    if isinstance(value, list):
        return "\n".join(map(_as_text, value))
    return "" if value is None else str(value)


def _since(named: Named | None) -> Comparison | None:
    """What changed in the source article since the translation followed it."""
    if named is None or named.source is None or named.published is None or named.published.follows is None:
        return None
    if named.published.follows_id == named.source.pk:
        return None
    found = compare(named.kind, named.published.follows.document, named.source.document)
    return None if found.is_empty else found


def _waiting(entry: Entry | None) -> int:
    return entry.suggestions.filter(state=Suggestion.State.OPEN).count() if entry else 0
