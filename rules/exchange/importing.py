"""Plan what a file would change here, concept by concept, and apply the plan.

A file that says which revision it was made from is merged with what was published since; if both changed the same
place, that is a conflict, and the concept is left alone. A file never removes anything: what it does not mention stays.
`apply` publishes each concept through `rules.services`, in the name of the editor who sends the file.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from django.db import transaction
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import Player
from core.exceptions import Refusal
from rules import documents, services
from rules.documents import BadDocument, Conflict, Document, Line
from rules.exchange import csv_table, tbx
from rules.exchange.files import BadFile, Flaw
from rules.exchange.records import Record, extended_document
from rules.models import Concept, Entry, Place, Revision, Source

FORMATS: Final[dict[str, Callable[[bytes], list[Record]]]] = {"csv": csv_table.read, "tbx": tbx.read}


class Outcome(StrEnum):
    NEW = "new"
    CHANGED = "changed"
    CONFLICT = "conflict"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Step:
    """One concept of the file that differs from what is published.

    `added` and `removed` are facts in the reader's language; a changed fact is in both. `problems` say what is wrong.
    """

    key: str
    outcome: Outcome
    line: int = 0
    document: Document | None = None
    entry: Entry | None = None
    base: Revision | None = None
    added: tuple[Line, ...] = ()
    removed: tuple[Line, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    problems: tuple[str | Promise, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """All that a file would change. `unchanged` counts the concepts that are the same here."""

    steps: tuple[Step, ...] = ()
    unchanged: int = 0
    counts: dict[Outcome, int] = field(default_factory=dict)


def format_of(name: str) -> str:
    """The format of a file, by the ending of its name. Raises BadFile for an unknown one."""
    ending = name.rpartition(".")[2].lower()
    form = {"csv": "csv", "tbx": "tbx", "xml": "tbx", "tsv": "csv", "txt": "csv"}.get(ending)
    if form is None:
        raise BadFile([Flaw(0, _("Files that end with .csv or .tbx are read; this one does not."))])
    return form


def plan(records: Sequence[Record]) -> Plan:
    """Compare the records with what is published. The number of queries does not depend on their number."""
    rows = Entry.objects.filter(kind=Entry.Kind.CONCEPT, key__in=[record.key for record in records])
    entries = {entry.key: entry for entry in rows.select_related("published")}
    context = _Context(records, entries)
    steps, unchanged = [], 0
    for record in records:
        step = _step(record, entries.get(record.key), context)
        if step is None:
            unchanged += 1
        else:
            steps.append(step)
    counts = {outcome: sum(step.outcome is outcome for step in steps) for outcome in Outcome}
    return Plan(tuple(steps), unchanged, counts)


class _Context:
    """The entries that the file may refer to, and the revisions that it was made from."""

    def __init__(self, records: Sequence[Record], entries: dict[str, Entry]) -> None:
        self.sources = frozenset(Source.objects.values_list("key", flat=True))
        self.places = frozenset(Place.objects.values_list("key", flat=True))
        self.concepts = frozenset(Concept.objects.values_list("key", flat=True)) | {record.key for record in records}
        bases = {
            (entry.pk, record.revision)
            for record in records
            if record.revision and (entry := entries.get(record.key)) is not None
        }
        numbers = {number for _entry, number in bases}
        rows = Revision.objects.filter(entry__in={entry for entry, _number in bases}, number__in=numbers)
        self.revisions = {(row.entry_id, row.number): row for row in rows}


def _step(record: Record, entry: Entry | None, context: _Context) -> Step | None:
    published = entry.published if entry else None
    base = published
    if entry is not None and record.revision:
        base = context.revisions.get((entry.pk, record.revision))
        if base is None:
            return _wrong(record, [format_lazy(_("There is no revision {number} of it."), number=record.revision)])
    extended = extended_document(record, base.document if base else None)
    try:
        mine = documents.check(Entry.Kind.CONCEPT, extended)
    except BadDocument as error:
        return _wrong(record, _labelled_problems(error, extended))
    document = mine
    if base is not None and published is not None and base.pk != published.pk:
        merged = documents.merge(Entry.Kind.CONCEPT, base.document, mine, published.document)
        if merged.document is None:
            return Step(
                record.key, Outcome.CONFLICT, record.line, entry=entry, base=base, conflicts=merged.conflicts
            )  # fmt: skip
        document = merged.document
    before = published.document if published else {}
    if document == before:
        return None
    missing = _missing(document, before, context)
    if missing:
        return _wrong(record, missing)
    added, removed = _difference(before, document)
    outcome = Outcome.CHANGED if published else Outcome.NEW
    return Step(record.key, outcome, record.line, mine, entry, base, added, removed)


def _wrong(record: Record, problems: Iterable[str | Promise]) -> Step:
    return Step(record.key, Outcome.WRONG, record.line, problems=tuple(problems))


def _labelled_problems(error: BadDocument, document: Document) -> list[str]:
    """The problems of a document, each with the label of its field."""
    labels = [documents.label_of(Entry.Kind.CONCEPT, problem.field, document) for problem in error.problems]
    return [
        f"{label}: {problem.message}" if label else str(problem.message)
        for label, problem in zip(labels, error.problems, strict=True)
    ]


def _missing(document: Document, before: Document, context: _Context) -> list[str | Promise]:
    """A message for each source, place or word that the change newly refers to and that does not exist."""
    messages: list[str | Promise] = []
    for kind, message, existing in (
        ("source", _("There is no source {key}. Add it first."), context.sources),
        ("place", _("There is no place {key}. Add it first."), context.places),
        ("concept", _("There is no word {key}. Add it first."), context.concepts),
    ):
        new, old = ({*documents.references("concept", each, kind).values()} for each in (document, before))
        messages += [format_lazy(message, key=key) for key in sorted(new - old - existing)]
    return messages


def _difference(before: Document, after: Document) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The facts that are only in the later document, and those only in the earlier one."""
    old = documents.lines(Entry.Kind.CONCEPT, before) if before else []
    new = documents.lines(Entry.Kind.CONCEPT, after)
    added: list[Line] = []
    removed: list[Line] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += old[i1:i2]
            added += new[j1:j2]
    return tuple(added), tuple(removed)


@dataclass(slots=True)
class Applied:
    """What was done. `refused` has the reason for each refused concept; `left` counts those that were not tried."""

    done: list[Revision] = field(default_factory=list)
    refused: list[tuple[str, str | Promise]] = field(default_factory=list)
    left: int = 0


def apply(plan: Plan, *, by: Player, comment: str) -> Applied:
    """Publish new and changed concepts, each in its own transaction; leave conflicts and wrong ones alone.

    If the editor exceeds the hourly limit, the import stops there. Sending the file again later continues it, since
    finished concepts are unchanged by then.
    """
    applied = Applied()
    steps = [step for step in plan.steps if step.outcome in (Outcome.NEW, Outcome.CHANGED)]
    for number, step in enumerate(steps):
        try:
            applied.done.append(_publish(step, by, comment))
        except Refusal as refusal:
            if refusal.code == "unchanged":
                continue
            applied.refused.append((step.key, str(refusal)))
            if refusal.code == "too-fast":
                applied.left = len(steps) - number - 1
                break
    return applied


def _publish(step: Step, by: Player, comment: str) -> Revision:
    assert step.document is not None
    with transaction.atomic():
        entry = step.entry or services.new_entry(Entry.Kind.CONCEPT, step.key)
        return services.publish(entry, step.document, by=by, base=step.base, comment=comment)
