"""Shapes of plain data. A shape is declared once; reading, writing and the JSON schema follow from it.

`read` takes plain data (JSON without fractions) or values that were read before, checks them and returns values:
records as instances of their classes, lists as tuples. It raises DomainError with the path of the first field that is
wrong: `not-a-number`, `out-of-range`, `not-a-choice`, `not-a-text`, `bad-length`, `not-yes-or-no`, `not-a-list`,
`bad-count`, `not-a-group`, `too-many`, `bad-option`, `unknown`, `missing`. `write` turns values back into plain data,
without checks. `schema` returns a JSON schema (draft 2020-12).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from domain.errors import DomainError, refuse_if

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"
"""The values of JSON, without fractions."""
T = TypeVar("T")


class Shape(Protocol):
    """A form that values may have."""

    def read(self, value: object, at: str, usual: object = None) -> object:
        """The checked value; fields missing from a record are taken from `usual`.

        Raises DomainError with the path `at`.
        """

    def write(self, value: object) -> Plain:
        """The value as plain data."""

    def schema(self) -> Plain:
        """This shape as a JSON schema."""


class _Leaf:
    def write(self, value: object) -> Plain:
        assert value is None or isinstance(value, bool | int | str)
        return value


@dataclass(frozen=True, slots=True)
class Whole(_Leaf):
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def read(self, value: object, at: str, usual: object = None) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise DomainError("not-a-number", at)
        refuse_if(not self.low <= value <= self.high, "out-of-range", at, low=self.low, high=self.high)
        return value

    def schema(self) -> Plain:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Word(_Leaf):
    """One of a few fixed words."""

    choices: tuple[str, ...]

    def read(self, value: object, at: str, usual: object = None) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise DomainError("not-a-choice", at, choices=", ".join(self.choices))
        return value

    def schema(self) -> Plain:
        return {"enum": list(self.choices)}


@dataclass(frozen=True, slots=True)
class Text(_Leaf):
    """A text of `shortest` to `longest` characters."""

    shortest: int
    longest: int

    def read(self, value: object, at: str, usual: object = None) -> str:
        if not isinstance(value, str):
            raise DomainError("not-a-text", at)
        if not self.shortest <= len(value) <= self.longest:
            raise DomainError("bad-length", at, low=self.shortest, high=self.longest)
        return value

    def schema(self) -> Plain:
        return {"type": "string", "minLength": self.shortest, "maxLength": self.longest}


@dataclass(frozen=True, slots=True)
class Flag(_Leaf):
    """Yes or no."""

    def read(self, value: object, at: str, usual: object = None) -> bool:
        if not isinstance(value, bool):
            raise DomainError("not-yes-or-no", at)
        return value

    def schema(self) -> Plain:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Options:
    """Names, each with a text, a whole number, or yes or no. They are read as pairs, sorted by name."""

    most: int = 50

    def read(self, value: object, at: str, usual: object = None) -> tuple[tuple[str, str | int], ...]:
        if isinstance(value, tuple):
            value = dict(value)
        if not isinstance(value, dict):
            raise DomainError("not-a-group", at)
        refuse_if(len(value) > self.most, "too-many", at, high=self.most)
        for name, each in value.items():
            refuse_if(not isinstance(each, str | int), "bad-option", f"{at}.{name}")
        return tuple(sorted(value.items()))

    def write(self, value: object) -> Plain:
        assert isinstance(value, tuple)
        return dict(value)

    def schema(self) -> Plain:
        kinds: list[Plain] = ["string", "integer", "boolean"]
        return {"type": "object", "maxProperties": self.most, "additionalProperties": {"type": kinds}}


@dataclass(frozen=True, slots=True)
class Many:
    """A list of at least `fewest` and at most `most` values of one shape. Read as a frozen set unless `ordered`."""

    shape: Shape
    most: int
    fewest: int = 0
    ordered: bool = True

    def read(self, value: object, at: str, usual: object = None) -> Collection[object]:
        if not isinstance(value, list | tuple):
            raise DomainError("not-a-list", at)
        refuse_if(not self.fewest <= len(value) <= self.most, "bad-count", at, low=self.fewest, high=self.most)
        checked = [self.shape.read(each, f"{at}[{index}]") for index, each in enumerate(value)]
        return tuple(checked) if self.ordered else frozenset(checked)

    def write(self, value: object) -> Plain:
        assert isinstance(value, tuple)
        return [self.shape.write(each) for each in value]

    def schema(self) -> Plain:
        return {"type": "array", "items": self.shape.schema(), "minItems": self.fewest, "maxItems": self.most}


@dataclass(frozen=True, slots=True)
class Row:
    """A list with one value for each of the shapes, in their order."""

    shapes: tuple[Shape, ...]

    def read(self, value: object, at: str, usual: object = None) -> tuple[object, ...]:
        if not isinstance(value, list | tuple):
            raise DomainError("not-a-list", at)
        count = len(self.shapes)
        refuse_if(len(value) != count, "bad-count", at, low=count, high=count)
        return tuple([self.shapes[index].read(each, f"{at}[{index}]") for index, each in enumerate(value)])

    def write(self, value: object) -> Plain:
        assert isinstance(value, tuple)
        return [shape.write(each) for shape, each in zip(self.shapes, value, strict=True)]

    def schema(self) -> Plain:
        count: Plain = len(self.shapes)
        items: list[Plain] = [shape.schema() for shape in self.shapes]
        return {"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}


@dataclass(frozen=True, slots=True)
class Record(Generic[T]):
    """A group of named values, read as an instance of `kind`, a dataclass with these fields.

    With `defaults`, a field that is left out takes its previous value (from `usual`), else the default of the class.
    """

    kind: type[T]
    fields: Mapping[str, Shape]
    defaults: bool = False
    _usual: dict[str, object] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.defaults:
            self._usual.update((each.name, each.default) for each in fields(self.kind))  # type: ignore[arg-type]  # a dataclass, as the docstring says

    def read(self, value: object, at: str = "", usual: object = None) -> T:
        make: Callable[..., T] = self.kind  # type: ignore[explicit-any]  # its fields are those of `fields`
        return make(**self.values(value, at, usual))

    def values(self, value: object, at: str = "", usual: object = None) -> dict[str, object]:
        """The checked values of the fields, as keyword arguments for `kind`."""
        if isinstance(value, self.kind):
            value = {name: getattr(value, name) for name in self.fields}
        if not isinstance(value, dict):
            raise DomainError("not-a-group", at)
        inside = f"{at}." if at else ""
        unknown = value.keys() - self.fields.keys()
        refuse_if(unknown, "unknown", inside + min(unknown, default=""))
        checked = {}
        for name, shape in self.fields.items():
            default = self._usual.get(name, MISSING) if usual is None else getattr(usual, name)
            if name in value:
                checked[name] = shape.read(value[name], inside + name, None if default is MISSING else default)
            elif default is MISSING:
                raise DomainError("missing", inside + name)
            else:
                checked[name] = default
        return checked

    def write(self, value: object) -> dict[str, Plain]:
        return {name: shape.write(getattr(value, name)) for name, shape in self.fields.items()}

    def schema(self) -> Plain:
        names: list[Plain] = [] if self.defaults else list(self.fields)
        properties: dict[str, Plain] = {name: shape.schema() for name, shape in self.fields.items()}
        return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def written(thing: DataclassInstance) -> dict[str, Plain]:
    """The fields of a dataclass as plain data: tuples as lists, sets as sorted lists."""
    return {name: _plain(value) for name, value in asdict(thing).items()}


def _plain(value: object) -> Plain:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [_plain(each) for each in (sorted(value) if isinstance(value, frozenset) else value)]
    assert value is None or isinstance(value, bool | int | str)
    return value
