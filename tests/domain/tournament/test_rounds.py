"""Phases, draws, changes by hand, the clock."""

from __future__ import annotations

import pytest

from domain.errors import DomainError
from domain.seating import files
from domain.tournament import drawing, finishing
from domain.tournament import drawing as secrets
from domain.tournament.events import replay
from domain.tournament.finishing import drawn_tables, rounds_of, still_in
from domain.tournament.scoring import meetings, ranking, standing_of
from domain.tournament.state import Round
from tests.domain.tournament.kit import SECRET, Script
from tests.domain.tournament.test_door import refused


def test_a_draw_can_be_drawn_again_by_anybody_from_what_is_published():
    script = Script(10)
    script.do("phase.started")
    script.draw()
    found = dict(script.state.phases[0].rounds[0].draw or {})
    assert files.verify(found) == []


def test_seeds_follow_from_the_secret_that_was_promised():
    script = Script(8)
    script.do("phase.started")
    draw = script.draw().draw
    assert draw is not None
    assert script.state.commitment == secrets.commitment(SECRET)
    assert draw["seed"] == secrets.draw_seed(SECRET, "draw", 1, 1, 1).hex()


def test_a_second_attempt_has_another_seed_and_the_first_stays_to_be_seen():
    script = Script(8)
    script.do("phase.started")
    first = script.draw(out=False).draw
    script.do("draw.undone", phase=1, round=1, reason="two came late")
    second = script.draw(out=False).draw
    assert first is not None
    assert second is not None
    assert first["seed"] != second["seed"]
    assert script.state.phases[0].undone[0]["file"] == dict(first)


def test_the_rounds_of_a_plan_take_one_seed():
    script = Script(8, method="rotation")
    script.do("phase.started")
    seeds = set()
    for number in (1, 2):
        draw = script.draw().draw
        assert draw is not None
        seeds.add(draw["seed"])
        script.play_round(f"1.{number}")
    assert len(seeds) == 1


def test_a_draw_is_undone_only_before_anything_is_written():
    script = Script(8)
    script.do("phase.started")
    script.draw()
    script.do("deal.entered", table="1.1.2", deal=1, place=0, scores=[40, 32])
    assert refused(script, "draw.undone", phase=1, round=1, reason="too late") == "has-results"


def test_a_late_table_does_not_hold_up_the_next_draw():
    script = Script(8)
    script.do("phase.started")
    script.draw()
    script.play("1.1.1")
    assert script.draw().number == 2


def test_a_draft_must_be_published_before_the_next_draw():
    script = Script(8)
    script.do("phase.started")
    script.draw(out=False)
    with pytest.raises(Exception, match="draft-open"):
        script.draw()


