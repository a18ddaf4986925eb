"""Knock-out: a bracket with seeds, and byes for the best.

Seeded entrants are placed so that the first two can meet only in the final, the first four only from the semi-finals
on, and so on; the others are drawn. If their number is not a power of two, the best have no opponent in the first
round. Every round takes the same seed and the same entrants; losers are `absent`. If both of a pairing are absent, the
next opponent has a walkover.

Third place: the two losers of the semi-finals may be present in the round of the final, with fewer points than their
opponents. They meet at a table after that of the final.
"""

from __future__ import annotations

from domain.errors import DomainError
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
    ordered = [*seeded, *(entrant for entrant in drawn if not entrant.seed)]
    places = [ordered[number].id if number < len(ordered) else "" for number in bracket(len(ordered))]
    half = 1 << (field.number - 1)
    tables: list[list[int]] = []
    out: list[int] = []
    third: list[str] = []
    for start in range(0, len(places), 2 * half):
        meeting = []
        for end in (start, start + half):
            still_in = [who for who in places[end : end + half] if who in costs.index]
            if len(still_in) == 2 and len(places) == 2 * half and points[still_in[0]] != points[still_in[1]]:
                third.append(min(still_in, key=points.__getitem__))
                still_in.remove(third[-1])
            if len(still_in) > 1:
                raise DomainError("undecided", "absent", one=still_in[0], other=still_in[1])
            meeting += still_in
        if len(meeting) == 2:
            tables.append([costs.index[who] for who in meeting])
        else:
            out += [costs.index[who] for who in meeting]
    if len(third) == 2:
        tables.append([costs.index[who] for who in third])
    else:
        out += [costs.index[who] for who in third]
    remarks = ("decided",) if not tables and len(out) == 1 else ()
    return seating_of("knock-out", field, costs, Plan((settings.shape(2),) * len(tables), tables, out), remarks=remarks)
