"""Knock-out: a bracket with seeds, and byes for the best.

Seeded entrants are placed so that the first two can meet only in the final, the first four only from the semi-finals
on, and so on; the others are drawn. If their number is not a power of two, the best have no opponent in the first
round. Every round takes the same seed and the same entrants; losers are `absent`. If both of a pairing are absent, the
next opponent has a walkover.

Third place: the two losers of the semi-finals may be present in the round of the final, with fewer points than their
opponents. They meet at a table after that of the final.

If so many are absent that nobody would have an opponent, that round of the bracket is left out.

If earlier rounds did not keep to the bracket (tables were changed by hand), those who are still in make a new one, and
the round says so.
"""

from __future__ import annotations

from itertools import combinations

from domain.errors import refuse_if
from domain.seating.chance import Chance
from domain.seating.costs import Costs
from domain.seating.field import Field, Seating, Settings
from domain.seating.methods.draw import Plan, seating_of


def bracket(count: int) -> list[int]:
    """The numbers of the entrants (from 0, the best first) in a bracket, from top to bottom.

    The length is the next power of two; numbers from `count` on are byes.
    """
    numbers = [0]
    while len(numbers) < count:
        last = 2 * len(numbers) - 1
        numbers = [number for better in numbers for number in (better, last - better)]
    return numbers


def knock_out(field: Field, settings: Settings, chance: Chance) -> Seating:
    """Seat the next round of the entrants still in. Raises DomainError if an earlier meeting has no loser yet."""
    costs = Costs(field, settings)
    points = field.points()
    drawn = chance.shuffled(field.entrants)
    seeded = sorted((entrant for entrant in drawn if entrant.seed), key=lambda entrant: entrant.seed)
    ordered = [entrant.id for entrant in (*seeded, *(entrant for entrant in drawn if not entrant.seed))]
    bracket_places, half = _places(ordered), 1 << (field.number - 1)
    pairings = _pairings(bracket_places, half, costs, points)
    while pairings is not None and max(map(len, pairings)) < 2 and sum(map(len, pairings[:-1])) > 1:
        half *= 2
        pairings = _pairings(bracket_places, half, costs, points)
    remarks: tuple[str, ...] = ()
    if pairings is None:
        present = [who for who in ordered if who in costs.index]
        last = _losers_of_semi_finals(present, points)
        still_in = [who for who in present if who not in last]
        for i, j in combinations(sorted(costs.index[who] for who in still_in), 2):
            refuse_if((i, j) in costs.opposed, "both-still-in", "absent", one=costs.ids[i], other=costs.ids[j])
        places = _places(still_in)
        pairings = [*(places[start : start + 2] for start in range(0, len(places), 2)), last]
        remarks = ("bracket-left",)
    tables = [[costs.index[who] for who in each if who] for each in pairings]
    out = [i for table in tables for i in table if len(table) == 1]
    tables = [table for table in tables if len(table) == 2]
    if not tables and out:
        remarks = ("decided",)
    return seating_of("knock-out", field, costs, Plan((settings.shape(2),) * len(tables), tables, out), remarks=remarks)


def _places(ordered: list[str]) -> list[str]:
    """The ids in the order of a bracket, the best first; "" is a bye."""
    return [ordered[number] if number < len(ordered) else "" for number in bracket(len(ordered))]


def _pairings(places: list[str], half: int, costs: Costs, points: dict[str, int]) -> list[list[str]] | None:
    """Those who meet in the round in which `half` places lead to each side; None if this bracket was not kept."""
    pairings: list[list[str]] = []
    third: list[str] = []
    best = max((points[who] for who in places if who in costs.index), default=0)
    for start in range(0, len(places), 2 * half):
        meeting = []
        for end in (start, start + half):
            still_in = [who for who in places[end : end + half] if who in costs.index]
            if len(places) == 2 * half:
                third += [who for who in still_in if points[who] < best]
                still_in = [who for who in still_in if points[who] == best]
            if len(still_in) > 1:
                return None
            meeting += still_in
        pairings.append(meeting)
    return [*pairings, third]


def _losers_of_semi_finals(present: list[str], points: dict[str, int]) -> list[str]:
    """Those who play for third place if only two of those present have the most points."""
    best = max(map(points.__getitem__, present), default=0)
    fewer = [who for who in present if points[who] < best]
    return fewer if len(present) - len(fewer) == 2 else []
