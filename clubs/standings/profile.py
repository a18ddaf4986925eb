"""A club's house rules: one frozen profile with a version, from which forms, sheets and standings are made.

The ruleset and its options are data here: whether the ruleset exists is for its rooms to say.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, TypeVar

from clubs.standings.criteria import CRITERIA
from clubs.standings.refused import StandingsRefused
from clubs.standings.shapes import Flag, Many, Options, Plain, Record, Text, Whole, Word

FORMAT: Final = "troccas-house-rules-1"
MOST_POINTS: Final = 1_000_000
T = TypeVar("T")

TALK: Final = ("phrases", "silent", "free")
GIVEN: Final = ("fixed", "own-average", "field-average", "lowest")
WRONG_SUM: Final = ("recount", "split", "strike")
UNFINISHED: Final = ("as-played", "full-length", "strike")
DRAWN: Final = ("draw", "extra-deal")
HEAD_TO_HEAD: Final = ("all-met", "mini-table")
LEAVERS: Final = ("ranked", "after", "out")
OVERDUE: Final = ("postpone", "forfeit", "as-played")


@dataclass(frozen=True, slots=True)
class MatchPoints:
    """For winning, drawing and losing a round against the other side.

    Where everybody plays alone, the first of the table wins, several first ones draw, the others lose; unless `places`
    has a row for that many at the table: then the first gets the first number, and so on, and equals share.
    """

    win: int = 2
    draw: int = 1
    loss: int = 0
    places: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """What a round brings to somebody who did not play it: a bye, a late arrival, an absence.

    * ``fixed``: `points` and `match`, difference 0.
    * ``own-average``: the average of their own played rounds, rounded; who has none gets ``field-average``.
    * ``field-average``: the average of all who played that round; if nobody did, ``fixed``.
    * ``lowest``: the lowest points, match points and difference of that round; if nobody played, ``fixed``.
    """

    method: str = "fixed"
    points: int = 0
    match: int = 0


@dataclass(frozen=True, slots=True)
class TableSize:
    """What is different at a table of `size` people: the number of deals (0: as elsewhere), and a correction.

    Points are taken times `percent`/100, then `per_deal` points are added for every deal played (as in the Seeger-Fabian
    count of Skat, where tables of three get more for a deal than tables of four).
    """

    size: int
    deals: int = 0
    percent: int = 100
    per_deal: int = 0


@dataclass(frozen=True, slots=True)
class PenaltyKind:
    """A line of the club's list of penalties: what it takes away, both 0 for a warning."""

    code: str
    title: str
    points: int = 0
    match: int = 0


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The whole profile. Made only if it makes sense: else StandingsRefused with the name of the field.

    `version` is the club's own count: a tournament keeps the version it was played by. `deals` per round and table;
    `rounds` of the phase; `tie_breaks` in order, the first one is what the tournament is played for; `overdue` is what
    happens to a table of an online round whose deadline has passed.
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", tuple(sorted(self.options)))
        object.__setattr__(self, "table_sizes", tuple(sorted(self.table_sizes, key=lambda each: each.size)))
        SHAPE.check(to_plain(self), "")
        once("options", tuple(name for name, _ in self.options))
        once("tie_breaks", self.tie_breaks)
        once("table_sizes", tuple(str(each.size) for each in self.table_sizes))
        once("penalties", tuple(each.code for each in self.penalties))
        once("match.places", tuple(str(len(row)) for row in self.match.places))
        if self.dropped >= self.rounds:
            raise StandingsRefused("drops-all", "dropped", rounds=self.rounds)
        if self.fewest_rounds > self.rounds:
            raise StandingsRefused("more-than-rounds", "fewest_rounds", rounds=self.rounds)
        if not self.match.loss <= self.match.draw <= self.match.win:
            raise StandingsRefused("wrong-order", "match")
        for place, row in enumerate(self.match.places):
            if list(row) != sorted(row, reverse=True):
                raise StandingsRefused("wrong-order", f"match.places[{place}]")
        if self.tie_breaks[0] not in ("match-points", "card-points", "difference"):
            raise StandingsRefused("bad-first", "tie_breaks[0]", choices="match-points, card-points, difference")
        if "lot" in self.tie_breaks[:-1]:
            raise StandingsRefused("lot-not-last", "tie_breaks")

    def at(self, size: int) -> TableSize:
        """What holds at a table of this many people, with the number of deals filled in."""
        for each in self.table_sizes:
            if each.size == size:
                return TableSize(size, each.deals or self.deals, each.percent, each.per_deal)
        return TableSize(size, self.deals)


_POINTS: Final = Whole(-MOST_POINTS, MOST_POINTS)
_MATCH: Final = Whole(-1000, 1000)
_GIVEN: Final = Record({"method": Word(GIVEN), "points": _POINTS, "match": _MATCH}, defaults=True)
SHAPE: Final = Record(
    {
        "version": Whole(1, 1_000_000),
        "name": Text(1, 100),
        "ruleset": Text(1, 60),
        "options": Options(),
        "talk": Word(TALK),
        "deals": Whole(1, 200),
        "rounds": Whole(1, 100),
        "match": Record(
            {"win": _MATCH, "draw": _MATCH, "loss": _MATCH, "places": Many(Many(_MATCH, 8, 2), 7)}, defaults=True
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
            Record({"size": Whole(2, 8), "deals": Whole(0, 200), "percent": Whole(1, 1000), "per_deal": _POINTS}), 7
        ),
        "penalties": Many(
            Record(
                {
                    "code": Text(1, 40),
                    "title": Text(1, 200),
                    "points": Whole(0, MOST_POINTS),
                    "match": Whole(0, 1000),
                }
            ),
            50,
        ),
        "leavers": Word(LEAVERS),
        "fewest_rounds": Whole(0, 100),
        "overdue": Word(OVERDUE),
    },
    defaults=True,
)


