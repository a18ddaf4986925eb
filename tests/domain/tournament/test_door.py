"""Who enters, comes, leaves, plays for somebody, makes a pair."""

from __future__ import annotations

from typing import Any

import pytest

from domain.errors import DomainError
from domain.tournament.scoring import standing_of
from domain.tournament.state import EXPECTED, GONE, HERE, MERGED, WITHDRAWN
from tests.domain.tournament.kit import Script


def refused(script: Script, kind: str, /, **data: Any) -> str:
    before = script.state
    with pytest.raises(DomainError) as why:
        script.do(kind, **data)
    assert script.state == before
    return why.value.code


def test_nobody_enters_twice():
    script = Script(1)
    assert refused(script, "entrant.added", members=["person-1"]) == "entered-already"


def test_who_withdrew_can_enter_again():
    script = Script(1)
    script.do("entrant.withdrawn", id="e1")
    script.do("entrant.added", members=["person-1"])
    assert script.state.entrants["e1"].status == WITHDRAWN
    assert script.state.entrants["e2"].status == EXPECTED


def test_a_tap_by_mistake_is_taken_back_as_long_as_nobody_was_seated():
    script = Script(8)
    script.do("entrant.not-arrived", id="e1")
    assert script.state.entrants["e1"].status == EXPECTED
    script.do("phase.started")
    script.draw()
    assert refused(script, "entrant.not-arrived", id="e2") == "has-played"


def test_who_comes_late_is_seated_from_the_next_round_and_counts_as_late_before():
    script = Script(8, rules={"rounds": 2, "deals": 2, "late": {"method": "fixed", "points": 20, "match": 1}})
    script.do("phase.started")
    script.draw()
    late = script.come()
    for _three in range(3):
        script.come()
    script.play_round("1.1")
    second = script.draw()
    assert any(late in table.seats for table in second.tables.values())
    row = standing_of(script.state, script.state.phases[0]).row(late)
    assert [(each.kind, each.points) for each in row.sheet.rounds] == [("late", 20), ("pending", 0)]


def test_who_leaves_is_not_seated_any_more_and_keeps_what_was_played():
    script = Script(9, rules={"rounds": 2, "deals": 2}, odd=["bye"])
    script.do("phase.started")
    first = script.draw()
    script.play_round("1.1")
    gone = first.tables[1].seats[0]
    script.do("entrant.left", id=gone)
    assert script.state.entrants[gone].status == GONE
    second = script.draw()
    assert all(gone not in table.seats for table in second.tables.values())
    kinds = [each.kind for each in standing_of(script.state, script.state.phases[0]).row(gone).sheet.rounds]
    assert kinds == ["played", "left"]


def test_who_leaves_before_ever_sitting_down_is_simply_not_there():
    script = Script(5)
    script.do("entrant.left", id="e5")
    assert script.state.entrants["e5"].status == WITHDRAWN


def test_who_left_may_come_back():
    script = Script(9, odd=["bye"])
    script.do("phase.started")
    first = script.draw()
    who = first.tables[1].seats[0]
    script.play_round("1.1")
    script.do("entrant.left", id=who)
    script.draw()
    script.play_round("1.2")
    script.do("entrant.arrived", id=who)
    script.draw()
    assert script.state.entrants[who].status == HERE
    kinds = [each.kind for each in standing_of(script.state, script.state.phases[0]).row(who).sheet.rounds]
    assert kinds[:2] == ["played", "absent"]


def test_a_pause_costs_no_bye():
    script = Script(9, odd=["bye"])
    script.do("phase.started")
    script.do("entrant.paused", id="e1")
    found = script.draw()
    assert found.byes == ()
    assert len(found.tables) == 2


def test_a_round_that_is_drawn_cannot_be_paused():
    script = Script(8)
    script.do("phase.started")
    script.draw()
    assert refused(script, "entrant.paused", id="e1", round="1.1") == "already-drawn"


def test_a_substitute_sits_down_at_once_where_nothing_is_written():
    script = Script(4)
    script.do("phase.started")
    table = script.draw().tables[1]
    person, owner = table.people[2], table.owners[2]
    script.do("entrant.substituted", id=owner, old=person, new="reserve")
    assert script.table("1.1.1").people[2] == "reserve"
    assert script.table("1.1.1").owners[2] == owner


def test_a_substitute_waits_for_the_next_round_where_something_is_written():
    script = Script(4)
    script.do("phase.started")
    table = script.draw().tables[1]
    person, owner = table.people[2], table.owners[2]
    script.write("1.1.1")
    script.do("entrant.substituted", id=owner, old=person, new="reserve")
    assert script.table("1.1.1").people[2] == person
    script.do("table.handed-in", table="1.1.1", place=0)
    script.do("table.confirmed", table="1.1.1", place=1)
    assert "reserve" in script.draw().tables[1].people


