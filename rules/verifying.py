"""Whether what lists, look-ups and the search read says what the published revisions say."""

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
_PROJECTIONS: Final[tuple[tuple[type[models.Model], str], ...]] = (
    (Article, "entry_id"),
    (Place, "entry_id"),
    (Source, "entry_id"),
    (Concept, "entry_id"),
    (SearchEntry, "entry_id"),
    (Definition, "concept__entry_id"),
    (Term, "concept__entry_id"),
)
"""Each table, and how it says which entry a row follows from."""


def differences(*, rest: float = 0) -> Iterator[str]:
    """What is not as it follows from the history, in words for whoever runs the site; nothing is changed.

    Holds the locks of ten entries at a time (SQLite: the one write lock, for as long), and rests for so many seconds after each.
    """
    numbered = Entry.objects.select_related("published").annotate(
        made=Count("revisions"), last=Max("revisions__number")
    )
    for entry in numbered.order_by("pk"):
        newest = entry.published is None or (entry.published.entry_id, entry.published.number) == (entry.pk, entry.last)
        if not newest or not entry.revisions_made == entry.made == (entry.last or 0):
            yield f"{entry}: revisions"
    for model, of in _PROJECTIONS[:5]:
        for key in model._default_manager.filter(entry__published=None).values_list(of, flat=True).distinct():
            yield f"entry {key}: {model._meta.model_name} of what is not published"
    keys = list(Entry.objects.exclude(published=None).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), _AT_ONCE):
        yield from _differing(keys[start : start + _AT_ONCE])
        time.sleep(rest)


def _differing(keys: Sequence[int]) -> list[str]:
    """Project these entries anew, compare, and take it back."""
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
    """Django's, and bytes as hexadecimal digits; SQLite and PostgreSQL give them in types of their own."""

    def default(self, o: Any) -> Any:
        return bytes(o).hex() if isinstance(o, bytes | memoryview) else super().default(o)


def _rows(keys: Sequence[int]) -> dict[tuple[str, int], list[str]]:
    """What is projected of these entries, by table and entry, without the numbers of rows that are written anew."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for model, of in _PROJECTIONS:
        fields = [field.attname for field in model._meta.concrete_fields if field.attname not in ("id", "concept_id")]
        for row in model._default_manager.filter(**{f"{of}__in": keys}).values(*dict.fromkeys([of, *fields])):
            text = json.dumps(row, cls=_Encoder, sort_keys=True)
            found[model._meta.model_name or "", row[of]].append(text)
    return {place: sorted(rows) for place, rows in found.items()}
