"""The files of the program -> entries of the encyclopedia, without ever overwriting what a person wrote.

An entry whose published revision came from a file follows that file. As soon as a person has edited it, it is theirs: what
the file says afterwards is reported, not published. What is gone from the files stays.

Everything that can be known to be wrong with the content files before anybody reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from django.db import transaction
from django.db.models import OuterRef, Subquery

from rules import documents, markup, terms
from rules import terms as termbase
from rules.content_files import reading as filing
from rules.content_files.reading import CONTENT, SOURCE_LANGUAGE, Filed, Files, Flaw, read_files
from rules.models import Article, Catalogue, Concept, Entry, Place, Redirect, Revision, Source
from rules.search import index
from rules.services import projections

_BATCH: Final = 300
"""Entries published together; SQLite takes a limited number of parameters in one statement."""
_COMMENT: Final = "from the files of the program"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry that a person edited, although its file now says something else."""

    entry: Entry
    editor: str


@dataclass(slots=True)
class Loaded:
    """What a load did. `current`: nothing had changed since the last one, so nothing was read."""

    current: bool = False
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    kept: list[Kept] = field(default_factory=list)
    flaws: list[Flaw] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Change:
    entry: Entry
    filed: Filed
    digest: str


def load(folder: Path = CONTENT, *, again: bool = False) -> Loaded:
    """Publish what the files have and nobody has edited since; one transaction. `again`: even if no file has changed.

    Broken entries are left out and reported; they are tried again next time.
    """
    digest = filing.files_digest(folder)
    if not again and Catalogue.objects.filter(pk=1, files=digest).exists():
        return Loaded(current=True)
    files = filing.read_files(folder)
    done = Loaded(flaws=files.flaws)
    with transaction.atomic():
        publish_files(files.entries, done)
        # After the entries, as the door does it: whoever locks in the same order waits for nobody in a circle.
        Catalogue.objects.get_or_create(pk=1)
        Catalogue.objects.filter(pk=1).update(files="" if any(flaw.fatal for flaw in files.flaws) else digest)
    return done


def publish_files(filed: Sequence[Filed], done: Loaded) -> None:
    """Publish these entries where nobody has edited them since; what was done is counted in `done`. One transaction."""
    with transaction.atomic():
        changes = _compare(filed, done)
        # Translations last: they follow the article that has just been published.
        for batch in _batches(change for change in changes if not _is_translation(change.entry)):
            _publish(batch)
        for batch in _batches(change for change in changes if _is_translation(change.entry)):
            _publish(batch)
        if changes:
            projections.make_findable([change.entry for change in changes])
            terms.note_change()


def rebuild() -> int:
    """Make all projections, and the search index, anew from the published revisions; returns how many entries there are."""
    with transaction.atomic():
        locked = Entry.objects.select_for_update(no_key=True).exclude(published=None).order_by("pk")
        entries = list(locked.prefetch_related("published"))
        # Places before everything that points to them.
        entries.sort(key=lambda entry: entry.kind != Entry.Kind.PLACE)
        for model in (Article, Concept, Source, Place):
            model.objects.all().delete()
        for batch in _batches(entries):
            projections.project([(entry, entry.published.document) for entry in batch if entry.published])
        index.rebuild()
        terms.note_change()
    return len(entries)


def _compare(filed: Sequence[Filed], done: Loaded) -> list[_Change]:
    """What is to be published, in the order of the files; counts the rest in `done`. Locks all entries."""
    locked = Entry.objects.select_for_update(no_key=True).order_by("pk").prefetch_related("published__author")
    entries = {(entry.kind, entry.key, entry.language): entry for entry in locked}
    newest_file = Revision.objects.filter(entry=OuterRef("pk")).exclude(file_digest="").order_by("-number")
    loaded = dict(
        Entry.objects.annotate(loaded=Subquery(newest_file.values("file_digest")[:1])).values_list("pk", "loaded")
    )
    taken = {(entry.kind, entry.slug, entry.language) for entry in entries.values()}
    changes = []
    for one in filed:
        entry = entries.get((one.kind, one.key, one.language))
        digest = documents.digest(one.document)
        if entry is None:
            if (one.kind, one.slug, one.language) in taken:
                done.flaws.append(Flaw(one.file, one.key, f"the address {one.slug} belongs to another {one.kind}"))
                continue
            taken.add((one.kind, one.slug, one.language))
            done.added += 1
            entry = Entry(kind=one.kind, key=one.key, language=one.language, slug=one.slug)
        elif loaded[entry.pk] == digest:
            done.unchanged += 1
            continue
        elif entry.published is not None and not entry.published.file_digest:
            if entry.published.document == one.document:
                done.unchanged += 1
            else:
                author = entry.published.author
                done.kept.append(Kept(entry, author.display_name if author else ""))
            continue
        else:
            done.updated += 1
            _readdress(entry, one, taken)
        changes.append(_Change(entry, one, digest))
    return changes


