"""Events from the director’s forms: seats changed by hand, prizes handed over, sheets typed in."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Final

from core.http import whole_number
from domain.errors import DomainError
from domain.seating.costs import Costs
from domain.seating.field import Term
from domain.standings.prizes import Award, Prize, fund
from domain.standings.ranking import Change, changes
from domain.tournament.drawing import can_sit, entrants_of, field_of
from domain.tournament.events import check
from domain.tournament.payload import Plain
from domain.tournament.score_sheets import check_possible
from domain.tournament.scoring import ranking, standing_of
from domain.tournament.state import Entrant, Line, Phase, Round, State, Table, sides_of
from tournaments.director.base import Desk
from tournaments.exceptions import Refused
from tournaments.selectors import EVERYBODY, awards
from tournaments.services.log import NewEvent

BYE: Final = "bye"
NOWHERE: Final = "nowhere"


@dataclass(slots=True)
class Seats:
    """The seats of a round, to be changed: the entrants at each table, by number, and those who sit out with a bye."""

    round: Round
    tables: dict[int, list[str]]
    byes: list[str]

    @classmethod
    def of(cls, round: Round) -> Seats:
        return cls(round, {number: list(table.seats) for number, table in round.tables.items()}, list(round.byes))

    def exchange(self, one: str, other: str) -> None:
        """Exchange the places of two entrants, at tables or among the byes. One of them may have no place yet."""
        if one == other:
            raise DomainError("twice", "other", id=one)
        if not self._seated(one) and not self._seated(other):
            raise DomainError("not-at-a-table", "one")
        for seats in (*self.tables.values(), self.byes):
            for place, id in enumerate(seats):
                if id in (one, other):
                    seats[place] = other if id == one else one

    def move(self, id: str, to: str) -> None:
        """Move an entrant to a table (by its number), to the byes (`BYE`), or out of this round (`NOWHERE`).

        Whoever is left alone at a table by that sits out.
        """
        self._lift(id)
        if to == BYE:
            self.byes.append(id)
        elif to != NOWHERE:
            table = whole_number(to, 4)
            if table is None or table not in self.tables:
                raise DomainError("no-such-table", "to")
            self.tables[table].append(id)
        for number in [number for number, seats in self.tables.items() if len(seats) == 1]:
            self.take_away(number)

    def set_up(self, ids: list[str]) -> None:
        """Set up a table for these entrants, in this order of places, wherever they were.

        It gets the first free number.
        """
        if len(ids) < 2:
            raise DomainError("too-few-chosen", "who")
        for id in ids:
            self._lift(id)
        self.tables[min(number for number in range(1, len(self.tables) + 2) if number not in self.tables)] = list(ids)

    def take_away(self, number: int) -> None:
        """Remove a table. Its entrants sit out until the director seats them."""
        if number not in self.tables:
            raise DomainError("no-such-table", "table")
        self.byes += self.tables[number]
        self.tables[number] = []

    def data(self, reason: str) -> dict[str, Plain]:
        """The data of ``round.arranged``."""
        changed: list[Plain] = []
        for number, seats in sorted(self.tables.items()):
            before = self.round.tables.get(number)
            if before is None or list(before.seats) != seats:
                changed.append({"number": number, "seats": list(seats)})
        return {
            "round": self.round.key,
            "tables": changed,
            "byes": list(self.byes),
            "reason": reason,
            "substitutes": True,
        }

    def _seated(self, id: str) -> bool:
        return id in self.byes or any(id in seats for seats in self.tables.values())

    def _lift(self, id: str) -> None:
        for seats in (*self.tables.values(), self.byes):
            if id in seats:
                seats.remove(id)


def not_seated(state: State, phase: Phase, round: Round) -> tuple[Entrant, ...]:
    """The entrants who are here and take part in the phase, but have no place in this round: they came after the draw.

    In a knock-out this leaves out those who had a place in an earlier round: they have been knocked out.
    """
    seated = round.seated
    if phase.plan.method == "knock-out":
        seated = seated.union(*(before.seated for before in phase.rounds[: round.number - 1]))
    return tuple(
        each for each in entrants_of(state, phase) if each.id not in seated and can_sit(each, phase, round.number)
    )


def absent_entrants(state: State, phase: Phase, round: Round) -> tuple[Entrant, ...]:
    """The entrants who have a place in this round but can no longer sit there: they left or paused after the draw."""
    seated = round.seated
    return tuple(
        each
        for each in state.entrants.values()
        if each.id in seated and not each.house and not can_sit(each, phase, round.number)
    )


def costs_by_table(state: State, phase: Phase, round: Round) -> Mapping[int, tuple[Term, ...]]:
    """What the draw should have avoided but could not, by table; the most costly first."""
    try:
        field = field_of(state, phase, round.number)
    except DomainError:  # a knock-out whose earlier tables are open: nothing is weighed there
        return {}
    seated = round.seated
    in_phase = {each.id for each in field.entrants}
    if not seated <= in_phase:  # somebody who does not take part in this phase was seated by hand
        return {}
    costs = Costs(replace(field, absent=frozenset(in_phase - seated)), phase.settings)
    return {
        number: costs.terms([costs.index[id] for id in table.seats], phase.settings.shape(len(table.seats)))
        for number, table in sorted(round.tables.items())
    }


@dataclass(frozen=True, slots=True)
class Due:
    """Everything an entrant wins: the money (`amount`, of which `paid`) and the prizes (`codes`, of which `handed`).

    `left` is still to be paid; negative if a correction took away what was paid already.
    """

    entrant: str
    rank: int
    categories: tuple[str, ...]
    codes: tuple[str, ...]
    things: tuple[str, ...]
    amount: int
    paid: int
    handed: tuple[str, ...]
    shared_with: tuple[str, ...]

    @property
    def left(self) -> int:
        return self.amount - self.paid

    @property
    def waiting(self) -> tuple[str, ...]:
        return tuple(code for code in self.codes if code not in self.handed)

    @property
    def done(self) -> bool:
        return self.left == 0 and not self.waiting


def categories_of(state: State) -> tuple[str, ...]:
    """All categories of prizes and of entrants, EVERYBODY first."""
    names = {name for each in state.entrants.values() for name in each.categories}
    names |= {prize.category for prize in state.prizes}
    return (EVERYBODY, *sorted(names - {EVERYBODY}))


def dues_of(state: State) -> list[Due]:
    """Every entrant who wins something or was given something, the best first."""
    given: dict[str, list[Award]] = defaultdict(list)
    for each in awards(state).given:
        given[each.id].append(each)
    ranks = {place.row.entrant: place.rank for place in ranking(state)[0]}
    paid: dict[str, int] = defaultdict(int)
    for entry in state.money:
        if entry.kind == "prize" and entry.id not in state.money_cancelled:
            paid[entry.who] += entry.amount
    handed: dict[str, list[str]] = defaultdict(list)
    for one in state.handed:
        handed[one.entrant].append(one.code)
    dues = [
        Due(
            entrant=id,
            rank=ranks.get(id, 0),
            categories=tuple(each.category for each in given[id]),
            codes=tuple(code for each in given[id] for code in each.codes),
            things=tuple(thing for each in given[id] for thing in each.things),
            amount=sum(each.amount for each in given[id]),
            paid=paid[id],
            handed=tuple(handed[id]),
            shared_with=tuple(dict.fromkeys(who for each in given[id] for who in each.shared_with)),
        )
        for id in {*given, *paid, *handed}
    ]
    return sorted(dues, key=lambda due: (due.rank == 0, due.rank, due.entrant))


def hand_over(state: State, id: str) -> list[NewEvent]:
    """The events that hand an entrant everything they have not got yet. Raises DomainError (``handed-already``)."""
    due = next((each for each in dues_of(state) if each.entrant == id), None)
    if due is None or (due.left <= 0 and not due.waiting):
        raise DomainError("handed-already", "entrant", id=id)
    doings: list[NewEvent] = []
    if due.left > 0:
        note = ", ".join(due.codes)
        doings.append(("money.entered", {"kind": "prize", "amount": due.left, "who": id, "note": note}))
    doings += [("prize.handed", {"entrant": id, "code": code}) for code in due.waiting]
    return doings


def take_back(state: State, id: str, reason: str) -> list[NewEvent]:
    """The events that take back everything an entrant was handed. Raises DomainError (``nothing-handed``)."""
    doings: list[NewEvent] = [
        ("money.cancelled", {"id": entry.id, "reason": reason})
        for entry in state.money
        if entry.kind == "prize" and entry.who == id and entry.id not in state.money_cancelled
    ]
    doings += [
        ("prize.handed", {"entrant": id, "code": each.code, "off": True}) for each in state.handed if each.entrant == id
    ]
    if not doings:
        raise DomainError("nothing-handed", "entrant", id=id)
    return doings


def fees_paid(state: State) -> int:
    """The sum of all fees paid, less refunds."""
    sums = {"fee": 1, "refund": -1}
    return sum(sums.get(entry.kind, 0) * entry.amount for entry in state.money if entry.id not in state.money_cancelled)


def from_fund(state: State, amount: int, weights: list[int], category: str) -> tuple[list[Prize], int]:
    """The prizes, with new money prizes of a category made from a sum, by weight; and the rest of the sum.

    The new prizes replace the money prizes of that category that count from the front. Prizes with a thing, prizes that
    count from the end, and those of other categories stay.
    """
    shares, rest = fund(amount, weights, state.prize_rules.unit)
    stay = [prize for prize in state.prizes if prize.category != category or prize.thing or prize.last]
    codes = free_codes({prize.code for prize in stay}, len(shares))
    new = [Prize(code, category, share) for code, share in zip(codes, shares, strict=True) if share]
    return [*new, *stay], rest


def free_codes(taken: set[str], number: int) -> list[str]:
    """As many codes as `number` that are not taken."""
    codes: list[str] = []
    count = 0
    while len(codes) < number:
        count += 1
        if f"p{count}" not in taken:
            codes.append(f"p{count}")
    return codes


def prizes_as_data(prizes: list[Prize]) -> list[Plain]:
    return [asdict(each) for each in prizes]


Lines = Sequence[tuple[int, Line]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed in the standings of one phase."""

    phase: int
    changes: tuple[Change, ...]


