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
    """Write the projections of these entries, whatever was projected of them before.

    Takes a number of queries that depends on the kinds, not on how many entries there are.
    """
    by_kind: dict[str, list[Published]] = {}
    for entry, document in published:
        by_kind.setdefault(entry.kind, []).append((entry, document))
    # Places first: words point to them.
    for kind, write in (("place", _places), ("source", _sources), ("concept", _concepts), ("article", _articles)):
        if kind in by_kind:
            write(by_kind[kind])


def make_findable(entries: Sequence[Entry]) -> None:
    """Bring the search up to date with what these entries say now: one by one, or everything anew if they are many."""
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
    """Write these rows, over those of their entries where there are some, all fields of the table (`but` one)."""
    made = list(rows)
    table = type(made[0])
    names = [field.name for field in table._meta.concrete_fields if field.name not in ("id", "entry", but)]
    table._base_manager.bulk_create(made, update_conflicts=True, unique_fields=["entry"], update_fields=names)


def _places(published: Sequence[Published]) -> None:
    """Places keep their rows, since words and other places point to them; then everything that names them is linked."""
    _write(
        (
            Place(entry=entry, key=entry.key, names=document["names"], sort=document["sort"])
            for entry, document in published
        ),
        but="parent",
    )
    written = {entry.key for entry, _document in published}
    places = {place.key: place for place in Place.objects.select_related("entry__published")}
    moved = []
    for place in places.values():
        revision = place.entry.published
        parent = revision.document.get("parent", "") if revision else ""
        if place.key in written or parent in written:
            place.parent = places.get(parent)
            moved.append(place)
    Place.objects.bulk_update(moved, ["parent"])
    # Words that named a place before there was one.
    for key in written:
        Term.objects.filter(document__place=key, place=None).update(place=places[key])


def _concepts(published: Sequence[Published]) -> None:
    """Concepts keep their rows; their definitions and terms are written anew."""
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
