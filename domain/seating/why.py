"""Why am I at this table? The costs of the table, and what an exchange with somebody else would have cost."""

from __future__ import annotations

from dataclasses import dataclass

from domain.errors import refuse_if
from domain.seating.costs import Costs
from domain.seating.field import Field, Seating, Settings, Table, Term
from domain.seating.methods.draw import ODD, OUT, USUAL
from domain.seating.methods.swiss import costs_by_points, order_and_costs
from domain.seating.seat import PLANNED, chance_for


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchanging places with somebody: how much `more` the round would cost, and how many more repeats it would have.

    `burdens`: whether somebody would then sit out or at an odd table who has done so more often than the other.
    """

    other: str
    more: int
    more_repeats: int
    burdens: bool


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons for the place of one person.

    `terms` are those of the table (or of sitting out) that concern this person; `cost` is the cost of the whole table.
    `exchanges` are the best ones that would change who meets whom, the cheapest first. In formats with a plan
    (rotation, round robin, knock-out) places follow from the plan: `planned`.
    """

    id: str
    table: int | None
    terms: tuple[Term, ...]
    cost: int
    exchanges: tuple[Exchange, ...]
    planned: bool


LEFT = frozenset({"rotation-left", "meetings-left"})


def why(
    seating: Seating, field: Field, settings: Settings, seed: bytes, id: str, *, hall: str = "", best: int = 3
) -> Why:
    """The reasons for the place of `id` in `seating`, which was made from the same field, settings, seed and hall.

    Raises DomainError (``not-seated``) for somebody who was not here.
    """
    chance = chance_for(seating.method, field, seed, hall)
    if seating.method == "standing":
        costs = order_and_costs(field, settings, chance)[1]
    elif seating.method == "swiss":
        costs = costs_by_points(field, settings)
    else:
        costs = Costs(field, settings)
    refuse_if(id not in costs.index, "not-seated", "id", id=id)
    mine = seating.table_of(id)
    terms = tuple(term for term in (mine.terms if mine else seating.out_terms) if id in term.who)
    planned = seating.method in PLANNED and not LEFT & set(seating.remarks)
    return Why(
        id=id,
        table=mine.number if mine else None,
        terms=terms,
        cost=mine.cost if mine else 0,
        exchanges=() if planned else tuple(_exchanges(seating, costs, id)[:best]),
        planned=planned,
    )


def _exchanges(seating: Seating, costs: Costs, id: str) -> list[Exchange]:
    """All exchanges of `id` with somebody that change who meets whom, the best first."""
    tables = {table.number: table for table in seating.tables}
    place = {who: (table.number, n) for table in seating.tables for n, who in enumerate(table.seats)}
    exchanges = []
    for other in costs.ids:
        changed = {
            number: list(tables[number].seats)
            for number, _ in (place.get(id, (0, 0)), place.get(other, (0, 0)))
            if number
        }
        if other == id or not changed:
            continue
        for who, to in ((id, place.get(other)), (other, place.get(id))):
            if to:
                changed[to[0]][to[1]] = who
        more = repeats = 0
        alike = True
        for number, seats in changed.items():
            old, shape = tables[number], costs.settings.shape(len(seats))
            new = costs.table(number, [costs.index[who] for who in seats], shape)
            more += new.cost - old.cost
            repeats += len(new.repeats) - len(old.repeats)
            alike = alike and set(new.seats) == set(old.seats) and _together(new) == _together(old)
        if not alike:
            burdens = _burdens(costs, _kind(seating, id), _kind(seating, other), id, other)
            exchanges.append(Exchange(other, more, repeats, burdens))
    return sorted(exchanges, key=lambda each: (each.burdens, max(0, each.more_repeats), each.more, each.other))


def _together(table: Table) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in table.partners}


def _kind(seating: Seating, id: str) -> int:
    table = seating.table_of(id)
    if table is None:
        return OUT
    return ODD if table.odd else USUAL


def _burdens(costs: Costs, kind: int, other_kind: int, id: str, other: str) -> bool:
    """Whether the person who would get the worse place has been burdened more often than the one who would leave it."""
    if kind == other_kind:
        return False
    gets, leaves = (other, id) if kind > other_kind else (id, other)
    one, two = costs.index[gets], costs.index[leaves]
    if OUT in (kind, other_kind):
        return (costs.hits[one], costs.byes[one]) > (costs.hits[two], costs.byes[two])
    return costs.hits[one] > costs.hits[two]
