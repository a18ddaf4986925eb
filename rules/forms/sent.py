"""What a form sent -> a document, not checked yet: `rules.documents.check` says what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.http import QueryDict

from rules.documents.kinds import KINDS
from rules.documents.shapes import ByLanguage, Choice, Flag, Number, Rows, Shape, Table, Text, Texts
from rules.forms.layout import CITED, NAMED

_HELD: Final = ""
"""Under this name a node holds the values that were sent for its own path."""
_ROWS_AT_MOST: Final = 200
_DEEP: Final = 8
_WHOLE: Final = re.compile(r"-?\d{1,9}", re.ASCII)

_Node = dict[str, Any]


def document_of(kind: str, data: QueryDict) -> dict[str, Any]:
    """The document that the fields of a form say; fields that are no part of such a document are passed over.

    Rows keep their order; those in which nothing is filled stay, so that the form can be shown again as it was.
    """
    made = _read(KINDS[kind], _tree(data), "")
    return made if isinstance(made, dict) else {}


def _tree(data: QueryDict) -> _Node:
    """The values sent, by the steps of their names."""
    tree: _Node = {}
    for name, values in data.lists():
        node = tree
        for step in name.split(".", _DEEP):
            node = node.setdefault(step or "=", {})
        node[_HELD] = values
    return tree


def _read(shape: Shape, node: _Node, name: str) -> Any:
    if isinstance(shape, Table):
        read = {
            field.name: _read(field.shape, node[field.name], field.name) for field in shape.fields if field.name in node
        }
        return _filled(read)
    if isinstance(shape, ByLanguage):
        named = ((code, code or "all") for code in shape.languages)
        return _filled({code: _read(shape.of, node[name], "") for code, name in named if name in node})
    if isinstance(shape, Rows):
        return [_read(shape.of, row, "") for row in _numbered(node)]
    if isinstance(shape, Texts):
        return _texts(shape, node, name)
    text = _value(node)
    if isinstance(shape, Text) and name in CITED:
        return _citation(node)
    if isinstance(shape, Number):
        return int(text) if _WHOLE.fullmatch(text.strip()) else text.strip()
    return (text != "" or None) if isinstance(shape, Flag) else text


def _filled(read: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in read.items() if value not in ("", None, [], {})}


def _texts(shape: Texts, node: _Node, name: str) -> list[str]:
    if isinstance(shape.of, Choice):
        return [text for text in node.get(_HELD, ()) if text]
    if name in CITED:
        return [text for text in map(_citation, _numbered(node)) if text]
    if name in NAMED:
        return [text for text in map(_value, _numbered(node)) if text]
    return [line.strip() for line in _value(node).splitlines() if line.strip()]


def _citation(node: Mapping[str, _Node]) -> str:
    """ "pagat: The Deal" from a source that was chosen and the place in it that was typed."""
    key, at = _value(node.get("key", {})).strip(), _value(node.get("at", {})).strip()
    return f"{key}: {at}" if at else key


def _numbered(node: _Node) -> list[_Node]:
    numbers = sorted(int(name) for name in node if name.isascii() and name.isdigit() and len(name) < 5)
    return [node[str(number)] for number in numbers[:_ROWS_AT_MOST] if str(number) in node]


def _value(node: _Node) -> str:
    values = node.get(_HELD)
    return str(values[-1]) if values else ""
