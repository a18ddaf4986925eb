"""Re-seeding by standing: who stands near each other meets, and the sides of a table are made even (first and fourth
against second and third). By default repeats and club mates are weighed against it; `settings.strict` does not."""

from __future__ import annotations

from itertools import permutations

from clubs.seating.chance import Chance
from clubs.seating.costs import Costs
from clubs.seating.entrants import Field
from clubs.seating.methods.draw import Plan, burdened, improve, told
from clubs.seating.results import Seating
from clubs.seating.settings import Settings


def by_points(field: Field, chance: Chance) -> list[int]:
    """Those present by index, most points first, equal ones by lot."""
    points = field.points()
    ids = [entrant.id for entrant in field.present]
    return sorted(chance.shuffled(range(len(ids))), key=lambda i: -points[ids[i]])


def ranked(field: Field, settings: Settings, chance: Chance) -> tuple[list[int], Costs]:
    """The order of those present, and the costs that know it."""
    order = by_points(field, chance)
    ranks = [0] * len(order)
    for rank, person in enumerate(order):
        ranks[person] = rank
    return order, Costs(field, settings, ranks=ranks)


def standing(field: Field, settings: Settings, chance: Chance) -> Seating:
    """Seat a round by the standing so far."""
    order, costs = ranked(field, settings, chance)
    plan = burdened(order, costs, lots=order[::-1])
    if settings.strict:
        steps = 0
        plan.tables = [_evened(table, index, plan, costs) for index, table in enumerate(plan.tables)]
    else:
        steps = improve(plan, costs, chance)
    ranks = {person: rank for rank, person in enumerate(order)}
    by_best = sorted(range(len(plan.tables)), key=lambda t: min(ranks[i] for i in plan.tables[t]))
    plan.tables = [plan.tables[t] for t in by_best]
    plan.shapes = tuple(plan.shapes[t] for t in by_best)
    return told("standing", field, costs, plan, steps=steps)


def _evened(table: list[int], index: int, plan: Plan, costs: Costs) -> list[int]:
    """The same people, in the cheapest order of places; the best of them keeps the first."""
    shape = plan.shapes[index]
    if not shape.partners:
        return table
    orders = ([table[0], *rest] for rest in permutations(table[1:]))
    return min(orders, key=lambda seats: costs.of(seats, shape))
