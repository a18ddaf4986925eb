"""Shapes of plain data: each checks a value, names the field that is wrong, and says itself as a JSON schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from clubs.standings.refused import StandingsRefused

Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"
"""What JSON can say, without fractions."""


class Shape(Protocol):
    """Something a value may look like."""

    def check(self, value: Plain, field: str) -> None:
        """Raises StandingsRefused with the field's path if the value does not fit."""

    def schema(self) -> Plain:
        """The same as a JSON schema (draft 2020-12)."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def check(self, value: Plain, field: str) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise StandingsRefused("not-a-number", field)
        if not self.low <= value <= self.high:
            raise StandingsRefused("out-of-range", field, low=self.low, high=self.high)

    def schema(self) -> Plain:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few fixed words."""

    choices: tuple[str, ...]

    def check(self, value: Plain, field: str) -> None:
        if value not in self.choices:
            raise StandingsRefused("not-a-choice", field, choices=", ".join(self.choices))

    def schema(self) -> Plain:
        return {"enum": list(self.choices)}


@dataclass(frozen=True, slots=True)
class Text:
    """A text of `shortest` to `longest` characters."""

    shortest: int
    longest: int

    def check(self, value: Plain, field: str) -> None:
        if not isinstance(value, str):
            raise StandingsRefused("not-a-text", field)
        if not self.shortest <= len(value) <= self.longest:
            raise StandingsRefused("bad-length", field, low=self.shortest, high=self.longest)

    def schema(self) -> Plain:
        return {"type": "string", "minLength": self.shortest, "maxLength": self.longest}


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def check(self, value: Plain, field: str) -> None:
        if not isinstance(value, bool):
            raise StandingsRefused("not-yes-or-no", field)

    def schema(self) -> Plain:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Options:
    """Names with a text, a whole number, or yes or no each."""

    most: int = 50

    def check(self, value: Plain, field: str) -> None:
        if not isinstance(value, dict):
            raise StandingsRefused("not-a-group", field)
        if len(value) > self.most:
            raise StandingsRefused("too-many", field, high=self.most)
        for name, each in value.items():
            if not isinstance(each, str | int):
                raise StandingsRefused("bad-option", f"{field}.{name}")

    def schema(self) -> Plain:
        kinds: list[Plain] = ["string", "integer", "boolean"]
        return {"type": "object", "maxProperties": self.most, "additionalProperties": {"type": kinds}}


@dataclass(frozen=True, slots=True)
class Many:
    """A list of at least `fewest` and at most `most` values of one shape."""

    shape: Shape
    most: int
    fewest: int = 0

    def check(self, value: Plain, field: str) -> None:
        if not isinstance(value, list):
            raise StandingsRefused("not-a-list", field)
        if not self.fewest <= len(value) <= self.most:
            raise StandingsRefused("bad-count", field, low=self.fewest, high=self.most)
        for place, each in enumerate(value):
            self.shape.check(each, f"{field}[{place}]")

    def schema(self) -> Plain:
        return {"type": "array", "items": self.shape.schema(), "minItems": self.fewest, "maxItems": self.most}


@dataclass(frozen=True, slots=True)
class Record:
    """A group of named values. With `defaults`, what is left out when written takes its default."""

    fields: Mapping[str, Shape]
    defaults: bool = False

    def check(self, value: Plain, field: str) -> None:
        if not isinstance(value, dict):
            raise StandingsRefused("not-a-group", field)
        inside = f"{field}." if field else ""
        for name in sorted(value.keys() - self.fields.keys()):
            raise StandingsRefused("unknown", inside + name)
        for name, shape in self.fields.items():
            if name not in value:
                raise StandingsRefused("missing", inside + name)
            shape.check(value[name], inside + name)

    def schema(self) -> Plain:
        names: list[Plain] = [] if self.defaults else list(self.fields)
        properties: dict[str, Plain] = {name: shape.schema() for name, shape in self.fields.items()}
        return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}