def test_nobody_plays_twice_as_a_substitute():
    script = Script(4)
    script.do("phase.started")
    table = script.draw().tables[1]
    code = refused(script, "entrant.substituted", id=table.owners[0], old=table.people[0], new=table.people[1])
    assert code == "plays-already"


def test_single_entrants_become_a_pair_with_both_fees():
    script = Script(kind="pair", odd=["bye"], fee=1000)
    one, two = script.come(), script.come()
    script.do("pairs.made", pairs=[[one, two]])
    assert script.state.entrants[one].members == ("person-1", "person-2")
    assert script.state.entrants[one].fee == 2000
    assert script.state.entrants[two].status == MERGED


def test_a_pair_that_was_made_can_be_parted_before_it_plays():
    script = Script(kind="pair", odd=["bye"], fee=1000)
    one, two = script.come(), script.come()
    script.do("pairs.made", pairs=[[one, two]])
    script.do("pair.parted", id=one)
    assert [script.state.entrants[each].members for each in (one, two)] == [("person-1",), ("person-2",)]
    assert [script.state.entrants[each].fee for each in (one, two)] == [1000, 1000]


def test_a_single_entrant_of_a_tournament_for_pairs_is_not_seated():
    script = Script(kind="pair", odd=["bye"])
    for _pair in range(2):
        script.come(2)
    alone = script.come()
    script.do("phase.started")
    found = script.draw()
    assert alone not in found.byes
    assert all(alone not in table.seats for table in found.tables.values())


def test_who_has_not_found_a_partner_yet_stands_in_no_ranking_and_wins_no_last_prize():
    script = Script(kind="pair", odd=["bye"])
    for _pair in range(2):
        script.come(2)
    alone, late = script.come(), script.come()
    script.do("phase.started")
    script.play_round(script.draw().key)
    assert {row.entrant for row in standing_of(script.state, script.state.phases[0]).rows} == {"e1", "e2"}
    script.do("pairs.made", pairs=[[alone, late]])
    assert {row.entrant for row in standing_of(script.state, script.state.phases[0]).rows} == {"e1", "e2", alone}


def test_pairs_sit_across():
    script = Script(kind="pair", odd=["bye"])
    for _pair in range(2):
        script.come(2)
    script.do("phase.started")
    table = script.draw().tables[1]
    for side in table.sides:
        assert len({table.owners[place] for place in side}) == 1
    assert table.sides == ((0, 2), (1, 3))


def test_who_entered_anew_does_not_come_a_second_time_by_the_entry_withdrawn_first():
    script = Script(1)
    script.do("entrant.withdrawn", id="e1")
    script.do("entrant.added", members=["person-1"], here=True)
    assert refused(script, "entrant.arrived", id="e1") == "entered-already"
    assert refused(script, "entrant.not-arrived", id="e1") == "entered-already"
    script.do("entrant.withdrawn", id="e2")
    assert script.do("entrant.arrived", id="e1").entrants["e1"].status == HERE


def test_who_plays_for_somebody_else_has_a_place_and_does_not_enter_as_well():
    script = Script(4)
    script.do("entrant.substituted", id="e1", old="person-1", new="guest")
    assert refused(script, "entrant.added", members=["guest"], here=True) == "entered-already"


def test_only_people_who_come_are_made_into_pairs_and_only_in_a_tournament_of_pairs():
    script = Script(4)
    assert refused(script, "pairs.made", pairs=[["e1", "e2"]]) == "one-person"
    script = Script(kind="pair", odd=[])
    script.come()
    script.come()
    script.do("entrant.withdrawn", id="e2")
    assert refused(script, "pairs.made", pairs=[["e1", "e2"]]) == "not-single"


def test_who_left_from_a_draw_that_is_undone_left_before_it():
    script = Script(9, odd=["bye"])
    script.do("phase.started")
    first = script.draw()
    script.play_round("1.1")
    played, newcomer = first.tables[1].seats[0], script.come()
    script.draw(out=False)
    for who in (played, newcomer):
        script.do("entrant.left", id=who)
    script.do("draw.undone", phase=1, round=2, reason="two have gone")
    assert script.state.entrants[played].left == (1, 1)
    assert script.state.entrants[newcomer].status == WITHDRAWN


def test_a_substitute_named_for_the_round_after_plays_in_the_one_that_is_drawn_again():
    script = Script(9, odd=["bye"])
    script.do("phase.started")
    (out,) = script.draw(out=False).byes
    (person,) = script.state.entrants[out].members
    script.do("entrant.substituted", id=out, old=person, new="reserve")
    assert script.state.entrants[out].people(1, 1) == (person,)
    script.do("draw.undone", phase=1, round=1, reason="somebody has left", substitutes=True)
    assert script.state.entrants[out].playing_for(person) == ("reserve", 1)
    script.do("entrant.left", id=next(each.id for each in script.state.entrants.values() if each.id != out))
    seated = {person for table in script.draw().tables.values() for person in table.people}
    assert "reserve" in seated
    assert person not in seated