def test_nothing_is_written_at_a_table_that_is_not_published():
    script = Script(8)
    script.do("phase.started")
    script.draw(out=False)
    assert refused(script, "deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 32]) == "not-out"


@pytest.mark.parametrize("number", ["9" * 5000, "٣", "-1", "0", ""])
def test_a_key_without_its_numbers_is_of_no_round_and_no_table(number):
    script = Script(8)
    script.do("phase.started")
    script.draw()
    for key in (f"{number}.1", f"1.{number}"):
        assert script.state.round(key) is None
        assert script.state.table(f"{key}.1") is None
    assert script.state.table(f"1.1.{number}") is None


def test_the_director_exchanges_two_people_and_it_is_said():
    script = Script(8)
    script.do("phase.started")
    found = script.draw(out=False)
    one, two = list(found.tables[1].seats), list(found.tables[2].seats)
    one[0], two[0] = two[0], one[0]
    tables = [{"number": 1, "seats": list(one)}, {"number": 2, "seats": list(two)}]
    script.do("round.arranged", round="1.1", tables=tables, reason="a wheelchair")
    assert script.table("1.1.1").seats == tuple(one)
    changed = script.state.round("1.1")
    assert changed is not None
    assert changed.by_hand == ("a wheelchair",)


def test_nobody_sits_at_two_tables():
    script = Script(8)
    script.do("phase.started")
    found = script.draw(out=False)
    seats = [*found.tables[1].seats[:3], found.tables[2].seats[0]]
    code = refused(script, "round.arranged", round="1.1", tables=[{"number": 1, "seats": seats}], reason="no")
    assert code == "twice"


def test_a_table_at_which_something_is_written_stays():
    script = Script(8)
    script.do("phase.started")
    found = script.draw()
    script.do("deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 32])
    seats = list(reversed(found.tables[1].seats))
    code = refused(script, "round.arranged", round="1.1", tables=[{"number": 1, "seats": seats}], reason="no")
    assert code == "has-results"


def test_a_changed_table_has_other_codes():
    script = Script(8)
    script.do("phase.started")
    found = script.draw()
    seats = list(reversed(found.tables[1].seats))
    script.do("round.arranged", round="1.1", tables=[{"number": 1, "seats": seats}], reason="places")
    assert script.table("1.1.1").key == found.tables[1].key + 1


def test_a_round_closes_when_all_its_tables_are_confirmed():
    script = Script(8)
    script.do("phase.started")
    script.draw()
    script.play("1.1.1")
    assert refused(script, "round.closed", round="1.1") == "tables-open"
    script.play("1.1.2")
    script.do("round.closed", round="1.1")
    assert refused(script, "deal.entered", table="1.1.1", deal=1, place=0, scores=[40, 32]) == "round-closed"


def test_the_clock_stands_still_and_goes_on():
    script = Script(8, minutes=50, last_deal=10)
    script.do("phase.started")
    script.draw()
    script.do("clock.set", round="1.1", act="start")
    script.do("clock.set", round="1.1", act="pause")
    found = script.state.round("1.1")
    assert found is not None
    assert found.clock.left == 49 * 60
    script.do("clock.set", round="1.1", act="go-on")
    script.do("clock.set", round="1.1", act="add", minutes=5)
    found = script.state.round("1.1")
    assert found is not None
    assert found.clock.running
    assert found.clock.ends > found.clock.last_deal


def test_a_final_takes_the_first_ones_and_they_stand_before_the_others():
    script = Script(8, rules={"rounds": 1, "deals": 2})
    script.do("phase.started")
    script.draw()
    script.play_round("1.1")
    places, _final = ranking(script.state)
    last = [place.row.entrant for place in places][-4:]
    script.do("phase.started", name="Final", after=1, entrants=list(last))
    script.draw(2)
    script.play_round("2.1")
    places, _final = ranking(script.state)
    assert {place.row.entrant for place in places[:4]} == set(last)
    assert {place.phase for place in places[:4]} == {2}


def test_a_final_may_carry_the_points_on():
    script = Script(8, rules={"rounds": 1, "deals": 2})
    script.do("phase.started")
    script.draw()
    script.play_round("1.1")
    places, _final = ranking(script.state)
    first = [place.row.entrant for place in places][:4]
    before = {place.row.entrant: dict(place.row.values)["card-points"] or 0 for place in places}
    script.do("phase.started", name="Final", after=1, carry=True, entrants=list(first))
    script.draw(2)
    table = script.table("2.1.1")
    script.play("2.1.1", 50)
    after = {place.row.entrant: dict(place.row.values)["card-points"] or 0 for place in ranking(script.state)[0][:4]}
    for side, points in zip(table.sides, (100, 44), strict=True):
        for place in side:
            assert after[table.owners[place]] == before[table.owners[place]] + points


def test_a_final_does_not_wait_for_lots_of_those_who_are_not_in_it():
    script = Script(8, rules={"rounds": 1, "deals": 2}, odd=["three"])
    script.do("phase.started")
    script.draw()
    script.play_round("1.1", 50)
    best, others = standing_of(script.state, script.state.phases[0]).lots_needed
    for order in (best, others):
        script.do("lot.drawn", phase=1, order=list(order), label="cut in the hall")
    final = {"after": 1, "carry": True, "entrants": list(best[:3])}
    script.do("phase.started", **final, plan={"rules": {"rounds": 2, "deals": 2}, "odd": ["three"]})
    for number, done in ((1, False), (2, True)):
        script.draw(2)
        script.play(f"2.{number}.1", 50)
        standing = standing_of(script.state, script.state.phases[1])
        assert (standing.final, standing.lots_needed) == (done, ())
        assert ranking(script.state)[1] == done


@pytest.mark.parametrize("unfinished", ["as-played", "full-length", "strike"])
@pytest.mark.parametrize("deals", [1, 3])
def test_rounds_that_a_final_carries_on_count_as_they_were_played_however_long_its_own_are(deals, unfinished):
    rules = {"rounds": 1, "deals": 2, "unfinished": unfinished}
    script = Script(8, rules=rules)
    script.do("phase.started")
    script.draw()
    script.play_round("1.1", 50)
    before = {row.entrant: dict(row.values) for row in standing_of(script.state, script.state.phases[0]).rows}
    final = ["e1", "e2", "e3", "e4"]
    script.do("phase.started", after=1, carry=True, entrants=final, plan={"rules": rules | {"deals": deals}})
    script.draw(2)
    script.play("2.1.1", 50)
    standing, table = standing_of(script.state, script.state.phases[1]), script.table("2.1.1")
    assert not standing.open
    for row in standing.rows:
        side = next(number for number, side in enumerate(table.sides) if table.owners.index(row.entrant) in side)
        own = deals * (50, 22)[side]
        assert dict(row.values)["card-points"] == (before[row.entrant]["card-points"] or 0) + own


def test_a_plan_with_fewer_deals_from_now_on_leaves_the_rounds_before_as_they_were():
    rules = {"rounds": 2, "deals": 2}
    script = Script(8, rules=rules)
    script.do("phase.started")
    script.draw()
    script.play_round("1.1", 50)
    before = standing_of(script.state, script.state.phases[0])
    script.do("phase.changed", phase=1, plan={"rules": rules | {"deals": 1}}, reason="it is late")
    assert standing_of(script.state, script.state.phases[0]) == before


def test_what_is_carried_on_is_carried_on_by_the_part_after_it_too():
    script = Script(8, rules={"rounds": 1, "deals": 2})
    script.do("phase.started")
    for phase, points in ((1, 50), (2, 40), (3, 41)):
        if phase > 1:
            everybody = list(script.state.entrants)
            script.do("phase.finished", phase=phase - 1)
            script.do("phase.started", after=phase - 1, carry=True, entrants=everybody)
        script.draw(phase)
        script.play_round(f"{phase}.1", points)
    rows = standing_of(script.state, script.state.phases[2]).rows
    assert all([each.round for each in row.sheet.rounds] == [1, 2, 3] for row in rows)
    for row in rows:
        tables = [phase.rounds[0].tables.values() for phase in script.state.phases]
        assert dict(row.values)["card-points"] == sum(
            score
            for table in (table for of_round in tables for table in of_round if row.entrant in table.seats)
            for _number, line in table.lines
            for side, score in zip(table.sides, line.scores, strict=True)
            if row.entrant in [table.owners[place] for place in side]
        )


def test_nobody_plays_in_two_finals():
    script = Script(8, rules={"rounds": 1, "deals": 2})
    script.do("phase.started")
    script.draw()
    script.play_round("1.1")
    ids = list(script.state.entrants)
    script.do("phase.started", name="A", after=1, entrants=ids[:4])
    assert refused(script, "phase.started", name="B", after=1, entrants=ids[3:7]) == "in-another-phase"


def test_a_final_begun_by_mistake_is_taken_away_and_its_people_are_free_again():
    script = Script(8, rules={"rounds": 1, "deals": 2})
    script.do("phase.started")
    script.draw()
    script.play_round("1.1")
    script.do("phase.finished", phase=1)
    before = ranking(script.state)
    ids = list(script.state.entrants)
    script.do("phase.started", name="A", after=1, entrants=ids)
    assert refused(script, "phase.dropped", phase=1) == "not-the-last-phase"
    script.do("phase.dropped", phase=2)
    assert ranking(script.state) == before
    script.do("phase.started", name="B", after=1, entrants=ids[:4])
    script.draw(2)
    assert replay(script.log) == script.state


def test_a_part_in_which_something_was_drawn_stays():
    script = Script(8)
    script.do("phase.started")
    script.draw()
    assert refused(script, "phase.dropped", phase=1) == "phase-used"
    script.do("draw.undone", phase=1, round=1, reason="again")
    # A new part would begin with the same seed, which is known by now.
    assert refused(script, "phase.dropped", phase=1) == "phase-used"


def test_who_loses_a_knock_out_plays_no_more():
    script = Script(kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 2, "deals": 1})
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    found = script.draw()
    winners = {table.seats[0] for table in found.tables.values()}
    script.play_round("1.1", 60)
    final = script.draw()
    assert set(final.tables[1].seats) == winners


def knocked_out(pairs: int, rounds: int, **plan) -> Script:
    """A knock-out of so many pairs whose first seats win, each table by less than the one before, played to its end."""
    plan = {"kind": "pair", "method": "knock-out", "odd": ["bye"], "third": True} | plan
    script = Script(**plan, rules={"rounds": rounds, "deals": 1})
    for _pair in range(pairs):
        script.come(2)
    script.do("phase.started")
    for number in range(1, rounds + 1):
        for table in script.draw().tables.values():
            script.play(f"1.{number}.{table.number}", 70 - 5 * table.number)
        script.do("round.closed", round=f"1.{number}")
    return script


def order(script: Script) -> list[tuple[int, str]]:
    return [(row.rank, row.entrant) for row in standing_of(script.state, script.state.phases[0]).rows]


def test_the_losers_of_the_semi_finals_play_for_third_place():
    script = knocked_out(8, 3)
    semis = [script.state.table(f"1.2.{number}") for number in (1, 2)]
    final, third = (script.state.table(f"1.3.{number}") for number in (1, 2))
    assert [set(final.seats), set(third.seats)] == [
        {each.seats[0] for each in semis},
        {each.seats[1] for each in semis},
    ]
    # The third may have won as many matches as the second, and by more: the bracket decides.
    assert order(script)[:4] == list(zip(range(1, 5), (*final.seats, *third.seats), strict=True))
    assert ranking(script.state)[1]
    with pytest.raises(DomainError, match="phase-over"):
        script.draw()


def test_without_the_option_nobody_plays_for_third_place():
    script = knocked_out(4, 2, third=False)
    assert len(script.state.phases[0].rounds[1].tables) == 1
    assert [rank for rank, _who in order(script)] == [1, 2, 3, 4]


def test_of_three_the_loser_of_the_only_semi_final_is_third_without_a_match():
    script = knocked_out(3, 2)
    last = script.state.phases[0].rounds[1]
    assert (len(last.tables), last.byes) == (1, ())
    semi = script.state.table("1.1.1")
    assert order(script)[2] == (3, semi.seats[1])


def test_who_has_no_opponent_for_third_place_is_third_and_the_final_decides():
    script = Script(kind="pair", method="knock-out", odd=["bye"], third=True, rules={"rounds": 4, "deals": 1})
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    semis = script.draw().tables
    script.play_round("1.1", 60)
    gone, third = (semis[number].seats[1] for number in (1, 2))
    script.do("entrant.left", id=gone)
    last = script.draw()
    assert last.byes == (third,)
    script.play_round("1.2", 60)
    phase = script.state.phases[0]
    assert rounds_of(script.state, phase) == 2
    assert set(script.state.entrants) == finishing.knocked_out(script.state, phase)
    assert order(script) == list(enumerate((*last.tables[1].seats, third, gone), 1))


def test_a_match_for_third_place_that_is_open_leaves_both_equal_in_the_bracket():
    script = Script(kind="pair", method="knock-out", odd=["bye"], third=True, rules={"rounds": 2, "deals": 1})
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    script.draw()
    script.play_round("1.1", 60)
    script.draw()
    script.play("1.2.1", 60)
    found = meetings(script.state, script.state.phases[0])[1]
    assert [(each.table, each.third, each.open) for each in found] == [(1, False, False), (2, True, True)]
    assert not ranking(script.state)[1]


def test_a_knock_out_waits_for_its_winners():
    script = Script(kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 2, "deals": 1})
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    script.draw()
    script.play("1.1.1", 60)
    with pytest.raises(Exception, match="undecided"):
        drawing.promise(script.state, script.state.phases[0], SECRET)


