"""A document -> the parts of its form, each with its value, its choices and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from django.utils.safestring import SafeString
from django.utils.text import capfirst

from rules.documents import Problem
from rules.documents.kinds import KINDS, LANGUAGES
from rules.documents.shapes import ByLanguage, Choice, Field, Flag, Number, Rows, Shape, Table, Text, Texts, is_blank
from rules.forms.layout import (
    CITED,
    HELP,
    LAYOUTS,
    NAMED,
    PHRASE,
    PLACED,
    SHOWN_LANGUAGES,
    WORDS,
    Choices,
    Layout,
    Options,
    options_html,
)

_NUMBERS: Final = re.compile(r"\.\d+")
_NOTHING: Final = SafeString("")
_PLAIN: Final = Layout()


class Widget(StrEnum):
    """How a part is shown."""

    LINE = "line"
    NUMBER = "number"
    TEXT = "text"
    SELECT = "select"
    CHECK = "check"
    CHECKS = "checks"
    CITATION = "citation"
    HIDDEN = "hidden"
    GROUP = "group"
    ROWS = "rows"
    LIST = "list"


@dataclass(slots=True)
class Part:
    """A field, or a group of them. `parts` and `more` are what is in a group; `more` is folded away."""

    widget: Widget
    path: str
    label: str = ""
    value: Any = ""
    at: str = ""
    """Of a citation: the place in the source."""
    help: str = ""
    lang: str = ""
    """The language that is written in it."""
    most: int = 0
    lines: int = 1
    required: bool = False
    suggestions: str = ""
    """The id of a list of suggestions."""
    options: SafeString = _NOTHING
    checks: tuple[tuple[str, str, bool], ...] = ()
    """Of several choices: value, words, whether it is chosen."""
    errors: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    more: list[Part] = field(default_factory=list)
    is_open: bool = False
    """Whether what is folded away must be seen."""

    @property
    def id(self) -> str:
        """The id of the control on the page."""
        return f"f-{self.path}"


def parts_of(
    kind: str, document: Mapping[str, Any], choices: Choices, problems: Sequence[Problem] = ()
) -> tuple[list[Part], list[Part]]:
    """The parts of a document's form, and those that are folded away. `document` need not be sound.

    Each problem stands at its field, or at the nearest part that holds it.
    """
    maker = _Maker(kind, choices)
    layout = PHRASE if kind == "concept" and document.get("sort") == "phrase" else LAYOUTS[kind]
    whole = maker.table(KINDS[kind], document, "", layout)
    by_path = {part.path: part for part in _all(whole)}
    for problem in problems:
        path = problem.field
        while path and path not in by_path:
            path = path.rpartition(".")[0]
        if path:
            by_path[path].errors.append(str(problem.message))
    _open(whole)
    return whole.parts, whole.more


def anchor(path: str, parts: Iterable[Part]) -> str:
    """The id of the control that holds a problem's path; empty if none does."""
    known = {part.path for top in parts for part in _all(top)}
    while path and path not in known:
        path = path.rpartition(".")[0]
    return f"f-{path}" if path else ""


def _all(part: Part) -> Iterable[Part]:
    yield part
    for inner in (*part.parts, *part.more):
        yield from _all(inner)


def _open(part: Part) -> bool:
    """Open every fold that holds something wrong; whether this part does."""
    wrong_below = [_open(inner) for inner in part.more]
    part.is_open = part.is_open or any(wrong_below)
    wrong_beside = [_open(inner) for inner in part.parts]
    return bool(part.errors) or any(wrong_below) or any(wrong_beside)


