"""Forms for the encyclopedia's documents, made from the shapes that check them: a field's name is its path.

`parts_of` turns a document into the parts of a form, each with its value, its choices and its errors; `document_of`
turns submitted data into a document, which `rules.documents.check` has yet to check. The forms work without JavaScript:
rows are added, moved and removed by buttons that send the form (`act_on_rows`).
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.forms import NOT_OFFERED
from core.sursilvan import capfirst
from rules.documents import Problem, shapes
from rules.documents.kinds import KINDS, LANGUAGES
from rules.markup.page import short_title
from rules.models import Concept, Place, Source
from rules.selectors import place_name

SHOWN_LANGUAGES: Final = ("", "en", "de", "rm-sursilv")
"""Languages whose fields are always shown; the others are folded away while they are empty."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The order of fields in one table: `first`, then those not listed, then `more`.

    `more` is folded away unless something in it is wrong; `hidden` fields are sent along unseen.
    """

    more: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    first: tuple[str, ...] = ()


LAYOUTS: Final[Mapping[str, Layout]] = {
    "article": Layout(more=("section", "order", "ruleset", "draft"), first=("title", "summary", "text")),
    "concept": Layout(
        first=("theme", "games", "terms", "definitions"),
        more=(
            "meaning", "note", "broader", "related", "elsewhere", "own", "title", "order", "sort", "literal", "tells",
            "strength", "place", "talk_theme",
        ),
        hidden=("slug",),
    ),
    "concept.terms": Layout(
        first=("lang", "text", "status", "place", "sources"),
        more=("pos", "gender", "register", "look_up", "ipa", "note", "gloss", "examples", "forms", "audio"),
    ),
    "source": Layout(first=("title", "author", "container", "place", "year", "url", "seen", "kind", "trust")),
    "place": Layout(),
}  # fmt: skip
PHRASE: Final = Layout(
    first=("literal", "tells", "strength", "place", "talk_theme", "terms", "theme", "games"),
    more=("definitions", "meaning", "note", "broader", "related", "elsewhere", "own", "title", "order", "sort"),
    hidden=("slug",),
)
"""The form for a phrase of the talk."""

HELP: Final[Mapping[str, str | Promise]] = {
    "article.summary": _("One or two sentences for lists and search results."),
    "article.text": _("CommonMark. Sections begin with “## Deal {#deal}”, a source is cited as [@pagat: The Deal]."),
    "article.order": _("The place among the pages of its section; small numbers come first."),
    "article.ruleset": _("The game that the examples of the page are played by."),
    "article.draft": _("Readers are told that it is a draft."),
    "concept.terms": _("In each language the first word is the one we use."),
    "concept.broader": _("The key of a word that says more in general what this is."),
    "concept.related": _("Keys of other words worth looking at."),
    "concept.strength": _("How strong the speaker’s hand is, from 0 to 5."),
    "concept.own": _("The language the word belongs to at the table."),
    "concept.terms.status": _("A word that no source attests in this sense is proposed."),
    "concept.terms.place": _("Where it is said; leave it empty if it is said wherever the language is spoken."),
    "concept.terms.register": _("For example jocular, historical, printed on cards."),
    "concept.terms.look_up": _("Plurals, other spellings, misprints: one on each line."),
    "concept.terms.ipa": _("IPA, only where it is certain."),
    "concept.terms.gloss": _("What a popular name says word for word."),
    "source.container": _("The book, journal or site it is in."),
    "source.seen": _("The day it was read, as 2026-10-31."),
    "source.language": _("The language code, for example de."),
    "place.names.": _("The name that holds in all languages not given below."),
}
"""By kind and path, without the numbers of rows."""


Options = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Choices:
    """The lists of options of one form, each queried once, when first needed. `language` is the reader's."""

    language: str

    @cached_property
    def sources(self) -> Options:
        return tuple(
            (key, f"{key} – {short_title(document)}"[:60])
            for key, document in Source.objects.order_by("key").values_list("key", "document")
        )

    @cached_property
    def places(self) -> Options:
        """All places by their names, each with the larger one it lies in."""
        rows = {place.key: place for place in Place.objects.select_related("parent")}
        named = [(place.key, self._place(place)) for place in rows.values()]
        return tuple(sorted(named, key=lambda row: row[1].casefold()))

    @cached_property
    def words(self) -> Options:
        return tuple((concept.key, self._word(concept.document)) for concept in Concept.objects.order_by("key"))

    def _place(self, place: Place) -> str:
        name = place_name(place, self.language)
        return f"{name} ({place_name(place.parent, self.language)})" if place.parent else name

    def _word(self, document: Mapping[str, Any]) -> str:
        texts: list[str] = []
        for language in (self.language, document.get("own", "")):
            texts += [term["text"] for term in document.get("terms", ()) if term["lang"] == language][:1]
        texts += [term["text"] for term in document.get("terms", ())][:1]
        return " · ".join(dict.fromkeys(texts))[:80]


