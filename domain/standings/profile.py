"""A club's house rules: one frozen profile with a version, from which forms, sheets and standings are made.

The ruleset and its options are only data here: users of the profile check whether the ruleset exists.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from domain.errors import DomainError, refuse_if
from domain.schema import Flag, Many, Options, Plain, Record, Text, Whole, Word
from domain.standings.criteria import CRITERIA

FORMAT: Final = "troccas-house-rules-1"
MOST_POINTS: Final = 1_000_000

TALK: Final = ("phrases", "silent", "free")
GIVEN: Final = ("fixed", "own-average", "field-average", "lowest")
WRONG_SUM: Final = ("recount", "split", "strike")
UNFINISHED: Final = ("as-played", "full-length", "strike")
DRAWN: Final = ("draw", "extra-deal")
HEAD_TO_HEAD: Final = ("all-met", "mini-table")
LEAVERS: Final = ("ranked", "after", "out")
OVERDUE: Final = ("postpone", "forfeit", "as-played")
FIRST: Final = ("match-points", "card-points", "difference")
ODD_NUMBERS: Final = ("threes", "larger", "bye")


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """The match points for winning, drawing and losing a round against the other side.

    Where everybody plays alone, the first of the table wins (several in first place draw) and the others lose. If
    `places` has a row for the number of players at the table, the first gets its first number instead, and so on;
    equals share.
    """

    win: int = 2
    draw: int = 1
    loss: int = 0
    places: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """The score of a round for an entrant who did not play it: a bye, a late arrival or an absence.

    * ``fixed``: `points` and `match`, difference 0.
    * ``own-average``: the average of their own played rounds, rounded; without any, ``field-average``.
    * ``field-average``: the average of everybody who played that round; if nobody did, ``fixed``.
    * ``lowest``: the lowest points, match points and difference of that round; if nobody played, ``fixed``.
    """

    method: str = "fixed"
    points: int = 0
    match: int = 0


@dataclass(frozen=True, slots=True)
class TableSize:
    """The differences at a table of `size` people: the number of deals (0: as at other tables), and a correction.

    Points are multiplied by `percent`/100, then `per_deal` points are added for every deal played (as in the
    Seeger-Fabian count of Skat, where tables of three get more for a deal than tables of four).
    """

    size: int
    deals: int = 0
    percent: int = 100
    per_deal: int = 0


@dataclass(frozen=True, slots=True)
class PenaltyKind:
    """A line of the club's list of penalties: the points and match points it takes away, both 0 for a warning."""

    code: str
    title: str
    points: int = 0
    match: int = 0


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The whole profile. Raises DomainError with the name of the field if a value makes no sense.

    `version` is the club's own count: a tournament keeps the version by which it was played. `deals` is the number of
    deals per round and table, `rounds` the number of rounds of a phase. `tie_breaks` are the criteria in order; the
    first is what the tournament is played for. `overdue` says what happens to a table of an online round after its
    deadline. `odd_numbers` is the default of an evening for numbers of people that do not fit
    (`domain.tournament.odd_numbers`); `fee` is the entry fee per person, in Rappen.
    """

    version: int = 1
    name: str = "House rules"
    ruleset: str = "troccas"
    options: tuple[tuple[str, str | int | bool], ...] = ()
    talk: str = "phrases"
    deals: int = 8
    rounds: int = 5
    match: MatchPoints = MatchPoints()
    drawn: str = "draw"
    bye: Given = Given("own-average")
    late: Given = Given()
    absent: Given = Given()
    wrong_sum: str = "recount"
    unfinished: str = "as-played"
    dropped: int = 0
    drop_missed: bool = True
    tie_breaks: tuple[str, ...] = ("match-points", "card-points", "difference", "best-round", "lot")
    head_to_head: str = "all-met"
    table_sizes: tuple[TableSize, ...] = ()
    penalties: tuple[PenaltyKind, ...] = ()
    leavers: str = "ranked"
    fewest_rounds: int = 0
    overdue: str = "postpone"
    odd_numbers: str = "threes"
    fee: int = 0

    def __post_init__(self) -> None:
        SHAPE.values(self)
        object.__setattr__(self, "options", tuple(sorted(self.options)))
        object.__setattr__(self, "table_sizes", tuple(sorted(self.table_sizes, key=lambda each: each.size)))
        once("options", tuple(name for name, _ in self.options))
        once("tie_breaks", self.tie_breaks)
        once("table_sizes", tuple(str(each.size) for each in self.table_sizes))
        once("penalties", tuple(each.code for each in self.penalties))
        once("match.places", tuple(str(len(row)) for row in self.match.places))
        refuse_if(self.dropped >= self.rounds, "drops-all", "dropped", rounds=self.rounds)
        refuse_if(self.fewest_rounds > self.rounds, "more-than-rounds", "fewest_rounds", rounds=self.rounds)
        refuse_if(not self.match.loss <= self.match.draw <= self.match.win, "wrong-order", "match")
        for index, row in enumerate(self.match.places):
            refuse_if(list(row) != sorted(row, reverse=True), "wrong-order", f"match.places[{index}]")
        if self.tie_breaks[0] not in FIRST:
            raise DomainError("bad-first", "tie_breaks[0]", choices=", ".join(FIRST))
        refuse_if("lot" in self.tie_breaks[:-1], "lot-not-last", "tie_breaks")

    def at(self, size: int) -> TableSize:
        """The rules for a table of this many people, with the number of deals filled in."""
        for each in self.table_sizes:
            if each.size == size:
                return TableSize(size, each.deals or self.deals, each.percent, each.per_deal)
        return TableSize(size, self.deals)


_POINTS: Final = Whole(-MOST_POINTS, MOST_POINTS)
_MATCH: Final = Whole(-1000, 1000)
_GIVEN: Final = Record(Given, {"method": Word(GIVEN), "points": _POINTS, "match": _MATCH}, defaults=True)
SHAPE: Final = Record(
    HouseRules,
    {
        "version": Whole(1, 1_000_000),
        "name": Text(1, 100),
        "ruleset": Text(1, 60),
        "options": Options(),
        "talk": Word(TALK),
        "deals": Whole(1, 200),
        "rounds": Whole(1, 100),
        "match": Record(
            MatchPoints,
            {"win": _MATCH, "draw": _MATCH, "loss": _MATCH, "places": Many(Many(_MATCH, 8, 2), 7)},
            defaults=True,
        ),
        "drawn": Word(DRAWN),
        "bye": _GIVEN,
        "late": _GIVEN,
        "absent": _GIVEN,
        "wrong_sum": Word(WRONG_SUM),
        "unfinished": Word(UNFINISHED),
        "dropped": Whole(0, 99),
        "drop_missed": Flag(),
        "tie_breaks": Many(Word(tuple(CRITERIA)), len(CRITERIA), 1),
        "head_to_head": Word(HEAD_TO_HEAD),
        "table_sizes": Many(
            Record(
                TableSize, {"size": Whole(2, 8), "deals": Whole(0, 200), "percent": Whole(1, 1000), "per_deal": _POINTS}
            ),
            7,
        ),
        "penalties": Many(
            Record(
                PenaltyKind,
                {
                    "code": Text(1, 40),
                    "title": Text(1, 200),
                    "points": Whole(0, MOST_POINTS),
                    "match": Whole(0, 1000),
                },
            ),
            50,
        ),
        "leavers": Word(LEAVERS),
        "fewest_rounds": Whole(0, 100),
        "overdue": Word(OVERDUE),
        "odd_numbers": Word(ODD_NUMBERS),
        "fee": Whole(0, MOST_POINTS),
    },
    defaults=True,
)


def once(field: str, names: tuple[str, ...]) -> None:
    """Raise DomainError if a name occurs twice."""
    for index, name in enumerate(names):
        refuse_if(name in names[:index], "twice", f"{field}[{index}]", name=name)


def to_plain(rules: HouseRules) -> dict[str, Plain]:
    """The profile as plain data, without the key `format`."""
    return SHAPE.write(rules)


def to_json(rules: HouseRules) -> str:
    """The profile as JSON; the same rules always give the same text."""
    return json.dumps({"format": FORMAT} | to_plain(rules), ensure_ascii=False, indent=2) + "\n"


def from_json(text: str) -> HouseRules:
    """The profile in a JSON text. Missing fields take their defaults. Raises DomainError, naming the field."""
    try:
        data: Plain = json.loads(text)
    except (ValueError, RecursionError):
        raise DomainError("not-json", "") from None
    if not isinstance(data, dict):
        raise DomainError("not-a-group", "")
    data = dict(data)
    refuse_if(data.pop("format", None) != FORMAT, "unknown-format", "format", expected=FORMAT)
    return from_plain(data)


def from_plain(data: dict[str, Plain]) -> HouseRules:
    """The profile in plain data, without the key `format`. Missing fields take their defaults. Raises DomainError."""
    return SHAPE.read(data)


def schema() -> dict[str, Plain]:
    """The JSON schema of a profile (draft 2020-12), for publication."""
    properties: dict[str, Plain] = {"format": {"const": FORMAT}}
    properties |= {name: shape.schema() for name, shape in SHAPE.fields.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "House rules of a club for Troccas and Troggu",
        "type": "object",
        "properties": properties,
        "required": ["format"],
        "additionalProperties": False,
    }
