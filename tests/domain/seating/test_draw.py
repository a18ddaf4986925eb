"""The draw by local search, against trying everything."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import pytest

from domain.seating.field import FOR_PLAYERS, FOUR, Entrant, Field, Past, Settings, Weights, alone
from domain.seating.seat import seat
from tests.domain.seating.checker import meetings, price
from tests.domain.seating.tournaments import ACROSS, seed_of


def evening(count, rounds, settings=FOR_PLAYERS, number=1):
    """That many rounds by draw, everybody staying."""
    field = Field(tuple(Entrant(f"p{i}") for i in range(count)))
    seatings = []
    for _ in range(rounds):
        seatings.append(seat("draw", field, settings, seed_of(number)))
        past = Past(tuple(table.seats for table in seatings[-1].tables), seatings[-1].out)
        field = replace(field, rounds=(*field.rounds, past))
    return field, seatings


def cheapest(people, cost_of_four):
    """The least any division into fours costs."""
    if not people:
        return 0
    first, rest = people[0], people[1:]
    return min(
        cost_of_four(first, three) + cheapest(tuple(who for who in rest if who not in three), cost_of_four)
        for three in combinations(rest, 3)
    )


@pytest.mark.parametrize(("count", "number"), [(8, 1), (8, 2), (8, 3), (12, 1), (12, 2)])
@pytest.mark.slow(but="8-1")
def test_no_seating_of_up_to_twelve_is_cheaper(count, number):
    luck = Random(number)
    clubs = {f"p{i}": (luck.choice("AB"),) for i in range(count)}
    past = []
    for _ in range(3):
        order = luck.sample(sorted(clubs), count)
        past.append(tuple(tuple(order[i : i + 4]) for i in range(0, count, 4)))
    field = Field(
        tuple(Entrant(who, groups=groups) for who, groups in clubs.items()),
        rounds=tuple(Past(tables) for tables in past),
    )
    found = seat("draw", field, FOR_PLAYERS, seed_of(number))

    @cache
    def cost_of_four(first, three):
        b, c, d = three
        known = {"rounds": past, "weights": Weights(), "table_partners": ACROSS, "groups": clubs}
        return min(price([(first, *order)], **known) for order in ((b, c, d), (c, b, d), (b, d, c)))

    assert found.cost == cheapest(tuple(sorted(clubs)), cost_of_four)


@pytest.mark.parametrize("number", [1, 2])
def test_24_players_meet_nobody_twice_in_the_same_role_in_five_rounds(number):
    field, _ = evening(24, 5, number=number)
    together, against = meetings([past.tables for past in field.rounds], ACROSS)
    assert max(together.values()) == max(against.values()) == 1


def test_a_draw_stops_by_steps():
    assert evening(8, 4, Settings(steps=700))[1][-1].steps == 700


def test_burdens_go_round_before_anybody_has_a_second():
    """21 people, one table of five: after four rounds 20 have been there, in the fifth the last one and four others."""
    _, seatings = evening(21, 5, Settings(steps=2000))
    hit = [who for seating in seatings[:4] for table in seating.tables if table.odd for who in table.seats]
    assert len(hit) == len(set(hit)) == 20
    last = next(table.seats for table in seatings[4].tables if table.odd)
    assert set(last) - set(hit)


def test_sit_outs_go_round_too():
    _, seatings = evening(10, 5, Settings(shapes=(FOUR,), steps=500))
    out = [who for seating in seatings for who in seating.out]
    assert len(out) == len(set(out)) == 10


def test_a_burden_of_an_earlier_phase_counts():
    field = Field(tuple(Entrant(f"p{i}", carried=int(i != 3)) for i in range(9)))
    assert seat("draw", field, Settings(shapes=(FOUR,)), seed_of(1)).out == ("p3",)


def test_club_mates_and_families_are_kept_apart_if_that_costs_no_repeat():
    field = Field(
        tuple(Entrant(f"p{i}", groups=("Sagogn" if i < 4 else "Trun" if i < 8 else "Zug",)) for i in range(12))
    )
    assert seat("draw", field, FOR_PLAYERS, seed_of(1)).costs == {"same-group": 27}
    four_clubs = Field(tuple(Entrant(f"p{i}", groups=(f"club {i % 4}",)) for i in range(16)))
    assert seat("draw", four_clubs, FOR_PLAYERS, seed_of(1)).cost == 0


def test_the_wish_of_the_organiser_is_kept():
    apart = tuple((f"p{i}", f"p{i + 1}") for i in range(0, 8, 2))
    field = Field(tuple(Entrant(f"p{i}") for i in range(8)), apart=apart)
    tables = seat("draw", field, FOR_PLAYERS, seed_of(3)).tables
    assert not any(set(pair) <= set(table.seats) for pair in apart for table in tables)


def test_memory_of_the_season_is_weaker_than_the_evening_but_counts():
    people = tuple(Entrant(f"p{i}") for i in range(8))
    ids = [entrant.id for entrant in people]
    earlier = Past((tuple(ids[:4]), tuple(ids[4:])), weight=5)
    remembered = Field(people, season=(earlier, Past((("p0", "stranger", "p7", "p1"),))))
    found = seat("draw", remembered, FOR_PLAYERS, seed_of(1))
    assert not any({"p0", "p2"} in map(set, table.partners) for table in found.tables)
    assert {term.criterion for term in found.terms} <= {"season-partner", "season-opponent"}
    assert found.repeats == ()


@pytest.mark.slow
def test_what_must_repeat_repeats_and_is_shown():
    _, seatings = evening(4, 4)
    assert [len(seating.repeats) for seating in seatings] == [0, 2, 4, 6]
    assert {term.criterion for term in seatings[3].repeats} == {"partner-again", "opponent-again"}


def test_tables_of_players_alone_have_no_partners():
    _, seatings = evening(23, 2, Settings(shapes=alone()))
    assert all(table.partners == () and not table.odd for table in seatings[1].tables)
    assert seatings[1].cost == 0
