"""The count of one table: sums, splits, tables of three to eight, unfinished rounds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from domain.standings.profile import HouseRules, MatchPoints, TableSize
from domain.standings.results import Deal, Table
from domain.standings.rounds import Problem, count, split

TWO = HouseRules(deals=2)
FOUR = Table(7, (("ada", "leo"), ("mia", "noe")), (Deal((40, 32)), Deal((30, 42))), 72)


def of(table: Table, rules: HouseRules = TWO) -> dict[str, tuple[int, int, int]]:
    """Points, match points and difference of everybody."""
    return {who: (each.points, each.match, each.difference) for who, each in count(table, 1, rules).scores.items()}


def test_partners_have_the_points_of_their_side():
    assert of(FOUR) == {"ada": (70, 0, -4), "leo": (70, 0, -4), "mia": (74, 2, 4), "noe": (74, 2, 4)}
    ada = count(FOUR, 1, TWO).scores["ada"]
    assert (ada.deals, ada.deals_won, ada.won, ada.table, ada.round) == (2, 1, False, 7, 1)
    assert [(each.opponent, each.own, each.theirs) for each in ada.meetings] == [("mia", 70, 74), ("noe", 70, 74)]


def test_equal_points_are_a_draw():
    assert of(replace(FOUR, deals=(Deal((40, 32)), Deal((32, 40)))))["mia"] == (72, 1, 0)


def test_an_extra_deal_decides_a_draw_where_the_house_says_so_and_its_points_do_not_count():
    drawn = replace(FOUR, deals=(Deal((40, 32)), Deal((32, 40)), Deal((30, 42), extra=True)))
    assert of(drawn)["mia"] == (72, 1, 0)
    assert of(drawn, replace(TWO, drawn="extra-deal")) == {
        "ada": (72, 0, 0), "leo": (72, 0, 0), "mia": (72, 2, 0), "noe": (72, 2, 0)
    }  # fmt: skip
    decided = replace(FOUR, deals=(*FOUR.deals, Deal((70, 2), extra=True)))
    assert of(decided, replace(TWO, drawn="extra-deal")) == of(FOUR)


@pytest.mark.parametrize("state", ["entered", "disputed"])
def test_only_a_confirmed_table_counts(state):
    assert not count(replace(FOUR, state=state), 1, TWO).counts


def test_a_wrong_sum_waits_for_the_recount():
    counted = count(replace(FOUR, deals=(Deal((40, 31)), Deal((30, 42)))), 1, TWO)
    assert (counted.scores, counted.problems) == ({}, (Problem("wrong-sum", 1, 71, 72),))


def test_a_wrong_sum_is_split_where_the_house_says_so():
    table = replace(FOUR, deals=(Deal((40, 28)), Deal((30, 42))))
    counted = count(table, 1, replace(TWO, wrong_sum="split"))
    assert counted.deals[0].scores == (42, 30)
    assert counted.problems == (Problem("split", 1, 68, 72),)


def test_a_wrong_sum_strikes_the_deal_where_the_house_says_so():
    table = replace(FOUR, deals=(Deal((40, 28)), Deal((30, 42))))
    assert of(table, replace(TWO, wrong_sum="strike")) == {
        "ada": (30, 0, -12), "leo": (30, 0, -12), "mia": (42, 2, 12), "noe": (42, 2, 12)
    }  # fmt: skip


def test_the_odd_point_of_a_split_costs_the_side_that_wrote():
    assert split((40, 31), 72, 0) == (40, 32)
    assert split((40, 31), 72, 1) == (41, 31)
    assert split((40, 33), 72, 0) == (39, 33)
    assert split((30, 20, 20), 78, 1) == (33, 22, 23)
    assert split((30, 26, 26), 78, 1) == (29, 24, 25)


@given(some.lists(some.integers(-200, 200), min_size=2, max_size=8), some.integers(-200, 200), some.integers(0, 7))
def test_a_split_gives_the_right_sum_and_nobody_more_than_one_point_more(scores, total, writer):
    mended = split(tuple(scores), total, writer % len(scores))
    assert sum(mended) == total
    moved = [new - old for new, old in zip(mended, scores, strict=True)]
    assert max(moved) - min(moved) <= 1
    assert moved[writer % len(scores)] == min(moved)


def test_three_each_alone_with_a_correction_for_the_size():
    rules = replace(TWO, table_sizes=(TableSize(3, 0, 100, 10),))
    three = Table(1, (("a",), ("b",), ("c",)), (Deal((30, 24, 24)), Deal((26, 26, 26))), 78)
    # Against the average of the others: a 30 − 24; b and c 24 − 27.
    assert of(three, rules) == {"a": (76, 2, 6), "b": (70, 0, -3), "c": (70, 0, -3)}


def test_percent_is_taken_of_points_and_difference():
    rules = replace(TWO, table_sizes=(TableSize(4, 0, 150, 0),))
    assert of(FOUR, rules)["ada"] == (105, 0, -6)


def test_six_in_two_teams_and_three_pairs_each_alone():
    six = Table(1, (("a", "b", "c"), ("d", "e", "f")), (Deal((40, 32)),), 72)
    assert of(six, replace(TWO, deals=1))["e"] == (32, 0, -8)
    pairs = Table(1, (("p",), ("q",), ("r",)), (Deal((40, 20, 12)),), 72, people=6)
    rules = replace(TWO, deals=9, table_sizes=(TableSize(6, 1, 100, 0),), unfinished="strike")
    assert of(pairs, rules)["p"] == (40, 2, 24)


def test_money_adds_up_to_nothing_and_places_bring_match_points_shared_by_equals():
    rules = replace(TWO, deals=1, match=MatchPoints(2, 1, 0, ((8, 5, 2, 1, 0),)))
    table = Table(1, tuple((each,) for each in "abcde"), (Deal((40, 5, 5, -20, -30)),), 0)
    assert of(table, rules) == {
        "a": (40, 8, 50),
        "b": (5, 3, 6),
        "c": (5, 3, 6),
        "d": (-20, 1, -25),
        "e": (-30, 0, -38),
    }
    eight = Table(1, tuple((each,) for each in "abcdefgh"), (Deal((7, -1, -1, -1, -1, -1, -1, -1)),), 0)
    assert [each[1] for each in of(eight, rules).values()] == [2, 0, 0, 0, 0, 0, 0, 0]
    wrong = replace(table, deals=(Deal((40, 5, 5, -20, -35)),))
    assert count(wrong, 1, rules).problems == (Problem("wrong-sum", 1, -5, 0),)


def test_at_a_table_of_five_whose_dealer_looks_on_everybody_counts_alone():
    ring = "abcde"
    deals = []
    for dealer in range(5):
        n, o, p, q = (ring[(dealer + step) % 5] for step in (1, 2, 3, 4))
        deals.append(Deal((40, 32), ((n, p), (o, q))))
    table = Table(1, tuple((each,) for each in ring), tuple(deals), 72)
    counted = count(table, 1, replace(TWO, deals=5)).scores
    assert {each.deals for each in counted.values()} == {4}
    assert sum(each.points for each in counted.values()) == 5 * 2 * 72
    assert {each.match for each in counted.values()} == {1}


def test_partners_named_in_the_other_order_are_the_same_side():
    turned = replace(FOUR, deals=(Deal((40, 32), (("leo", "ada"), ("noe", "mia"))), FOUR.deals[1]))
    assert of(turned) == of(FOUR)


def test_a_round_cut_short_counts_as_the_house_says():
    short = replace(FOUR, deals=(Deal((40, 32)),))
    assert of(short)["ada"] == (40, 2, 8)
    assert of(short, replace(TWO, unfinished="full-length"))["ada"] == (80, 2, 16)
    assert of(short, replace(TWO, unfinished="strike"))["ada"] == (0, 0, 0)
    assert of(replace(FOUR, deals=()))["ada"] == (0, 0, 0)


def test_more_deals_than_agreed_wait_for_the_director():
    long = replace(FOUR, deals=(*FOUR.deals, Deal((36, 36))))
    assert count(long, 1, TWO).problems == (Problem("too-many-deals", 0, 3, 2),)
    assert not count(long, 1, TWO).counts


@given(some.lists(some.lists(some.integers(0, 130), min_size=3, max_size=3), min_size=1, max_size=9))
def test_no_point_is_lost_or_found(deals):
    table = Table(1, (("a",), ("b",), ("c",)), tuple(Deal(tuple(each)) for each in deals), None)
    counted = count(table, 1, HouseRules(deals=9)).scores
    assert sum(each.points for each in counted.values()) == sum(map(sum, deals))
    assert abs(sum(each.difference for each in counted.values())) <= 1
