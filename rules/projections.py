"""Write the rows that lists, look-ups and cards read from the published documents.

The same functions serve one entry (`rules.services`), many (the content files) and all (`manage.py content --rebuild`).
Every function must run inside the transaction in which the documents are published.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import Model

from rules.documents import Document, sorting
from rules.models import Article, Concept, Definition, Entry, Place, Source, Term
from rules.search import index

Published = tuple[Entry, Document]

_MANY: Final = 60


def project(published: Sequence[Published]) -> None:
    """Write the projections of these entries, replacing earlier ones.

    The number of queries depends on the kinds, not on the number of entries.
    """
    by_kind: dict[str, list[Published]] = {}
    for entry, document in published:
        by_kind.setdefault(entry.kind, []).append((entry, document))
    # Places first: words point to them.
    for kind, write in (("place", _places), ("source", _sources), ("concept", _concepts), ("article", _articles)):
        if kind in by_kind:
            write(by_kind[kind])


def make_findable(entries: Sequence[Entry]) -> None:
    """Update the search index for these entries: one by one, or rebuild all of it if they are many."""
    if len(entries) > _MANY:
        index.rebuild()
        return
    for entry in entries:
        index.update(entry)


def _articles(published: Sequence[Published]) -> None:
    _write(
        Article(
            entry=entry,
            key=entry.key,
            language=entry.language,
            slug=entry.slug,
            title=document["title"],
            summary=document.get("summary", ""),
            section=document["section"],
            order=document.get("order", 0),
            ruleset=document.get("ruleset", ""),
            draft=document.get("draft", False),
        )
        for entry, document in published
    )


def _sources(published: Sequence[Published]) -> None:
    _write(Source(entry=entry, key=entry.key, document=document) for entry, document in published)


def _write(rows: Iterable[Model], *, but: str = "") -> None:
    """Insert these rows or update those of their entries: all fields of the table, except the field `but`."""
    objects = list(rows)
    table = type(objects[0])
    names = [field.name for field in table._meta.concrete_fields if field.name not in ("id", "entry", but)]
    table._base_manager.bulk_create(objects, update_conflicts=True, unique_fields=["entry"], update_fields=names)


def _places(published: Sequence[Published]) -> None:
    """Write places in their existing rows, to which words and other places point; then link whatever names them."""
    _write(
        (
            Place(entry=entry, key=entry.key, names=document["names"], sort=document["sort"])
            for entry, document in published
        ),
        but="parent",
    )
    written = {entry.key for entry, _document in published}
    places = {place.key: place for place in Place.objects.select_related("entry__published")}
    linked = []
    for place in places.values():
        revision = place.entry.published
        parent = revision.document.get("parent", "") if revision else ""
        if place.key in written or parent in written:
            place.parent = places.get(parent)
            linked.append(place)
    Place.objects.bulk_update(linked, ["parent"])
    # Words that named a place before it existed.
    for key in written:
        Term.objects.filter(document__place=key, place=None).update(place=places[key])


def _concepts(published: Sequence[Published]) -> None:
    """Write concepts in their existing rows; rewrite their definitions and terms."""
    _write(
        Concept(
            entry=entry,
            key=entry.key,
            slug=entry.slug,
            sort=document["sort"],
            theme=document["theme"],
            order=document.get("order", 0),
            troccas="troccas" in document.get("games", ()),
            troggu="troggu" in document.get("games", ()),
            document=document,
        )
        for entry, document in published
    )
    written = {concept.key: concept for concept in Concept.objects.filter(entry__in=[entry for entry, _ in published])}
    Definition.objects.filter(concept__in=written.values()).delete()
    Term.objects.filter(concept__in=written.values()).delete()
    Definition.objects.bulk_create(
        Definition(concept=written[entry.key], language=language, text=definition["text"])
        for entry, document in published
        for language, definition in document.get("definitions", {}).items()
    )
    places = {place.key: place for place in Place.objects.all()}
    Term.objects.bulk_create(
        Term(
            concept=written[entry.key],
            order=order,
            language=term["lang"],
            text=term["text"],
            status=term["status"],
            place=places.get(term.get("place", "")),
            document=term,
            **sorting.columns(term["text"], term["lang"]),
        )
        for entry, document in published
        for order, term in enumerate(document["terms"])
    )
