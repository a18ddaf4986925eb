"""Somebody keeps a table: they sit there in every round, and nothing else is worse for it."""

from dataclasses import replace
from typing import Any

import pytest

from domain.seating.costs import KEPT_APART
from domain.seating.field import FOR_PAIRS, FOR_PLAYERS, Entrant, Field, Past
from domain.seating.files import Draw, verify
from domain.seating.seat import seat
from tests.domain.seating.tournaments import seed_of


def evening(method, settings, count, rounds, keeps, number):
    """That many rounds; points follow from the number, so that standings differ."""
    ids = [f"p{i:02}" for i in range(count)]
    field = Field(tuple(Entrant(who) for who in ids), keeps=keeps)
    found = []
    for turn in range(rounds):
        points = tuple((who, (place * 7 + turn * number) % 5) for place, who in enumerate(ids))
        found.append(seat(method, replace(field, standing=points), settings, seed_of(number)))
        past = Past(tuple(table.seats for table in found[-1].tables), found[-1].out)
        field = replace(field, rounds=(*field.rounds, past))
    return found


def tables(seating):
    return sorted(table.seats for table in seating.tables)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(
    ("method", "settings", "count"),
    [
        ("draw", FOR_PLAYERS, 21),
        ("standing", FOR_PLAYERS, 24),
        ("rotation", FOR_PLAYERS, 16),
        ("swiss", FOR_PAIRS, 12),
        ("round-robin", FOR_PAIRS, 8),
    ],
)
@pytest.mark.slow
def test_one_who_keeps_a_table_stays_there_and_the_round_is_the_same(method, settings, count, number):
    kept = evening(method, settings, count, 4, (("p03", 2),), number)
    plain = evening(method, settings, count, 4, (), number)
    assert [seating.table_of("p03").number for seating in kept] == [2] * 4
    assert [tables(seating) for seating in kept] == [tables(seating) for seating in plain]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(("method", "settings", "count"), [("draw", FOR_PLAYERS, 22), ("swiss", FOR_PAIRS, 14)])
@pytest.mark.slow(but="draw-settings0-22-1")
def test_three_keep_their_tables_at_no_cost_but_not_meeting(method, settings, count, number):
    keeps = (("p00", 1), ("p05", 3), ("p11", 2))
    kept = evening(method, settings, count, 5, keeps, number)
    plain = evening(method, settings, count, 5, (), number)
    for seating in kept:
        assert {who: seating.table_of(who).number for who, _ in keeps} == dict(keeps)
    assert sum(len(seating.repeats) for seating in kept) <= sum(len(seating.repeats) for seating in plain)


def test_a_number_too_high_is_the_last_table_and_never_takes_anothers():
    for seating in evening("draw", FOR_PLAYERS, 16, 3, (("p00", 9), ("p01", 4), ("p02", 40)), 1):
        assert [seating.table_of(who).number for who in ("p00", "p01", "p02")] == [3, 4, 2]


def test_where_the_plan_brings_two_together_one_moves_and_it_is_said():
    rounds = evening("round-robin", FOR_PAIRS, 4, 3, (("p00", 1), ("p01", 2)), 1)
    together = [seating for seating in rounds if seating.table_of("p00") == seating.table_of("p01")]
    assert len(together) == 1
    assert together[0].table_of("p00").number == 1
    assert [term.points for term in together[0].terms if term.criterion == "keeps-table"] == [KEPT_APART]


def test_a_draw_with_kept_tables_can_be_checked_and_says_them():
    field = Field(tuple(Entrant(f"p{i}") for i in range(8)), keeps=(("p1", 2),))
    draw = Draw("draw", field, FOR_PLAYERS, seed_of(1))
    file: Any = draw.revealed()
    plain: Any = Draw("draw", replace(field, keeps=()), FOR_PLAYERS, seed_of(1)).revealed()
    assert verify(file) == []
    assert file["inputs"]["field"]["keeps"] == [["p1", 2]]
    assert "keeps" not in plain["inputs"]["field"]
