"""Who gets which prize by the ranking as it is, what was handed over, and what is still to be handed. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from domain.errors import DomainError
from domain.standings.prizes import Award, Prize, fund
from domain.tournament.payload import Plain
from domain.tournament.scoring import ranking
from domain.tournament.state import State
from tournaments.selectors import EVERYBODY, awards
from tournaments.services.log import Doing


@dataclass(frozen=True, slots=True)
class Due:
    """Everything one entrant gets: `amount` in money, of which `paid`; the codes of their prizes, of which `handed`.

    `left` is what is still to be paid; negative where a correction took back what was paid already.
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
        """Money still to be paid."""
        return self.amount - self.paid

    @property
    def waiting(self) -> tuple[str, ...]:
        """Prizes not handed over yet."""
        return tuple(code for code in self.codes if code not in self.handed)

    @property
    def done(self) -> bool:
        """Whether there is nothing left to hand over."""
        return self.left == 0 and not self.waiting


def categories_of(state: State) -> tuple[str, ...]:
    """The categories there are: of the prizes, and of those who take part."""
    known = {name for each in state.entrants.values() for name in each.categories}
    known |= {prize.category for prize in state.prizes}
    return (EVERYBODY, *sorted(known - {EVERYBODY}))


def dues_of(state: State) -> list[Due]:
    """Everybody who gets something or got something, the best first."""
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
    found = [
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
    return sorted(found, key=lambda due: (due.rank == 0, due.rank, due.entrant))


def hand_over(state: State, id: str) -> list[Doing]:
    """What hands an entrant everything they still are to get. Raises DomainError (``handed-already``)."""
    due = next((each for each in dues_of(state) if each.entrant == id), None)
    if due is None or (due.left <= 0 and not due.waiting):
        raise DomainError("handed-already", "entrant", id=id)
    doings: list[Doing] = []
    if due.left > 0:
        note = ", ".join(due.codes)
        doings.append(("money.entered", {"kind": "prize", "amount": due.left, "who": id, "note": note}))
    doings += [("prize.handed", {"entrant": id, "code": code}) for code in due.waiting]
    return doings


def take_back(state: State, id: str, reason: str) -> list[Doing]:
    """What takes everything back that an entrant was handed. Raises DomainError (``nothing-handed``)."""
    doings: list[Doing] = [
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
    """What came in as fees, less what was given back."""
    sums = {"fee": 1, "refund": -1}
    return sum(sums.get(entry.kind, 0) * entry.amount for entry in state.money if entry.id not in state.money_cancelled)


def from_fund(state: State, amount: int, weights: list[int], category: str) -> tuple[list[Prize], int]:
    """The prizes with new money prizes of one category made from a sum, by weight; and what is left over.

    Money prizes of that category from the front go; prizes with a thing, from the end, and of others stay.
    """
    shares, rest = fund(amount, weights, state.prize_rules.unit)
    stay = [prize for prize in state.prizes if prize.category != category or prize.thing or prize.last]
    codes = free_codes({prize.code for prize in stay}, len(shares))
    made = [Prize(code, category, share) for code, share in zip(codes, shares, strict=True) if share]
    return [*made, *stay], rest


def free_codes(taken: set[str], number: int) -> list[str]:
    """So many codes that no prize has."""
    found: list[str] = []
    count = 0
    while len(found) < number:
        count += 1
        if f"p{count}" not in taken:
            found.append(f"p{count}")
    return found


def as_data(prizes: list[Prize]) -> list[Plain]:
    """Prizes as `prizes.set` wants them."""
    return [
        {
            "code": each.code,
            "category": each.category,
            "amount": each.amount,
            "thing": each.thing,
            "worth": each.worth,
            "last": each.last,
        }
        for each in prizes
    ]
