"""Every format on random tournaments, judged by a checker of its own."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.errors import DomainError
from domain.schema import written
from domain.seating.field import FOR_PAIRS, FOR_PLAYERS, Entrant, Field
from domain.seating.seat import METHODS, seat
from tests.domain.seating.checker import faults, price
from tests.domain.seating.tournaments import EVENINGS, seed_of, tournament

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("evening", range(len(EVENINGS)))
@settings(deadline=None, derandomize=True, max_examples=6)
@given(number=st.integers(0, 10_000))
@pytest.mark.slow(but="6")
def test_everybody_present_sits_once_fairly_and_repeats_are_told(evening, number):
    made = tournament(number * len(EVENINGS) + evening)
    for played in made.played:
        assert faults(played.seating, **played.before) == []


@settings(deadline=None, derandomize=True, max_examples=15)
@given(number=st.integers(0, 10_000))
def test_a_round_costs_what_the_published_weights_say(number):
    made = tournament(number * len(EVENINGS) + number % 6)
    for played in made.played:
        tables = [table.seats for table in played.seating.tables]
        groups = {entrant.id: entrant.groups for entrant in played.field.entrants}
        expected = price(
            tables,
            rounds=played.before["rounds"],
            weights=made.settings.weights,
            table_partners=made.table_partners,
            groups=groups,
        )
        assert played.seating.cost == expected


@settings(deadline=None, derandomize=True, max_examples=24)
@given(number=st.integers(0, 10_000), shuffle=st.integers(0, 1000))
def test_the_order_in_which_people_are_named_changes_nothing(number, shuffle):
    made = tournament(number, rounds=3, most=16)
    last = made.played[-1]
    luck = Random(shuffle)
    field = last.field
    mixed = replace(
        field,
        entrants=tuple(luck.sample(field.entrants, len(field.entrants))),
        standing=tuple(luck.sample(field.standing, len(field.standing))),
    )
    assert seat(made.method, mixed, made.settings, seed_of(number)) == last.seating


DRAWN = """
import json
from domain.schema import written
from tests.domain.seating.tournaments import EVENINGS, tournament
print(json.dumps([written(tournament(number).played[-1].seating) for number in range(len(EVENINGS))]))
"""


def test_another_process_with_other_hashes_draws_the_same():
    run = subprocess.run(
        [sys.executable, "-c", DRAWN],
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    here = [written(tournament(number).played[-1].seating) for number in range(len(EVENINGS))]
    assert json.loads(run.stdout) == here


def test_another_seed_draws_another_round():
    field = Field(tuple(Entrant(f"p{i}") for i in range(24)))
    rounds = {seat("draw", field, FOR_PLAYERS, seed_of(i)).tables for i in range(5)}
    assert len(rounds) == 5


def test_what_the_hall_throws_in_changes_the_draw():
    field = Field(tuple(Entrant(f"p{i}") for i in range(24)))
    assert seat("draw", field, FOR_PLAYERS, seed_of(1), "6 3 1") != seat("draw", field, FOR_PLAYERS, seed_of(1))


@pytest.mark.parametrize("method", sorted(METHODS))
def test_nobody_there_and_one_alone_are_no_errors(method):
    settings = FOR_PAIRS
    nobody = seat(method, Field(()), settings, seed_of(1))
    assert (nobody.tables, nobody.out, nobody.remarks) == ((), (), ("nobody",))
    one = seat(method, Field((Entrant("ada"),)), settings, seed_of(1))
    assert (one.tables, one.out) == ((), ("ada",))


def test_formats_one_against_one_want_tables_of_two():
    with pytest.raises(DomainError) as refused:
        seat("swiss", Field((Entrant("ada"),)), FOR_PLAYERS, seed_of(1))
    assert (refused.value.code, refused.value.field) == ("no-table-of-two", "shapes")


def test_an_unknown_format_and_a_short_seed_are_refused():
    with pytest.raises(DomainError, match="unknown-method"):
        seat("bingo", Field(()), FOR_PLAYERS, seed_of(1))
    with pytest.raises(DomainError, match="bad-seed"):
        seat("draw", Field(()), FOR_PLAYERS, b"short")
