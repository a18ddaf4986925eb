"""The buttons beside rows: another one, this one away, this one further up. They change the form, not yet the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rules.documents.kinds import KINDS
from rules.documents.shapes import ByLanguage, Rows, Shape, Table, Texts

ACTIONS: Final = ("add", "remove", "up")


def act_on_rows(kind: str, document: dict[str, Any], data: Mapping[str, str]) -> str:
    """Do in `document` what the button pressed says (`add=terms`, `remove=terms.2`, `up=terms.2`).

    Returns the path of the row to show; empty if no such button was pressed, or if it names what is not there.
    """
    for action in ACTIONS:
        path = data.get(action, "")
        if path:
            return _act(action, KINDS[kind], document, path)
    return ""


def _act(action: str, shape: Shape, document: dict[str, Any], path: str) -> str:
    steps = path.split(".", 8)
    if action == "add":
        rows = _rows_at(shape, document, steps)
        if rows is None:
            return ""
        found, blank = rows
        found.append(blank)
        return f"{path}.{len(found) - 1}"
    *above, last = steps
    rows = _rows_at(shape, document, above) if above else None
    if rows is None or not last.isdigit() or len(last) > 4:
        return ""
    found, number = rows[0], int(last)
    if number >= len(found):
        return ""
    if action == "remove":
        del found[number]
        return ".".join(above)
    if number > 0:
        found.insert(number - 1, found.pop(number))
    return ".".join([*above, str(max(number - 1, 0))])


def _rows_at(shape: Shape | None, value: Any, steps: list[str]) -> tuple[list[Any], Any] | None:
    """The list at a path, made where it is missing, and what a blank row of it is."""
    for step in steps:
        inner, blank = _inner(shape, step)
        if inner is None:
            return None
        if isinstance(value, dict):
            value = value.setdefault(step, blank)
        elif isinstance(value, list) and step.isdigit() and len(step) < 5 and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
        shape = inner
    if isinstance(shape, Rows) and isinstance(value, list):
        return value, {}
    return (value, "") if isinstance(shape, Texts) and isinstance(value, list) else None


def _inner(shape: Shape | None, step: str) -> tuple[Shape | None, Any]:
    """The shape below one step, and an empty value of it."""
    inner: Shape | None = None
    if isinstance(shape, Table):
        inner = next((field.shape for field in shape.fields if field.name == step), None)
    elif isinstance(shape, ByLanguage):
        inner = shape.of if step in shape.languages else None
    elif isinstance(shape, Rows):
        inner = shape.of
    return inner, [] if isinstance(inner, (Rows, Texts)) else {}
