"""The standings once more, from the books and from what docs/standings.md says of the house rules a club begins with.

Match points 2, 1, 0, of three sides by their places; then points, difference, best round, lot. At a table of three people each
deal brings ten points more. A bye brings the own average, other rounds missed nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from tests.tournaments.evenings.books import Books, Round, Sheet

Lots = Sequence[tuple[int, Sequence[str]]]
"""Lots that were drawn: the phase, and the order."""
CRITERIA = ("match-points", "card-points", "difference", "best-round")


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
    """A line of the list."""

    entrant: str
    values: tuple[int, int, int, int]
    scores: list[Score]
    rank: int = 0
    shared: bool = False


@dataclass(slots=True)
class Met:
    """Who was whose partner and opponent so far, by entrants."""

    partners: Counter[frozenset[str]] = field(default_factory=Counter)
    opponents: Counter[frozenset[str]] = field(default_factory=Counter)


def nearest(value: Fraction) -> int:
    """The nearest whole number, halves away from zero."""
    whole, rest = divmod(abs(value), 1)
    size = int(whole) + (rest >= Fraction(1, 2))
    return size if value >= 0 else -size


def count(books: Books, sheet: Sheet, round: int) -> dict[str, Score]:
    """What a table brought to each of its entrants."""
    sums, whole = sheet.sums(), sum(sheet.sums())
    others, people = len(sums) - 1, sum(len(side) for side in sheet.sides)
    more = 10 * sum(line.of for line in sheet.lines.values()) if people == 3 else 0
    found: dict[str, Score] = {}
    for own, side in zip(sums, sheet.sides, strict=True):
        before, equal = sum(other > own for other in sums), sums.count(own)
        match = sum((2, 0)[before : before + equal] if others == 1 else (2, 1, 0)[before : before + equal]) // equal
        score = Score(round, "played", own + more, match, nearest(own - Fraction(whole - own, others)))
        found |= dict.fromkeys((books.owner(person) for person in side), score)
    return found


def played(books: Books, rounds: Sequence[Round]) -> dict[str, list[Score]]:
    """Everybody's rounds, numbered on through; with what a bye brings left open."""
    rows: dict[str, list[Score]] = defaultdict(list)
    for number, each in enumerate(rounds, 1):
        found: dict[str, Score] = {}
        for sheet in each.sheets.values():
            owners = {books.owner(person) for side in sheet.sides for person in side}
            found |= count(books, sheet, number) if sheet.confirmed else dict.fromkeys(owners, Score(number, "pending"))
        for entrant in books.came:
            rows[entrant].append(found.get(entrant) or Score(number, _missing(books, each, entrant)))
    return rows


def _missing(books: Books, round: Round, entrant: str) -> str:
    if entrant in round.byes:
        return "bye"
    if round.phase == 1 and round.number < books.came[entrant]:
        return "late"
    if entrant in books.left and (round.phase > 1 or round.number > books.left[entrant]):
        return "left"
    return "absent"


def standing(books: Books, phase: int, lots: Lots = ()) -> list[Row]:
    """The list of a phase; the final's counts the rounds before it too."""
    rounds = [each for each in books.rounds if each.phase <= phase]
    rows = played(books, rounds)
    field_of = {
        number: [row[number - 1] for row in rows.values() if row[number - 1].kind == "played"]
        for number in range(1, len(rounds) + 1)
    }
    taken = Counter({each.entrant: each.points for each in books.penalties if not each.cancelled})
    chosen = books.finalists if phase > 1 else tuple(rows)
    found = [_row(entrant, rows[entrant], field_of, taken[entrant]) for entrant in chosen]
    return ranked(found, [order for of, order in lots if of == phase])


def _row(entrant: str, scores: list[Score], field_of: dict[int, list[Score]], taken: int) -> Row:
    own = [score for score in scores if score.kind == "played"]
    filled = []
    for score in scores:
        of = own or field_of[score.round]
        if score.kind == "bye" and of:
            average = [
                nearest(Fraction(sum(column), len(of)))
                for column in zip(*((each.points, each.match, each.difference) for each in of), strict=True)
            ]
            score = Score(score.round, "bye", *average)
        filled.append(score)
    values = (
        sum(score.match for score in filled),
        sum(score.points for score in filled) - taken,
        sum(score.difference for score in filled),
        max((score.points for score in own), default=-1),
    )
    return Row(entrant, values, filled)


def ranked(rows: list[Row], lots: Sequence[Sequence[str]]) -> list[Row]:
    """The rows in order, with ranks; who is equal in everything shares one unless a lot was drawn among just them."""
    by_values: dict[tuple[int, ...], list[Row]] = defaultdict(list)
    for row in rows:
        by_values[row.values].append(row)
    order: list[Row] = []
    for values in sorted(by_values, reverse=True):
        group = by_values[values]
        lot = next((lot for lot in reversed(lots) if {row.entrant for row in group} <= set(lot)), None)
        first = len(order) + 1
        if lot:
            group.sort(key=lambda row: lot.index(row.entrant))
        for place, row in enumerate(group):
            row.rank = first + place if lot else first
            row.shared = len(group) > 1 and not lot
        order += group
    return order


def overall(books: Books, lots: Lots = ()) -> list[tuple[str, int]]:
    """Everybody once: the finalists first, then the others as they stood before the final."""
    final = [(row.entrant, row.rank) for row in standing(books, 2, lots)] if books.finalists else []
    rest = [row for row in standing(books, 1, lots) if row.entrant not in books.finalists]
    return final + [(row.entrant, len(final) + 1 + sum(other.rank < row.rank for other in rest)) for row in rest]


def meet(books: Books, met: Met, round: Round) -> int:
    """How many pairs meet again in the same role in this round; notes who meets in it."""
    again = 0
    partners, opponents = set(), set()
    for sheet in round.sheets.values():
        sides = [tuple(dict.fromkeys(books.owner(person) for person in side)) for side in sheet.sides]
        for side in sides:
            partners |= {frozenset(two) for two in combinations(side, 2)}
        for one, other in combinations(sides, 2):
            opponents |= {frozenset((a, b)) for a in one for b in other}
    again += sum(met.partners[two] > 0 for two in partners) + sum(met.opponents[two] > 0 for two in opponents)
    met.partners.update(partners)
    met.opponents.update(opponents)
    return again
