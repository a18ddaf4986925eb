"""Check that projections and the search index agree with the published revisions."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.db.models import Count, Max

from rules import projections
from rules.models import Article, Concept, Definition, Entry, Place, SearchEntry, Source, Term
from rules.search import index

_AT_ONCE: Final = 10
_OF_ENTRIES: Final[tuple[type[models.Model], ...]] = (Article, Place, Source, Concept, SearchEntry)
_OF_CONCEPTS: Final[tuple[type[models.Model], ...]] = (Definition, Term)
_PROJECTIONS: Final[tuple[tuple[type[models.Model], str], ...]] = (
    *((model, "entry_id") for model in _OF_ENTRIES),
    *((model, "concept__entry_id") for model in _OF_CONCEPTS),
)
"""Each derived table, and its field for the entry that a row is derived from."""


def differences(*, rest: float = 0) -> Iterator[str]:
    """Yield a line for the site's operator about each thing that the history does not account for. Changes nothing.

    Holds the locks of ten entries at a time (SQLite: its single write lock), and rests for `rest` seconds after each
    ten.
    """
    numbered = Entry.objects.select_related("published").annotate(
        existing=Count("revisions"), last=Max("revisions__number")
    )
    for entry in numbered.order_by("pk"):
        published = entry.published
        is_newest = published is None or (published.entry_id == entry.pk and published.number == entry.last)
        is_complete = entry.revisions_made == entry.existing == (entry.last or 0)
        if not (is_newest and is_complete):
            yield f"{entry}: revisions"
    for model in _OF_ENTRIES:
        for key in model._default_manager.filter(entry__published=None).values_list("entry_id", flat=True).distinct():
            yield f"entry {key}: {model._meta.model_name}, though nothing is published"
    keys = list(Entry.objects.exclude(published=None).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), _AT_ONCE):
        yield from _differing(keys[start : start + _AT_ONCE])
        time.sleep(rest)


def _differing(keys: Sequence[int]) -> list[str]:
    """Project these entries again, compare, and roll back."""
    with transaction.atomic():
        locked = Entry.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=keys).order_by("pk")
        entries = [entry for entry in locked.select_related("published") if entry.published is not None]
        before = _rows(keys)
        projections.project([(entry, entry.published.document) for entry in entries if entry.published])
        for entry in entries:
            index.update(entry)
        after = _rows(keys)
        transaction.set_rollback(True)
    names = {entry.pk: str(entry) for entry in entries}
    return [
        f"{names.get(key, key)}: {name}"
        for name, key in sorted(before.keys() | after.keys())
        if before.get((name, key)) != after.get((name, key))
    ]


class _Encoder(DjangoJSONEncoder):
    """Django's encoder, with bytes as hexadecimal digits; SQLite and PostgreSQL return them in types of their own."""

    def default(self, o: Any) -> Any:
        return bytes(o).hex() if isinstance(o, bytes | memoryview) else super().default(o)


def _rows(keys: Sequence[int]) -> dict[tuple[str, int], list[str]]:
    """The derived rows of these entries, by table and entry, without primary keys, which change with each rewrite."""
    by_table: dict[tuple[str, int], list[str]] = defaultdict(list)
    for model, entry_field in _PROJECTIONS:
        fields = [field.attname for field in model._meta.concrete_fields if field.attname not in ("id", "concept_id")]
        for row in model._default_manager.filter(**{f"{entry_field}__in": keys}).values(
            *dict.fromkeys([entry_field, *fields])
        ):
            text = json.dumps(row, cls=_Encoder, sort_keys=True)
            by_table[model._meta.model_name or "", row[entry_field]].append(text)
    return {key: sorted(rows) for key, rows in by_table.items()}
