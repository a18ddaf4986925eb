"""Everything that can be known to be wrong with the content files before anybody reads them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import transaction

from rules import markup, snapshot, termbase
from rules.filing import loading
from rules.filing.loading import Loaded
from rules.filing.reading import CONTENT, Files, Flaw, read_files
from rules.models import Entry


def check(folder: Path = CONTENT) -> list[Flaw]:
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
    before = snapshot.current()
    try:
        with transaction.atomic():
            done = Loaded()
            loading.publish_files(files.entries, done)
            termbase.refresh(force=True)
            yield done
            transaction.set_rollback(True)
    finally:
        snapshot.replace(before)
