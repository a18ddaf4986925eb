"""The input of the ratings: a log of match results in points, and the model of how much luck there is in a game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import Final, TypeAlias

from domain.errors import DomainError, refuse_if

Side: TypeAlias = tuple[tuple[str, ...], int]
"""The players of a side, and its total points over all deals."""

PARTNERS: Final = "partners"
EACH: Final = "each"
KINDS: Final = (PARTNERS, EACH)


@dataclass(frozen=True, slots=True)
class Datum:
    """What other tables, which are not in the log themselves, made of the same deals.

    `scores` is the mean of each side's points, in order of the seats; `tables` is the number of those tables (1 or
    more).
    """

    scores: tuple[float, ...]
    tables: int


@dataclass(frozen=True, slots=True)
class Result:
    """What one table made of `deals` deals that belong together: a round, a game, or one deal of a duplicate event.

    * `when`: the day, counted from any fixed one (such as 1970-01-01); earlier results are rated first.
    * `kind`: `PARTNERS`, where two sides play against each other and the margin counts, or `EACH`, where everybody
      plays alone (or there are more than two sides) and the score above the mean of the table counts.
    * `sides`: in order of the seats of the deal, so that the first side of every table with this board held the same
      cards.
    * `board`: the name of the deals if other tables play the same ones, else empty.
    """

    id: str
    when: int
    ruleset: str
    kind: str
    deals: int
    sides: tuple[Side, ...]
    board: str = ""
    datum: Datum | None = None

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(player for players, _ in self.sides for player in players)


def in_order(results: Iterable[Result]) -> tuple[Result, ...]:
    """The results in the order in which they are rated: by day, then by id.

    Raises DomainError for an id that occurs twice, an unknown kind, no deals, too few sides, sides without players,
    somebody who sits twice at a table, a datum with another number of sides, a ruleset with both kinds, and boards
    whose tables have different numbers of sides or deals.
    """
    ordered = tuple(sorted(results, key=lambda each: (each.when, each.id)))
    ids: set[str] = set()
    kinds: dict[str, str] = {}
    boards: dict[tuple[str, str], tuple[int, int]] = {}
    for each in ordered:
        field = f"results[{each.id}]"
        refuse_if(each.id in ids, "twice", field, id=each.id)
        ids.add(each.id)
        _check(each, field)
        if kinds.setdefault(each.ruleset, each.kind) != each.kind:
            raise DomainError("mixed-kinds", f"{field}.kind", ruleset=each.ruleset)
        shape = (len(each.sides), each.deals)
        if each.board and boards.setdefault((each.ruleset, each.board), shape) != shape:
            raise DomainError("another-board", f"{field}.board", board=each.board)
    return ordered


def _check(result: Result, field: str) -> None:
    refuse_if(result.kind not in KINDS, "not-a-choice", f"{field}.kind", choices=", ".join(KINDS))
    refuse_if(result.deals < 1, "no-deals", f"{field}.deals")
    if len(result.sides) < 2 or (result.kind == PARTNERS and len(result.sides) > 2):
        raise DomainError("bad-count", f"{field}.sides", expected=2, given=len(result.sides))
    refuse_if(not all(players for players, _ in result.sides), "no-players", f"{field}.sides")
    players = result.players
    twice = [player for player in players if players.count(player) > 1]
    refuse_if(twice, "twice", f"{field}.sides", id=min(twice, default=""))
    datum = result.datum
    if datum is not None:
        sound = len(datum.scores) == len(result.sides) and datum.tables > 0 and all(map(isfinite, datum.scores))
        refuse_if(not sound, "bad-datum", f"{field}.datum")


Others = Mapping[str, tuple[Result, ...]]
"""The results of the other tables that played the same board, by the id of a result."""


def others(results: Sequence[Result]) -> Others:
    """For each result, the other tables that played the same deals, in the order of `results`.

    Results whose board nobody else played are left out.
    """
    tables: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for each in results:
        if each.board:
            tables[each.ruleset, each.board].append(each)
    return {
        each.id: tuple(other for other in same if other.id != each.id)
        for same in tables.values()
        if len(same) > 1
        for each in same
    }


def datum(result: Result, elsewhere: Sequence[Result]) -> Datum | None:
    """The mean points of the other tables' sides in the same seats, including those of the result's own datum.

    None if nobody else played the deals.
    """
    rows = [[float(score) for _, score in other.sides] for other in elsewhere]
    sums = [sum(column) for column in zip(*rows, strict=True)] or [0.0] * len(result.sides)
    tables = len(rows)
    if result.datum is not None:
        tables += result.datum.tables
        sums = [known + mean * result.datum.tables for known, mean in zip(sums, result.datum.scores, strict=True)]
    return Datum(tuple(each / tables for each in sums), tables) if tables else None


def gains(result: Result, known: Datum | None) -> tuple[float, ...]:
    """Each side's points per deal above the mean of the table; with a datum, compared with the other tables.

    With the datum, this is what the side made of its cards: its points above the mean minus those of the same seat
    elsewhere.
    """
    mean = sum([score for _, score in result.sides]) / len(result.sides)
    own = [score - mean for _, score in result.sides]
    if known is None:
        return tuple(each / result.deals for each in own)
    middle = sum(known.scores) / len(known.scores)
    return tuple((each - (other - middle)) / result.deals for each, other in zip(own, known.scores, strict=True))


DAYS_OF_A_MONTH: Final = 30
MEMORY: Final = 30.0  # months
SKILL: Final = 0.06  # as a part of the luck of one deal, before any results
CAP: Final = 2.5  # standard deviations; a result that is more surprising than this counts as this surprising


@dataclass(frozen=True, slots=True)
class Model:
    """Standard deviations, in points per deal above the mean of the table.

    * `skill`: how far players lie apart.
    * `deal`: how far the cards move the score of one deal; the same for every table that plays it.
    * `play`: how far the score of one deal varies from table to table with the same cards and equal skill.
    * `memory`: after this many months a result counts half, after twice as many a quarter: people change.
    * `table`: the number of sides these numbers are for. `results`: the number of results they were estimated from.

    Raises DomainError unless skill, deal, play and memory are above 0.
    """

    skill: float
    deal: float
    play: float
    memory: float = MEMORY
    table: int = 2
    results: int = 0

    def __post_init__(self) -> None:
        for field, value in (("skill", self.skill), ("deal", self.deal), ("play", self.play), ("memory", self.memory)):
            refuse_if(not value > 0, "not-positive", field)

    @property
    def luck(self) -> float:
        """The standard deviation of one deal that equal players play once."""
        return sqrt(self.deal**2 + self.play**2)

    def kept(self, days: int) -> float:
        """The part of a result's information that is left after this many days."""
        return float(0.5 ** (max(days, 0) / (self.memory * DAYS_OF_A_MONTH)))


def model(luck: float, deal_share: float, skill: float = SKILL, *, table: int = 2, results: int = 0) -> Model:
    """The model in which one deal has this `luck` (standard deviation).

    `deal_share` is the part of its variance that is the cards; `skill` is given as a multiple of the luck.
    """
    return Model(skill * luck, luck * sqrt(deal_share), luck * sqrt(1 - deal_share), table=table, results=results)


def within(value: float, bound: float) -> float:
    """The value, but no further from 0 than `bound`."""
    return max(-bound, min(bound, value))
