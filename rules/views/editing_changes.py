"""Recent changes of the whole encyclopedia."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.visits import PlayerRequest
from rules.models import Entry, Revision
from rules.views.editing_desk import desk, entry_title, leaf
from rules.views.editing_form import reader

_EACH: Final = 50


@require_safe
def changes(request: PlayerRequest) -> HttpResponse:
    """What was published, the newest first; `language`, `kind` and `files` narrow or widen it, `page` leafs through it."""
    chosen = chosen_filters(request.GET)
    rows = filtered(chosen)
    page = leaf(rows, request.GET.get("page", ""), each=_EACH)
    query = urlencode(chosen)
    context = {
        "desk": desk(request, "changes"),
        "page": page,
        "rows": [(row, entry_title(row.entry, reader(), row.document)) for row in page],
        "languages": settings.LANGUAGES,
        "kinds": Entry.Kind.choices,
        "chosen": chosen,
        "query": query,
        "feed": f"{reverse('changes-feed')}?{urlencode({**chosen, 'in': reader()})}",
    }
    return render(request, "rules/editing/changes.html", context)


def chosen_filters(asked: QueryDict) -> dict[str, str]:
    """The filters that are asked for, as far as there are such."""
    language, kind = asked.get("language", ""), asked.get("kind", "")
    chosen = {
        "language": language if language in {code for code, _name in settings.LANGUAGES} else "",
        "kind": kind if kind in Entry.Kind.values else "",
        "files": "1" if asked.get("files") == "1" else "",
    }
    return {name: value for name, value in chosen.items() if value}


def filtered(chosen: dict[str, str]) -> QuerySet[Revision]:
    """The revisions that the filters let through, the newest first. Those of the files only where they are asked for.

    A language lets articles of it through, and what has all languages in one.
    """
    rows = Revision.objects.select_related("entry__published", "author", "published_by").order_by("-at", "-pk")
    if "files" not in chosen:
        rows = rows.filter(author__isnull=False)
    if "kind" in chosen:
        rows = rows.filter(entry__kind=chosen["kind"])
    if "language" in chosen:
        rows = rows.filter(Q(entry__language=chosen["language"]) | Q(entry__language=""))
    return rows
