"""The published file of a draw, before and after it, and how it is verified.

JSON, UTF-8. Before the draw the *promise*, without `seed` and `result`; afterwards the complete file:

    {"format": "troccas-seating", "version": 1, "engine": 2, "commitment": "64 hex digits",
     "inputs": {"method": …, "settings": {…}, "field": {…}}, "hall": "", "seed": "64 hex digits", "result": {…}}

`commitment` fixes seed and inputs (`chance.commitment`, over `canonical(inputs)`). `hall` is what people in the hall
added after the promise, so that nobody who knows the seed can have chosen the draw. Ids are published unchanged: a club
that shows only initials uses ids that reveal nothing. The pairs that the organiser wants apart are private: readers who
may not see them get `without_wishes`. `engine` changes with every change of code that changes a draw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, cast

from domain.schema import Flag, Many, Plain, Record, Row, Text, Whole, written
from domain.seating.chance import commitment
from domain.seating.field import Entrant, Field, Past, Seating, Settings, Shape, Weights
from domain.seating.seat import seat

FORMAT: Final = "troccas-seating"
VERSION: Final = 1
ENGINE: Final = 2


@dataclass(frozen=True, slots=True)
class Draw:
    """Everything a draw is made from. `seed` is secret until the draw is revealed."""

    method: str
    field: Field
    settings: Settings
    seed: bytes
    hall: str = ""

    def seating(self) -> Seating:
        return seat(self.method, self.field, self.settings, self.seed, self.hall)

    def promise(self) -> dict[str, Plain]:
        """What is published before the draw: the commitment and everything that is not secret."""
        inputs = inputs_of(self.method, self.field, self.settings)
        return {
            "format": FORMAT,
            "version": VERSION,
            "engine": ENGINE,
            "commitment": commitment(self.seed, canonical(inputs)),
            "inputs": inputs,
        }

    def revealed(self) -> dict[str, Plain]:
        """What is published after the draw: the promise, the contribution of the hall, the seed and the round."""
        return {**self.promise(), "hall": self.hall, "seed": self.seed.hex(), "result": written(self.seating())}


def canonical(data: Plain) -> bytes:
    """The canonical text of JSON data: ASCII, keys sorted, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def inputs_of(method: str, field: Field, settings: Settings) -> dict[str, Plain]:
    """The inputs of a draw as JSON, independent of the order in which entrants were given.

    `keeps` is left out if nobody keeps a table.
    """
    field_data = written(field)
    if not field.keeps:
        del field_data["keeps"]
    return {"method": method, "settings": written(settings), "field": field_data}


def without_wishes(file: Mapping[str, Plain]) -> dict[str, Plain]:
    """The file of a draw for everybody: without the pairs that the organiser wants apart, and without their costs.

    If there are such wishes, the file says so by `withheld`, and the draw cannot be repeated from it; else it is
    unchanged.
    """
    inputs = cast("Mapping[str, Plain]", file["inputs"])
    field = cast("Mapping[str, Plain]", inputs["field"])
    if not field["apart"]:
        return dict(file)
    public: dict[str, Plain] = {**file, "withheld": True, "inputs": {**inputs, "field": {**field, "apart": []}}}
    if "result" in file:
        result = cast("Mapping[str, Plain]", file["result"])
        tables = cast("list[Mapping[str, Plain]]", result["tables"])
        public["result"] = {
            **result,
            "tables": [{**table, "terms": _without_apart(table["terms"])} for table in tables],
        }
    return public


def _without_apart(terms: Plain) -> Plain:
    return [dict(term) for term in cast("list[dict[str, Plain]]", terms) if term["criterion"] != "apart"]


def verify(data: object) -> list[str]:
    """Repeat the draw and compare. Returns the problems, none if all is well. The codes:

    * ``withheld``: the organiser's wishes were left out (`without_wishes`); nothing else can be checked.
    * ``bad-format``: not a file of this kind and version (or only a promise, without seed and result).
    * ``other-engine``: made by another version of the program; nothing else was checked.
    * ``wrong-commitment``: the seed or the inputs are not those that were promised.
    * ``bad-inputs``: the inputs make no sense.
    * ``wrong-result``: seed and inputs lead to another round.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        return ["bad-format"]
    if data.get("engine") != ENGINE:
        return ["other-engine"]
    if data.get("withheld"):
        return ["withheld"]
    inputs, seed, hall = data.get("inputs"), data.get("seed"), data.get("hall")
    if not isinstance(inputs, dict) or not isinstance(seed, str) or not isinstance(hall, str) or "result" not in data:
        return ["bad-format"]
    try:
        draw = read(inputs, bytes.fromhex(seed), hall)
        problems = []
        if commitment(draw.seed, canonical(inputs)) != data.get("commitment"):
            problems.append("wrong-commitment")
        # Compared as text: to Python, 1 and true are equal.
        if canonical(written(draw.seating())) != canonical(data["result"]):
            problems.append("wrong-result")
    except (ValueError, TypeError, KeyError):
        return ["bad-inputs"]
    return problems


def read(inputs: dict[str, object], seed: bytes, hall: str) -> Draw:
    """The draw with the inputs that `inputs_of` wrote. Raises DomainError if a value is missing or invalid."""
    method = _TEXT.read(inputs.get("method"), "method")
    settings = _SETTINGS.read(inputs.get("settings"), "settings")
    field = inputs.get("field")
    whole = {"keeps": [], **field} if isinstance(field, dict) else field
    return Draw(method, _FIELD.read(whole, "field"), settings, seed, hall)


_MOST: Final = 10**18
"""Practically no limit: the classes have their own."""
_TEXT: Final = Text(0, _MOST)
_NUMBER: Final = Whole(-_MOST, _MOST)
_TEXTS: Final = Many(_TEXT, _MOST)
_SHAPE: Final = Record(
    Shape,
    {
        "size": _NUMBER,
        "partners": Many(Row((_NUMBER, _NUMBER)), _MOST),
        "price": _NUMBER,
        "odd": Flag(),
        "dealer_out": Flag(),
    },
)
_SETTINGS: Final = Record(
    Settings,
    {
        "shapes": Many(_SHAPE, _MOST),
        "bye_price": _NUMBER,
        "weights": Record(Weights, {each.name: _NUMBER for each in fields(Weights)}),
        "steps": _NUMBER,
        "strict": Flag(),
    },
)
_ENTRANT: Final = Record(
    Entrant, {"id": _TEXT, "groups": _TEXTS, "members": _TEXTS, "seed": _NUMBER, "carried": _NUMBER}
)
_PASTS: Final = Many(Record(Past, {"tables": Many(_TEXTS, _MOST), "out": _TEXTS, "weight": _NUMBER}), _MOST)
_FIELD: Final = Record(
    Field,
    {
        "entrants": Many(_ENTRANT, _MOST),
        "absent": Many(_TEXT, _MOST, ordered=False),
        "rounds": _PASTS,
        "season": _PASTS,
        "standing": Many(Row((_TEXT, _NUMBER)), _MOST),
        "apart": Many(Row((_TEXT, _TEXT)), _MOST),
        "keeps": Many(Row((_TEXT, _NUMBER)), _MOST),
    },
)
