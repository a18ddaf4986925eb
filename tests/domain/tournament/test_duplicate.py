"""The same deals everywhere: lanes, datum, gains, and standings by what was gained."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from domain.tournament.scoring import TravellerLine, counted_table, datum, gains, lane_of, standing_of, traveller
from domain.tournament.state import CONFIRMED, PLAYING, Round, Table
from domain.tournament.state import Line as Written
from tests.domain.tournament.kit import DUPLICATE, ONLINE, Script
from tests.domain.tournament.test_door import refused

FOUR = ((0, 2), (1, 3))
SIX = ((0, 2, 4), (1, 3, 5))


def table(number: int, *deals: tuple[int, ...], turn: int = 0, **more: Any) -> Table:
    """A confirmed table; four in two sides unless more is said."""
    sides: tuple[tuple[int, ...], ...] = more.pop("sides", FOUR)
    places = sorted(place for side in sides for place in side)
    names = tuple(f"{number}{chr(97 + place)}" for place in places)
    known: dict[str, Any] = {
        "number": number,
        "seats": names,
        "people": names,
        "owners": names,
        "sides": sides,
        "ruleset": "troccas",
        "total": 72,
        "deals": len(deals),
        "lines": tuple((deal, Written(scores)) for deal, scores in enumerate(deals, 1)),
        "state": CONFIRMED,
        "turn": turn,
    }
    return Table(**known | more)


def played(*tables: Table) -> Round:
    return Round(1, 1, tables={each.number: each for each in tables})


def test_the_lane_of_a_side_is_how_far_it_sits_from_the_dealer():
    assert [[lane_of(table(1, turn=turn), side, 1) for side in (0, 1)] for turn in range(4)] == [
        [0, 1],
        [1, 0],
        [0, 1],
        [1, 0],
    ]


def test_with_the_next_deal_the_next_place_deals():
    assert [lane_of(table(1, turn=3), 0, deal) for deal in range(1, 6)] == [1, 0, 1, 0, 1]


def test_where_each_plays_alone_everybody_has_a_lane():
    five = table(1, turn=2, sides=tuple((place,) for place in range(5)))
    assert [lane_of(five, side, 1) for side in range(5)] == [3, 4, 0, 1, 2]
    assert [lane_of(five, side, 4) for side in range(5)] == [0, 1, 2, 3, 4]


def test_of_six_the_sides_are_the_dealers_and_the_others():
    assert [lane_of(table(1, turn=3, sides=SIX), side, 1) for side in (0, 1)] == [1, 0]


def test_the_datum_is_what_the_same_cards_brought_on_average():
    found = played(table(1, (40, 32)), table(2, (30, 42), turn=1), table(3, (50, 22)))
    # The dealer's side made 40, 42 and 50.
    assert datum(found, 1) == {0: 44, 1: 28}
    # Of 40: 2 less than the one, 10 less than the other.
    assert [gains(found, each) for each in found.tables.values()] == [
        ((1, (-12, 12)),),
        ((1, (6, -6)),),
        ((1, (18, -18)),),
    ]


def test_nothing_is_rounded_who_gained_equally_stands_equal():
    """47 and 44 of 72: the one side made a point and a half more than the average, the other as much less."""
    found = played(table(1, (47, 25)), table(2, (44, 28)))
    assert datum(found, 1) == {0: Fraction(91, 2), 1: Fraction(53, 2)}
    assert gains(found, found.tables[1]) == ((1, (3, -3)),)
    assert gains(found, found.tables[2]) == ((1, (-3, 3)),)


def test_a_point_more_than_the_average_is_a_point_whoever_made_it():
    """Two deals, two tables: 37 and 36 each time, by turns. Everybody gained and lost half a point, and nobody is before another."""
    deals = played(table(1, (37, 35), (36, 36)), table(2, (36, 36), (37, 35)))
    sums = [
        [sum(of_side) for of_side in zip(*(line for _, line in gains(deals, each)), strict=True)]
        for each in deals.tables.values()
    ]
    assert sums == [[0, 0], [0, 0]]


def test_one_table_alone_gains_nothing():
    found = played(table(1, (60, 12)), table(2, (40, 32), state=PLAYING, lines=()))
    assert gains(found, found.tables[1]) == ((1, (0, 0)),)
    assert datum(found, 2) == {}


def test_what_is_not_confirmed_or_of_another_kind_does_not_count():
    found = played(
        table(1, (40, 32)),
        table(2, (50, 22), state=PLAYING),
        table(3, (60, 12), ruleset="troccas-online"),
        table(4, (70, 2), sides=SIX),
        table(5, (60, 11)),
        table(6, lines=((1, Written((144, 0), of=2)),)),
        table(7, lines=((1, Written((72, 0), extra=True)),)),
    )
    assert datum(found, 1) == {0: 40, 1: 32}
    # Of a wrong sum, what is wrong stays to be seen.
    assert gains(found, found.tables[5]) == ((1, (20, -21)),)


def test_a_traveller_tells_what_every_table_made_of_a_deal():
    found = played(table(2, (30, 42), turn=1), table(1, (40, 32)), table(3, (50, 22), state=PLAYING), table(4))
    assert traveller(found, 1) == (
        TravellerLine(1, (0, 1), (40, 32), (-2, 2)),
        TravellerLine(2, (1, 0), (30, 42), (-2, 2)),
    )
    assert traveller(found, 2) == ()


def by_hand(found: Round, deal: int) -> dict[int, list[int]]:
    """Gains of a deal, worked out another way: the places are turned until the dealer is the first, and each result is
    compared with each."""
    of_cards: dict[tuple[int, ...], list[tuple[int, int, int]]] = defaultdict(list)
    for each in found.tables.values():
        count = len(each.people)
        turned = [(place + each.turn + deal - 1) % count for place in range(count)]
        for index, places in enumerate(each.sides):
            cards = tuple(held for held, place in enumerate(turned) if place in places)
            of_cards[cards].append((each.number, index, each.sheet[deal].scores[index]))
    gained = {each.number: [0] * len(each.sides) for each in found.tables.values()}
    for results in of_cards.values():
        for number, side, score in results:
            gained[number][side] = sum(score - other for *_, other in results)
    return gained


@some.composite
def rounds(draw: Any) -> Round:
    """Up to eight tables with the same deals, of one of the shapes there are."""
    sides, total, name = draw(
        some.sampled_from(
            [
                (FOUR, 72, "troccas"),
                (SIX, 72, "troccas-6"),
                (tuple((place,) for place in range(4)), 0, "troggu"),
                (tuple((place,) for place in range(5)), None, "troggu"),
            ]
        )
    )
    deals = draw(some.integers(1, 5))
    people = sum(map(len, sides))
    tables = []
    for number in range(1, draw(some.integers(1, 8)) + 1):
        lines = []
        for _deal in range(deals):
            first = draw(some.lists(some.integers(-30, 90), min_size=len(sides) - 1, max_size=len(sides) - 1))
            lines.append((*first, (total or 0) - sum(first)))
        turn = draw(some.integers(0, people - 1))
        tables.append(table(number, *lines, turn=turn, sides=sides, total=total, ruleset=name))
    return played(*tables)


@settings(deadline=None)
@given(rounds())
def test_gains_are_what_somebody_else_works_out(found: Round):
    for each in found.tables.values():
        for deal, gained in gains(found, each):
            assert list(gained) == by_hand(found, deal)[each.number]


@settings(deadline=None)
@given(rounds())
def test_what_one_gains_the_others_lose_at_the_table_and_over_all_tables(found: Round):
    for each in found.tables.values():
        if each.total is not None:
            assert all(sum(gained) == 0 for _, gained in gains(found, each))
    for deal in range(1, next(iter(found.tables.values())).deals + 1):
        of_lane: dict[int, int] = defaultdict(int)
        for line in traveller(found, deal):
            for lane, gain in zip(line.lanes, line.gains, strict=True):
                of_lane[lane] += gain
        assert not any(of_lane.values())


@settings(deadline=None)
@given(rounds(), some.integers(0, 5), some.integers(0, 100))
def test_it_does_not_matter_in_which_place_people_sit_only_which_cards_they_hold(found: Round, by: int, which: int):
    """Turning a table, everybody with their cards, changes nobody's gain."""
    number = sorted(found.tables)[which % len(found.tables)]
    old = found.tables[number]
    people = len(old.people)
    by = by % people
    sides = tuple(tuple(sorted((place + by) % people for place in side)) for side in old.sides)
    order = sorted(range(len(sides)), key=lambda side: sides[side])
    turned = table(
        number,
        *(tuple(line.scores[side] for side in order) for _, line in old.lines),
        turn=(old.turn + by) % people,
        sides=tuple(sides[side] for side in order),
        total=old.total,
        ruleset=old.ruleset,
    )
    again = played(*(turned if each.number == number else each for each in found.tables.values()))
    for (_, before), (_, after) in zip(gains(found, old), gains(again, turned), strict=True):
        assert [before[side] for side in order] == list(after)