def mark_of(table: Table) -> str:
    """A short fingerprint of a sheet, by which a form says which version of the sheet it was filled in for."""
    dispute = table.dispute.lines if table.dispute else ()
    text = json.dumps([table.state, _plain(table.lines), _plain(dispute), len(table.changes), table.people])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def lines_as_data(lines: Lines) -> list[Plain]:
    """Lines in the form of ``table.settled``."""
    return [
        {"deal": deal, "scores": list(line.scores), "of": line.of, "extra": line.extra} for deal, line in sorted(lines)
    ]


def read_deals(desk: Desk, table: Table) -> list[Plain]:
    """The sheet from the fields ``d3-0``, ``d3-1`` … (deal 3, its sides), ``d3-of`` and ``d3-extra``.

    Deals left empty count as not played. Raises Refused with the name of the field.
    """
    numbers = sorted({int(name[1:].partition("-")[0]) for name in desk.request.POST if _is_field(name)})
    lines: list[Plain] = []
    for deal in numbers:
        fields = [f"d{deal}-{side}" for side in range(len(sides_of(table, deal)))]
        written = [bool(desk.text(field)) for field in fields]
        if not any(written):
            continue
        if not all(written):
            raise Refused("bad-count", fields[written.index(False)], expected=len(fields))
        scores: list[Plain] = [desk.whole(field) for field in fields]
        line: dict[str, Plain] = {"deal": deal, "scores": scores, "of": desk.whole(f"d{deal}-of", 1)}
        if desk.flag(f"d{deal}-extra"):
            line["extra"] = True
        lines.append(line)
    return lines