def begun_knock_out(pairs: int, rounds: int) -> Script:
    """A knock-out of so many pairs whose first round is drawn."""
    script = Script(kind="pair", method="knock-out", odd=["bye"], rules={"rounds": rounds, "deals": 1})
    for _pair in range(pairs):
        script.come(2)
    script.do("phase.started")
    script.draw()
    return script


def test_a_knock_out_has_no_more_rounds_than_decide_it():
    script = Script(kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 5, "deals": 1})
    script.do("phase.started")

    def rounds() -> int:
        return rounds_of(script.state, script.state.phases[0])

    assert rounds() == 5, "nobody is here yet"
    for expected in (5, 1, 2, 2, 3):
        script.come(2)
        assert rounds() == expected
    for _round in range(3):
        script.draw()
        assert rounds() == 3
        script.play_round(script.state.phases[0].rounds[-1].key, 60)
        assert rounds() == 3
    shorter = begun_knock_out(8, 2).state
    assert rounds_of(shorter, shorter.phases[0]) == 2


@pytest.mark.parametrize("leaves", [0, 1])
def test_who_leaves_before_the_final_leaves_the_victory_to_the_other(leaves):
    script = Script(kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 3, "deals": 1})
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    found = script.draw()
    script.play("1.1.1", 70)
    script.play("1.1.2", 40)
    finalists = [found.tables[number].seats[0] for number in (1, 2)]
    script.do("entrant.left", id=finalists[leaves])
    phase = script.state.phases[0]
    with pytest.raises(DomainError, match="decided"):
        script.draw()
    assert rounds_of(script.state, phase) == 1
    assert still_in(script.state, phase) == 1
    assert finalists[1 - leaves] in finishing.knocked_out(script.state, phase), "no table is drawn for them either"
    assert order(script)[:2] == [(1, finalists[1 - leaves]), (2, finalists[leaves])]


