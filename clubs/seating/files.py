"""What is published about a draw, before and after, and whether it holds.

JSON, UTF-8. Before the draw the *promise*, without `seed` and `result`; afterwards the whole:

    {"format": "troccas-seating", "version": 1, "engine": 1, "commitment": "64 hex digits",
     "inputs": {"method": …, "settings": {…}, "field": {…}}, "hall": "", "seed": "64 hex digits", "result": {…}}

`commitment` fixes seed and inputs (`chance.commitment`, over `canonical(inputs)`); `hall` is what was thrown in after the
promise, so that who knows the seed cannot have chosen the draw. Ids stand as they are: a club that shows initials
publishes ids that are none of anybody's business. `engine` changes with any change of code that changes a draw.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Final, TypeAlias, TypeVar, Union

from clubs.seating.chance import commitment
from clubs.seating.entrants import Entrant, Field, Past
from clubs.seating.refused import SeatingRefused
from clubs.seating.results import Seating
from clubs.seating.seat import seat
from clubs.seating.settings import Settings, Shape, Weights

Json: TypeAlias = Union[bool, int, str, "list[Json]", "dict[str, Json]", None]
T = TypeVar("T")

FORMAT: Final = "troccas-seating"
VERSION: Final = 1
ENGINE: Final = 1


@dataclass(frozen=True, slots=True)
class Draw:
    """Everything a draw is made from. `seed` is secret until it is revealed."""

    method: str
    field: Field
    settings: Settings
    seed: bytes
    hall: str = ""

    def seating(self) -> Seating:
        """The round."""
        return seat(self.method, self.field, self.settings, self.seed, self.hall)

    def promise(self) -> dict[str, Json]:
        """What is published before: the commitment and everything that is no secret."""
        inputs = inputs_of(self.method, self.field, self.settings)
        return {
            "format": FORMAT,
            "version": VERSION,
            "engine": ENGINE,
            "commitment": commitment(self.seed, canonical(inputs)),
            "inputs": inputs,
        }

    def revealed(self) -> dict[str, Json]:
        """What is published after: the promise, what the hall threw in, the seed and the round."""
        return {**self.promise(), "hall": self.hall, "seed": self.seed.hex(), "result": result_of(self.seating())}


def canonical(data: Json) -> bytes:
    """One text for one content: ASCII, keys sorted, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def inputs_of(method: str, field: Field, settings: Settings) -> dict[str, Json]:
    """What is drawn, as JSON; the same whatever the order in which entrants were named."""
    return {"method": method, "settings": _plain(asdict(settings)), "field": _plain(asdict(field))}


def result_of(seating: Seating) -> Json:
    """A round as JSON: tables with places and partners, who sits out, all that was weighed."""
    return _plain(asdict(seating))


def verify(data: object) -> list[str]:
    """Draw again and compare: the problems found, none if all is well. The codes:

    * ``bad-format``: no file of this kind and version (or the promise of one, without seed and result).
    * ``other-engine``: made by another version of the program; nothing else was checked.
    * ``wrong-commitment``: the seed or the inputs are not those that were promised.
    * ``bad-inputs``: what is to be drawn makes no sense.
    * ``wrong-result``: seed and inputs lead to another round.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        return ["bad-format"]
    if data.get("engine") != ENGINE:
        return ["other-engine"]
    inputs, seed, hall = data.get("inputs"), data.get("seed"), data.get("hall")
    if not isinstance(inputs, dict) or not isinstance(seed, str) or not isinstance(hall, str) or "result" not in data:
        return ["bad-format"]
    try:
        draw = read(inputs, bytes.fromhex(seed), hall)
        problems = []
        if commitment(draw.seed, canonical(inputs)) != data.get("commitment"):
            problems.append("wrong-commitment")
        # Compared as text: to Python, 1 and true are equal.
        if canonical(result_of(draw.seating())) != canonical(data["result"]):
            problems.append("wrong-result")
    except (SeatingRefused, ValueError, TypeError, KeyError):
        return ["bad-inputs"]
    return problems


def read(inputs: dict[str, object], seed: bytes, hall: str) -> Draw:
    """The draw that `inputs_of` wrote. Raises SeatingRefused (``bad-json``, or what the parts themselves refuse)."""
    method = inputs.get("method")
    if not isinstance(method, str):
        raise SeatingRefused("bad-json", "method")
    given = _object(inputs.get("settings"), "settings")
    settings = _made(
        Settings,
        given
        | {
            "shapes": tuple(
                _made(Shape, shape | {"partners": _pairs(shape, "partners", int, int)})
                for shape in _objects(given, "shapes")
            ),
            "weights": _made(Weights, _object(given.get("weights"), "weights")),
        },
    )
    given = _object(inputs.get("field"), "field")
    field = _made(
        Field,
        given
        | {
            "entrants": tuple(
                _made(Entrant, each | {key: tuple(_list(each, key)) for key in ("groups", "members")})
                for each in _objects(given, "entrants")
            ),
            "absent": frozenset(_list(given, "absent")),
            "standing": _pairs(given, "standing", str, int),
            "apart": _pairs(given, "apart", str, str),
            **{
                key: tuple(
                    _made(
                        Past,
                        past | {"tables": _tables(past), "out": tuple(_list(past, "out"))},
                    )
                    for past in _objects(given, key)
                )
                for key in ("rounds", "season")
            },
        },
    )
    return Draw(method, field, settings, seed, hall)


def _plain(value: object) -> Json:
    """Tuples as lists, sets as sorted lists; everything else is plain already."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return [_plain(each) for each in sorted(value)]
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    assert value is None or isinstance(value, bool | int | str)
    return value


def _made(kind: type[T], given: dict[str, object]) -> T:
    """An instance from exactly its fields, of the types of their defaults where these are plain."""
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]  # T is always a dataclass here
    if strange := set(given) ^ set(known):
        raise SeatingRefused("bad-json", min(strange))
    for name, each in known.items():
        plain = str if each.type == "str" else bool if each.type == "bool" else int if each.type == "int" else None
        if plain and type(given[name]) is not plain:
            raise SeatingRefused("bad-json", name)
    return kind(**given)


def _object(value: object, field: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise SeatingRefused("bad-json", field)
    return value


def _list(given: dict[str, object], field: str) -> list[str]:
    value = given.get(field)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise SeatingRefused("bad-json", field)
    return value


def _lists(given: dict[str, object], field: str) -> list[list[object]]:
    value = given.get(field)
    if not isinstance(value, list) or not all(isinstance(each, list) for each in value):
        raise SeatingRefused("bad-json", field)
    return value


def _pairs(given: dict[str, object], field: str, first: type, second: type) -> tuple[tuple[object, ...], ...]:
    pairs = _lists(given, field)
    if not all([type(each) for each in pair] == [first, second] for pair in pairs):
        raise SeatingRefused("bad-json", field)
    return tuple(map(tuple, pairs))


def _tables(given: dict[str, object]) -> tuple[tuple[object, ...], ...]:
    tables = _lists(given, "tables")
    if not all(isinstance(who, str) for table in tables for who in table):
        raise SeatingRefused("bad-json", "tables")
    return tuple(map(tuple, tables))


def _objects(given: dict[str, object], field: str) -> list[dict[str, object]]:
    value = given.get(field)
    if not isinstance(value, list):
        raise SeatingRefused("bad-json", field)
    return [_object(each, field) for each in value]