def once(field: str, names: tuple[str, ...]) -> None:
    """Raises StandingsRefused if a name stands there twice."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise StandingsRefused("twice", f"{field}[{place}]", name=name)


def to_plain(rules: HouseRules) -> dict[str, Plain]:
    """The profile as plain data, without the mark of its format."""
    given: dict[str, dict[str, Plain]] = {
        name: {"method": each.method, "points": each.points, "match": each.match}
        for name, each in (("bye", rules.bye), ("late", rules.late), ("absent", rules.absent))
    }
    places: list[Plain] = [list(row) for row in rules.match.places]
    return {
        "version": rules.version,
        "name": rules.name,
        "ruleset": rules.ruleset,
        "options": dict(rules.options),
        "talk": rules.talk,
        "deals": rules.deals,
        "rounds": rules.rounds,
        "match": {"win": rules.match.win, "draw": rules.match.draw, "loss": rules.match.loss, "places": places},
        "drawn": rules.drawn,
        "bye": given["bye"],
        "late": given["late"],
        "absent": given["absent"],
        "wrong_sum": rules.wrong_sum,
        "unfinished": rules.unfinished,
        "dropped": rules.dropped,
        "drop_missed": rules.drop_missed,
        "tie_breaks": list(rules.tie_breaks),
        "head_to_head": rules.head_to_head,
        "table_sizes": [
            {"size": each.size, "deals": each.deals, "percent": each.percent, "per_deal": each.per_deal}
            for each in rules.table_sizes
        ],
        "penalties": [
            {"code": each.code, "title": each.title, "points": each.points, "match": each.match}
            for each in rules.penalties
        ],
        "leavers": rules.leavers,
        "fewest_rounds": rules.fewest_rounds,
        "overdue": rules.overdue,
    }


def to_json(rules: HouseRules) -> str:
    """The profile as JSON, always the same text for the same rules."""
    return json.dumps({"format": FORMAT} | to_plain(rules), ensure_ascii=False, indent=2) + "\n"


def from_json(text: str) -> HouseRules:
    """The profile a text holds. What is left out has its default. Raises StandingsRefused, naming the field."""
    try:
        given: Plain = json.loads(text)
    except (ValueError, RecursionError):
        raise StandingsRefused("not-json", "") from None
    if not isinstance(given, dict):
        raise StandingsRefused("not-a-group", "")
    given = dict(given)
    if given.pop("format", None) != FORMAT:
        raise StandingsRefused("unknown-format", "format", expected=FORMAT)
    return from_plain(given)


def from_plain(given: dict[str, Plain]) -> HouseRules:
    """As `from_json`, for data that is read already."""
    data = to_plain(HouseRules())
    for name, value in given.items():
        default = data.get(name)
        inside = isinstance(SHAPE.fields.get(name), Record)
        data[name] = default | value if inside and isinstance(default, dict) and isinstance(value, dict) else value
    SHAPE.check(data, "")
    match = _group(data["match"])
    return HouseRules(
        version=_whole(data["version"]),
        name=_text(data["name"]),
        ruleset=_text(data["ruleset"]),
        options=tuple((name, each) for name, each in _group(data["options"]).items() if isinstance(each, str | int)),
        talk=_text(data["talk"]),
        deals=_whole(data["deals"]),
        rounds=_whole(data["rounds"]),
        match=MatchPoints(
            _whole(match["win"]),
            _whole(match["draw"]),
            _whole(match["loss"]),
            tuple(tuple(_whole(each) for each in _list(row)) for row in _list(match["places"])),
        ),
        drawn=_text(data["drawn"]),
        bye=_given(data["bye"]),
        late=_given(data["late"]),
        absent=_given(data["absent"]),
        wrong_sum=_text(data["wrong_sum"]),
        unfinished=_text(data["unfinished"]),
        dropped=_whole(data["dropped"]),
        drop_missed=data["drop_missed"] is True,
        tie_breaks=tuple(_text(each) for each in _list(data["tie_breaks"])),
        head_to_head=_text(data["head_to_head"]),
        table_sizes=tuple(
            TableSize(_whole(each["size"]), _whole(each["deals"]), _whole(each["percent"]), _whole(each["per_deal"]))
            for each in map(_group, _list(data["table_sizes"]))
        ),
        penalties=tuple(
            PenaltyKind(_text(each["code"]), _text(each["title"]), _whole(each["points"]), _whole(each["match"]))
            for each in map(_group, _list(data["penalties"]))
        ),
        leavers=_text(data["leavers"]),
        fewest_rounds=_whole(data["fewest_rounds"]),
        overdue=_text(data["overdue"]),
    )


def schema() -> dict[str, Plain]:
    """The JSON schema of a profile (draft 2020-12), as it is published."""
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


def _is(value: Plain, kind: type[T]) -> T:
    assert isinstance(value, kind)  # SHAPE.check has seen to it
    return value


def _whole(value: Plain) -> int:
    return _is(value, int)


def _text(value: Plain) -> str:
    return _is(value, str)


def _list(value: Plain) -> list[Plain]:
    assert isinstance(value, list)
    return value


def _group(value: Plain) -> dict[str, Plain]:
    assert isinstance(value, dict)
    return value


def _given(value: Plain) -> Given:
    data = _group(value)
    return Given(_text(data["method"]), _whole(data["points"]), _whole(data["match"]))