@dataclass(frozen=True, slots=True)
class _Maker:
    kind: str
    choices: Choices

    def table(self, table: Table, value: Any, path: str, layout: Layout, label: str = "") -> Part:
        held = value if isinstance(value, Mapping) else {}
        by_name = {field.name: field for field in table.fields}
        names = [*layout.first, *(name for name in by_name if name not in {*layout.first, *layout.more})]
        group = Part(Widget.GROUP, path, label)
        for name in names:
            part = self.field(by_name[name], held.get(name), _at(path, name))
            if name in layout.hidden:
                part = Part(Widget.HIDDEN, part.path, value=part.value)
            group.parts.append(part)
        group.more = [self.field(by_name[name], held.get(name), _at(path, name)) for name in layout.more]
        return group

    def field(self, field: Field, value: Any, path: str) -> Part:
        part = self.shaped(field.shape, value, path, field.name, capfirst(str(field.label)))
        part.help = str(HELP.get(f"{self.kind}.{_NUMBERS.sub('', path)}", part.help))
        return part

    def shaped(self, shape: Shape, value: Any, path: str, name: str, label: str) -> Part:
        if isinstance(shape, Text):
            return self.text(shape, value, path, name, label)
        if isinstance(shape, Choice):
            return self.choice(shape, value, path, label)
        if isinstance(shape, Number):
            return Part(Widget.NUMBER, path, label, "" if value is None else value)
        if isinstance(shape, Flag):
            return Part(Widget.CHECK, path, label, value is True)
        if isinstance(shape, Texts):
            return self.texts(shape, value, path, name, label)
        if isinstance(shape, Rows):
            return self.rows(shape, value, path, label)
        if isinstance(shape, ByLanguage):
            return self.languages(shape, value, path, label)
        return self.table(shape, value, path, _PLAIN, label)

    def text(self, shape: Text, value: Any, path: str, name: str, label: str) -> Part:
        text = str(value or "")
        if name in CITED:
            return self.citation(text, path, label)
        if name in PLACED and self.kind != "source":
            return self.select(self.choices.places, text, path, label)
        widget = Widget.TEXT if shape.lines > 1 else Widget.LINE
        part = Part(widget, path, label, text, most=shape.most, required=shape.required)
        part.lines = 24 if path == "text" else min(4, shape.lines)
        part.suggestions = "known-words" if name in WORDS else ""
        return part

    def choice(self, shape: Choice, value: Any, path: str, label: str) -> Part:
        options: Options = tuple((key, str(words)) for key, words in shape.options.items())
        part = self.select(options, str(value or ""), path, label)
        part.required = shape.required
        return part

    def select(self, options: Options, value: str, path: str, label: str) -> Part:
        return Part(Widget.SELECT, path, label, value, options=options_html((("", "–"), *options), value))

    def citation(self, text: str, path: str, label: str) -> Part:
        key, _colon, at = text.partition(":")
        options = options_html((("", "–"), *self.choices.sources), key.strip())
        return Part(Widget.CITATION, path, label, key.strip(), at=at.strip(), options=options)

    def texts(self, shape: Texts, value: Any, path: str, name: str, label: str) -> Part:
        held = [str(text) for text in value] if isinstance(value, list) else []
        if isinstance(shape.of, Choice):
            checks = tuple((key, str(words), key in held) for key, words in shape.of.options.items())
            return Part(Widget.CHECKS, path, label, checks=checks)
        if name in CITED or name in NAMED:
            shown = held if held and not held[-1] else [*held, ""]
            part = Part(Widget.LIST, path, label)
            for number, text in enumerate(shown):
                part.parts.append(self.text(shape.of, text, f"{path}.{number}", name, f"{label} {number + 1}"))
            return part
        return Part(Widget.TEXT, path, label, "\n".join(held), lines=3)

    def rows(self, shape: Rows, value: Any, path: str, label: str) -> Part:
        part = Part(Widget.ROWS, path, label)
        layout = LAYOUTS.get(f"{self.kind}.{_NUMBERS.sub('', path)}", _PLAIN)
        for number, row in enumerate(value if isinstance(value, list) else ()):
            held = row if isinstance(row, Mapping) else {}
            title = "" if is_blank(held) else shape.title(held).strip(" ›")
            part.parts.append(self.table(shape.of, held, f"{path}.{number}", layout, title))
        return part

    def languages(self, shape: ByLanguage, value: Any, path: str, label: str) -> Part:
        held = value if isinstance(value, Mapping) else {}
        part = Part(Widget.GROUP, path, label)
        at_top = "." not in path
        for code, name in shape.languages.items():
            at = f"{path}.{code or 'all'}"
            is_shown = code in SHOWN_LANGUAGES or not (is_blank(held.get(code, "")) or held.get(code) is None)
            if not is_shown and not at_top:
                continue
            inner = self.shaped(shape.of, held.get(code), at, "", capfirst(str(name)))
            for each in _all(inner):
                each.lang = code if code in LANGUAGES else ""
            inner.help = str(HELP.get(f"{self.kind}.{path}.{code}", ""))
            (part.parts if is_shown else part.more).append(inner)
        return part


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