def read_sum(desk: Desk, table: Table, *, from_slip: bool = False) -> list[Plain]:
    """All deals as one sum for each side, from the fields ``s0``, ``s1`` … and ``of``.

    Raises Refused; `from_slip` also for points that no side can have (``impossible-points``).
    """
    scores, of = [desk.whole(f"s{side}") for side in range(len(table.sides))], desk.whole("of", table.deals)
    try:
        if from_slip:
            check_possible(table, scores, of)
    except DomainError as error:
        raise Refused.of(error) from None
    return [{"deal": 1, "scores": list[Plain](scores), "of": of}]


def difference(state: State, doings: Sequence[NewEvent], *, at: datetime, by: str) -> tuple[Difference, ...]:
    """What these events would change in the standings, by phase. Raises Refused if one would be refused."""
    after = state
    try:
        for kind, data in doings:
            after = check(after, kind, data, at.isoformat(), by)
    except DomainError as error:
        raise Refused.of(error) from None
    return between(state, after)


def between(before: State, after: State) -> tuple[Difference, ...]:
    """The differences between the standings of two states, by phase."""
    differences = []
    for phase in after.phases:
        old = before.phase(phase.number)
        if old is None:
            continue
        changed = changes(standing_of(before, old), standing_of(after, phase))
        if changed:
            differences.append(Difference(phase.number, changed))
    return tuple(differences)


def differences_for_page(differences: Sequence[Difference], desk: Desk) -> list[Mapping[str, object]]:
    """The differences for a page, with names and the criteria that changed."""
    rows: list[Mapping[str, object]] = []
    for difference in differences:
        lines = []
        for change in difference.changes:
            before, after = dict(change.before), dict(change.after)
            lines.append(
                {
                    "name": desk.name(change.entrant),
                    "rank_before": change.rank_before,
                    "rank_after": change.rank_after,
                    "values": [
                        (code, before.get(code), after.get(code))
                        for code in after
                        if before.get(code) != after.get(code)
                    ],
                }
            )
        rows.append({"phase": difference.phase, "lines": lines})
    return rows


def _is_field(name: str) -> bool:
    deal, dash, side = name[1:].partition("-")
    return name[:1] == "d" and deal.isdecimal() and len(deal) < 4 and dash == "-" and side.isdecimal()


def _plain(lines: Lines) -> list[object]:
    return [[deal, list(line.scores), line.of, line.extra] for deal, line in lines]
