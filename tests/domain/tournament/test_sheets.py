"""What is written at the tables, and what becomes of it."""

from __future__ import annotations

import pytest

from domain.tournament.scoring import standing_of
from domain.tournament.state import CONFIRMED, DISPUTED, HANDED_IN, PLAYING, dealer_of, sides_of
from tests.domain.tournament.kit import Script
from tests.domain.tournament.test_door import refused


def playing(people: int = 4, **plan: object) -> Script:
    """A tournament whose first round is out."""
    script = Script(people, **plan)
    script.do("phase.started")
    script.draw()
    return script


def test_a_sum_that_is_not_the_games_is_counted_again():
    script = playing()
    assert refused(script, "deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 31]) == "wrong-sum"


@pytest.mark.parametrize("rule", ["split", "strike"])
def test_a_wrong_sum_that_is_meant_is_taken_where_the_house_rules_settle_it(rule: str):
    script = playing(rules={"wrong_sum": rule, "deals": 1, "rounds": 1})
    assert refused(script, "deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 31]) == "wrong-sum"
    script.do("deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 31], wrong=True)
    script.do("table.handed-in", table="1.1.1", place=0)
    script.do("table.confirmed", table="1.1.1", place=1)
    table, standing = script.table("1.1.1"), standing_of(script.state, script.state.phases[0])
    points = [dict(standing.row(table.owners[place]).values)["card-points"] for place in (0, 1)]
    assert points == ([40, 32] if rule == "split" else [0, 0])


@pytest.mark.parametrize("rule", ["recount"])
def test_where_cards_are_counted_again_no_yes_helps(rule: str):
    script = playing(rules={"wrong_sum": rule})
    code = refused(script, "deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 31], wrong=True)
    assert code == "wrong-sum"


def test_a_deal_is_written_over_until_the_sheet_is_handed_in():
    script = playing()
    script.write("1.1.1")
    script.do("deal.entered", table="1.1.1", deal=1, place=0, scores=[10, 62])
    assert script.table("1.1.1").sheet[1].scores == (10, 62)
    script.do("table.handed-in", table="1.1.1", place=0)
    assert refused(script, "deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 32]) == "handed-in-already"


def test_no_more_deals_than_agreed():
    script = playing()
    script.write("1.1.1")
    assert refused(script, "deal.entered", table="1.1.1", deal=3, place=0, scores=[40, 32]) == "too-many-deals"


def test_an_extra_deal_is_one_more():
    script = playing()
    script.write("1.1.1")
    script.do("deal.entered", table="1.1.1", deal=3, place=0, scores=[40, 32], extra=True)
    assert script.table("1.1.1").played == 2


def test_a_round_cut_short_is_handed_in_only_on_purpose():
    script = playing()
    script.do("deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 32])
    assert refused(script, "table.handed-in", table="1.1.1", place=0) == "deals-missing"
    script.do("table.handed-in", table="1.1.1", place=0, short=True)
    assert script.table("1.1.1").short


def test_who_wrote_cannot_confirm_and_neither_can_the_partner():
    script = playing()
    script.write("1.1.1")
    script.do("table.handed-in", table="1.1.1", place=0)
    assert refused(script, "table.confirmed", table="1.1.1", place=2) == "own-sheet"
    script.do("table.confirmed", table="1.1.1", place=3)
    assert script.table("1.1.1").state == CONFIRMED


def test_nothing_counts_before_it_is_confirmed():
    script = playing()
    script.write("1.1.1")
    script.do("table.handed-in", table="1.1.1", place=0)
    standing = standing_of(script.state, script.state.phases[0])
    assert {value for row in standing.rows for _, value in row.values} <= {0, None}
    assert standing.open


def test_confirming_twice_changes_nothing():
    script = playing()
    script.play("1.1.1")
    before = script.state.phases
    script.do("table.confirmed", table="1.1.1", place=1)
    assert script.state.phases == before


def test_a_club_may_do_without_confirming():
    script = playing(confirm=False)
    script.write("1.1.1")
    script.do("table.handed-in", table="1.1.1", place=0)
    assert script.table("1.1.1").state == CONFIRMED


def test_two_versions_are_a_dispute_and_the_director_settles_it_with_a_reason():
    script = playing()
    script.write("1.1.1")
    script.do("table.handed-in", table="1.1.1", place=0)
    other = [{"deal": 1, "scores": [30, 42]}, {"deal": 2, "scores": [39, 33]}]
    script.do("table.disputed", table="1.1.1", place=1, lines=other, note="deal 1")
    assert script.table("1.1.1").state == DISPUTED
    assert refused(script, "table.settled", table="1.1.1", lines=other) == "reason-needed"
    script.do("table.settled", table="1.1.1", lines=other, reason="the cards were counted")
    table = script.table("1.1.1")
    assert table.state == CONFIRMED
    assert table.sheet[1].scores == (30, 42)
    assert [change.kind for change in table.changes] == ["settled"]
    assert dict(table.changes[0].before)[1].scores == (39, 33)


def test_writers_may_take_a_sheet_back_as_long_as_it_is_not_confirmed():
    script = playing()
    script.write("1.1.1")
    script.do("table.handed-in", table="1.1.1", place=0)
    assert script.table("1.1.1").state == HANDED_IN
    script.do("table.taken-back", table="1.1.1", place=0)
    assert script.table("1.1.1").state == PLAYING
    script.do("table.handed-in", table="1.1.1", place=0)
    script.do("table.confirmed", table="1.1.1", place=1)
    assert refused(script, "table.taken-back", table="1.1.1", place=0) == "not-handed-in"


def test_the_director_writes_a_paper_slip_without_a_reason_and_corrects_it_only_with_one():
    script = playing()
    script.do("table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [80, 64], "of": 2}])
    assert script.table("1.1.1").state == CONFIRMED
    code = refused(script, "table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [70, 74], "of": 2}])
    assert code == "reason-needed"
    script.do("table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [70, 74], "of": 2}], reason="misread")
    assert [change.kind for change in script.table("1.1.1").changes] == ["written", "corrected"]


def test_deals_added_up_must_have_the_sum_of_as_many():
    script = playing()
    assert refused(script, "table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [40, 32], "of": 2}]) == (
        "wrong-sum"
    )


def test_where_the_dealer_looks_on_everybody_plays_as_many_deals_and_counts_alone():
    script = playing(5, odd=["five-dealer-out"], rules={"deals": 4, "rounds": 1})
    table = script.table("1.1.1")
    assert table.deals == 5
    played = [sum(place in side for deal in range(1, 6) for side in sides_of(table, deal)) for place in range(5)]
    assert played == [4] * 5
    assert [dealer_of(table, deal) for deal in range(1, 6)] == [0, 1, 2, 3, 4]
    script.play("1.1.1", 40)
    standing = standing_of(script.state, script.state.phases[0])
    total = sum(dict(row.values)["card-points"] or 0 for row in standing.rows)
    assert total == 5 * 2 * 72


def test_at_a_table_where_somebody_looks_on_deals_are_written_one_by_one():
    script = playing(5, odd=["five-dealer-out"])
    code = refused(script, "table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [80, 64], "of": 2}])
    assert code == "one-by-one"


def test_three_pairs_play_each_other_in_turn():
    script = Script(kind="pair", odd=["three-pairs"], rules={"deals": 2, "rounds": 1})
    for _pair in range(3):
        script.come(2)
    script.do("phase.started")
    table = script.draw().tables[1]
    assert table.deals == 3
    for deal in range(1, 4):
        for side in sides_of(table, deal):
            assert len({table.owners[place] for place in side}) == 1
    script.play("1.1.1", 40)
    standing = standing_of(script.state, script.state.phases[0])
    assert sum(dict(row.values)["card-points"] or 0 for row in standing.rows) == 3 * 72


def test_a_table_of_three_plays_its_own_form_of_the_game():
    script = playing(7, odd=["three"])
    three = next(table for table in script.state.phases[0].rounds[0].tables.values() if len(table.people) == 3)
    assert (three.ruleset, three.total) == ("troccas-3", 78)


def test_in_troggu_what_is_paid_adds_up_to_nothing():
    script = playing(5, rules={"ruleset": "troggu", "rounds": 2, "deals": 5}, odd=["bye"], usual=5)
    assert script.table("1.1.1").total == 0
    script.do("deal.entered", table="1.1.1", deal=1, place=0, scores=[40, -10, -10, -10, -10])
    assert refused(script, "deal.entered", table="1.1.1", deal=2, place=0, scores=[40, 0, 0, 0, 0]) == "wrong-sum"


def test_a_renewed_code_is_another_one():
    script = playing()
    script.do("key.renewed", table="1.1.1")
    assert script.table("1.1.1").key == 1


def test_at_a_table_of_several_sides_only_the_one_that_disputes_agrees_or_changes_its_version():
    script = Script(7, odd=["three"])
    script.do("phase.started")
    key = next(f"1.1.{number}" for number, table in script.draw().tables.items() if len(table.sides) == 3)
    script.write(key)
    script.do("table.handed-in", table=key, place=0)
    other = [{"deal": 1, "scores": [24, 24, 24]}]
    script.do("table.disputed", table=key, place=1, lines=other)
    assert refused(script, "table.confirmed", table=key, place=2) == "disputed-already"
    assert refused(script, "table.disputed", table=key, place=2, lines=other) == "disputed-already"
    script.do("table.confirmed", table=key, place=1)
    assert script.table(key).state == CONFIRMED


def test_a_line_that_stands_for_more_deals_than_before_is_a_change_that_needs_its_reason():
    script = playing()
    script.do("table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [36, 36], "extra": False}])
    assert refused(script, "table.settled", table="1.1.1", lines=[{"deal": 1, "scores": [36, 36], "extra": True}]) == (
        "reason-needed"
    )
