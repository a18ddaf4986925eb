"""The standing once more, plainly, from docs/standings.md: rounds, what missing ones bring, gains, tie-breaks.

Match points 2, 1, 0; then points, difference, best round, lot: the house rules a club begins with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

CRITERIA = ("match-points", "card-points", "difference", "best-round")
SUM = 72


@dataclass(slots=True)
class Sheet:
    """A table of a round. `owners` are the entrants seat by seat, `lines` the points of each side by the deal's number.

    `turn` is the seat that deals first. It counts only if `counts`; `forfeit` are the entrants who kept it waiting.
    """

    key: str
    owners: tuple[str, ...]
    lines: dict[int, tuple[int, ...]] = field(default_factory=dict)
    turn: int = 0
    counts: bool = False
    forfeit: tuple[str, ...] = ()
    late: bool = False
    short: bool = False
    game: str = ""

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """Partners sit opposite."""
        half = len(self.owners) // 2
        return tuple(tuple(self.owners[seat] for seat in (side, side + half)) for side in range(half))


@dataclass(slots=True)
class Round:
    """A round: its tables by number."""

    key: str
    sheets: dict[int, Sheet] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    """Entrants who have a bye."""

    @property
    def number(self) -> int:
        """Which one of its phase."""
        return int(self.key.partition(".")[2])


@dataclass(slots=True)
class Field:
    """Who takes part: of each entrant the first round they could play in, and the last one (0: all)."""

    came: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    house: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Score:
    """What a round brought."""

    round: int
    kind: str
    points: int = 0
    match: int = 0
    difference: int = 0


@dataclass(slots=True)
class Row:
    """A line of the list: values in the order of CRITERIA; a best round that nobody has played is -1000000."""

    entrant: str
    values: tuple[int, ...]
    scores: list[Score]
    rank: int = 0
    shared: bool = False


NEVER = -1_000_000


def away_from_zero(value: Fraction) -> int:
    """The nearest whole number, halves away from zero."""
    size = int(abs(value) + Fraction(1, 2))
    return size if value >= 0 else -size


def dealer_side(sheet: Sheet, deal: int) -> int:
    """The side (0: seats 0 and 2) whose player deals."""
    return (sheet.turn + deal - 1) % 2


@dataclass(frozen=True, slots=True)
class Traveller:
    """A deal of a duplicate: the datum of the dealer's side and of the other, and of each table the points and gains of
    the dealer's side first."""

    datum: tuple[Fraction, Fraction]
    tables: Mapping[int, tuple[tuple[int, int], tuple[int, int]]]


def traveller(turn: Round, deal: int) -> Traveller | None:
    """What the tables that count made of a deal; None if none did."""
    made: dict[int, tuple[int, int]] = {}
    for number, sheet in turn.sheets.items():
        if sheet.counts and not sheet.forfeit and deal in sheet.lines:
            dealers = dealer_side(sheet, deal)
            made[number] = (sheet.lines[deal][dealers], sheet.lines[deal][1 - dealers])
    if not made:
        return None
    first = Fraction(sum(points for points, _ in made.values()), len(made))
    gains = {number: sum(points[0] - other for other, _ in made.values()) for number, points in made.items()}
    return Traveller(
        (first, SUM - first), {number: (points, (gains[number], -gains[number])) for number, points in made.items()}
    )


def gained(turn: Round, number: int) -> dict[int, tuple[int, int]]:
    """What the sides of a table gained, deal by deal, in the order of its sides."""
    sheet = turn.sheets[number]
    found = {}
    for deal in sheet.lines:
        told = traveller(turn, deal)
        assert told is not None
        gain = told.tables[number][1]
        found[deal] = gain if dealer_side(sheet, deal) == 0 else (gain[1], gain[0])
    return found