def test_the_losers_of_the_semi_finals_play_for_third_place_also_where_a_finalist_has_left():
    script = Script(kind="pair", method="knock-out", odd=["bye"], third=True, rules={"rounds": 2, "deals": 1})
    for _pair in range(4):
        script.come(2)
    script.do("phase.started")
    found = script.draw()
    script.play_round("1.1", 60)
    winners, losers = zip(*(found.tables[number].seats for number in (1, 2)), strict=True)
    script.do("entrant.left", id=winners[0])
    assert rounds_of(script.state, script.state.phases[0]) == 2
    final = script.draw()
    assert set(final.tables[1].seats) == set(losers)
    assert final.byes == (winners[1],)


def test_a_round_of_a_knock_out_in_which_nobody_would_play_is_left_out():
    script = begun_knock_out(8, 3)
    script.play_round("1.1", 60)
    drawn = script.draw(out=False)
    leaving, staying = zip(*(table.seats for table in drawn.tables.values()), strict=True)
    script.do("draw.undone", phase=1, round=2, reason="they have left")
    for each in leaving:
        script.do("entrant.left", id=each)
    assert rounds_of(script.state, script.state.phases[0]) == 2
    final = script.draw()
    assert set(final.tables[1].seats) == set(staying)
    assert not final.byes
    script.play_round("1.2", 60)
    assert rounds_of(script.state, script.state.phases[0]) == 2
    assert order(script)[0] == (1, final.tables[1].seats[0])
    larger = begun_knock_out(16, 4)
    larger.play_round("1.1", 60)
    drawn = larger.draw(out=False)
    leaving, _staying = zip(*(table.seats for table in drawn.tables.values()), strict=True)
    larger.do("draw.undone", phase=1, round=2, reason="they have left")
    for each in leaving:
        larger.do("entrant.left", id=each)
    assert len(larger.draw().tables) == 2
    larger.play_round("1.2", 60)
    assert len(larger.draw().tables) == 1
    assert not larger.state.phases[0].rounds[-1].byes