def options_html(options: Options, value: str) -> SafeString:
    """Options for a select element. A `value` that is not among them is added."""
    if value and all(key != value for key, _label in options):
        options = (*options, (value, value))
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        ((key, SafeString(" selected") if key == value else SafeString(""), label) for key, label in options),
    )


def datalist_html(id: str, options: Options) -> SafeString:
    rows = format_html_join("", '<option value="{}">{}</option>', options)
    return format_html('<datalist id="{}">{}</datalist>', id, rows)


_HELD: Final = ""
"""The key under which a node holds the values submitted for its own path."""
_ROWS_AT_MOST: Final = 200
_DEEP: Final = 8
_WHOLE: Final = re.compile(r"-?\d{1,9}", re.ASCII)

_Node = dict[str, Any]


def document_of(kind: str, data: QueryDict) -> dict[str, Any]:
    """The document in the submitted fields of a form; fields that do not belong to such a document are ignored.

    Rows keep their order; empty ones stay, so that the form can be shown again as it was.
    """
    document = _read(KINDS[kind], _tree(data))
    return document if isinstance(document, dict) else {}


def _tree(data: QueryDict) -> _Node:
    """The submitted values as a tree, by the steps of their names."""
    tree: _Node = {}
    for name, values in data.lists():
        node = tree
        for step in name.split(".", _DEEP):
            node = node.setdefault(step or "=", {})
        node[_HELD] = values
    return tree


def _read(shape: shapes.Shape, node: _Node) -> Any:
    if isinstance(shape, shapes.Table):
        return _filled(
            {field.name: _read(field.shape, node[field.name]) for field in shape.fields if field.name in node}
        )
    if isinstance(shape, shapes.ByLanguage):
        named = ((code, code or "all") for code in shape.languages)
        return _filled({code: _read(shape.of, node[name]) for code, name in named if name in node})
    if isinstance(shape, shapes.Rows):
        return [_read(shape.of, row) for row in _numbered(node)]
    if isinstance(shape, shapes.Texts):
        return _texts(shape, node)
    text = _value(node)
    if isinstance(shape, shapes.Text) and shape.refers_to == "source":
        return _citation(node)
    if isinstance(shape, shapes.Number):
        return int(text) if _WHOLE.fullmatch(text.strip()) else text.strip()
    return (text != "" or None) if isinstance(shape, shapes.Flag) else text


def _filled(read: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in read.items() if value not in ("", None, [], {})}


def _texts(shape: shapes.Texts, node: _Node) -> list[str]:
    if isinstance(shape.of, shapes.Choice):
        return [text for text in node.get(_HELD, ()) if text]
    if shape.of.refers_to:
        read = _citation if shape.of.refers_to == "source" else _value
        return [text for text in map(read, _numbered(node)) if text]
    return [line.strip() for line in _value(node).splitlines() if line.strip()]


def _citation(node: _Node) -> str:
    """The chosen source and the place in it that was typed, for example "pagat: The Deal"."""
    key, at = _value(node.get("key", {})).strip(), _value(node.get("at", {})).strip()
    return f"{key}: {at}" if at else key


def _numbered(node: _Node) -> list[_Node]:
    numbers = sorted(number for number in map(_row_number, node) if number is not None)
    return [node[str(number)] for number in numbers[:_ROWS_AT_MOST] if str(number) in node]


def _row_number(step: str) -> int | None:
    """The number of a row that a step of a path names; None if it names no row."""
    return int(step) if step.isascii() and step.isdigit() and len(step) < 5 else None


def _value(node: _Node) -> str:
    values = node.get(_HELD)
    return str(values[-1]) if values else ""


# None of these is the name of a method of HTML forms, which a button of that name would hide from scripts.
ACTIONS: Final = ("add", "take-out", "up")


def act_on_rows(kind: str, document: dict[str, Any], data: Mapping[str, str]) -> str:
    """Change `document` as the pressed button says (`add=terms`, `take-out=terms.2`, `up=terms.2`).

    Returns the path of the row to show; empty if no such button was pressed, or if the row it names does not exist.
    """
    for action in ACTIONS:
        path = data.get(action, "")
        if path:
            return _act(action, KINDS[kind], document, path)
    return ""


def _act(action: str, shape: shapes.Shape, document: dict[str, Any], path: str) -> str:
    if action == "add":
        place = _find_or_create_rows(shape, document, path)
        if place is None:
            return ""
        rows, empty_row = place
        rows.append(empty_row)
        return f"{path}.{len(rows) - 1}"
    list_path, _dot, last = path.rpartition(".")
    number = _row_number(last)
    place = _find_or_create_rows(shape, document, list_path)
    if place is None or number is None:
        return ""
    rows, _empty_row = place
    if number >= len(rows):
        return ""
    if action == "take-out":
        del rows[number]
        return list_path
    if number > 0:
        rows.insert(number - 1, rows.pop(number))
    return f"{list_path}.{max(number - 1, 0)}"


