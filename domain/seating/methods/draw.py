"""The draw: a new seating each round, found by local search. Also for players who each play alone, at tables of 3 to 8.

First it is decided who sits out and who sits at odd tables: those who were burdened least, by lot among equals. This is
final; later exchanges may change it only between equally burdened people. Then two places are exchanged again and
again: better seatings are kept, and sometimes worse ones (less and less often), until the cost is 0 or `settings.steps`
exchanges have been tried. The result is the best seating seen.

Source of the method: measured in research of this project; Metropolis et al. 1953 for accepting, here in whole numbers:
an exchange that costs d more is accepted if d <= T · z, where z is the number of leading zeros of a random word; that
is, with probability 2^-⌈d/T⌉.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.seating.chance import Chance
from domain.seating.costs import Costs
from domain.seating.field import Field, Seating, Settings, Shape, tables_for

ANY_PLACE = 840
"""A multiple of all sizes up to eight, so that a remainder chooses all places at a table equally often."""
USUAL, ODD, OUT = range(3)


@dataclass(slots=True)
class Plan:
    """People by index, at tables of given shapes; `out` sit out."""

    shapes: tuple[Shape, ...]
    tables: list[list[int]]
    out: list[int]


def draw(field: Field, settings: Settings, chance: Chance) -> Seating:
    """Seat a round by lot, with as few repeats as possible."""
    costs = Costs(field, settings)
    order = chance.shuffled(range(len(costs.ids)))
    plan = first_plan(order, costs)
    steps = improve(plan, costs, chance)
    return seating_of("draw", field, costs, plan, steps=steps)


def first_plan(order: Sequence[int], costs: Costs, lots: Sequence[int] | None = None) -> Plan:
    """The first plan: those burdened least (then: first in `lots`) sit out or at odd tables, the others as in `order`.

    Without `lots`, `order` must be random and is used for both.
    """
    shapes, sitting = tables_for(len(order), costs.settings)
    shapes = tuple(sorted(shapes, key=lambda shape: shape.odd))
    positions = {person: position for position, person in enumerate(order)}
    lottery = order if lots is None else lots
    by_bye = sorted(lottery, key=lambda i: (costs.hits[i], costs.byes[i]))
    out = by_bye[:sitting]
    at_odd = sum(shape.size for shape in shapes if shape.odd)
    left = set(by_bye[sitting:])
    by_odd = sorted((i for i in lottery if i in left), key=costs.hits.__getitem__)
    odd = sorted(by_odd[:at_odd], key=positions.__getitem__)
    usual = sorted(by_odd[at_odd:], key=positions.__getitem__)
    queue = iter(usual + odd)
    return Plan(shapes, [[next(queue) for _ in range(shape.size)] for shape in shapes], out)


class _Account:
    """The cost of each table, and the tables that cost anything, in a list from which one is drawn at random."""

    __slots__ = ("_position", "costly", "paid")

    def __init__(self, paid: list[int]) -> None:
        self.paid = paid
        self.costly = [t for t, cost in enumerate(paid) if cost]
        self._position = {t: position for position, t in enumerate(self.costly)}

    def book(self, t: int, cost: int) -> None:
        """Set the cost of table `t`."""
        if cost and not self.paid[t]:
            self._position[t] = len(self.costly)
            self.costly.append(t)
        elif self.paid[t] and not cost:
            gap, last = self._position.pop(t), self.costly.pop()
            if last != t:
                self.costly[gap] = last
                self._position[last] = gap
        self.paid[t] = cost


def improve(plan: Plan, costs: Costs, chance: Chance) -> int:
    """Exchange places in `plan` until it costs nothing or the steps are used up, and leave the best seating in it.

    Returns the number of steps used.
    """
    tables = [*plan.tables, plan.out]
    kinds = [ODD if shape.odd else USUAL for shape in plan.shapes] + [OUT]
    shapes, out = plan.shapes, len(plan.shapes)
    places = [(t, place) for t, table in enumerate(tables) for place in range(len(table))]
    account = _Account([costs.of(table, shape) for table, shape in zip(plan.tables, shapes, strict=True)] + [0])
    paid, costly = account.paid, account.costly
    total = best = sum(paid)
    best_tables = [table.copy() for table in tables]
    changed: set[int] = set()
    """The tables that differ from `best_tables`."""
    hits, byes, cost_of, below, word = costs.hits, costs.byes, costs.of, chance.below, chance.word
    hottest, limit = _warmth(costs), costs.settings.steps
    steps = 0
    while best and steps < limit:
        warmth = hottest * (limit - steps) // limit + 1
        steps += 1
        choice = below(len(costly) * ANY_PLACE)
        u = costly[choice // ANY_PLACE]
        here = tables[u]
        x = choice % ANY_PLACE % len(here)
        v, y = places[below(len(places))]
        there = tables[v]
        one, other = here[x], there[y]
        if one == other:
            continue
        if kinds[u] != kinds[v] and (hits[one] != hits[other] or (v == out and byes[one] != byes[other])):
            continue  # they are not equally burdened
        here[x], there[y] = other, one
        new_u = cost_of(here, shapes[u])
        new_v = 0 if v in (u, out) else cost_of(there, shapes[v])
        more = new_u + new_v - paid[u] - (paid[v] if v != u else 0)
        if more > 0 and more > warmth * (32 - word().bit_length()):
            here[x], there[y] = one, other
            continue
        total += more
        account.book(u, new_u)
        if v != u:
            account.book(v, new_v)
        changed |= {u, v}
        if total < best:
            best = total
            for t in changed:
                best_tables[t] = tables[t].copy()
            changed.clear()
    *plan.tables, plan.out = best_tables
    return steps


def seating_of(
    method: str, field: Field, costs: Costs, plan: Plan, *, remarks: tuple[str, ...] = (), steps: int = 0
) -> Seating:
    """The seating of a plan. Tables are numbered in order, except those at which somebody keeps a table."""
    pairs = [(plan.tables[t], plan.shapes[t]) for t in _numbered(plan, costs)]
    return Seating(
        method=method,
        round=field.number,
        tables=tuple(costs.table(number, seats, shape) for number, (seats, shape) in enumerate(pairs, start=1)),
        out=tuple(sorted(costs.ids[i] for i in plan.out)),
        out_terms=costs.out_terms(plan.out),
        remarks=remarks if costs.ids else ("nobody",),
        steps=steps,
    )


def _numbered(plan: Plan, costs: Costs) -> list[int]:
    """The indices of a plan's tables in the order of their numbers.

    The table of a person who keeps a table gets that number; a number that is too high becomes the highest free one. If
    two such people sit at one table, the first by id decides.
    """
    order = list(range(len(plan.tables)))
    at = {i: t for t, table in enumerate(plan.tables) for i in table}
    free = set(order)
    fixed: set[int] = set()
    fitting = [i for i, number in costs.keeps.items() if i in at and number <= len(order)]
    beyond = [i for i, number in costs.keeps.items() if i in at and number > len(order)]
    for i in (*fitting, *beyond):
        kept = costs.keeps[i] - 1
        if at[i] in fixed or (kept not in free and i in fitting):
            continue
        target = kept if i in fitting else max(free)
        now = order.index(at[i])
        order[now], order[target] = order[target], order[now]
        free.discard(target)
        fixed.add(at[i])
    return order


def _warmth(costs: Costs) -> int:
    weights = costs.settings.weights
    middle = weights.opponent_again or weights.partner_again or weights.same_group or weights.standing_spread
    return max(1, middle * 2 // 3)
