"""A document as lines that a person can read, one fact to a line: what a comparison of two revisions shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from rules.documents.kinds import KINDS
from rules.documents.shapes import ByLanguage, Choice, Flag, Label, Rows, Shape, Table, Text, Texts

_STEP: Final = " › "


@dataclass(frozen=True, slots=True)
class Line:
    """`label` says where the fact belongs, in the reader's language: “words › Sursilvan › scart › gender”. `text` is the fact."""

    label: str
    text: str

    def __str__(self) -> str:
        return f"{self.label}: {self.text}"


def lines(kind: str, document: Mapping[str, Any]) -> list[Line]:
    """The document's facts in the order of its fields; a text of several lines gives a line for each.

    Expects a canonical document. Raises KeyError for a kind that is none.
    """
    return list(_lines(KINDS[kind], document, ""))


def label_of(kind: str, path: str, document: Mapping[str, Any] | None = None) -> str:
    """The label of a field given by its path (`terms.0.gender`), as `lines` has it; rows are named where `document` has them.

    What is unknown is left as it is.
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
    """A row's fields. What its title says already is not repeated, unless it says nothing else."""
    said = [name for name in row if name not in shape.titled]
    if not said:
        yield Line(label, "✓")
    for field in shape.of.fields:
        if field.name in said:
            yield from _lines(field.shape, row[field.name], _joined(label, field.label))


def _words(shape: Shape, value: Any) -> str:
    """A single value in the reader's words."""
    if isinstance(shape, Choice):
        return str(shape.options.get(value, value))
    if isinstance(shape, Flag):
        return _("yes")
    assert not isinstance(shape, Text) or isinstance(value, str)
    return str(value)


def _joined(label: str, more: Label) -> str:
    return f"{label}{_STEP}{more}" if label else str(more)