def winners_of(round: Round) -> set[str]:
    """Those who go on if the first seats of all tables win."""
    return {table.seats[0] for table in round.tables.values()} | set(round.byes)


@pytest.mark.parametrize("pairs", [3, 4, 5, 6, 7, 8, 9])
@pytest.mark.parametrize("members", [1, 2])
def test_who_comes_after_the_first_round_of_a_knock_out_has_no_place_in_it(pairs, members):
    rounds = (pairs - 1).bit_length()
    script = begun_knock_out(pairs, rounds)
    late = script.come(members)
    for number in range(1, rounds + 1):
        before = script.state.phases[0].rounds[-1]
        script.play_round(f"1.{number}", 60)
        if number < rounds:
            following = script.draw()
            assert following.seated == winners_of(before)
            assert late not in following.seated
            assert len(following.tables) == 1 << (rounds - number - 1)
    assert len(winners_of(script.state.phases[0].rounds[-1])) == 1


def test_who_was_seated_by_hand_in_the_first_round_of_a_knock_out_goes_on_in_it():
    script = begun_knock_out(7, 3)
    (free,) = script.state.phases[0].rounds[0].byes
    late = script.come(2)
    tables = [{"number": 4, "seats": [late, free]}]
    script.do("round.arranged", round="1.1", tables=tables, byes=[], reason="came late")
    for number in (1, 2):
        before = script.state.phases[0].rounds[-1]
        script.play_round(f"1.{number}", 60)
        following = script.draw()
        assert following.seated == winners_of(before)
        assert following.byes == ()
    assert late in script.state.phases[0].rounds[1].seated


