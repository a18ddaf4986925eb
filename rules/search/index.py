"""Keeping the rows of the search: with every publication, in its own transaction; or all anew."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from django.db import transaction

from rules.search.indexing import rows_of, vocabulary
from rules.search.models import SearchEntry, SearchWord

if TYPE_CHECKING:
    from rules.models import Entry

_BATCH: Final = 2000


def update(entry: Entry, *others: Entry) -> None:
    """Search what these entries say now, and nothing they said before; nothing of one that is not published."""
    entries = (entry, *others)
    with transaction.atomic():
        SearchEntry.objects.filter(entry__in=entries).delete()
        _add([row for each in entries for row in rows_of(each)])


def remove(entry: Entry) -> None:
    """Find nothing of `entry` any more."""
    SearchEntry.objects.filter(entry=entry).delete()


def rebuild() -> int:
    """Make every row anew from what is published; how many there are. All or nothing."""
    # Entry is known only when all models are: this module is imported by theirs.
    from rules.models import Entry  # noqa: PLC0415

    with transaction.atomic():
        SearchEntry.objects.all().delete()
        SearchWord.objects.all().delete()
        waiting: list[SearchEntry] = []
        made = 0
        for entry in (
            Entry.objects.filter(published__isnull=False).select_related("published").order_by("pk").iterator(500)
        ):
            waiting.extend(rows_of(entry))
            if len(waiting) >= _BATCH:
                made += _add(waiting)
                waiting = []
        return made + _add(waiting)


def _add(rows: list[SearchEntry]) -> int:
    SearchEntry.objects.bulk_create(rows, batch_size=_BATCH)
    _learn(vocabulary(rows))
    return len(rows)


def _learn(words: Iterable[str]) -> None:
    # Sorted, so that two publications at once take the same locks in the same order.
    known = [SearchWord(text=word, length=len(word)) for word in sorted(words)]
    SearchWord.objects.bulk_create(known, batch_size=_BATCH, ignore_conflicts=True)
