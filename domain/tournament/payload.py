"""Reading what an event says: plain JSON in, checked values out, the field named where something is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

from domain import schema
from domain.errors import DomainError, refuse_if

Plain: TypeAlias = schema.Plain
LONGEST_TEXT = 500
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), " ")
"""What no line holds, and no feed and no workbook can: a blank stands for it."""


def tidy(value: Plain) -> Plain:
    """The same without what no line holds, in every text of it: what is stored is what will be read, and databases that
    know no NUL can store it."""
    if isinstance(value, str):
        return value.translate(_CONTROLS)
    if isinstance(value, list):
        return [tidy(each) for each in value]
    if isinstance(value, dict):
        return {key: tidy(each) for key, each in value.items()}
    return value


class Given:
    """The data of one event. Every method raises DomainError (``missing``, ``not-a-choice``, ``out-of-range``,
    ``too-long``, ``bad-data``) with the name of the field."""

    __slots__ = ("data",)

    def __init__(self, data: Mapping[str, Plain]) -> None:
        self.data = data

    def has(self, field: str) -> bool:
        """Whether the field is there and not null."""
        return self.data.get(field) is not None

    def text(self, field: str, default: str | None = None, *, most: int = LONGEST_TEXT) -> str:
        """A text on one line, without spaces around it; an empty one counts as missing unless there is a default."""
        value = self.data.get(field, default)
        if not isinstance(value, str):
            raise DomainError("missing" if value is None else "bad-data", field)
        value = value.translate(_CONTROLS).strip()
        if not value and default is None:
            raise DomainError("missing", field)
        refuse_if(len(value) > most, "too-long", field, most=most)
        return value

    def word(self, field: str, choices: tuple[str, ...], default: str | None = None) -> str:
        """One of the choices."""
        value = self.text(field, default)
        refuse_if(value not in choices, "not-a-choice", field, given=value)
        return value

    def moment(self, field: str) -> str:
        """An ISO time with its zone, as it was given."""
        value = self.text(field, most=40)
        try:
            known = datetime.fromisoformat(value).tzinfo is not None
        except ValueError:
            known = False
        refuse_if(not known, "bad-data", field)
        return value

    def whole(self, field: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from low to high."""
        value = self.data.get(field)
        if value is None:
            if default is None:
                raise DomainError("missing", field)
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            raise DomainError("bad-data", field)
        refuse_if(not low <= value <= high, "out-of-range", field, low=low, high=high)
        return value

    def flag(self, field: str, default: bool = False) -> bool:
        value = self.data.get(field, default)
        if not isinstance(value, bool):
            raise DomainError("bad-data", field)
        return value

    def items(self, field: str, *, most: int = 5_000) -> list[Plain]:
        """A list; none if the field is missing."""
        value = self.data.get(field)
        if value is None:
            return []
        if not isinstance(value, list):
            raise DomainError("bad-data", field)
        refuse_if(len(value) > most, "out-of-range", field, low=0, high=most)
        return value

    def texts(self, field: str, *, most: int = 5_000, longest: int = 100) -> tuple[str, ...]:
        found = []
        for each in self.items(field, most=most):
            if not isinstance(each, str) or not 1 <= len(each) <= longest:
                raise DomainError("bad-data", field)
            found.append(each)
        return tuple(found)

    def numbers(self, field: str, low: int, high: int, *, most: int = 50) -> tuple[int, ...]:
        """A list of whole numbers from low to high."""
        found = []
        for each in self.items(field, most=most):
            if isinstance(each, bool) or not isinstance(each, int):
                raise DomainError("bad-data", field)
            refuse_if(not low <= each <= high, "out-of-range", field, low=low, high=high)
            found.append(each)
        return tuple(found)

    def groups(self, field: str, *, most: int = 5_000) -> list[Given]:
        found = []
        for each in self.items(field, most=most):
            if not isinstance(each, dict):
                raise DomainError("bad-data", field)
            found.append(Given(each))
        return found

    def group(self, field: str) -> Given:
        """An object; an empty one if the field is missing."""
        value = self.data.get(field)
        if value is None:
            return Given({})
        if not isinstance(value, dict):
            raise DomainError("bad-data", field)
        return Given(value)
