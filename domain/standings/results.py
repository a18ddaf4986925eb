"""What was written at the tables, and what the director knows about an evening."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from domain.errors import DomainError, refuse_if
from domain.standings.criteria import Lot
from domain.standings.profile import HouseRules

Side = tuple[str, ...]
CONFIRMED: Final = "confirmed"
ENTERED: Final = "entered"
DISPUTED: Final = "disputed"
STATES: Final = (CONFIRMED, ENTERED, DISPUTED)
MOST_IN_A_DEAL: Final = 1_000_000
MOST_DEALS: Final = 200


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, or a pair that stays together. They came for round `first` and left after round `last` (0: stayed).

    An entrant of the `house` fills up a table: the others play against them, but they are not listed, need no lot, and
    do not count in averages.
    """

    id: str
    first: int = 1
    last: int = 0
    house: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """The points of each side in one deal, in order of the sides.

    `sides` is set only if they differ from the table's, as at a table of five whose dealer looks on. An `extra` deal
    decides a drawn round if the house rules say so; its points do not count. A table may add up several deals and write
    them as one; then `of` is their number, and nobody knows who won which of them.
    """

    scores: tuple[int, ...]
    sides: tuple[Side, ...] = ()
    extra: bool = False
    of: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one round.

    `sides` are the ids that score together: two sides of two players each, two pairs, or everybody alone. `total` is
    the sum of the scores of a deal, as the ruleset says (72 with four in Troccas, 0 in Rappen in Troggu); None if there
    is no fixed sum. `people` is the number of people at the table, if it is not one for each id. `writer` is the index
    of the side that wrote the sheet. `length` is the number of deals that were to be played, if it is not what the house
    rules say: they may have changed since. Only `confirmed` tables count.
    """

    number: int
    sides: tuple[Side, ...]
    deals: tuple[Deal, ...]
    total: int | None
    state: str = CONFIRMED
    people: int = 0
    writer: int = 0
    length: int = 0

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(who for side in self.sides for who in side)


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its tables and the byes. Entrants who are at no table and have no bye were absent."""

    number: int
    tables: tuple[Table, ...]
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points taken away (never added), with a reason that is shown. `code` is from the club's list, or empty.

    `round` is the round of the offence (0: no round in particular). A penalty stays even if that round is dropped.
    """

    entrant: str
    reason: str
    points: int = 0
    match: int = 0
    code: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class Evening:
    """Everything the standings depend on.

    The order of entrants, rounds, tables and penalties does not matter; `lots` are in the order in which they were
    drawn.
    """

    rules: HouseRules
    entrants: tuple[Entrant, ...]
    rounds: tuple[Round, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    lots: tuple[Lot, ...] = ()

    def __post_init__(self) -> None:
        _check_unique("entrants", (each.id for each in self.entrants))
        _check_unique("rounds", (str(each.number) for each in self.rounds))
        known = {each.id for each in self.entrants}
        for each in self.entrants:
            is_possible = each.first >= 1 and (each.last == 0 or each.last >= max(1, each.first - 1))
            refuse_if(not is_possible, "bad-stay", "entrants", id=each.id)
        for each_round in self.rounds:
            _check_round(each_round, known, self.rules.rounds)
        for index, entry in enumerate(self.penalties):
            _check_known(f"penalties[{index}].entrant", (entry.entrant,), known)
            refuse_if(entry.points < 0 or entry.match < 0, "negative", f"penalties[{index}]", id=entry.entrant)
            refuse_if(not entry.reason.strip(), "no-reason", f"penalties[{index}].reason", id=entry.entrant)
        for index, lot in enumerate(self.lots):
            _check_known(f"lots[{index}]", lot.order, known)
            _check_unique(f"lots[{index}]", lot.order)
        object.__setattr__(self, "entrants", tuple(sorted(self.entrants, key=lambda each: each.id)))
        object.__setattr__(self, "rounds", tuple(sorted(self.rounds, key=lambda each: each.number)))


def _check_round(round: Round, known: set[str], rounds: int) -> None:
    field = f"rounds[{round.number}]"
    refuse_if(not 1 <= round.number <= rounds, "no-such-round", field, rounds=rounds)
    _check_unique(field, (str(table.number) for table in round.tables))
    everybody = [who for table in round.tables for who in table.ids] + list(round.byes)
    _check_unique(field, everybody)
    _check_known(field, everybody, known)
    for table in round.tables:
        where = f"{field}.tables[{table.number}]"
        refuse_if(len(table.sides) < 2 or not all(table.sides), "too-few-sides", where)
        refuse_if(table.state not in STATES, "not-a-choice", f"{where}.state", choices=", ".join(STATES))
        if not 0 <= table.writer < len(table.sides):
            raise DomainError("out-of-range", f"{where}.writer", low=0, high=len(table.sides) - 1)
        for index, deal in enumerate(table.deals):
            _check_deal(deal, table, f"{where}.deals[{index}]")


def _check_deal(deal: Deal, table: Table, field: str) -> None:
    sides = deal.sides or table.sides
    refuse_if(len(deal.scores) != len(sides), "bad-count", field, expected=len(sides), given=len(deal.scores))
    if any(abs(score) > MOST_IN_A_DEAL for score in deal.scores):
        raise DomainError("out-of-range", field, low=-MOST_IN_A_DEAL, high=MOST_IN_A_DEAL)
    refuse_if(not 1 <= deal.of <= MOST_DEALS, "out-of-range", f"{field}.of", low=1, high=MOST_DEALS)
    players = [who for side in sides for who in side]
    _check_unique(field, players)
    _check_known(field, players, set(table.ids))


def _check_unique(field: str, names: Iterable[str]) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    refuse_if(twice, "twice", field, id=min(twice, default=""))


def _check_known(field: str, names: Iterable[str], known: set[str]) -> None:
    unknown = set(names) - known
    refuse_if(unknown, "unknown-id", field, id=min(unknown, default=""))
