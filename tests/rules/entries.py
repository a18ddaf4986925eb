"""Published entries for tests, put there the way the files of the program are: revision, then projections."""

from __future__ import annotations

from typing import Any

from rules import documents, projections
from rules.models import Entry, Revision


def published(kind: str, key: str, document: dict[str, Any], language: str = "", *, slug: str = "") -> Entry:
    """An entry with one more published revision."""
    checked = documents.check(kind, document)
    entry, _made = Entry.objects.get_or_create(
        kind=kind, key=key, language=language, defaults={"slug": slug or key.removeprefix("words.").replace(".", "-")}
    )
    entry.revisions_made += 1
    entry.published = Revision.objects.create(
        entry=entry, number=entry.revisions_made, parent=entry.published, document=checked
    )
    entry.save()
    projections.project([(entry, checked)])
    return entry


def source(key: str, **document: Any) -> Entry:
    """A published source."""
    return published("source", key, {"title": key.capitalize(), "kind": "web", **document})


def word(key: str, *terms: dict[str, Any], games: tuple[str, ...] = (), **document: Any) -> Entry:
    """A published concept; a term needs `lang` and `text`."""
    rows = [{"status": "preferred", **term} for term in terms]
    return published("concept", key, {"theme": "play", "games": list(games), "terms": rows, **document})


def article(key: str, text: str, language: str = "en", **document: Any) -> Entry:
    """A published article."""
    return published("article", key, {"title": key.title(), "section": "games", "text": text, **document}, language)
