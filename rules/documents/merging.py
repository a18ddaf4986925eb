"""A document as readable lines, one fact per line, and the merging of two changes made from the same revision.

Changes are merged field by field, texts line by line. If both changed the same place, it is a conflict. Nothing is
lost: the merged draft keeps the later writer's version, and every conflict has all three texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from merge3 import Merge3

from rules.documents.kinds import KINDS, Document
from rules.documents.shapes import EMPTY, ByLanguage, Choice, Flag, Label, Rows, Shape, Table, Text, Texts

_STEP: Final = " › "


@dataclass(frozen=True, slots=True)
class Line:
    """One fact. `label` says where it belongs, in the reader's language: “words › Sursilvan › scart › gender”."""

    label: str
    text: str

    def __str__(self) -> str:
        return f"{self.label}: {self.text}"


def lines(kind: str, document: Mapping[str, Any]) -> list[Line]:
    """The document's facts in the order of its fields; a text of several lines gives a line for each.

    Expects a canonical document. Raises KeyError for an unknown kind.
    """
    return list(_lines(KINDS[kind], document, ""))


def label_of(kind: str, path: str, document: Mapping[str, Any] | None = None) -> str:
    """The label of the field at a path (`terms.0.gender`), as in `lines`; rows are named if `document` has them.

    Unknown steps of the path are left as they are.
    """
    shape: Shape | None = KINDS[kind]
    value: Any = document or {}
    labels = []
    for step in path.split(".") if path else ():
        label, shape, value = _step(shape, step, value)
        if label:
            labels.append(label)
    return _STEP.join(labels)


def _step(shape: Shape | None, step: str, value: Any) -> tuple[str, Shape | None, Any]:
    if isinstance(shape, Table):
        field = next((field for field in shape.fields if field.name == step), None)
        inner = value.get(step) if isinstance(value, Mapping) else None
        return (str(field.label), field.shape, inner) if field else (step, None, None)
    if isinstance(shape, ByLanguage):
        label = str(shape.languages.get(step, step))
        return label, shape.of, value.get(step) if isinstance(value, Mapping) else None
    if isinstance(shape, Rows) and step.isdigit():
        row = value[int(step)] if isinstance(value, list) and int(step) < len(value) else None
        return (shape.title(row) if isinstance(row, Mapping) else str(int(step) + 1)), shape.of, row
    if isinstance(shape, Texts) and step.isdigit():
        return str(int(step) + 1), shape.of, None
    return step, None, None


def _lines(shape: Shape, value: Any, label: str) -> Iterator[Line]:
    if isinstance(shape, Table):
        for field in shape.fields:
            if field.name in value:
                yield from _lines(field.shape, value[field.name], _joined(label, field.label))
    elif isinstance(shape, ByLanguage):
        for code, name in shape.languages.items():
            if code in value:
                yield from _lines(shape.of, value[code], _joined(label, name))
    elif isinstance(shape, Rows):
        for row in value:
            yield from _row_lines(shape, row, _joined(label, shape.title(row)))
    elif isinstance(shape, Texts):
        for text in value:
            yield Line(label, _words(shape.of, text))
    else:
        for text in _words(shape, value).split("\n"):
            yield Line(label, text)


def _row_lines(shape: Rows, row: Mapping[str, Any], label: str) -> Iterator[Line]:
    """The lines of a row, without the fields that its title shows; a check mark if there are no others."""
    names = [name for name in row if name not in shape.titled]
    if not names:
        yield Line(label, "✓")
    for field in shape.of.fields:
        if field.name in names:
            yield from _lines(field.shape, row[field.name], _joined(label, field.label))


def _words(shape: Shape, value: Any) -> str:
    if isinstance(shape, Choice):
        return str(shape.options.get(value, value))
    if isinstance(shape, Flag):
        return _("yes")
    assert not isinstance(shape, Text) or isinstance(value, str)
    return str(value)


def _joined(label: str, more: Label) -> str:
    return f"{label}{_STEP}{more}" if label else str(more)


_GONE: Final = EMPTY


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that both changed: its path, its label in the reader's language, and the three values (None: nothing)."""

    field: str
    label: str
    base: Any
    mine: Any
    theirs: Any


