"""What is taken as a result, and what the same deals at other tables tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.errors import DomainError
from domain.rating.results import Datum, datum, gains, in_order, others
from tests.domain.rating.kit import pairs, table

GOOD = pairs("r1", "ada leo - mia noe", 20)
THREE = (
    pairs("r1", "ada leo - mia noe", 20, 1, board="b7"),
    pairs("r2", "ida kim - pia urs", 8, 1, board="b7"),
    pairs("r3", "eva ben - ann tom", -4, 1, board="b7"),
    pairs("r4", "eva ben - ann tom", 30, 1, board="b8"),
)


@pytest.mark.parametrize(
    ("wrong", "code", "field"),
    [
        ((GOOD, GOOD), "twice", "results[r1]"),
        ((replace(GOOD, kind="teams"),), "not-a-choice", "results[r1].kind"),
        ((replace(GOOD, deals=0),), "no-deals", "results[r1].deals"),
        ((replace(GOOD, sides=GOOD.sides[:1]),), "bad-count", "results[r1].sides"),
        ((replace(GOOD, sides=(*GOOD.sides, (("zoe",), 3))),), "bad-count", "results[r1].sides"),
        ((replace(GOOD, sides=((("ada",), 3), ((), 4))),), "no-players", "results[r1].sides"),
        ((replace(GOOD, sides=((("ada", "leo"), 3), (("mia", "ada"), 4))),), "twice", "results[r1].sides"),
        ((replace(GOOD, datum=Datum((300.0,), 2)),), "bad-datum", "results[r1].datum"),
        ((replace(GOOD, datum=Datum((300.0, 288.0), 0)),), "bad-datum", "results[r1].datum"),
        ((replace(GOOD, datum=Datum((float("nan"), 288.0), 1)),), "bad-datum", "results[r1].datum"),
        ((GOOD, replace(table("r2", "ada 3, leo 4"), ruleset="troccas")), "mixed-kinds", "results[r2].kind"),
        ((*THREE, pairs("r5", "a b - c d", 3, 2, board="b8")), "another-board", "results[r5].board"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(wrong, code, field):
    with pytest.raises(DomainError) as refused:
        in_order(wrong)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_results_are_read_by_day_and_then_by_id():
    given = [pairs("b", "a b - c d", 1, day=3), pairs("a", "a b - c d", 1, day=3), pairs("z", "a b - c d", 1, day=2)]
    assert [each.id for each in in_order(given)] == ["z", "a", "b"]


def test_of_each_board_the_other_tables_are_known():
    assert {name: [each.id for each in known] for name, known in others(THREE).items()} == {
        "r1": ["r2", "r3"], "r2": ["r1", "r3"], "r3": ["r1", "r2"]
    }  # fmt: skip


def test_boards_of_the_same_name_in_two_games_are_two():
    other = replace(THREE[0], id="r9", ruleset="troccas-online")
    assert "r9" not in others((*THREE, other))


def test_the_datum_is_the_mean_of_the_others_in_the_same_seats():
    assert datum(THREE[0], THREE[1:3]) == Datum((38.0, 36.0), 2)
    assert gains(THREE[0], datum(THREE[0], THREE[1:3])) == (9.0, -9.0)  # 10 above par, where others had 1
    assert datum(THREE[3], ()) is None


def test_tables_outside_the_log_count_as_many_as_they_are():
    given = replace(THREE[0], datum=Datum((41.0, 31.0), 2))
    assert datum(given, THREE[1:3]) == Datum((39.5, 33.5), 4)
    assert datum(given, ()) == Datum((41.0, 31.0), 2)


def test_gains_are_points_per_deal_above_the_mean_of_the_table():
    assert gains(GOOD, None) == (1.25, -1.25)
    assert gains(table("r1", "ada 20, leo -10, mia -4", 2), None) == (9.0, -6.0, -3.0)
