"""Re-seeding by standing: who stands near each other meets, and the sides of a table are made even (first and fourth
against second and third). By default repeats and club mates are weighed against it; `settings.strict` does not.

Swiss for pairs (or players one against one): equal points meet, nobody meets twice if it can be helped.

One matching of least cost over the whole field (rustworkx, Galil's algorithm), so that an exchange between groups of points
is found where it helps. What counts, in this order: repeated meetings (their number squared); then the penalties of
`Weights` (points apart, organiser's wishes, club mates, the season); then lot, by numbers so fine that one best pairing
stands out and every machine finds the same. An odd one out is among those burdened least so far, as low as possible. Three
at one table are, of those burdened least, the ones with whom the whole round costs least: each three that may do better is
tried, as many as the size of the field allows.
Above 400 entrants only neighbours in the standing are tried first; if that forces a repeat, ever wider circles.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from domain.seating.chance import Chance
from domain.seating.costs import Costs
from domain.seating.field import Field, Seating, Settings, Shape, tables_for
from domain.seating.methods.draw import Plan, burdened, improve, told


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


WHOLE_FIELD = 400
NEIGHBOURS = 40
REPEATED = 10**15
"""More than all other penalties of a round together; a wish of the organiser or a club mate never makes a repeat."""
BYE_PLACE = 10**10
"""For every place by which a bye goes higher than the last: never worth a repeat, always worth uneven points."""
LOT_BITS = 48
TRIO_WORK = 4_000_000
"""How much may be tried while a table of three is looked for; a matching takes the cube of its people. Every three of 17."""


def swiss(field: Field, settings: Settings, chance: Chance) -> Seating:
    return paired("swiss", field, leveled(field, settings), by_points(field, chance), chance)


def leveled(field: Field, settings: Settings) -> Costs:
    """Costs that know who has equal points."""
    points = field.points()
    distinct = {score: level for level, score in enumerate(sorted({points[entrant.id] for entrant in field.present}))}
    return Costs(field, settings, levels=[distinct[points[entrant.id]] for entrant in field.present])


def paired(
    method: str, field: Field, costs: Costs, order: list[int], chance: Chance, *, remarks: tuple[str, ...] = ()
) -> Seating:
    """Two to a table, at least cost; `order` is the standing. One left over sits out or makes a table of three."""
    lots = [chance.word() for _ in order]
    shapes, _ = tables_for(len(order), costs.settings)
    trio_shape = next((shape for shape in shapes if shape.size == 3), None)
    if len(order) % 2 and trio_shape:
        trio, pairs = _with_trio(order, costs, lots, trio_shape)
    else:
        trio, pairs = [], _matched(order, costs, lots)
    rest = [i for i in order if i not in trio]
    out = sorted(set(rest) - {i for pair in pairs for i in pair})
    place = {person: rank for rank, person in enumerate(order)}
    tables = sorted((sorted(pair, key=place.__getitem__) for pair in pairs), key=lambda pair: place[pair[0]])
    two = costs.settings.shape(2)
    plan = Plan((two,) * len(tables), tables, out)
    if trio and trio_shape:
        plan.tables.append(trio)
        plan.shapes += (trio_shape,)
    return told(method, field, costs, plan, remarks=remarks)


def _with_trio(
    order: list[int], costs: Costs, lots: list[int], shape: Shape
) -> tuple[list[int], list[tuple[int, int]]]:
    """Three for one table and the pairs of all others, with whom the whole round costs least."""
    best: tuple[int, list[int], list[tuple[int, int]]] | None = None
    priced = sorted(
        (sum(_price(costs, i, j) for i, j in combinations(trio, 2)), at, trio)
        for at, trio in enumerate(_trios(order, costs))
    )
    left = max(1, TRIO_WORK // len(order) ** 3)
    for own, _, trio in priced[:left]:
        if best is not None and own >= best[0]:
            break  # whatever the others do
        rest = [i for i in order if i not in trio]
        pairs = _matched(rest, costs, lots)
        whole = own + sum(_price(costs, i, j) for i, j in pairs)
        if best is None or whole < best[0]:
            best = whole, trio, pairs
    assert best is not None
    assert shape.size == 3
    return best[1], best[2]


def _trios(order: list[int], costs: Costs) -> Iterator[list[int]]:
    """Every three of those burdened least, the lowest in the standing first."""
    lowest_first = order[::-1]
    waiting = sorted(lowest_first, key=costs.hits.__getitem__)
    most = costs.hits[waiting[2]]
    before = [i for i in waiting if costs.hits[i] < most]
    equal = [i for i in waiting if costs.hits[i] == most][:NEIGHBOURS]
    return ([*before, *chosen] for chosen in combinations(equal, 3 - len(before)))


def _price(costs: Costs, i: int, j: int) -> int:
    """What it costs that two meet, lots aside."""
    times = costs.opposed.get((i, j) if i < j else (j, i), 0)
    apart = costs.settings.weights.score_apart * (costs.levels[i] - costs.levels[j]) ** 2 if costs.levels else 0
    return apart + costs.against[i][j] + times * times * REPEATED


def _matched(order: list[int], costs: Costs, lots: list[int], reach: int = 0) -> list[tuple[int, int]]:
    """The pairs of the cheapest matching that leaves as few alone as possible, of people at most `reach` places apart
    (0: whoever, in a field that is not too large). Reaches further where that leaves somebody alone or makes somebody meet
    again.
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
    import rustworkx  # noqa: PLC0415  # large, and seldom asked for

    most = max(cost for _, _, cost in edges) + 1
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=True)
    graph.add_nodes_from([None] * (count + (bye >= 0)))
    graph.add_edges_from(edges)
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda cost: most - cost)
    pairs = [(order[x], order[y]) for x, y in found if bye not in (x, y)]
    if reach < count and (len(found) * 2 < count or any(costs.opposed.get((min(pair), max(pair))) for pair in pairs)):
        return _matched(order, costs, lots, 4 * reach)
    return pairs
