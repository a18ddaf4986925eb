"""What is published about a draw, before and after, and whether it holds.

JSON, UTF-8. Before the draw the *promise*, without `seed` and `result`; afterwards the whole:

    {"format": "troccas-seating", "version": 1, "engine": 2, "commitment": "64 hex digits",
     "inputs": {"method": …, "settings": {…}, "field": {…}}, "hall": "", "seed": "64 hex digits", "result": {…}}

`commitment` fixes seed and inputs (`chance.commitment`, over `canonical(inputs)`); `hall` is what was thrown in after the
promise, so that who knows the seed cannot have chosen the draw. Ids stand as they are: a club that shows initials
publishes ids that are none of anybody's business. Whom the organiser wants apart is nobody else's business either: who may not
know gets `without_wishes`. `engine` changes with any change of code that changes a draw.
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
    """Everything a draw is made from. `seed` is secret until it is revealed."""

    method: str
    field: Field
    settings: Settings
    seed: bytes
    hall: str = ""

    def seating(self) -> Seating:
        return seat(self.method, self.field, self.settings, self.seed, self.hall)

    def promise(self) -> dict[str, Plain]:
        """What is published before: the commitment and everything that is no secret."""
        inputs = inputs_of(self.method, self.field, self.settings)
        return {
            "format": FORMAT,
            "version": VERSION,
            "engine": ENGINE,
            "commitment": commitment(self.seed, canonical(inputs)),
            "inputs": inputs,
        }

    def revealed(self) -> dict[str, Plain]:
        """What is published after: the promise, what the hall threw in, the seed and the round."""
        return {**self.promise(), "hall": self.hall, "seed": self.seed.hex(), "result": result_of(self.seating())}


def canonical(data: Plain) -> bytes:
    """One text for one content: ASCII, keys sorted, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def inputs_of(method: str, field: Field, settings: Settings) -> dict[str, Plain]:
    """What is drawn, as JSON; the same whatever the order in which entrants were named. `keeps` is left out where nobody keeps
    a table."""
    told = written(field)
    if not field.keeps:
        del told["keeps"]
    return {"method": method, "settings": written(settings), "field": told}


def result_of(seating: Seating) -> Plain:
    """A round as JSON: tables with places and partners, who sits out, all that was weighed."""
    return written(seating)


def without_wishes(file: Mapping[str, Plain]) -> dict[str, Plain]:
    """A draw as everybody may read it: not whom the organiser wants apart, nor what that cost.

    Where there are such wishes the file says so by `withheld`, and cannot be drawn again; else it is the same.
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
    """Draw again and compare: the problems found, none if all is well. The codes:

    * ``withheld``: whom the organiser wants apart was left out (`without_wishes`); nothing else can be checked.
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
        if canonical(result_of(draw.seating())) != canonical(data["result"]):
            problems.append("wrong-result")
    except (ValueError, TypeError, KeyError):
        return ["bad-inputs"]
    return problems


def read(inputs: dict[str, object], seed: bytes, hall: str) -> Draw:
    """The draw that `inputs_of` wrote. Raises DomainError (what shapes refuse, or the parts themselves)."""
    method = _TEXT.read(inputs.get("method"), "method")
    settings = _SETTINGS.read(inputs.get("settings"), "settings")
    field = inputs.get("field")
    whole = {"keeps": [], **field} if isinstance(field, dict) else field
    return Draw(method, _FIELD.read(whole, "field"), settings, seed, hall)


_MOST: Final = 10**18
"""No limit: the classes have their own."""
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
