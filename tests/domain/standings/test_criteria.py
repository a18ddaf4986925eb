"""Each criterion on an example worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.errors import DomainError
from domain.standings.criteria import Lot
from domain.standings.profile import Given
from domain.standings.ranking import draw, is_true, rank, why
from domain.standings.results import Entrant, Penalty
from tests.domain.standings.kit import by_rank, evening, rules


def ranks(one) -> dict[str, int]:
    return {row.entrant: row.rank for row in rank(one).rows}


def value(one, entrant: str, criterion: str):
    return dict(rank(one).row(entrant).values)[criterion]


def test_match_points_come_before_card_points_and_card_points_break_the_tie():
    # Sagogn 2019: first and third on the same match points, "thanks to the larger number of points won".
    one = evening(rules("match-points", "card-points"), "a-b 40, c-d 50", "a-d 37, c-b 40")
    assert ranks(one) == {"c": 1, "a": 2, "b": 3, "d": 4}
    assert why(rank(one), "a", "c").criterion == "card-points"
    assert (why(rank(one), "a", "c").value, why(rank(one), "a", "c").other) == (90, 77)


def test_difference_is_own_points_less_the_opponents():
    one = evening(rules("card-points", "difference"), "a-b 40, c-d 30")
    assert [value(one, who, "difference") for who in "abcd"] == [8, -8, -12, 12]


def test_best_round_breaks_a_tie():
    one = evening(rules("match-points", "card-points", "best-round"), "a-b 40, c-d 37", "a-d 40, c-b 43")
    assert value(one, "a", "card-points") == value(one, "c", "card-points") == 80
    assert (value(one, "a", "best-round"), value(one, "c", "best-round")) == (40, 43)
    assert why(rank(one), "a", "c").before == "c"


def test_without_the_worst_round_the_other_rounds_count():
    one = evening(rules("card-points", "without-worst"), "a-b 40, c-d 30", "a-d 40, c-b 50")
    assert (value(one, "a", "without-worst"), value(one, "c", "without-worst")) == (40, 50)


def test_wins_deals_won_and_rounds_played():
    one = evening(rules("card-points", "wins", "deals-won", "rounds-played"), "a-b 40, c-d 36", "a-d 30, bye c")
    assert [value(one, who, "wins") for who in "abcd"] == [1, 0, 0, 1]
    assert [value(one, who, "deals-won") for who in "abcd"] == [1, 0, 0, 1]
    assert [value(one, who, "rounds-played") for who in "abcd"] == [2, 1, 1, 2]


def test_head_to_head_decides_between_two_who_met():
    one = evening(rules("match-points", "head-to-head"), "a-b 30, c-d 50", "a-c 40, b-d 30")
    # a: loss, win. b: win, loss. d: loss, win. c: win, loss. All four have 2; not all met all: it says nothing.
    assert set(ranks(one).values()) == {1}
    two = evening(rules("match-points", "head-to-head"), "a-b 40, c-d 30", "a-d 30, b-c 40", "a-c 30, b-d 40")
    # b 4, d 4, a 2, c 2: b beat d, c beat a.
    assert ranks(two) == {"b": 1, "d": 2, "c": 3, "a": 4}
    assert why(rank(two), "b", "d").criterion == "head-to-head"


def test_head_to_head_of_three_in_a_ring_stays_open_and_the_difference_among_them_decides():
    house = rules("match-points", "head-to-head", "head-to-head-difference")
    ring = evening(house, "a-b 40, bye c", "b-c 50, bye a", "c-a 37, bye b")
    assert [value(ring, who, "head-to-head") for who in "abc"] == [0, 0, 0]
    # a +8 −2, b −8 +28, c −28 +2
    assert [value(ring, who, "head-to-head-difference") for who in "abc"] == [6, 20, -26]
    assert ranks(ring) == {"b": 1, "a": 2, "c": 3}


def test_a_mini_table_counts_the_meetings_there_were_and_all_met_does_not():
    # a, b and c have 2 each; of these only a and b met.
    rounds = ("a-b 40, c-d 40, e-f 36", "a-e 30, b-d 40, c-f 30")
    house = rules("match-points", "head-to-head", rounds=2)
    assert {who: ranks(evening(house, *rounds))[who] for who in "abc"} == {"a": 3, "b": 3, "c": 3}
    mini = evening(replace(house, head_to_head="mini-table"), *rounds)
    assert {who: value(mini, who, "head-to-head") for who in "abc"} == {"a": 1, "b": -1, "c": 0}
    assert {who: ranks(mini)[who] for who in "abc"} == {"a": 3, "c": 4, "b": 5}
    uneven = evening(replace(house, head_to_head="mini-table"), "a-b 40, c-d 40", "a-c 30, b-d 30")
    assert {who: value(uneven, who, "head-to-head") for who in "ad"} == {"a": None, "d": None}


def test_head_to_head_is_asked_only_among_those_still_equal():
    house = rules("match-points", "card-points", "head-to-head")
    one = evening(house, "a-b 30, c-d 42", "a-c 42, b-d 30", "a-d 36, b-c 36")
    # Match points 3 each; card points a 108, b 108, c 108, d 108; meetings: a lost to b, beat c; …
    assert [value(one, who, "head-to-head") for who in "abcd"] == [0, 0, 0, 0]
    two = evening(house, "a-b 30, c-d 42", "a-c 43, b-d 31", "a-d 36, b-c 36")
    # a and b 109, c and d 107: a lost to b, c beat d.
    assert [value(two, who, "head-to-head") for who in "abcd"] == [-1, 1, 1, -1]
    assert ranks(two) == {"b": 1, "a": 2, "c": 3, "d": 4}


def test_strength_of_opponents_is_their_average_total_in_thousandths():
    one = evening(rules("match-points", "opponents-strength"), "a-b 40, c-d 40", "a-c 40, b-d 37")
    # Totals: a 4, b 2, c 2, d 0. b met a and d: 2.000; c met d and a: 2.000; a met b and c: 2.000; d met c and b: 2.000
    assert [value(one, who, "opponents-strength") for who in "abcd"] == [2000, 2000, 2000, 2000]
    two = evening(rules("match-points", "opponents-strength"), "a-b 40, c-d 40", "a-d 40, b-c 37")
    assert [value(two, who, "opponents-strength") for who in "abcd"] == [1000, 3000, 1000, 3000]
    assert (
        value(evening(rules("match-points", "opponents-strength"), "a-b 40, bye c"), "c", "opponents-strength") is None
    )


def test_only_a_recorded_lot_decides_what_nothing_else_does():
    house = rules("match-points", "lot", rounds=1)
    one = evening(house, "a-b 36, c-d 40")
    assert rank(one).lots_needed == (("a", "b"),)
    assert not rank(one).final
    lot = draw(("b", "a"), bytes(32), "evening 1")
    after = rank(replace(one, lots=(lot,)))
    assert after.final
    assert [row.entrant for row in after.rows][1:3] == list(lot.order)
    assert not any(row.shared for row in after.rows)


def test_a_later_lot_stands_before_an_earlier_and_a_lot_of_more_orders_fewer():
    house = rules("match-points", "lot", rounds=1)
    one = evening(house, "a-b 36, c-d 36")
    first, second = Lot(("d", "a", "c", "b"), "one"), Lot(("b", "a", "c", "d"), "two")
    assert by_rank(rank(replace(one, lots=(first, second)))) == (("b",), ("a",), ("c",), ("d",))
    corrected = evening(house, "a-b 36, c-d 40", lots=(first,))
    assert by_rank(rank(corrected)) == (("c",), ("a",), ("b",), ("d",))


def test_a_lot_can_be_drawn_again_by_anybody():
    lot = draw(("leo", "ada", "mia"), bytes(range(32)), "evening 12")
    assert lot == draw(("mia", "leo", "ada"), bytes(range(32)), "evening 12")
    assert lot.order == ("ada", "mia", "leo")
    assert is_true(lot)
    assert not is_true(replace(lot, order=lot.order[::-1]))
    assert not is_true(replace(lot, seed=""))
    assert not is_true(replace(lot, seed="xy"))


def test_a_lot_needs_two_different_and_a_whole_seed():
    with pytest.raises(DomainError, match="too-few"):
        draw(("ada",), bytes(32), "x")
    with pytest.raises(DomainError, match="twice"):
        draw(("ada", "ada"), bytes(32), "x")
    with pytest.raises(DomainError):
        draw(("ada", "leo"), b"short", "x")


def test_penalties_are_taken_from_points_and_match_points_and_not_from_the_difference():
    entry = Penalty("a", "Too late at the table", points=10, match=1)
    one = evening(rules("match-points", "card-points", "difference"), "a-b 40", penalties=(entry,))
    assert rank(one).row("a").values == (("match-points", 1), ("card-points", 30), ("difference", 8))


def test_why_names_status_and_shared_ranks_too():
    stayed = (Entrant("a"), Entrant("b", last=1), Entrant("c"), Entrant("d"))
    one = evening(rules(leavers="after", rounds=2), "a-b 30, c-d 36", entrants=stayed)
    assert why(rank(one), "b", "a").criterion == "status"
    assert why(rank(one), "d", "c") == why(rank(one), "c", "d")
    assert why(rank(one), "d", "c").criterion == "shared"
    with pytest.raises(DomainError):
        why(rank(one), "a", "nobody")


def test_who_has_no_value_comes_after_any_value():
    house = rules("card-points", "best-round", bye=Given("fixed", -10))
    one = evening(house, "c-b -10, bye a")
    assert [(row.entrant, dict(row.values)["best-round"]) for row in rank(one).rows] == [
        ("b", 82),
        ("c", -10),
        ("a", None),
    ]


def test_the_only_round_is_not_taken_away():
    assert value(evening(rules("card-points", "without-worst"), "a-b 40"), "a", "without-worst") == 40
