"""Reading the data of an event: plain JSON in, checked values out; errors name the field."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import MAXYEAR, MINYEAR, datetime
from typing import TypeAlias, TypeVar

from domain import schema
from domain.errors import DomainError, refuse_if

Plain: TypeAlias = schema.Plain
T = TypeVar("T")
LONGEST_TEXT = 500
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), " ")
"""Characters that a line of text, a feed or a workbook cannot contain; each is replaced by a space."""


def tidy(value: Plain) -> Plain:
    """The value with control characters replaced by spaces in all its texts.

    So what is stored is what will be read, and databases that do not allow NUL can store it.
    """
    if isinstance(value, str):
        return value.translate(_CONTROLS)
    if isinstance(value, list):
        return [tidy(each) for each in value]
    if isinstance(value, dict):
        return {key: tidy(each) for key, each in value.items()}
    return value


class Given:
    """The data of one event.

    Every method raises DomainError (``missing``, ``not-a-choice``, ``out-of-range``, ``too-long``, ``bad-data``) with
    the name of the field.
    """

    __slots__ = ("data",)

    def __init__(self, data: Mapping[str, Plain]) -> None:
        self.data = data

    def has(self, field: str) -> bool:
        """Whether the field is there and not null."""
        return self.data.get(field) is not None

    def text(self, field: str, default: str | None = None, *, most: int = LONGEST_TEXT) -> str:
        """A text on one line, without spaces around it; an empty one counts as missing unless there is a default."""
        value = self.data.get(field, default)
        refuse_if(value is None, "missing", field)
        text = _typed(value, str, field).translate(_CONTROLS).strip()
        refuse_if(not text and default is None, "missing", field)
        refuse_if(len(text) > most, "too-long", field, most=most)
        return text

    def word(self, field: str, choices: tuple[str, ...], default: str | None = None) -> str:
        value = self.text(field, default)
        refuse_if(value not in choices, "not-a-choice", field, given=value)
        return value

    def moment(self, field: str) -> str:
        """An ISO time with its zone, as it was given; not at the ends of the calendar, where no other zone has it."""
        value = self.text(field, most=40)
        try:
            moment = datetime.fromisoformat(value)
            valid = moment.tzinfo is not None and MINYEAR < moment.year < MAXYEAR
        except ValueError:
            valid = False
        refuse_if(not valid, "bad-data", field)
        return value

    def whole(self, field: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from low to high; the default is not checked."""
        value = self.data.get(field)
        if value is None and default is not None:
            return default
        refuse_if(value is None, "missing", field)
        return _whole(value, low, high, field)

    def flag(self, field: str, default: bool = False) -> bool:
        return _typed(self.data.get(field, default), bool, field)

    def items(self, field: str, *, most: int = 5_000) -> list[Plain]:
        """A list; empty if the field is missing."""
        items: list[Plain] = _typed(self.data.get(field) if self.has(field) else [], list, field)
        refuse_if(len(items) > most, "out-of-range", field, low=0, high=most)
        return items

    def texts(self, field: str, *, most: int = 5_000) -> tuple[str, ...]:
        """A list of texts of 1 to 100 characters."""
        texts = tuple(_typed(each, str, field) for each in self.items(field, most=most))
        refuse_if(not all(1 <= len(each) <= 100 for each in texts), "bad-data", field)
        return texts

    def rows(self, field: str, *, most: int = 5_000) -> list[tuple[str, ...]]:
        rows = [_typed(each, list, field) for each in self.items(field, most=most)]
        return [tuple(_typed(text, str, field) for text in row) for row in rows]

    def pairs(self, field: str, *, most: int = 5_000) -> list[tuple[str, str]]:
        """A list of pairs of texts."""
        rows = self.rows(field, most=most)
        refuse_if(any(len(row) != 2 for row in rows), "bad-data", field)
        return [(row[0], row[1]) for row in rows]

    def numbers(self, field: str, low: int, high: int) -> tuple[int, ...]:
        """A list of at most 50 whole numbers from low to high."""
        return tuple(_whole(each, low, high, field) for each in self.items(field, most=50))

    def groups(self, field: str, *, most: int = 5_000) -> list[Given]:
        return [Given(_typed(each, dict, field)) for each in self.items(field, most=most)]

    def group(self, field: str) -> Given:
        """An object; an empty one if the field is missing."""
        return Given(_typed(self.data.get(field) if self.has(field) else {}, dict, field))


def _typed(value: Plain, kind: type[T], field: str) -> T:
    """The value, if it is of this type. (To Python, `True` is an int, but not here.)"""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise DomainError("bad-data", field)
    return value


def _whole(value: Plain, low: int, high: int, field: str) -> int:
    number = _typed(value, int, field)
    refuse_if(not low <= number <= high, "out-of-range", field, low=low, high=high)
    return number
