"""The rotation: whist tables for 8, 12, 13, 16, 17, 20 and 28 players, with places in the plan by lot.

Every round of a phase takes the same seed, so that everybody keeps their number in the plan. If the plan cannot be kept
(another number of players, somebody is absent, earlier rounds did not follow it), the round is drawn, and says so.

Whist tables are plans in which everybody is everybody's partner once and everybody's opponent twice. 4k players play 4k
- 1 rounds; 4k + 1 players play as many rounds as there are players, and one sits out in turn. Each plan is made from
one round of numbers modulo 4k - 1 (or 4k + 1): the next round adds 1 to every number. `LAST` is the player who stays.

Sources: E. H. Moore, "Tactical Memoranda" (1896), for 13 and 17 (4k + 1 prime: the powers of a primitive root); the
others were found by search. The tests prove each of them.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from domain.seating.chance import Chance
from domain.seating.costs import Costs
from domain.seating.field import FOUR, Field, Seating, Settings
from domain.seating.methods.draw import Plan, first_plan, improve, seating_of

Four: TypeAlias = tuple[int, int, int, int]
"""Players in order of places: first and third are partners, and so are second and fourth."""

LAST: Final = -1

FIRST_ROUNDS: Final[dict[int, tuple[Four, ...]]] = {
    8: ((0, 3, 1, LAST), (2, 4, 5, 6)),
    12: ((0, 1, LAST, 3), (2, 6, 9, 7), (4, 5, 10, 8)),
    13: ((1, 2, 4, 7), (3, 6, 12, 8), (5, 9, 11, 10)),
    16: ((0, 5, LAST, 10), (1, 3, 12, 4), (2, 6, 9, 8), (7, 11, 13, 14)),
    17: ((1, 13, 16, 4), (3, 5, 14, 12), (9, 15, 8, 2), (10, 11, 7, 6)),
    20: ((LAST, 18, 9, 6), (0, 5, 16, 1), (11, 8, 13, 7), (17, 15, 4, 10), (12, 3, 2, 14)),
    28: (
        (LAST, 19, 24, 6),
        (0, 3, 23, 2),
        (18, 5, 11, 22),
        (12, 4, 17, 7),
        (15, 16, 13, 25),
        (21, 1, 9, 20),
        (26, 8, 10, 14),
    ),
}


def whist_rounds(players: int) -> tuple[tuple[Four, ...], ...]:
    """The whole plan: each round's tables, players as numbers from 0. Raises KeyError if there is no plan."""
    modulus = players if players % 4 == 1 else players - 1
    first = FIRST_ROUNDS[players]
    return tuple(tuple(_moved(table, by, modulus) for table in first) for by in range(modulus))


def _moved(table: Four, by: int, modulus: int) -> Four:
    a, b, c, d = (modulus if player == LAST else (player + by) % modulus for player in table)
    return a, b, c, d


def rotation(field: Field, settings: Settings, chance: Chance) -> Seating:
    """Seat the round of the plan with this number; after its last round the plan begins again."""
    costs = Costs(field, settings)
    order = chance.shuffled(range(len(costs.ids)))
    if not field.absent and len(order) in FIRST_ROUNDS and FOUR in settings.shapes:
        rounds = whist_rounds(len(order))
        cycle, number = divmod(field.number - 1, len(rounds))
        tables = [[order[player] for player in table] for table in rounds[number]]
        out = sorted(set(order) - {i for table in tables for i in table})
        if _fits(tables, out, costs, cycle):
            plan = Plan((FOUR,) * len(tables), tables, out)
            return seating_of("rotation", field, costs, plan, remarks=("rounds-again",) if cycle else ())
    plan = first_plan(order, costs)
    steps = improve(plan, costs, chance)
    return seating_of("rotation", field, costs, plan, remarks=("rotation-left",), steps=steps)


def _fits(tables: list[list[int]], out: list[int], costs: Costs, cycle: int) -> bool:
    """Whether nobody has been a partner more often than the plan says, and nobody sits out before their turn."""
    pairs = (sorted(pair) for a, b, c, d in tables for pair in ((a, c), (b, d)))
    together = all(costs.partnered.get((i, j), 0) <= cycle for i, j in pairs)
    return together and all(costs.hits[i] == min(costs.hits) for i in out)
