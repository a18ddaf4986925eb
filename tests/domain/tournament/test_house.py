"""Computer players of the house's who fill up the tables of an online round: seated as everybody, ranked nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from domain.seating import files
from domain.tournament.events import replay
from domain.tournament.registering import house_needed
from domain.tournament.scoring import ranking, standing_of
from domain.tournament.state import GONE, HERE
from tests.domain.tournament.kit import ONLINE, Script
from tests.domain.tournament.test_door import refused


def filled(people: int, **plan: Any) -> Script:
    """A tournament that is played online, its first round drawn with as many computer players as it wants."""
    script = Script(0, **({"online": ONLINE} | plan))
    for _each in range(people):
        script.come(2 if plan.get("kind") == "pair" else 1)
    script.do("phase.started")
    script.fill()
    script.draw()
    return script


def house(script: Script) -> list[str]:
    return [each.id for each in script.state.entrants.values() if each.house]


@pytest.mark.parametrize(("people", "needed"), [(4, 0), (5, 3), (6, 2), (7, 1), (8, 0)])
def test_so_many_are_needed_that_everybody_sits_at_a_usual_table(people: int, needed: int):
    script = filled(people, odd=["three", "bye"])
    assert len(house(script)) == needed
    drawn = script.state.phases[0].rounds[0]
    assert drawn.byes == ()
    assert {len(table.seats) for table in drawn.tables.values()} == {4}


def test_of_pairs_an_even_number_is_needed_and_numbers_are_never_shared():
    script = filled(3, kind="pair", odd=["bye"])
    assert house(script) == ["e4"]
    assert script.state.entrants["e4"].members == ("computer:1", "computer:2")
    script.do("house.filled", count=3)
    assert [script.state.entrants[who].members for who in house(script)] == [
        ("computer:1", "computer:2"),
        ("computer:3", "computer:4"),
        ("computer:5", "computer:6"),
    ]


def test_where_each_plays_alone_the_size_of_the_plan_is_filled():
    script = filled(8, odd=["bye"], usual=5, rules={"ruleset": "troggu", "rounds": 2, "deals": 2})
    assert len(house(script)) == 2
    assert {len(table.seats) for table in script.state.phases[0].rounds[0].tables.values()} == {5}


@pytest.mark.parametrize("online", [None, ONLINE | {"fill": False}])
def test_none_is_needed_in_the_hall_or_where_nothing_is_filled_up(online: Any):
    script = Script(7, online=online, odd=["bye"])
    script.do("phase.started")
    assert house_needed(script.state, script.state.phases[0]) == 0


def test_who_pauses_or_has_left_is_counted_for_nobody():
    script = filled(8)
    assert house(script) == []
    script.do("entrant.paused", id="e1")
    script.do("entrant.left", id="e2")
    assert house_needed(script.state, script.state.phases[0]) == 2


def test_those_of_before_come_again_and_the_last_ones_go_first():
    script = filled(6)
    first, second = house(script)
    script.do("house.filled", count=1)
    gone = script.state.entrants[second]
    assert (gone.status, gone.left, script.state.entrants[first].status) == (GONE, (1, 1), HERE)
    script.do("house.filled", count=3)
    assert house(script) == [first, second, "e9"]
    assert {script.state.entrants[who].status for who in house(script)} == {HERE}
    assert script.state.entrants[second].left is None
    assert script.state.entrants["e9"].members == ("computer:3",)
    assert refused(script, "house.filled", count=8) == "out-of-range"


def test_one_that_was_never_seated_goes_too_and_comes_again():
    script = filled(8)
    script.do("house.filled", count=1)
    script.do("house.filled", count=0)
    assert script.state.entrants["e9"].status == GONE
    assert {"e9"}.isdisjoint(who for table in script.draw().tables.values() for who in table.seats)
    script.do("house.filled", count=1)
    assert script.state.entrants["e9"].status == HERE


def test_a_draw_that_is_undone_leaves_those_of_the_house_who_had_gone_from_it():
    script = filled(7)
    script.do("house.filled", count=0)
    script.do("draw.undone", phase=1, round=1, reason="somebody else comes")
    assert script.state.entrants["e8"].status == GONE
    script.come()
    assert script.fill() == 0
    script.draw()
    script.do("house.filled", count=1)
    assert script.state.entrants["e8"].status == HERE


def test_rather_one_of_the_house_stays_away_than_somebody_sits_out():
    script = filled(7, odd=["bye"])
    script.do("house.filled", count=2)
    drawn = script.draw()
    assert drawn.byes == ()
    assert len(drawn.tables) == 2
    assert files.verify(dict(drawn.draw or {})) == []


def test_nobody_of_the_house_plays_in_the_hall():
    script = filled(7, rules={"rounds": 1, "deals": 1})
    script.begin("1.1.1")
    script.begin("1.1.2")
    for table in ("1.1.1", "1.1.2"):
        script.report(table, [[40, 32]])
    script.do("phase.finished", phase=1)
    people = [who for who in script.state.entrants if who not in house(script)]
    plan = {"rules": {"rounds": 1, "deals": 1}, "odd": ["three"]}
    script.do("phase.started", plan=plan, after=1, entrants=people)
    seated = [who for table in script.draw(2).tables.values() for who in table.seats]
    assert sorted(seated) == sorted(people)
    assert refused(script, "house.filled", count=1) == "in-the-hall"
    script.do("house.filled", count=0)


def test_a_final_that_is_played_online_is_filled_up_too():
    script = filled(8, rules={"rounds": 1, "deals": 1})
    for table in ("1.1.1", "1.1.2"):
        script.begin(table)
        script.report(table, [[40, 32]])
    script.do("phase.finished", phase=1)
    script.do("phase.started", after=1, carry=True, entrants=["e1", "e2", "e3"])
    assert script.fill(2) == 1
    script.draw(2)
    script.begin("2.1.1")
    script.report("2.1.1", [[60, 12]])
    assert {row.entrant for row in standing_of(script.state, script.state.phases[1]).rows} == {"e1", "e2", "e3"}
    places, _final = ranking(script.state)
    assert {place.row.entrant for place in places if place.phase == 2} == {"e1", "e2", "e3"}
    assert {place.row.entrant for place in places} == {f"e{number}" for number in range(1, 9)}


@pytest.mark.parametrize("people", [9, 10, 13])
def test_nobody_sits_alone_among_them_while_there_are_tables_enough(people: int):
    script = filled(people, rules={"rounds": 4, "deals": 1})
    for _each in range(3):
        script.draw()
    bots = set(house(script))
    assert len(bots) > 1
    for drawn in script.state.phases[0].rounds:
        assert all(len(bots & set(table.seats)) < 2 for table in drawn.tables.values())


def test_they_are_ranked_nowhere_and_ranks_close_up():
    script = filled(6, rules={"rounds": 1, "deals": 1, "tie_breaks": ["card-points", "lot"]})
    bots = house(script)
    for number, found in script.state.phases[0].rounds[0].tables.items():
        script.begin(f"1.1.{number}")
        # The side with a computer player wins, where there is one.
        first = any(found.owners[place] in bots for place in found.sides[0])
        script.report(f"1.1.{number}", [[50, 22] if first else [22, 50]])
    standing = standing_of(script.state, script.state.phases[0])
    assert {row.entrant for row in standing.rows} == {f"e{number}" for number in range(1, 7)}
    points = [dict(row.values)["card-points"] or 0 for row in standing.rows]
    assert [row.rank for row in standing.rows] == [1 + sum(other > own for other in points) for own in points]
    assert set(bots).isdisjoint(who for group in standing.lots_needed for who in group)
    assert set(bots).isdisjoint(place.row.entrant for place in ranking(script.state)[0])


def test_their_result_is_no_part_of_an_average():
    given = {"method": "field-average"}
    script = Script(8, online=ONLINE, rules={"rounds": 1, "deals": 1, "absent": given})
    script.do("phase.started")
    script.do("entrant.paused", id="e8")
    script.fill()
    bot = house(script)[0]
    found = script.draw()
    for number, table in found.tables.items():
        script.begin(f"1.1.{number}")
        with_bot = [any(table.owners[place] == bot for place in side) for side in table.sides]
        script.report(f"1.1.{number}", [[72, 0] if with_bot[0] else [0, 72] if with_bot[1] else [36, 36]])
    standing = standing_of(script.state, script.state.phases[0])
    # 72 with the computer player, two with 0 against them, four with 36; the average of these seven.
    assert standing.row("e8").sheet.rounds[0].points == round((72 + 2 * 0 + 4 * 36) / 7)


def test_who_met_them_has_met_them_for_the_strength_of_opponents():
    script = filled(3, rules={"rounds": 1, "deals": 1, "tie_breaks": ["card-points", "opponents-strength"]})
    script.begin("1.1.1")
    script.report("1.1.1", [[50, 22]])
    table = script.table("1.1.1")
    bot = house(script)[0]
    side = next(index for index, places in enumerate(table.sides) if bot in [table.owners[place] for place in places])
    against = table.owners[table.sides[1 - side][0]]
    standing = standing_of(script.state, script.state.phases[0])
    assert dict(standing.row(against).values)["opponents-strength"] == 1000 * (50, 22)[side]


def test_in_a_swiss_they_have_the_points_they_won():
    script = filled(3, kind="pair", method="swiss", odd=["bye"], rules={"rounds": 2, "deals": 1})
    (bot,) = house(script)
    for number, table in script.state.phases[0].rounds[0].tables.items():
        script.begin(f"1.1.{number}")
        first = bot in table.seats and table.owners[table.sides[0][0]] == bot
        script.report(f"1.1.{number}", [[60, 12] if first or bot not in table.seats else [12, 60]])
    script.fill()
    drawn = script.draw()
    other = next(table.seats for table in script.state.phases[0].rounds[0].tables.values() if bot not in table.seats)
    meets = next(table.seats for table in drawn.tables.values() if bot in table.seats)
    # The two winners meet: the house's pair, and the first side of the other table.
    assert set(meets) == {bot, script.table(f"1.1.{_number_of(script, other)}").owners[0]}


def _number_of(script: Script, seats: tuple[str, ...]) -> int:
    tables = script.state.phases[0].rounds[0].tables
    return next(number for number, table in tables.items() if table.seats == seats)


@pytest.mark.parametrize("method", ["rotation", "draw", "standing"])
def test_every_method_keeps_them_seated_over_the_rounds(method: str):
    script = filled(7, method=method, rules={"rounds": 3, "deals": 1})
    for number in (1, 2, 3):
        if number > 1:
            assert script.fill() == 1
            script.draw()
        drawn = script.state.phases[0].rounds[number - 1]
        assert len(drawn.tables) == 2
        assert drawn.byes == ()
        for table in drawn.tables:
            script.begin(f"1.{number}.{table}")
            script.report(f"1.{number}.{table}", [[40, 32]])
    assert len(house(script)) == 1


def test_a_knock_out_keeps_those_of_its_first_round():
    script = filled(7, kind="pair", method="knock-out", odd=["bye"], rules={"rounds": 3, "deals": 1})
    (bot,) = house(script)
    left = 8
    for number in (1, 2, 3):
        if number > 1:
            assert script.fill() == 1
            script.draw()
        drawn = script.state.phases[0].rounds[number - 1]
        left //= 2
        assert len(drawn.tables) == left
        for place, table in drawn.tables.items():
            script.begin(f"1.{number}.{place}")
            # The house's pair wins as long as it is there.
            wins = bot in table.seats and table.owners[1] == bot
            script.report(f"1.{number}.{place}", [[12, 60] if wins else [60, 12]])
    assert bot in script.state.phases[0].rounds[2].tables[1].seats
    assert bot not in {place.row.entrant for place in ranking(script.state)[0]}


def test_a_round_robin_goes_on_as_planned():
    script = filled(3, kind="pair", method="round-robin", odd=["bye"], rules={"rounds": 3, "deals": 1})
    met = set()
    for number in (1, 2, 3):
        if number > 1:
            script.fill()
            script.draw()
        for table in script.state.phases[0].rounds[number - 1].tables.values():
            met.add(frozenset(table.seats))
    assert len(met) == 6


@pytest.mark.parametrize("method", ["round-robin", "rotation"])
def test_a_plan_that_somebody_has_left_is_filled_up_again(method: str):
    pairs = method == "round-robin"
    kind = "pair" if pairs else "single"
    script = filled(4 if pairs else 8, kind=kind, method=method, odd=["bye"], rules={"rounds": 3, "deals": 1})
    assert house(script) == []
    script.do("entrant.left", id="e2")
    assert script.fill() == 1
    drawn = script.draw()
    assert drawn.byes == ()
    assert house(script)[0] in {who for table in drawn.tables.values() for who in table.seats}


def test_what_is_done_with_people_is_not_done_with_them():
    script = filled(7, fee=1000)
    (bot,) = house(script)
    assert script.state.entrants[bot].fee == 0
    for kind, data in {
        "entrant.changed": {"id": bot, "fee": 1000},
        "entrant.arrived": {"id": bot},
        "entrant.not-arrived": {"id": bot},
        "entrant.left": {"id": bot},
        "entrant.withdrawn": {"id": bot},
        "entrant.paused": {"id": bot},
        "entrant.substituted": {"id": bot, "old": "computer:1", "new": "guest"},
        "apart.set": {"pairs": [[bot, "e1"]]},
        "penalty.given": {"phase": 1, "entrant": bot, "reason": "slow", "points": 5},
        "lot.drawn": {"phase": 1, "order": ["e1", bot], "label": "cut"},
        "money.entered": {"kind": "fee", "amount": 1000, "who": bot},
        "prize.handed": {"entrant": bot, "code": "1"},
        "phase.started": {"after": 1, "entrants": ["e1", bot]},
        "entrant.added": {"members": ["computer:9"]},
    }.items():
        assert refused(script, kind, **data) == "is-house", kind
    assert refused(script, "entrant.substituted", id="e1", old="person-1", new="computer:9") == "is-house"
    seats = [who for table in script.state.phases[0].rounds[0].tables.values() for who in table.seats if who == bot]
    for number, table in script.state.phases[0].rounds[0].tables.items():
        if bot in table.seats:
            overdue = {"table": f"1.1.{number}", "how": "forfeited", "who": seats}
            assert refused(script, "table.overdue", **overdue) == "is-house"


def test_pairs_of_the_house_are_neither_made_nor_parted():
    script = filled(3, kind="pair", odd=["bye"])
    (bot,) = house(script)
    alone = script.come()
    assert refused(script, "pair.parted", id=bot) == "is-house"
    assert refused(script, "pairs.made", pairs=[[alone, bot]]) == "is-house"


def test_the_director_may_seat_them_elsewhere():
    script = filled(7)
    (bot,) = house(script)
    one, two = (list(script.table(f"1.1.{number}").seats) for number in (1, 2))
    if bot in two:
        one, two = two, one
    place = one.index(bot)
    one[place], two[0] = two[0], bot
    with_bot = 1 if bot in script.table("1.1.1").seats else 2
    tables = [{"number": with_bot, "seats": one}, {"number": 3 - with_bot, "seats": two}]
    script.do("round.arranged", round="1.1", tables=tables, reason="a friendly place")
    assert bot in script.table(f"1.1.{3 - with_bot}").seats


def test_a_log_with_them_reads_back_to_the_same_state():
    script = filled(6)
    script.do("house.filled", count=0)
    script.do("house.filled", count=1)
    assert replay(script.log) == script.state