def _find_or_create_rows(shape: shapes.Shape, document: dict[str, Any], path: str) -> tuple[list[Any], Any] | None:
    """The list at `path` in `document`, created if missing, and an empty row for it.

    None if the path does not lead to a list.
    """
    value: Any = document
    for step in path.split(".", _DEEP):
        inner = _inner(shape, step)
        if inner is None:
            return None
        if isinstance(value, dict):
            value = value.setdefault(step, _empty_value(inner))
        elif isinstance(value, list):
            number = _row_number(step)
            if number is None or number >= len(value):
                return None
            value = value[number]
        else:
            return None
        shape = inner
    if not isinstance(value, list):
        return None
    if isinstance(shape, shapes.Rows):
        return value, {}
    if isinstance(shape, shapes.Texts):
        return value, ""
    return None


def _inner(shape: shapes.Shape, step: str) -> shapes.Shape | None:
    """The shape one step below; None if there is none."""
    if isinstance(shape, shapes.Table):
        return next((field.shape for field in shape.fields if field.name == step), None)
    if isinstance(shape, shapes.ByLanguage):
        return shape.of if step in shape.languages else None
    return shape.of if isinstance(shape, shapes.Rows) else None


def _empty_value(shape: shapes.Shape) -> list[Any] | dict[str, Any]:
    return [] if isinstance(shape, (shapes.Rows, shapes.Texts)) else {}


_NUMBERS: Final = re.compile(r"\.\d+")
_NOTHING: Final = SafeString("")
_PLAIN: Final = Layout()


class Widget(StrEnum):
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
    """A field, or a group of fields: `parts` are shown, `more` is folded away."""

    widget: Widget
    path: str
    label: str = ""
    value: Any = ""
    at: str = ""
    """For a citation: the place in the source."""
    help: str = ""
    lang: str = ""
    """The language its text is written in."""
    most: int = 0
    lines: int = 1
    required: bool = False
    suggestions: str = ""
    """The id of the datalist with its suggestions."""
    options: SafeString = _NOTHING
    checks: tuple[tuple[str, str, bool], ...] = ()
    """For checkboxes: value, label, whether it is chosen."""
    errors: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    more: list[Part] = field(default_factory=list)
    is_open: bool = False
    """Whether the folded parts must be shown."""
    is_wrong: bool = False
    """Whether it, or a part in it, has an error."""

    @property
    def id(self) -> str:
        return f"f-{self.path}"


def parts_of(
    kind: str, document: Mapping[str, Any], choices: Choices, problems: Sequence[Problem] = ()
) -> tuple[list[Part], list[Part]]:
    """The parts of a document's form: those shown, and those folded away. `document` need not be valid.

    Each problem is put at its field, or at the nearest part that contains it.
    """
    maker = _Maker(kind, choices)
    layout = PHRASE if kind == "concept" and document.get("sort") == "phrase" else LAYOUTS[kind]
    whole = maker.table(KINDS[kind], document, "", layout)
    by_path = {part.path: part for part in _walk(whole)}
    for problem in problems:
        path = _nearest(problem.field, by_path)
        if path:
            by_path[path].errors.append(message_at(by_path[path], problem))
    _open(whole)
    return whole.parts, whole.more


def part_at(path: str, parts: Iterable[Part]) -> Part | None:
    """The part at a problem's path, or the nearest that contains it; None if there is none."""
    by_path = {part.path: part for top in parts for part in _walk(top)}
    return by_path.get(_nearest(path, by_path))


def message_at(part: Part | None, problem: Problem) -> str:
    """What to do about a problem, at its part: a list shows what it offers, of which the message has the keys."""
    return str(NOT_OFFERED if part is not None and part.widget is Widget.SELECT else problem.message)


def _nearest(path: str, existing: Container[str]) -> str:
    while path and path not in existing:
        path = path.rpartition(".")[0]
    return path


def _walk(part: Part) -> Iterable[Part]:
    """The part and all parts in it."""
    yield part
    for inner in (*part.parts, *part.more):
        yield from _walk(inner)


def _open(part: Part) -> bool:
    """Open every fold that contains an error. Returns whether this part contains one."""
    wrong_below = [_open(inner) for inner in part.more]
    part.is_open = part.is_open or any(wrong_below)
    wrong_beside = [_open(inner) for inner in part.parts]
    part.is_wrong = bool(part.errors) or any(wrong_below) or any(wrong_beside)
    return part.is_wrong