def duplicate(people: int = 12, **plan: Any) -> Script:
    """A tournament whose first round is a duplicate, its deals laid and its games begun; even tables begin with the next place."""
    plan = {"online": DUPLICATE, "odd": ["bye"], "rules": {"rounds": 2, "deals": 2}} | plan
    script = Script(people, **plan)
    script.do("phase.started")
    drawn = script.draw()
    script.lay("1.1")
    for number in drawn.tables:
        script.begin(f"1.1.{number}", turn=(number - 1) % 2)
    return script


SCORES = {"1.1.1": [[40, 32], [50, 22]], "1.1.2": [[50, 22], [42, 30]], "1.1.3": [[33, 39], [42, 30]]}
# In the first deal the dealer's sides made 40, 22 and 33, together 95. In the second, where the next place deals, 22, 42
# and 30, together 94. A gain is three times one's own, less that.
GAINED = {"1.1.1": (25, 28), "1.1.2": (29, 32), "1.1.3": (4, 4)}


def test_standings_of_a_duplicate_count_gains():
    script = duplicate()
    for key, scores in SCORES.items():
        script.report(key, scores)
    found = script.state.phases[0].rounds[0]
    standing = standing_of(script.state, script.state.phases[0])
    for key, (one, two) in GAINED.items():
        seen = script.table(key)
        assert gains(found, seen) == ((1, (one, -one)), (2, (two, -two)))
        assert counted_table(seen, gains(found, seen)).total == 0
        for place, sign, match in ((0, 1, 2), (1, -1, 0)):
            row = standing.row(seen.owners[place])
            assert (dict(row.values)["card-points"], dict(row.values)["match-points"]) == (sign * (one + two), match)
            assert row.sheet.rounds[0].difference == 2 * sign * (one + two)