def test_who_missed_a_round_of_a_knock_out_is_out():
    script = begun_knock_out(4, 2)
    script.do("draw.undone", phase=1, round=1, reason="one is not back yet")
    script.do("entrant.paused", id="e1")
    first = script.draw()
    script.play_round("1.1", 60)
    final = script.draw()
    assert final.seated == winners_of(first)
    assert "e1" not in final.seated


def test_a_knock_out_that_is_decided_says_so():
    script = begun_knock_out(2, 2)
    script.play_round("1.1", 60)
    with pytest.raises(DomainError, match="decided"):
        script.draw()


def test_a_drawn_table_of_a_knock_out_is_decided_by_one_more_deal_whatever_the_house_rules_say():
    script = begun_knock_out(4, 2)
    script.play("1.1.1", 60)
    script.play("1.1.2", 36)
    assert drawn_tables(script.state, script.state.phases[0]) == ("1.1.2",)
    with pytest.raises(DomainError, match="drawn") as refused_draw:
        script.draw()
    assert refused_draw.value.facts == {"round": 1, "table": 2}
    lines = [{"deal": 1, "scores": [36, 36]}, {"deal": 2, "scores": [30, 42], "extra": True}]
    script.do("table.settled", table="1.1.2", lines=lines, reason="extra deal")
    assert drawn_tables(script.state, script.state.phases[0]) == ()
    assert script.table("1.1.2").seats[1] in script.draw().seated


def test_earlier_evenings_keep_partners_apart():
    script = Script(8, avoid_season=True, rules={"rounds": 1, "deals": 2})
    pairs: list[list[str]] = []
    script.do("phase.started")
    for table in script.draw(out=False).tables.values():
        pairs += [[table.people[place] for place in side] for side in table.sides]
    script.do("draw.undone", phase=1, round=1, reason="again")
    tables = [[a[0], b[0], a[1], b[1]] for a, b in zip(pairs[::2], pairs[1::2], strict=True)]
    script.do("season.loaded", evenings=[{"tables": tables, "weight": 50}])
    again = [{table.people[place] for place in side} for table in script.draw().tables.values() for side in table.sides]
    assert not [pair for pair in pairs if set(pair) in again]


def test_a_log_of_a_whole_evening_reads_back_to_the_same_state():
    script = Script(11, odd=["three", "bye"], minutes=40)
    script.do("phase.started")
    for number in (1, 2):
        script.draw(hall="4 6 1")
        script.do("clock.set", round=f"1.{number}", act="start")
        script.play_round(f"1.{number}")
        script.do("round.closed", round=f"1.{number}")
    assert replay(script.log) == script.state


def test_nobody_is_seated_by_hand_who_does_not_take_part_in_the_phase():
    script = Script(8)
    script.do("phase.started")
    script.draw()
    script.do("entrant.added", members=["expected"])
    first, *rest = script.table("1.1.1").seats
    tables = [{"number": 1, "seats": ["e9", *rest]}]
    wish = {"round": "1.1", "reason": "a wish"}
    assert refused(script, "round.arranged", **wish, tables=tables, byes=[first]) == "unknown-entrant"
    assert refused(script, "round.arranged", **wish, tables=[], byes=["e9"]) == "unknown-entrant"


def test_a_draft_is_published_by_publishing_it_and_in_no_other_way():
    script = Script(8)
    script.do("phase.started")
    script.draw(out=False)
    assert refused(script, "round.closed", round="1.1", off=True) == "not-out"
    assert script.state.phases[0].rounds[0].status == "draft"


def test_a_table_that_is_taken_away_and_set_up_again_has_new_codes():
    script = Script(8)
    script.do("phase.started")
    found = script.draw()
    seats = list(found.tables[1].seats)
    script.do("key.renewed", table="1.1.1")
    before = script.table("1.1.1").key
    script.do("round.arranged", round="1.1", tables=[{"number": 1, "seats": []}], reason="a mistake")
    script.do("round.arranged", round="1.1", tables=[{"number": 1, "seats": seats}], reason="it was none")
    assert script.table("1.1.1").key > before
