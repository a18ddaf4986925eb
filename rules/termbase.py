"""Keeps the names that screens use in step with the published words.

`refresh` looks whether words were published since, at most every few seconds, and then reads anew the concepts that the
program itself speaks of (those of `content/cards.toml`, `words.toml` and the phrase book; everything else is read where it
is shown). The middleware and the worker call it, never a name look-up. A published concept stands before its file,
deprecated terms are no names, and what is not published comes from the file (`rules.terms`).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from django.db import DatabaseError, transaction
from django.db.models import BigIntegerField, F, Value
from django.db.models.functions import Greatest
from django.http import HttpRequest, HttpResponse

from rules import snapshot, terms
from rules.models import Catalogue, Concept
from rules.snapshot import Name, Snapshot, Words

logger = logging.getLogger(__name__)

EVERY: Final = 3.0  # seconds
_NEVER: Final = float("-inf")

_looked_at = _NEVER
_reading = threading.Lock()


def version() -> int:
    """A number that differs when words were published: what was made from an older one is stale. 0: none are known."""
    return snapshot.current().version


def names(concept: str, lang: str) -> tuple[Name, ...] | None:
    """The published names of a concept the program speaks of, the one we use first; None if none is known in `lang`."""
    words = snapshot.current().concepts.get(concept)
    return words.names.get(lang) if words else None


def refresh(force: bool = False) -> bool:
    """Read the names anew if words were published since; True if so. One small query, at most every three seconds.

    A database that cannot be asked just now (or has no tables yet) leaves the names as they are.
    """
    global _looked_at
    if not force and time.monotonic() - _looked_at < EVERY:
        return False
    if not _reading.acquire(blocking=force):
        return False  # another thread is at it
    try:
        _looked_at = time.monotonic()
        newest = Catalogue.objects.filter(pk=1).values_list("words", flat=True).first() or 0
        if newest == snapshot.current().version:
            return False
        snapshot.replace(Snapshot(newest, _read() if newest else {}))
        return True
    except DatabaseError:
        logger.warning("could not look for published words", exc_info=True)
        return False
    finally:
        _reading.release()


def note_change() -> None:
    """Something is being published: raise the version. Inside the transaction; the row stays locked until the commit.

    The version is the time in microseconds, so that none comes twice, not even after a transaction that was taken back.
    """
    now = time.time_ns() // 1000
    Catalogue.objects.get_or_create(pk=1)
    Catalogue.objects.filter(pk=1).update(words=Greatest(F("words") + 1, Value(now, output_field=BigIntegerField())))
    transaction.on_commit(look_again, robust=True)


def look_again() -> None:
    """Let the next `refresh` in this process look at once."""
    global _looked_at
    _looked_at = _NEVER


class RefreshMiddleware:
    """Every request speaks with the names as they were published, or as they were a few seconds ago."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refresh()
        return self.get_response(request)


def name_of(term: Mapping[str, Any]) -> Name:
    """A term of a canonical document as a name for screens."""
    forms = term.get("forms", {})
    cited = term.get("sources", ())
    return Name(
        term["text"],
        term["lang"],
        gender=term.get("gender", ""),
        source=cited[0].partition(":")[0] if cited else "",
        draft=term["status"] == "proposed",
        note=term.get("note", {}).get("en", ""),
        bare=forms.get("bare", ""),
        inflected=forms.get("inflected", ""),
        object=forms.get("object", ""),
        gloss=tuple(term.get("gloss", {}).items()),
    )


def _read() -> dict[str, Words]:
    rows = Concept.objects.filter(key__in=terms.concept_keys()).values_list("key", "document")
    return {key: Words(_names(document), document) for key, document in rows}


def _names(document: Mapping[str, Any]) -> dict[str, tuple[Name, ...]]:
    found: dict[str, tuple[Name, ...]] = {}
    for term in document["terms"]:
        usable = () if term["status"] == "deprecated" else (name_of(term),)
        found[term["lang"]] = found.get(term["lang"], ()) + usable
    return found