def test_who_sits_out_and_is_then_given_a_seat_by_hand_is_replaced_there():
    script = Script(9, odd=["bye"])
    script.do("phase.started")
    drawn = script.draw()
    (out,) = drawn.byes
    (person,) = script.state.entrants[out].members
    script.do("entrant.substituted", id=out, old=person, new="reserve")
    left, *others = drawn.tables[2].seats
    script.do(
        "round.arranged",
        round="1.1",
        tables=[{"number": 2, "seats": [out, *others]}],
        byes=[left],
        reason="somebody has left",
        substitutes=True,
    )
    assert script.table("1.1.2").people[0] == "reserve"
    script.do("entrant.substituted", id=out, old="reserve", new="another")
    assert script.table("1.1.2").people[0] == "another"


def test_who_plays_for_one_of_two_still_does_once_they_are_a_pair_and_once_they_are_parted():
    script = Script(kind="pair", odd=["bye"])
    for name in ("one", "two"):
        script.do("entrant.added", members=[name], here=True)
        script.do("entrant.substituted", id=f"e{len(script.state.entrants)}", old=name, new=f"first for {name}")
    script.do("pairs.made", pairs=[["e1", "e2"]], substitutes=True)
    assert script.state.entrants["e1"].people(1, 1) == ("first for one", "first for two")
    for name in ("one", "two"):
        script.do("entrant.substituted", id="e1", old=f"first for {name}", new=f"then for {name}")
    script.do("pair.parted", id="e1", substitutes=True)
    assert script.state.entrants["e1"].people(1, 1) == ("then for one",)
    assert script.state.entrants["e2"].people(1, 1) == ("then for two",)
    assert [len(each.substitutions) for each in script.state.entrants.values()] == [2, 2]


def test_who_was_made_a_pair_has_their_own_marks_again_when_it_is_parted():
    script = Script(kind="pair", odd=["bye"])
    script.do("entrant.added", members=["one"], groups=["a"], categories=["juniors"])
    script.do("entrant.added", members=["two"], groups=["b"], categories=["guests"])
    before = {who: (each.groups, each.categories) for who, each in script.state.entrants.items()}
    script.do("pairs.made", pairs=[["e1", "e2"]])
    script.do("pair.parted", id="e1")
    assert {who: (each.groups, each.categories) for who, each in script.state.entrants.items()} == before


def test_who_keeps_a_table_sits_there_in_every_round_and_nobody_else_keeps_it():
    script = Script(16)
    script.do("entrant.changed", id="e5", table=2)
    assert refused(script, "entrant.changed", id="e6", table=2) == "table-kept"
    script.do("phase.started")
    for number in range(1, 4):
        assert "e5" in script.draw().tables[2].seats
        script.play_round(f"1.{number}")
    script.do("entrant.left", id="e5")
    script.do("entrant.changed", id="e6", table=2)
    fourth = script.draw()
    assert "e6" in (*fourth.tables[2].seats, *fourth.byes)


@pytest.mark.parametrize("again", ["entrant.arrived", "entrant.not-arrived"])
def test_who_comes_again_does_not_keep_a_table_that_somebody_else_keeps_by_now(again):
    script = Script(8)
    for comer, table in (("e5", 2), ("e7", 4)):
        script.do("entrant.changed", id=comer, table=table)
        script.do("entrant.left", id=comer)
    script.do("entrant.changed", id="e6", table=2)
    for comer in ("e5", "e7"):
        script.do(again, id=comer)
    tables = {each.id: each.table for each in script.state.entrants.values()}
    assert (tables["e5"], tables["e6"], tables["e7"]) == (0, 2, 4)


def test_of_a_pair_that_is_parted_nobody_keeps_a_table_that_somebody_else_keeps_by_now():
    script = Script(kind="pair", odd=["bye"])
    for _person in range(3):
        script.come()
    script.do("entrant.changed", id="e1", table=4)
    script.do("entrant.changed", id="e2", table=5)
    script.do("pairs.made", pairs=[["e1", "e2"]])
    script.do("entrant.changed", id="e1", table=0)
    script.do("entrant.changed", id="e3", table=5)
    script.do("pair.parted", id="e1")
    assert [each.table for each in script.state.entrants.values()] == [4, 0, 5]


def test_a_pair_keeps_the_table_of_one_of_the_two_and_parted_each_has_their_own_again():
    script = Script(kind="pair", odd=["bye"])
    script.come()
    script.come()
    script.do("entrant.changed", id="e2", table=3)
    script.do("pairs.made", pairs=[["e1", "e2"]])
    assert script.state.entrants["e1"].table == 3
    script.do("pair.parted", id="e1")
    assert [each.table for each in script.state.entrants.values()] == [0, 3]
