"""Opening and closing, penalties, lots, money, prizes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.errors import DomainError
from domain.standings.results import Penalty
from domain.standings.till import till_balance
from domain.tournament.directing import plan_from, plan_to
from domain.tournament.payload import Given
from domain.tournament.scoring import standing_of
from domain.tournament.state import Online, Plan, odd_allowed, settings_for
from tests.domain.tournament.kit import DUPLICATE, ONLINE, Script
from tests.domain.tournament.test_door import refused


def test_a_plan_reads_back_as_it_was_written():
    plan = Plan(method="standing", odd=("six", "bye"), minutes=50, last_deal=5, strict=True, forms=((3, "troccas-3"),))
    assert plan_from(Given(plan_to(plan))) == plan


@pytest.mark.parametrize("more", [{}, {"duplicate": True, "fill": False}])
def test_a_plan_that_is_played_online_reads_back_too(more: dict[str, bool]):
    online = Online({"kind": "days", "action": 86400, "holidays": ""}, 14, **more)
    plan = Plan(odd=("bye",), online=online)
    said = plan_to(plan)
    assert plan_from(Given(json.loads(json.dumps(said)))) == plan
    assert plan_from(Given(said | {"online": None})).online is None
    assert plan_from(Given({name: value for name, value in said.items() if name != "online"})).online is None


@pytest.mark.parametrize(
    ("plan", "code", "field"),
    [
        ({"online": {"days": 14}}, "missing", "pace"),
        ({"online": {"pace": {}}}, "missing", "days"),
        ({"online": {"pace": {}, "days": 91}}, "out-of-range", "days"),
        ({"online": "yes"}, "bad-data", "online"),
        ({"rules": {"deals": 17}}, "out-of-range", "rules.deals"),
        ({"rules": {"table_sizes": [{"size": 3, "deals": 20, "percent": 100, "per_deal": 0}]}}, "out-of-range",
         "rules.table_sizes"),
        ({"minutes": 50}, "not-online", "minutes"),
        ({"odd": ["five-dealer-out"]}, "not-online", "odd"),
        ({"kind": "pair", "odd": ["three-pairs"]}, "not-online", "odd"),
        ({"odd": ["three"], "online": DUPLICATE}, "not-online", "odd"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_played_online_is_refused(plan: dict[str, Any], code: str, field: str):
    with pytest.raises(DomainError) as why:
        plan_from(Given({"odd": [], "online": ONLINE} | plan))
    assert (why.value.code, why.value.field) == (code, field)


@pytest.mark.parametrize("odd", [["three", "five", "six", "bye"], []])
def test_tables_of_other_sizes_that_have_a_game_of_their_own_are_played_online(odd: list[str]):
    assert plan_from(Given({"odd": list(odd), "online": ONLINE, "confirm": True})).odd == tuple(odd)


def test_a_duplicate_has_tables_of_one_size_also_where_each_plays_alone():
    rules: Any = {"ruleset": "troggu"}
    plan = plan_from(Given({"rules": rules, "usual": 5, "odd": ["bye"], "online": DUPLICATE}))
    assert [shape.size for shape in settings_for(plan).shapes] == [5]
    assert len(settings_for(plan_from(Given({"rules": rules, "usual": 5, "online": ONLINE}))).shapes) > 1


def test_whether_a_phase_is_played_online_stays_once_it_has_rounds():
    script = Script(8, online=ONLINE)
    script.do("phase.started")
    change: dict[str, Any] = {"phase": 1, "reason": "it snows"}
    plan = plan_to(script.state.phases[0].plan)
    script.do("phase.changed", **change, plan=plan | {"online": None})
    script.do("phase.changed", **change, plan=plan)
    script.draw()
    other = plan | {"odd": ["bye"], "online": DUPLICATE}
    for changed in (plan | {"online": None}, other):
        assert refused(script, "phase.changed", **change, plan=changed) == "online-stays"
    script.do("phase.changed", **change, plan=plan | {"online": ONLINE | {"days": 21, "fill": False}})
    online = script.state.phases[0].plan.online
    assert online is not None
    assert (online.days, online.fill) == (21, False)
    hall = Script(8)
    hall.do("phase.started")
    hall.draw()
    plan = plan_to(hall.state.phases[0].plan)
    assert refused(hall, "phase.changed", **change, plan=plan | {"online": ONLINE}) == "online-stays"


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"rules": {"ruleset": "bridge"}}, "unknown-ruleset"),
        ({"rules": {"rounds": 0}}, "bad-rules"),
        ({"method": "swiss"}, "needs-pairs"),
        ({"kind": "pair", "rules": {"ruleset": "troggu"}, "odd": []}, "no-partners"),
        ({"odd": ["seven"]}, "not-a-choice"),
        ({"rules": {"ruleset": "troccas-oinkers"}, "odd": ["three"]}, "not-a-choice"),
        ({"minutes": 30, "last_deal": 30}, "out-of-range"),
        ({"kind": "pair", "odd": ["bye"], "method": "rotation"}, "needs-singles"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(plan: dict[str, object], code: str):
    assert refused(Script(), "tournament.planned", plan={"odd": []} | plan) in (code, "kind-stays")


def test_what_odd_numbers_do_depends_on_the_game():
    assert odd_allowed("troccas", "single") == ("three", "five", "five-dealer-out", "six", "bye")
    assert odd_allowed("troccas-oinkers", "single") == ("five-dealer-out", "bye")
    assert odd_allowed("troggu", "single") == ("bye",)
    assert odd_allowed("troccas", "pair") == ("three-pairs", "bye")


def test_a_penalty_takes_points_away_until_it_is_cancelled():
    script = Script(4, rules={"rounds": 1, "deals": 1})
    script.do("phase.started")
    script.draw()
    script.play("1.1.1")
    who = script.table("1.1.1").owners[0]

    def points() -> int | None:
        return dict(standing_of(script.state, script.state.phases[0]).row(who).values)["card-points"]

    before = points()
    script.do("penalty.given", phase=1, entrant=who, reason="talked about suits", points=5)
    assert points() == (before or 0) - 5
    script.do("penalty.cancelled", id="p1", reason="was somebody else")
    assert points() == before


def test_a_penalty_of_the_list_takes_away_what_the_house_rules_say():
    late = {"code": "late", "title": "Late at the table", "points": 10, "match": 1}
    script = Script(4, rules={"rounds": 1, "deals": 1, "penalties": [late]})
    script.do("phase.started")
    script.do("penalty.given", phase=1, entrant="e1", reason="20:15", code="late", round=1)
    assert script.state.penalties["p1"] == Penalty("e1", "20:15", 10, 1, "late", 1)
    assert refused(script, "penalty.given", phase=1, entrant="e1", reason="?", code="nothing") == "unknown-penalty"


def test_a_lot_orders_who_is_equal_and_the_list_becomes_final():
    script = Script(4, rules={"rounds": 1, "deals": 1})
    script.do("phase.started")
    script.draw()
    script.play("1.1.1", 36)
    standing = standing_of(script.state, script.state.phases[0])
    assert len(standing.lots_needed[0]) == 4
    assert refused(script, "tournament.closed") == "lots-needed"
    order = sorted(standing.lots_needed[0], reverse=True)
    script.do("lot.drawn", phase=1, order=order, label="cut in the hall")
    assert [row.entrant for row in standing_of(script.state, script.state.phases[0]).rows] == order
    script.do("tournament.closed")
    assert script.state.closed


def test_a_closed_tournament_can_only_be_reopened_with_a_reason():
    script = Script(4, rules={"rounds": 1, "deals": 1})
    script.do("phase.started")
    script.do("tournament.closed", despite="nobody wished to play")
    assert refused(script, "entrant.left", id="e1") == "is-closed"
    assert refused(script, "tournament.reopened") == "missing"
    script.do("tournament.reopened", reason="they do now")
    script.do("entrant.left", id="e1")


def test_the_till_adds_up_and_a_cancelled_entry_counts_for_nothing():
    script = Script(2, fee=1000)
    script.do("money.entered", kind="fee", amount=1000, who="e1")
    script.do("money.entered", kind="fee", amount=1000, who="e1")
    script.do("money.cancelled", id="m2", reason="tapped twice")
    script.do("till.counted", opening=5000, coins=[{"coin": 2000, "number": 3}])
    state = script.state
    fees = {each.id: each.fee for each in state.entrants.values()}
    found = till_balance(state.opening, state.money, tuple(state.money_cancelled), fees, {}, state.counted)
    assert (found.expected, found.counted, found.difference) == (6000, 6000, 0)
    assert found.owed == (("e2", 1000),)


def test_a_fee_is_somebodys():
    assert refused(Script(1), "money.entered", kind="fee", amount=1000) == "missing"


def test_every_person_of_a_pair_owes_a_fee():
    script = Script(kind="pair", odd=["bye"], fee=1000)
    pair = script.come(2)
    assert script.state.entrants[pair].fee == 2000


def test_a_new_fee_for_all_leaves_out_a_pair_of_whom_one_has_paid():
    script = Script(kind="pair", odd=["bye"], fee=1000)
    one, two, three, four = (script.come() for _each in range(4))
    script.do("money.entered", kind="fee", amount=1000, who=two)
    script.do("pairs.made", pairs=[[one, two], [three, four]])
    plan = plan_to(script.state.plan)
    script.do("tournament.planned", plan=plan, fee=1200)
    assert script.state.entrants[three].fee == 2000, "as logs say that do not say whose the new fee is"
    script.do("tournament.planned", plan=plan, fee=1000)
    script.do("tournament.planned", plan=plan, fee=1500, fee_for_all=True)
    assert [script.state.entrants[each].fee for each in (one, three)] == [2000, 3000]
    script.do("pair.parted", id=one)
    script.do("pair.parted", id=three)
    assert [script.state.entrants[each].fee for each in (one, two, three, four)] == [1000, 1000, 1500, 1500]


def test_prizes_need_something_to_give():
    assert refused(Script(), "prizes.set", prizes=[{"code": "1"}]) == "missing"