def at_table(turn: Round, number: int, *, duplicate: bool) -> dict[str, Score]:
    """What a table brought to each of its entrants."""
    sheet = turn.sheets[number]
    if sheet.forfeit:
        return {
            who: Score(turn.number, "absent" if who in sheet.forfeit else "bye") for who in dict.fromkeys(sheet.owners)
        }
    if not sheet.counts:
        return {who: Score(turn.number, "pending") for who in sheet.owners}
    lines = gained(turn, number) if duplicate else sheet.lines
    sums = [sum(line[side] for line in lines.values()) for side in (0, 1)]
    found = {}
    for side, own in enumerate(sums):
        other = sums[1 - side]
        match = 2 if own > other else 1 if own == other else 0
        for who in sheet.sides[side]:
            found[who] = Score(turn.number, "played", own, match, own - other)
    return found


def standing(
    people: Field, rounds: Sequence[Round], *, duplicate: bool, lots: Sequence[Sequence[str]] = ()
) -> list[Row]:
    """The whole list, house players left out."""
    brought: dict[int, dict[str, Score]] = {}
    for turn in rounds:
        brought[turn.number] = dict.fromkeys(turn.out, Score(turn.number, "bye"))
        for number in turn.sheets:
            brought[turn.number] |= at_table(turn, number, duplicate=duplicate)
    rows: dict[str, list[Score]] = {}
    for who, came in people.came.items():
        rows[who] = []
        for turn in rounds:
            kind = "late" if turn.number < came else "absent"
            if people.left.get(who, turn.number) < turn.number:
                kind = "left"
            rows[who].append(brought[turn.number].get(who) or Score(turn.number, kind))
    fields: dict[int, list[Score]] = defaultdict(list)
    for scores in rows.values():
        for score in scores:
            if score.kind == "played":
                fields[score.round].append(score)
    return _ranked([_row(who, scores, fields) for who, scores in rows.items()], lots)


def _row(who: str, scores: list[Score], fields: Mapping[int, list[Score]]) -> Row:
    own = [score for score in scores if score.kind == "played"]
    filled = [_average(score, own or fields[score.round]) if score.kind == "bye" else score for score in scores]
    values = (
        sum(score.match for score in filled),
        sum(score.points for score in filled),
        sum(score.difference for score in filled),
        max((score.points for score in own), default=NEVER),
    )
    return Row(who, values, filled)


def _average(score: Score, of: Sequence[Score]) -> Score:
    if not of:
        return score
    return Score(
        score.round,
        "bye",
        away_from_zero(Fraction(sum(each.points for each in of), len(of))),
        away_from_zero(Fraction(sum(each.match for each in of), len(of))),
        away_from_zero(Fraction(sum(each.difference for each in of), len(of))),
    )


def _ranked(rows: list[Row], lots: Sequence[Sequence[str]]) -> list[Row]:
    order: list[Row] = []
    for values in sorted({row.values for row in rows}, reverse=True):
        group = [row for row in rows if row.values == values]
        lot = next((lot for lot in reversed(lots) if {row.entrant for row in group} <= set(lot)), None)
        if lot is not None:
            group.sort(key=lambda row: lot.index(row.entrant))
        first = len(order) + 1
        for place, row in enumerate(group):
            row.rank = first + place if lot is not None else first
            row.shared = lot is None and len(group) > 1
        order += group
    kinds = {score.kind for row in rows for score in row.scores}
    if "played" not in kinds and ("pending" in kinds or not kinds):
        for row in rows:
            row.rank, row.shared = 0, False
    return order


def season_points(rows: Sequence[Row], places: Sequence[int]) -> dict[str, int]:
    """Points by place; equals get the average of the places they share, rounded down."""
    found = {}
    for row in rows:
        if not row.rank:
            found[row.entrant] = 0
            continue
        equals = sum(other.rank == row.rank for other in rows)
        taken = [places[place - 1] if place <= len(places) else 0 for place in range(row.rank, row.rank + equals)]
        found[row.entrant] = sum(taken) // equals
    return found
