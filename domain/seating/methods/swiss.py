"""Re-seeding by standing, and the Swiss system.

Re-seeding: neighbours in the standing meet, and the sides of a table are balanced (first and fourth against second and
third). By default repeats and club mates are weighed against that; with `settings.strict` they are not.

Swiss, for pairs (or players one against one): equal points meet, and nobody meets twice if that can be avoided. It is
one matching of least cost over the whole field (rustworkx, Galil's algorithm), so that exchanges between score groups
are found where they help. These count, in this order: repeated meetings (their number squared); the penalties of
`Weights` (points apart, organiser's wishes, club mates, the season); and lot, in numbers so fine that there is one best
pairing, which every machine finds. With an odd number, the one who sits out is among those burdened least so far, as
low as possible. Three at one table are, among those burdened least, the ones with whom the whole round costs least:
every three that may be better is tried, as many as the size of the field allows. Above 400 entrants only neighbours in
the standing are tried first; if that forces a repeat, ever wider neighbourhoods are tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from domain.seating.chance import Chance
from domain.seating.costs import Costs
from domain.seating.field import Field, Seating, Settings, Shape, tables_for
from domain.seating.methods.draw import Plan, first_plan, improve, seating_of


def by_points(field: Field, chance: Chance) -> list[int]:
    """The indices of those present, most points first, equals by lot."""
    points = field.points()
    ids = [entrant.id for entrant in field.present]
    return sorted(chance.shuffled(range(len(ids))), key=lambda i: -points[ids[i]])


def order_and_costs(field: Field, settings: Settings, chance: Chance) -> tuple[list[int], Costs]:
    """The order of those present by points, and the costs that take it into account."""
    order = by_points(field, chance)
    ranks = [0] * len(order)
    for rank, person in enumerate(order):
        ranks[person] = rank
    return order, Costs(field, settings, ranks=ranks)


def standing(field: Field, settings: Settings, chance: Chance) -> Seating:
    order, costs = order_and_costs(field, settings, chance)
    plan = first_plan(order, costs, lots=order[::-1])
    if settings.strict:
        steps = 0
        plan.tables = [_evened(table, index, plan, costs) for index, table in enumerate(plan.tables)]
    else:
        steps = improve(plan, costs, chance)
    ranks = {person: rank for rank, person in enumerate(order)}
    by_best = sorted(range(len(plan.tables)), key=lambda t: min(ranks[i] for i in plan.tables[t]))
    plan.tables = [plan.tables[t] for t in by_best]
    plan.shapes = tuple(plan.shapes[t] for t in by_best)
    return seating_of("standing", field, costs, plan, steps=steps)


def _evened(table: list[int], index: int, plan: Plan, costs: Costs) -> list[int]:
    """The people of a table in the cheapest order of places; the best of them keeps the first place."""
    shape = plan.shapes[index]
    if not shape.partners:
        return table
    orders = ([table[0], *rest] for rest in permutations(table[1:]))
    return min(orders, key=lambda seats: costs.of(seats, shape))


WHOLE_FIELD = 400
NEIGHBOURS = 40
REPEATED = 10**15
"""More than all other penalties of a round together: a wish of the organiser or a club mate never causes a repeat."""
BYE_PLACE = 10**10
"""For every place of a bye above the last: less than a repeat, more than uneven points."""
LOT_BITS = 48
TRIO_WORK = 4_000_000
"""Limits the search for a table of three: a matching takes the cube of the number of people.