def test_outside_a_duplicate_a_table_counts_its_points():
    script = duplicate()
    script.report("1.1.1", SCORES["1.1.1"])
    assert [deal.scores for deal in counted_table(script.table("1.1.1")).deals] == [(40, 32), (50, 22)]
    script = Script(8, online=ONLINE)
    script.do("phase.started")
    script.draw()
    script.begin("1.1.1")
    script.report("1.1.1", [[40, 32], [50, 22]])
    standing = standing_of(script.state, script.state.phases[0])
    assert dict(standing.row(script.table("1.1.1").owners[0]).values)["card-points"] == 90


def test_a_late_table_changes_what_the_others_gained():
    script = duplicate()
    script.report("1.1.1", SCORES["1.1.1"])
    script.report("1.1.3", SCORES["1.1.3"])
    script.do("table.overdue", table="1.1.2", how="postponed", who=[])
    script.do("round.closed", round="1.1")
    first = script.table("1.1.1")
    assert gains(script.state.phases[0].rounds[0], first)[0] == (1, (7, -7))
    script.report("1.1.2", SCORES["1.1.2"])
    assert gains(script.state.phases[0].rounds[0], first)[0] == (1, (25, -25))


def test_a_correction_changes_everybodys_gains():
    script = duplicate()
    for key, scores in SCORES.items():
        script.report(key, scores)
    lines = [{"deal": 1, "scores": [50, 22]}, {"deal": 2, "scores": [72, 0]}]
    script.do("table.settled", table="1.1.2", lines=lines, reason="a revoke")
    # The dealer's sides of the second deal: 22, 72 and 30.
    lost = 3 * 22 - (22 + 72 + 30)
    assert gains(script.state.phases[0].rounds[0], script.table("1.1.1"))[1] == (2, (-lost, lost))


def test_a_forfeit_is_none_of_the_tables_that_are_compared():
    script = duplicate()
    script.report("1.1.1", SCORES["1.1.1"])
    guilty = script.table("1.1.2").seats[0]
    script.do("table.overdue", table="1.1.2", how="forfeited", who=[guilty])
    script.report("1.1.3", SCORES["1.1.3"])
    found = script.state.phases[0].rounds[0]
    assert datum(found, 1) == {0: Fraction(73, 2), 1: Fraction(71, 2)}
    assert [line.table for line in traveller(found, 1)] == [1, 3]


@pytest.mark.parametrize(
    "line",
    [
        {"deal": 1, "scores": [80, 64], "of": 2},
        {"deal": 2, "scores": [40, 32], "extra": True},
        {"deal": 3, "scores": [40, 32]},
    ],
)
def test_the_director_settles_the_deals_of_a_duplicate_one_by_one(line: dict[str, Any]):
    assert refused(duplicate(), "table.settled", table="1.1.1", lines=[line]) == "deal-by-deal"


@pytest.mark.parametrize(("rule", "counted"), [("split", (11, -11)), ("strike", (0, 0))])
def test_a_wrong_sum_that_is_meant_is_settled_as_the_house_rules_say(rule: str, counted: tuple[int, int]):
    script = duplicate(rules={"rounds": 1, "deals": 1, "wrong_sum": rule})
    script.report("1.1.1", [[40, 32]])
    script.report("1.1.2", [[32, 40]])
    lines = [{"deal": 1, "scores": [45, 26]}]
    script.do("table.settled", table="1.1.3", lines=lines, wrong=True, reason="one point is not to be found")
    standing = standing_of(script.state, script.state.phases[0])
    owners = script.table("1.1.3").owners
    # Against two tables with 40 and 32 it is twice 5 better and twice 6 worse; of the point that is missing each has half.
    assert tuple(dict(standing.row(owners[place]).values)["card-points"] for place in (0, 1)) == counted