@dataclass(frozen=True, slots=True)
class _Maker:
    kind: str
    choices: Choices

    def table(self, table: shapes.Table, value: Any, path: str, layout: Layout, label: str = "") -> Part:
        held = value if isinstance(value, Mapping) else {}
        by_name = {field.name: field for field in table.fields}
        names = [*layout.first, *(name for name in by_name if name not in {*layout.first, *layout.more})]
        group = Part(Widget.GROUP, path, label)
        for name in names:
            part = self.field(by_name[name], held.get(name), shapes.at(path, name))
            if name in layout.hidden:
                part = Part(Widget.HIDDEN, part.path, value=part.value)
            group.parts.append(part)
        group.more = [self.field(by_name[name], held.get(name), shapes.at(path, name)) for name in layout.more]
        return group

    def field(self, field: shapes.Field, value: Any, path: str) -> Part:
        part = self.shaped(field.shape, value, path, capfirst(field.label))
        part.help = str(HELP.get(f"{self.kind}.{_NUMBERS.sub('', path)}", part.help))
        return part

    def shaped(self, shape: shapes.Shape, value: Any, path: str, label: str) -> Part:
        if isinstance(shape, shapes.Text):
            return self.text(shape, value, path, label)
        if isinstance(shape, shapes.Choice):
            return self.choice(shape, value, path, label)
        if isinstance(shape, shapes.Number):
            return Part(Widget.NUMBER, path, label, "" if value is None else value)
        if isinstance(shape, shapes.Flag):
            return Part(Widget.CHECK, path, label, value is True)
        if isinstance(shape, shapes.Texts):
            return self.texts(shape, value, path, label)
        if isinstance(shape, shapes.Rows):
            return self.rows(shape, value, path, label)
        if isinstance(shape, shapes.ByLanguage):
            return self.languages(shape, value, path, label)
        return self.table(shape, value, path, _PLAIN, label)

    def text(self, shape: shapes.Text, value: Any, path: str, label: str) -> Part:
        text = str(value or "")
        if shape.refers_to == "source":
            return self.citation(text, path, label)
        if shape.refers_to == "place":
            return self.select(self.choices.places, text, path, label)
        widget = Widget.TEXT if shape.lines > 1 else Widget.LINE
        part = Part(widget, path, label, text, most=shape.most, required=shape.required)
        part.lines = 24 if path == "text" else min(4, shape.lines)
        part.suggestions = "known-words" if shape.refers_to == "concept" else ""
        return part

    def choice(self, shape: shapes.Choice, value: Any, path: str, label: str) -> Part:
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

    def texts(self, shape: shapes.Texts, value: Any, path: str, label: str) -> Part:
        held = [str(text) for text in value] if isinstance(value, list) else []
        if isinstance(shape.of, shapes.Choice):
            checks = tuple((key, str(words), key in held) for key, words in shape.of.options.items())
            return Part(Widget.CHECKS, path, label, checks=checks)
        if shape.of.refers_to:  # one field for each text
            shown = held if held and not held[-1] else [*held, ""]
            part = Part(Widget.LIST, path, label)
            for number, text in enumerate(shown):
                part.parts.append(self.text(shape.of, text, f"{path}.{number}", f"{label} {number + 1}"))
            return part
        return Part(Widget.TEXT, path, label, "\n".join(held), lines=3)

    def rows(self, shape: shapes.Rows, value: Any, path: str, label: str) -> Part:
        part = Part(Widget.ROWS, path, label)
        layout = LAYOUTS.get(f"{self.kind}.{_NUMBERS.sub('', path)}", _PLAIN)
        for number, row in enumerate(value if isinstance(value, list) else ()):
            held = row if isinstance(row, Mapping) else {}
            # a row without a title stays open: it is not complete yet
            title = shape.title(held).strip(" ›") if shape.of.is_complete(held) else ""
            part.parts.append(self.table(shape.of, held, f"{path}.{number}", layout, title))
        return part

    def languages(self, shape: shapes.ByLanguage, value: Any, path: str, label: str) -> Part:
        held = value if isinstance(value, Mapping) else {}
        part = Part(Widget.GROUP, path, label)
        at_top = "." not in path
        for code, name in shape.languages.items():
            here = f"{path}.{code or 'all'}"
            text = held.get(code)
            is_shown = code in SHOWN_LANGUAGES or not (text is None or shapes.is_blank(text))
            if not is_shown and not at_top:
                continue
            inner = self.shaped(shape.of, text, here, capfirst(name))
            for each in _walk(inner):
                each.lang = code if code in LANGUAGES else ""
            inner.help = str(HELP.get(f"{self.kind}.{path}.{code}", ""))
            (part.parts if is_shown else part.more).append(inner)
        return part
