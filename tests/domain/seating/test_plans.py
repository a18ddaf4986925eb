"""Formats with a plan: rotation, round robin, knock-out."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from domain.errors import DomainError
from domain.seating.field import FOR_PAIRS, FOR_PLAYERS, Entrant, Field, Past, Settings
from domain.seating.methods import rotation
from domain.seating.methods.knockout import bracket
from domain.seating.seat import seat
from tests.domain.seating.checker import meetings
from tests.domain.seating.tournaments import ACROSS, seed_of


def people(count):
    return tuple(Entrant(f"p{i:02}") for i in range(count))


def play(method, field, rounds, settings):
    seatings = []
    for _ in range(rounds):
        seatings.append(seat(method, field, settings, seed_of(5)))
        past = Past(tuple(table.seats for table in seatings[-1].tables), seatings[-1].out)
        field = replace(field, rounds=(*field.rounds, past))
    return field, seatings


def faults(players: int, plan: Sequence[Sequence[rotation.Four]]) -> list[str]:
    """What keeps `plan` from being a whist tournament: nothing, if all is well. In words for a developer."""
    found = []
    out: Counter[int] = Counter()
    partners: Counter[tuple[int, int]] = Counter()
    meetings: Counter[tuple[int, int]] = Counter()
    for number, tables in enumerate(plan, start=1):
        seated = [player for table in tables for player in table]
        if len(set(seated)) != len(seated) or not set(seated) <= set(range(players)):
            found.append(f"round {number}: somebody sits twice, or is nobody")
        out.update(set(range(players)) - set(seated))
        for a, b, c, d in tables:
            partners.update([(min(a, c), max(a, c)), (min(b, d), max(b, d))])
            meetings.update(combinations(sorted((a, b, c, d)), 2))
    expected = 1 if players % 4 == 1 else 0
    found += [f"player {player} sits out {out[player]} times" for player in range(players) if out[player] != expected]
    for pair in combinations(range(players), 2):
        if partners[pair] != 1:
            found.append(f"{pair} are partners {partners[pair]} times")
        if meetings[pair] != 3:
            found.append(f"{pair} are opponents {meetings[pair] - partners[pair]} times")
    return found


@pytest.mark.parametrize("count", [8, 12, 13, 16, 17, 20, 28])
def test_in_a_full_rotation_everybody_partners_everybody_once_and_opposes_them_twice(count):
    assert faults(count, rotation.whist_rounds(count)) == []
    rounds = count if count % 2 else count - 1
    field, seatings = play("rotation", Field(people(count)), rounds, FOR_PLAYERS)
    assert {seating.remarks for seating in seatings} == {()}
    together, against = meetings([past.tables for past in field.rounds], ACROSS)
    everybody = [frozenset(pair) for pair in combinations([entrant.id for entrant in field.entrants], 2)]
    assert all(together[pair] == 1 and against[pair] == 2 for pair in everybody)
    assert sorted(who for seating in seatings for who in seating.out) == (
        [e.id for e in field.entrants] if count % 2 else []
    )


def test_the_checker_of_plans_finds_a_wrong_one():
    plan = [list(tables) for tables in rotation.whist_rounds(8)]
    a, b, c, d = plan[3][0]
    plan[3][0] = (a, c, b, d)
    assert any("partners" in fault for fault in faults(8, plan))
    plan[3][0] = (a, b, c, a)
    assert "round 4: somebody sits twice, or is nobody" in faults(8, plan)
    assert any("sits out 1 times" in fault for fault in faults(8, plan))


def test_a_rotation_that_somebody_leaves_is_drawn_on_and_says_so():
    field, _ = play("rotation", Field(people(12)), 3, FOR_PLAYERS)
    left = seat("rotation", replace(field, absent=frozenset({"p03"})), FOR_PLAYERS, seed_of(5))
    assert left.remarks == ("rotation-left",)
    assert not any(term.criterion == "partner-again" for term in left.repeats)


def test_a_rotation_begins_again_after_its_last_round():
    _, seatings = play("rotation", Field(people(8)), 9, FOR_PLAYERS)
    assert [seating.remarks for seating in seatings[6:]] == [(), ("rounds-again",), ("rounds-again",)]
    assert seatings[7].tables[0].seats == seatings[0].tables[0].seats


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9, 10])
def test_in_a_round_robin_everybody_meets_everybody_once(count):
    rounds = count if count % 2 else count - 1
    field, seatings = play("round-robin", Field(people(count)), rounds, FOR_PAIRS)
    _, against = meetings([past.tables for past in field.rounds], {})
    assert sorted(against.values()) == [1] * (count * (count - 1) // 2)
    assert {seating.remarks for seating in seatings} == {()}
    assert sorted(who for seating in seatings for who in seating.out) == (
        [e.id for e in field.entrants] if count % 2 else []
    )


def test_a_round_robin_goes_on_with_whom_nobody_has_met():
    field, _ = play("round-robin", Field(people(8)), 2, FOR_PAIRS)
    third = seat("round-robin", replace(field, absent=frozenset({"p01", "p02"})), FOR_PAIRS, seed_of(5))
    assert (third.remarks, third.repeats, len(third.tables), third.out) == (("meetings-left",), (), 3, ())


def test_the_first_two_of_a_bracket_meet_in_the_final_only():
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert [len(bracket(count)) for count in (1, 2, 3, 5, 8, 9)] == [1, 2, 4, 8, 8, 16]


def test_a_knock_out_gives_byes_to_the_best_and_ends_with_one():
    field = Field(tuple(Entrant(f"p{i:02}", seed=i if i < 5 else 0) for i in range(1, 12)))
    tables = []
    while True:
        seating = seat("knock-out", field, FOR_PAIRS, seed_of(1))
        if seating.remarks:
            break
        tables.append(len(seating.tables))
        if len(tables) == 1:
            assert {"p01", "p02", "p03", "p04"} < set(seating.out)
            assert len(seating.out) == 5
        lost = {max(table.seats) for table in seating.tables}
        past = Past(tuple(table.seats for table in seating.tables), seating.out)
        field = replace(field, absent=field.absent | lost, rounds=(*field.rounds, past))
    assert (tables, seating.remarks, seating.out) == ([3, 4, 2, 1], ("decided",), ("p01",))
    assert set(field.rounds[3].tables[0]) == {"p01", "p02"}


def test_a_knock_out_waits_for_the_loser():
    field = Field(people(4), rounds=(Past((("p00", "p01"), ("p02", "p03"))),), absent=frozenset({"p00"}))
    with pytest.raises(DomainError) as refused:
        seat("knock-out", field, FOR_PAIRS, seed_of(1))
    assert refused.value.code == "both-still-in"
    assert set(refused.value.facts) == {"one", "other"}


def test_a_bracket_that_was_changed_by_hand_is_made_anew_among_those_still_in():
    first = seat("knock-out", Field(people(8)), FOR_PAIRS, seed_of(1))
    (a, b), (c, d), (e, f), (g, h) = (table.seats for table in first.tables)
    past = Past(((a, c), (b, d), (e, f), (g, h)))
    won = dict.fromkeys((a, b, e, g), 1)
    field = Field(people(8), rounds=(past,), absent=frozenset({c, d, f, h}), standing=tuple(won.items()))
    second = seat("knock-out", field, FOR_PAIRS, seed_of(1))
    assert (len(second.tables), second.out, second.remarks) == (2, (), ("bracket-left",))
    winners = {table.seats[0] for table in second.tables}
    rounds = (past, Past(tuple(table.seats for table in second.tables)))
    standing = tuple((who, 1 + (who in winners)) for who in won)
    last = seat("knock-out", replace(field, rounds=rounds, standing=standing), FOR_PAIRS, seed_of(1))
    assert [set(table.seats) for table in last.tables] == [winners, set(won) - winners]


def test_an_opponent_who_does_not_come_gives_a_walkover():
    field = Field(people(4), absent=frozenset({"p01"}))
    seating = seat("knock-out", field, FOR_PAIRS, seed_of(1))
    assert (len(seating.tables), len(seating.out)) == (1, 1)


def test_a_rotation_without_tables_of_four_is_drawn():
    seating = seat("rotation", Field(people(8)), Settings(shapes=FOR_PAIRS.shapes), seed_of(1))
    assert (seating.remarks, {len(table.seats) for table in seating.tables}) == (("rotation-left",), {2})