Enough for every three of 17.
"""


def swiss(field: Field, settings: Settings, chance: Chance) -> Seating:
    return paired("swiss", field, costs_by_points(field, settings), by_points(field, chance), chance)


def costs_by_points(field: Field, settings: Settings) -> Costs:
    """The costs that take score groups (entrants with equal points) into account."""
    points = field.points()
    distinct = {score: level for level, score in enumerate(sorted({points[entrant.id] for entrant in field.present}))}
    return Costs(field, settings, levels=[distinct[points[entrant.id]] for entrant in field.present])


def paired(
    method: str, field: Field, costs: Costs, order: list[int], chance: Chance, *, remarks: tuple[str, ...] = ()
) -> Seating:
    """Seat two to a table at the least cost; `order` is the standing.

    One left over sits out or makes a table of three.
    """
    lots = [chance.word() for _ in order]
    shapes, _ = tables_for(len(order), costs.settings)
    trio_shape = next((shape for shape in shapes if shape.size == 3), None)
    if len(order) % 2 and trio_shape:
        trio, pairs = _with_trio(order, costs, lots, trio_shape)
    else:
        trio, pairs = [], _matched(order, costs, lots)
    rest = [i for i in order if i not in trio]
    out = sorted(set(rest) - {i for pair in pairs for i in pair})
    ranks = {person: rank for rank, person in enumerate(order)}
    tables = sorted((sorted(pair, key=ranks.__getitem__) for pair in pairs), key=lambda pair: ranks[pair[0]])
    two = costs.settings.shape(2)
    plan = Plan((two,) * len(tables), tables, out)
    if trio and trio_shape:
        plan.tables.append(trio)
        plan.shapes += (trio_shape,)
    return seating_of(method, field, costs, plan, remarks=remarks)


def _with_trio(
    order: list[int], costs: Costs, lots: list[int], shape: Shape
) -> tuple[list[int], list[tuple[int, int]]]:
    """The three for one table and the pairs of all others with which the whole round costs least."""
    best: tuple[int, list[int], list[tuple[int, int]]] | None = None
    priced = sorted(
        (sum(_price(costs, i, j) for i, j in combinations(trio, 2)), at, trio)
        for at, trio in enumerate(_trios(order, costs))
    )
    left = max(1, TRIO_WORK // len(order) ** 3)
    for own, _, trio in priced[:left]:
        if best is not None and own >= best[0]:
            break  # the trio alone costs as much as the best round
        rest = [i for i in order if i not in trio]
        pairs = _matched(rest, costs, lots)
        whole = own + sum(_price(costs, i, j) for i, j in pairs)
        if best is None or whole < best[0]:
            best = whole, trio, pairs
    assert best is not None
    assert shape.size == 3
    return best[1], best[2]


def _trios(order: list[int], costs: Costs) -> Iterator[list[int]]:
    """Every three of the people burdened least, the lowest in the standing first."""
    lowest_first = order[::-1]
    waiting = sorted(lowest_first, key=costs.hits.__getitem__)
    most = costs.hits[waiting[2]]
    before = [i for i in waiting if costs.hits[i] < most]
    equal = [i for i in waiting if costs.hits[i] == most][:NEIGHBOURS]
    return ([*before, *chosen] for chosen in combinations(equal, 3 - len(before)))


def _price(costs: Costs, i: int, j: int) -> int:
    """The cost of a meeting of two, without the lot."""
    times = costs.opposed.get((i, j) if i < j else (j, i), 0)
    apart = costs.settings.weights.score_apart * (costs.levels[i] - costs.levels[j]) ** 2 if costs.levels else 0
    return apart + costs.against[i][j] + times * times * REPEATED


def _matched(order: list[int], costs: Costs, lots: list[int], reach: int = 0) -> list[tuple[int, int]]:
    """The pairs of the cheapest matching that leaves as few people alone as possible.

    Only people at most `reach` places apart in `order` are paired (0: anybody, unless the field is too large). Tries
    again with a longer reach if somebody is left alone or meets an opponent again.
    """
    count = len(order)
    reach = reach or (count if count <= WHOLE_FIELD else NEIGHBOURS)
    bye = count if count % 2 else -1
    edges = []
    for x, i in enumerate(order):
        for y in range(x + 1, min(count, x + 1 + reach)):
            j = order[y]
            edges.append((x, y, (_price(costs, i, j) << LOT_BITS) + ((lots[i] * lots[j]) & 0xFFFFFFFF)))
    if bye >= 0:
        least = min((costs.hits[i], costs.byes[i]) for i in order)
        edges.extend(
            (x, bye, ((count - 1 - x) * BYE_PLACE << LOT_BITS) + lots[i])
            for x, i in enumerate(order)
            if (costs.hits[i], costs.byes[i]) == least
        )
    if not edges:
        return []
    import rustworkx  # noqa: PLC0415  # large, and rarely needed

    most = max(cost for _, _, cost in edges) + 1
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=True)
    graph.add_nodes_from([None] * (count + (bye >= 0)))
    graph.add_edges_from(edges)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda cost: most - cost)
    pairs = [(order[x], order[y]) for x, y in matching if bye not in (x, y)]
    repeats = any(costs.opposed.get((min(pair), max(pair))) for pair in pairs)
    if reach < count and (len(matching) * 2 < count or repeats):
        return _matched(order, costs, lots, 4 * reach)
    return pairs