def _readdress(entry: Entry, one: Filed, taken: set[tuple[str, str, str]]) -> None:
    """Follow a file that gives its entry another address, unless an administrator gave it one; the old one leads there."""
    before = entry.published.document if entry.published else {}
    wanted = (one.kind, one.slug, one.language)
    if entry.slug == one.slug or wanted in taken:
        return
    if entry.slug == filing.default_slug(one.kind, one.key, before):
        Redirect.objects.update_or_create(kind=one.kind, slug=entry.slug, defaults={"key": one.key})
        Redirect.objects.filter(kind=one.kind, slug=one.slug, key=one.key).delete()
        taken.add(wanted)
        entry.slug = one.slug


def _publish(changes: Sequence[_Change]) -> None:
    """One new revision for each entry, and its projection."""
    Entry.objects.bulk_create([change.entry for change in changes if change.entry._state.adding])
    followed = _source_articles([change.entry.key for change in changes if change.entry.kind == Entry.Kind.ARTICLE])
    revisions = []
    for change in changes:
        entry = change.entry
        entry.revisions_made += 1
        revisions.append(
            Revision(
                entry=entry,
                number=entry.revisions_made,
                parent=entry.published,
                document=change.filed.document,
                comment=_COMMENT,
                follows=followed.get(entry.key) if _is_translation(entry) else None,
                file_digest=change.digest,
            )
        )
    Revision.objects.bulk_create(revisions)
    for revision in revisions:
        revision.entry.published = revision
    Entry.objects.bulk_update(
        [change.entry for change in changes], ["published", "revisions_made", "slug"], batch_size=_BATCH
    )
    projections.project([(revision.entry, revision.document) for revision in revisions])


def _is_translation(entry: Entry) -> bool:
    return entry.kind == Entry.Kind.ARTICLE and entry.language != SOURCE_LANGUAGE


def _source_articles(keys: Sequence[str]) -> dict[str, Revision]:
    """What the file of each source article said last: the files of its translations say the same."""
    found = Revision.objects.filter(
        entry__kind=Entry.Kind.ARTICLE, entry__language=SOURCE_LANGUAGE, entry__key__in=keys
    ).exclude(file_digest="")
    return {revision.entry.key: revision for revision in found.select_related("entry").order_by("number")}


def _batches(rows: Iterable[_T]) -> Iterable[list[_T]]:
    left = iter(rows)
    while batch := list(islice(left, _BATCH)):
        yield batch


def flaws(folder: Path = CONTENT) -> list[Flaw]:
    """All flaws of the files: of their form, of what they point to, and of every article as it is rendered.

    The articles are rendered, their examples played, beside all words of the files; nothing of it stays in the database.
    """
    files = read_files(folder)
    with _published_for_now(files) as done:
        return [*files.flaws, *done.flaws, *_troubles(files)]


def _troubles(files: Files) -> Iterator[Flaw]:
    for filed in files.entries:
        if filed.kind == Entry.Kind.ARTICLE:
            for trouble in markup.troubles(filed.document, filed.language, key=filed.key):
                yield Flaw(filed.file, f"text, line {trouble.line}" if trouble.line else "text", trouble.message)


@contextmanager
def _published_for_now(files: Files) -> Iterator[Loaded]:
    """The files as if they were published, until the end of the block."""
    before = terms.current()
    try:
        with transaction.atomic():
            done = Loaded()
            publish_files(files.entries, done)
            termbase.refresh(force=True)
            yield done
            transaction.set_rollback(True)
    finally:
        terms.replace(before)
