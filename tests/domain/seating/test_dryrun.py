"""The evening before the evening."""

from dataclasses import replace

import pytest

from domain.errors import DomainError
from domain.seating.dryrun import Evening, dry_run
from domain.seating.field import FIVE_DEALER_OUT, FOR_PAIRS, FOR_PLAYERS, FOUR, Settings


def test_an_evening_of_24_ends_when_it_should_and_repeats_nothing():
    outlook = dry_run(Evening(24, 5, deals=8, minutes_per_deal=5, between_rounds=10, start=19 * 60 + 45), FOR_PLAYERS)
    assert outlook.ends == 19 * 60 + 45 + 5 * 40 + 4 * 10
    assert [(each.starts, each.ends) for each in outlook.rounds[:2]] == [(1185, 1225), (1235, 1275)]
    assert (outlook.burdens, outlook.warnings) == ({0: 24}, ())
    assert outlook.rounds[0].sizes == {4: 6}


def test_odd_tables_are_counted_per_person():
    outlook = dry_run(Evening(22, 5), replace(FOR_PLAYERS, steps=1000))
    assert outlook.burdens == {1: 14, 2: 8}
    assert "uneven" in outlook.warnings


def test_five_with_the_dealer_out_need_more_deals():
    """Research, 5.3: eight deals at a table of four are ten at a table of five, so that everybody plays eight."""
    settings = Settings(shapes=(FOUR, FIVE_DEALER_OUT), steps=100)
    outlook = dry_run(Evening(9, 1, deals=8, minutes_per_deal=6, start=0), settings)
    assert outlook.ends == 60


def test_more_rounds_than_half_the_pairs_is_warned_of():
    assert "many-rounds" in dry_run(Evening(6, 4, "swiss"), FOR_PAIRS).warnings
    assert dry_run(Evening(6, 3, "swiss"), FOR_PAIRS).warnings == ()


def test_forced_repeats_are_told():
    outlook = dry_run(Evening(4, 5), replace(FOR_PLAYERS, steps=500))
    assert {"partners-repeat", "opponents-repeat", "many-rounds"} <= set(outlook.warnings)
    assert [each.partners for each in outlook.rounds] == [0, 0, 0, 2, 2]


def test_a_rotation_that_does_not_exist_and_one_that_is_over():
    assert "no-rotation" in dry_run(Evening(24, 2, "rotation"), FOR_PLAYERS).warnings
    assert dry_run(Evening(8, 7, "rotation", start=17 * 60), FOR_PLAYERS).warnings == ()
    assert "plan-over" in dry_run(Evening(8, 8, "rotation"), FOR_PLAYERS).warnings


def test_a_knock_out_ends_when_it_is_decided():
    outlook = dry_run(Evening(11, 6, "knock-out"), FOR_PAIRS)
    assert [sum(each.sizes.values()) for each in outlook.rounds] == [3, 4, 2, 1]
    assert outlook.warnings == ("plan-over",)


def test_too_few_rounds_for_the_format_are_warned_of():
    assert dry_run(Evening(9, 3, "knock-out"), FOR_PAIRS).warnings == ("not-decided",)
    assert dry_run(Evening(9, 4, "knock-out"), FOR_PAIRS).warnings == ()
    assert dry_run(Evening(8, 3, "round-robin"), FOR_PAIRS).warnings == ("not-all-meet",)
    assert "not-all-meet" not in dry_run(Evening(8, 7, "round-robin"), FOR_PAIRS).warnings
    assert "not-all-meet" in dry_run(Evening(7, 6, "round-robin"), FOR_PAIRS).warnings
    assert "not-all-meet" not in dry_run(Evening(7, 7, "round-robin"), FOR_PAIRS).warnings


def test_an_evening_that_makes_no_sense_is_refused_by_name():
    for wrong, field in (
        ({"entrants": 1}, "entrants"),
        ({"rounds": 0}, "rounds"),
        ({"start": 1440}, "start"),
        ({"clock": -30}, "clock"),
    ):
        with pytest.raises(DomainError) as refused:
            Evening(**({"entrants": 8, "rounds": 2} | wrong))
        assert (refused.value.code, refused.value.field) == ("out-of-range", field)


def test_an_end_after_midnight_is_warned_of_and_a_clock_ends_the_round():
    long = Evening(entrants=24, rounds=5, deals=8, minutes_per_deal=10, between_rounds=10, start=19 * 60 + 30)
    assert dry_run(long, Settings()).ends == 19 * 60 + 30 + 5 * 80 + 4 * 10
    assert "late" in dry_run(long, Settings()).warnings
    clocked = dry_run(replace(long, rounds=3, clock=75), Settings())
    assert clocked.ends == 19 * 60 + 30 + 3 * 75 + 2 * 10
    assert "late" not in clocked.warnings


@pytest.mark.slow
def test_where_a_rotation_leaves_nobody_a_partner_twice_the_draw_says_so():
    assert "rotation-fits" in dry_run(Evening(entrants=8, rounds=7), Settings()).warnings
    assert "rotation-fits" not in dry_run(Evening(entrants=24, rounds=3), Settings()).warnings