@dataclass(frozen=True, slots=True)
class Merge:
    """`document` has both changes; None if they conflict. `draft` has both changes, and mine in each conflict."""

    document: Document | None
    conflicts: tuple[Conflict, ...]
    draft: Document


def merge(kind: str, base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> Merge:
    """Apply to `theirs` what changed from `base` to `mine`. All three are canonical documents of this kind.

    The result is canonical in its fields, but not checked: two long texts can make one that is too long.
    """
    conflicts: list[Conflict] = []

    def note(path: str, *values: Any) -> None:
        conflicts.append(Conflict(path, label_of(kind, path, mine), *values))

    draft = _merge(KINDS[kind], base, mine, theirs, "", note) or {}
    return Merge(None if conflicts else draft, tuple(conflicts), draft)


_Note = Callable[[str, Any, Any, Any], None]


def _merge(shape: Shape, base: Any, mine: Any, theirs: Any, path: str, note: _Note) -> Any:
    """The merged value, EMPTY if it was removed. If only one side changed anything, its value is used as it is."""
    if mine == theirs or theirs == base:
        return mine
    if mine == base:
        return theirs
    if isinstance(shape, Table):
        names = [field.name for field in shape.fields]
        shapes = {field.name: field.shape for field in shape.fields}
        return _merge_parts(names, shapes.__getitem__, base, mine, theirs, path, note)
    if isinstance(shape, ByLanguage):
        return _merge_parts(list(shape.languages), lambda _code: shape.of, base, mine, theirs, path, note)
    if isinstance(shape, Texts):
        return _merge_sets(base or [], mine or [], theirs or []) or EMPTY
    if isinstance(shape, Rows):
        return _merge_rows(shape, base or [], mine or [], theirs or [], path, note) or EMPTY
    if isinstance(shape, Text) and shape.lines > 1 and base and mine and theirs:
        return _merge_text(base, mine, theirs, path, note)
    note(path, base, mine, theirs)
    return mine


def _merge_parts(
    names: Sequence[str],
    shape_of: Callable[[str], Shape],
    base: Mapping[str, Any] | None,
    mine: Mapping[str, Any] | None,
    theirs: Mapping[str, Any] | None,
    path: str,
    note: _Note,
) -> Document | None:
    """Merge by name. If one side removed a table that the other changed, it is a conflict as a whole."""
    if path and base and (mine is None or theirs is None):
        note(path, base, mine, theirs)
        return dict(mine) if mine else EMPTY
    old, ours, others = base or {}, mine or {}, theirs or {}
    merged = {}
    for name in names:
        value = _merge(
            shape_of(name), old.get(name), ours.get(name), others.get(name), f"{path}.{name}" if path else name, note
        )
        if value is not EMPTY:
            merged[name] = value
    return merged or EMPTY


def _merge_sets(base: list[str], mine: list[str], theirs: list[str]) -> list[str]:
    """Keep what either side added, drop what either removed, in the order of the side that changed it, mine first."""
    kept = [text for text in mine if text in theirs or text not in base]
    added = [text for text in theirs if text not in base and text not in mine]
    common = [text for text in base if text in mine and text in theirs]
    if [text for text in mine if text in common] == common:
        in_their_order = iter([text for text in theirs if text in common])
        kept = [next(in_their_order) if text in common else text for text in kept]
    return kept + added


def _merge_text(base: str, mine: str, theirs: str, path: str, note: _Note) -> str | None:
    """Merge line by line; each region that both changed is a conflict of its own."""
    old, ours, others = (text.split("\n") for text in (base, mine, theirs))
    merged: list[str] = []
    for kind, *group in Merge3(old, ours, others).merge_groups():
        if kind == "conflict":
            texts = ["\n".join(lines) for lines in group]
            note(path, *texts)
            merged += group[1]
        else:
            merged += group[0]
    return "\n".join(merged).strip() or EMPTY


# --- Rows: words and their examples -----------------------------------------------------------------------------------


def _merge_rows(
    shape: Rows, base: Sequence[Document], mine: Sequence[Document], theirs: Sequence[Document], path: str, note: _Note
) -> list[Document]:
    """Merge rows that belong together: those of the same identity; of the others, in order, those of one language.

    A row that one side removed and the other changed is kept as changed, and is a conflict.
    """
    of_mine, of_theirs = _pairs(shape, base, mine), _pairs(shape, base, theirs)
    merged: dict[int, Document | None] = {}  # by the row's number in base
    for number, row in enumerate(base):
        ours = mine[of_mine[number]] if number in of_mine else _GONE
        others = theirs[of_theirs[number]] if number in of_theirs else _GONE
        at = f"{path}.{of_mine.get(number, number)}"
        if ours is _GONE and others is not _GONE and others != row:
            note(at, row, ours, others)
            merged[number] = others
        else:
            merged[number] = _merge(shape.of, row, ours, others, at, note)
    order_of_mine, order_of_theirs = _order(mine, of_mine), _order(theirs, of_theirs)
    in_both = {number for number in of_mine if number in of_theirs}
    our_order = [number for number in order_of_mine if number in in_both]
    their_order = [number for number in order_of_theirs if number in in_both]
    if our_order != their_order and sorted(in_both) not in (our_order, their_order):
        note(
            path,
            *([shape.title(base[number]) for number in order] for order in (sorted(in_both), our_order, their_order)),
        )
    mine_leads = their_order == sorted(in_both) or our_order != sorted(in_both)
    lead, lead_order, other, other_order = (
        (mine, order_of_mine, theirs, order_of_theirs) if mine_leads else (theirs, order_of_theirs, mine, order_of_mine)
    )
    rows = _interleaved(lead, lead_order, other, other_order, merged)
    return _without_twins(shape, rows, mine, path, note)


def _pairs(shape: Rows, base: Sequence[Document], changed: Sequence[Document]) -> dict[int, int]:
    """Map the index of each row of `base` to its index in `changed`, if it is still there."""
    indexes = {shape.name(row): index for index, row in enumerate(changed)}
    pairs = {number: indexes[shape.name(row)] for number, row in enumerate(base) if shape.name(row) in indexes}
    left = [index for index in range(len(changed)) if index not in set(pairs.values())]
    for number, row in enumerate(base):
        if number in pairs:
            continue
        # Respelled: the first of the remaining rows in the same language.
        same = shape.within
        match = next((index for index in left if not same or row.get(same) == changed[index].get(same)), None)
        if match is not None:
            left.remove(match)
            pairs[number] = match
    return pairs


def _order(rows: Sequence[Document], pairs: Mapping[int, int]) -> list[int | None]:
    """For each row of one side its index in base, None for a new row."""
    numbers = {index: number for number, index in pairs.items()}
    return [numbers.get(index) for index in range(len(rows))]


def _interleaved(
    lead: Sequence[Document],
    lead_order: Sequence[int | None],
    other: Sequence[Document],
    other_order: Sequence[int | None],
    merged: Mapping[int, Document | None],
) -> list[Document]:
    """The rows in the order of `lead`; a row that only `other` has comes after the row that it follows there."""
    rows: list[tuple[int | None, Document | None]] = [
        (number, merged[number] if number is not None else row) for number, row in zip(lead_order, lead, strict=True)
    ]
    in_lead = {number for number, _row in rows if number is not None}
    at = 0
    for number, row in zip(other_order, other, strict=True):
        if number is not None and number in in_lead:
            at = next(index for index, (lead_number, _row) in enumerate(rows) if lead_number == number) + 1
        else:
            rows.insert(at, (number, merged[number] if number is not None else row))
            at += 1
    return [row for _number, row in rows if row]


def _without_twins(
    shape: Rows, rows: list[Document], mine: Sequence[Document], path: str, note: _Note
) -> list[Document]:
    """Merge rows that both sides added, so that each is there once; their differences are conflicts."""
    by_name: dict[tuple[Any, ...], Document] = {}
    for row in rows:
        name = shape.name(row)
        if name in by_name:
            ours, others = (row, by_name[name]) if row in mine else (by_name[name], row)
            by_name[name] = _merge(shape.of, EMPTY, ours, others, f"{path}.{list(by_name).index(name)}", note)
        else:
            by_name[name] = row
    return [*by_name.values()]
