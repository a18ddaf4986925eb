"""The rotation: whist tables for 8, 12, 13, 16, 17, 20 and 28 players, places in the plan by lot.

Every round of a phase takes the same seed, so that everybody keeps their number in the plan. Where the plan cannot be kept
(other numbers, somebody is not here, earlier rounds were another's), the round is drawn, and says so.
"""

from __future__ import annotations

from clubs.seating.chance import Chance
from clubs.seating.costs import Costs
from clubs.seating.entrants import Field
from clubs.seating.methods import whist
from clubs.seating.methods.draw import Plan, burdened, improve, told
from clubs.seating.results import Seating
from clubs.seating.settings import FOUR, Settings


def rotation(field: Field, settings: Settings, chance: Chance) -> Seating:
    """Seat the round of the plan that has this number; after its last it begins again."""
    costs = Costs(field, settings)
    order = chance.shuffled(range(len(costs.ids)))
    if not field.absent and len(order) in whist.FIRST_ROUNDS and FOUR in settings.shapes:
        rounds = whist.rounds(len(order))
        cycle, number = divmod(field.number - 1, len(rounds))
        tables = [[order[player] for player in table] for table in rounds[number]]
        out = sorted(set(order) - {i for table in tables for i in table})
        if _fits(tables, out, costs, cycle):
            plan = Plan((FOUR,) * len(tables), tables, out)
            return told("rotation", field, costs, plan, remarks=("rounds-again",) if cycle else ())
    plan = burdened(order, costs)
    steps = improve(plan, costs, chance)
    return told("rotation", field, costs, plan, remarks=("rotation-left",), steps=steps)


def _fits(tables: list[list[int]], out: list[int], costs: Costs, cycle: int) -> bool:
    """Whether nobody was a partner more often than the plan says, and nobody sits out before their turn."""
    pairs = (sorted(pair) for a, b, c, d in tables for pair in ((a, c), (b, d)))
    together = all(costs.partnered.get((i, j), 0) <= cycle for i, j in pairs)
    return together and all(costs.hits[i] == min(costs.hits) for i in out)
