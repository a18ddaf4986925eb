"""The shapes that documents are made of: texts, choices, lists and tables, each with its limits and error messages.

A shape reads any JSON or TOML value into its canonical form and notes what is wrong; a shape never raises. In canonical
form, keys are in the order of the table, texts are in NFC without surrounding whitespace, and nothing is empty. `EMPTY`
stands for a value that is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeAlias

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to correct: where it is (`terms.0.text`; empty for the whole document), and what to do about it."""

    field: str
    message: str | Promise

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else str(self.message)


class BadDocument(Refusal):
    """A document that cannot be stored as it is. `problems` lists everything that is wrong, in the order of fields."""

    words = {"bad-document": _("Some of it must be mended first. Nothing has been changed yet.")}
    code = "bad-document"

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__()
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems))


Label: TypeAlias = str | Promise

EMPTY: Final = None
_DIRECTIONS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text after them, so that it reads otherwise than it is stored."""
_UNFIT: Final = frozenset({"Cc", "Cs", "Cn"})  # control characters, surrogates, unassigned code points
_STACKED: Final = 4  # marks on one letter; Romansh and IPA need two


@dataclass(frozen=True, slots=True)
class Text:
    """A text of at most `most` characters, or of `most_bytes` bytes of UTF-8; on one line unless `lines` allows more."""

    most: int
    required: bool = False
    missing: Label = ""
    """The message for a required text that is empty, if there is a better one than for all."""
    lines: int = 1
    most_bytes: int = 0
    pattern: re.Pattern[str] | None = None
    hint: Label = ""
    """The message for a text that does not match `pattern`."""
    refers_to: str = ""
    """The kind of entry whose key it is: `place`, `concept`, or `source`, where the place in the source may follow."""

    def read(self, value: object, path: str, problems: list[Problem]) -> str | None:
        """The text, or EMPTY."""
        if value is None:
            value = ""
        if isinstance(value, (date, int)) and not isinstance(value, bool):
            value = value.isoformat() if isinstance(value, date) else _figures(value)
        if not isinstance(value, str):
            problems.append(Problem(path, _("Write a text here.")))
            return EMPTY
        if len(value) > 4 * max(self.most, self.most_bytes):
            # Far too long to be checked character by character.
            problems.append(Problem(path, self._too_long()))
            return EMPTY
        text = unicodedata.normalize("NFC", value.replace("\r\n", "\n").replace("\r", "\n")).strip()
        message = self._wrong_with(text)
        if message:
            problems.append(Problem(path, message))
            return EMPTY
        return text or EMPTY

    def _wrong_with(self, text: str) -> Label:
        if not text:
            return (self.missing or _("This is needed.")) if self.required else ""
        if len(text) > self.most or (self.most_bytes and len(text.encode(errors="replace")) > self.most_bytes):
            return self._too_long()
        if "\n" in text and self.lines == 1:
            return _("Write this on one line.")
        if text.count("\n") >= self.lines:
            return format_lazy(_("At most {most} lines, please."), most=self.lines)
        unfit = unfit_character(text, lines=self.lines > 1)
        if unfit:
            return unfit
        if self.pattern and not self.pattern.fullmatch(text):
            return self.hint
        return ""

    def _too_long(self) -> Label:
        if self.most_bytes:
            return format_lazy(_("This is too long: at most {most} kB, please."), most=self.most_bytes // 1000)
        return format_lazy(_("This is too long: at most {most} characters, please."), most=self.most)


def unfit_character(text: str, *, lines: bool) -> Label:
    """What is wrong with the characters of `text`, or an empty string.

    `lines`: whether line breaks and tabs may occur.
    """
    stacked = 0
    for character in text:
        kind = unicodedata.category(character)
        if kind in _UNFIT and not (lines and character in "\n\t"):
            return _("There is an invisible control character in this text. Type it again without copying.")
        if character in _DIRECTIONS:
            return _(
                "There is a character in this text that changes the direction of reading. Type it again without copying."
            )
        stacked = stacked + 1 if kind == "Mn" else 0
        if stacked > _STACKED:
            return _("There are too many accents on one letter.")
    return ""


def _figures(value: int) -> str:
    """A number as text; one of more than twelve digits becomes a text that is refused."""
    return str(value) if abs(value) < 10**12 else "\0"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few values, each with its label for screens; `default` is filled in if no value is given."""

    options: Mapping[str, Label]
    default: str = ""
    required: bool = False

    def read(self, value: object, path: str, problems: list[Problem]) -> str | None:
        """The value, or EMPTY."""
        if value is None or value == "":
            if self.required and not self.default:
                problems.append(Problem(path, self._listed()))
            return self.default or EMPTY
        if not isinstance(value, str) or value not in self.options:
            problems.append(Problem(path, self._listed()))
            return EMPTY
        return value

    def _listed(self) -> Label:
        return format_lazy(_("Choose one of: {options}."), options=", ".join(self.options))


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `low` to `high`. Zero counts as empty unless `zero` is set."""

    low: int
    high: int
    zero: bool = False

    def read(self, value: object, path: str, problems: list[Problem]) -> int | None:
        """The number, or EMPTY."""
        if value is None or value == "":
            return EMPTY
        if not isinstance(value, int) or isinstance(value, bool) or not self.low <= value <= self.high:
            problems.append(
                Problem(path, format_lazy(_("Write a number from {low} to {high}."), low=self.low, high=self.high))
            )
            return EMPTY
        return value if value or self.zero else EMPTY


@dataclass(frozen=True, slots=True)
class Flag:
    def read(self, value: object, path: str, problems: list[Problem]) -> bool | None:
        """True, or EMPTY."""
        if not isinstance(value, bool) and value is not None:
            problems.append(Problem(path, _("Say yes or no: true or false.")))
        return True if value is True else EMPTY


@dataclass(frozen=True, slots=True)
class Texts:
    """A list of texts without duplicates, in the given order."""

    of: Text | Choice
    most: int

    def read(self, value: object, path: str, problems: list[Problem]) -> list[str] | None:
        """The list, or EMPTY."""
        rows = _rows(value, path, self.most, problems)
        found = [self.of.read(row, f"{path}.{number}", problems) for number, row in enumerate(rows)]
        return [*dict.fromkeys(text for text in found if text)] or EMPTY


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    label: Label
    shape: Shape


@dataclass(frozen=True, slots=True)
class Table:
    fields: tuple[Field, ...]

    @classmethod
    def of(cls, *fields: Field) -> Table:
        return cls(fields)

    def is_complete(self, value: Mapping[str, object]) -> bool:
        """Whether it holds anything, and all required fields."""
        needed = [field.name for field in self.fields if getattr(field.shape, "required", False)]
        return not is_blank(value) and all(value.get(name) for name in needed)

    def read(self, value: object, path: str, problems: list[Problem]) -> dict[str, Any] | None:
        """The table, or EMPTY. An empty table within it may lack required fields."""
        if not _is_table(value, path, problems):
            return EMPTY
        assert isinstance(value, Mapping)
        known = {field.name for field in self.fields}
        problems.extend(
            Problem(at(path, str(name)[:40]), _("There is no such field here; leave it out."))
            for name in [name for name in value if name not in known][:5]
        )
        table = {}
        for field in self.fields:
            given = value.get(field.name)
            if isinstance(field.shape, Table) and is_blank(given):
                continue
            canonical = field.shape.read(given, at(path, field.name), problems)
            if canonical is not EMPTY:
                table[field.name] = canonical
        return table or EMPTY


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of tables, identified by the fields of `identity`: no two rows agree in all of them."""

    of: Table
    most: int
    identity: tuple[str, ...]
    title: Callable[[Mapping[str, Any]], str]
    """The name of one row, for readers."""
    within: str = ""
    """A field that a changed row keeps: a word may be respelled, but it stays in its language."""
    titled: tuple[str, ...] = ()
    """The fields that the title shows."""

    def read(self, value: object, path: str, problems: list[Problem]) -> list[dict[str, Any]] | None:
        """The list, or EMPTY; rows in which nothing is filled in are dropped."""
        rows = []
        seen = set()
        for number, row in enumerate(_rows(value, path, self.most, problems)):
            before = len(problems)
            canonical = None if row is None or is_blank(row) else self.of.read(row, f"{path}.{number}", problems)
            if canonical is None:
                continue
            name = self.name(canonical)
            if name in seen and len(problems) == before:
                problems.append(Problem(f"{path}.{number}", _("This appears twice. Join the two.")))
            seen.add(name)
            rows.append(canonical)
        return rows or EMPTY

    def name(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(row.get(name, "") for name in self.identity)


@dataclass(frozen=True, slots=True)
class ByLanguage:
    """The same thing in several languages, in the order of `languages`."""

    of: Text | Table
    languages: Mapping[str, Label]

    def read(self, value: object, path: str, problems: list[Problem]) -> dict[str, Any] | None:
        """A value by language, or EMPTY."""
        if not _is_table(value, path, problems):
            return EMPTY
        assert isinstance(value, Mapping)
        problems.extend(
            Problem(
                at(path, str(code)[:40]),
                format_lazy(_("Name a language by one of: {codes}."), codes=", ".join(filter(None, self.languages))),
            )
            for code in [code for code in value if code not in self.languages][:5]
        )
        by_language = {}
        for code in self.languages:
            given = value.get(code)
            if given is None or (isinstance(given, (str, Mapping)) and is_blank(given)):
                continue
            canonical = self.of.read(given, at(path, code), problems)
            if canonical is not EMPTY:
                by_language[code] = canonical
        return by_language or EMPTY


Shape: TypeAlias = Text | Choice | Number | Flag | Texts | Table | Rows | ByLanguage


def is_blank(value: object) -> bool:
    """Whether nothing is filled in: an empty text, or a table with only empty values."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, Mapping):
        return all(
            part is None or part == [] or part == {} or (isinstance(part, str) and not part.strip())
            for part in value.values()
        )
    return False


def _is_table(value: object, path: str, problems: list[Problem]) -> bool:
    if value is None or value == "":
        return False
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return True
    problems.append(Problem(path, _("A table of named fields belongs here.")))
    return False


def _rows(value: object, path: str, most: int, problems: list[Problem]) -> Iterable[object]:
    if value is None or value == "":
        return ()
    if not isinstance(value, (list, tuple)):
        problems.append(Problem(path, _("A list belongs here.")))
        return ()
    if len(value) > most:
        problems.append(Problem(path, format_lazy(_("There are too many: at most {most}, please."), most=most)))
    return value[:most]


def at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
