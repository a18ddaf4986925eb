"""Round robin: everybody meets everybody once, in the fewest rounds; numbers in the plan by lot.

The circle method (Berger tables, as chess clubs know them): one stays, the others move round by one place. With an odd
number, the opponent of the ghost sits out. Every round of a phase takes the same seed. If the plan cannot be kept
(somebody is or was absent), those who have met least are paired, and the round says so.
"""

from __future__ import annotations

from domain.seating.chance import Chance
from domain.seating.costs import Costs
from domain.seating.field import Field, Seating, Settings
from domain.seating.methods.draw import Plan, seating_of
from domain.seating.methods.swiss import paired


def circle(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The rounds for `count` entrants, numbered from 0; with an odd number, `count` itself is the ghost.

    The entrant who stays in the middle changes the side of the table every round.
    """
    size = count + count % 2
    rounds = []
    for number in range(size - 1):
        ring = [(number + place) % (size - 1) for place in range(size - 1)]
        middle = (size - 1, ring[0]) if number % 2 else (ring[0], size - 1)
        rounds.append((middle, *((ring[place], ring[-place]) for place in range(1, size // 2))))
    return tuple(rounds)


def round_robin(field: Field, settings: Settings, chance: Chance) -> Seating:
    """Seat the round of the plan with this number; after its last round the plan begins again."""
    costs = Costs(field, settings)
    order = chance.shuffled(range(len(costs.ids)))
    if not field.absent and len(order) > 1:
        rounds = circle(len(order))
        cycle, number = divmod(field.number - 1, len(rounds))
        pairs = [pair for pair in rounds[number] if len(order) not in pair]
        tables = [[order[a], order[b]] for a, b in pairs]
        out = sorted(set(order) - {i for table in tables for i in table})
        met = max((costs.opposed.get((min(table), max(table)), 0) for table in tables), default=0)
        if met <= cycle and all(costs.hits[i] == min(costs.hits) for i in out):
            plan = Plan((settings.shape(2),) * len(tables), tables, out)
            return seating_of("round-robin", field, costs, plan, remarks=("rounds-again",) if cycle else ())
    return paired("round-robin", field, costs, order, chance, remarks=("meetings-left",))
