"""Who can be told apart, and how sure single and joint ratings are."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from domain.rating.rate import rate
from domain.rating.skills import inseparable
from tests.domain.rating.kit import LONG, TROCCAS, Bayes, pairs, random_pairs

FIXED = [
    pairs(f"r{number:02}", f"ada leo - {' '.join(others)}", 30 + number)
    for number, others in enumerate([("mia", "noe"), ("mia", "kim"), ("noe", "kim"), ("ida", "mia")] * 10)
]


def pool(*results, model=TROCCAS):
    return rate(results, {"troccas": model})["troccas"]


def test_a_pair_that_never_played_with_others_is_said_to_be_one():
    assert inseparable(FIXED) == {"ada": ("leo",), "leo": ("ada",)}
    found = pool(*FIXED)
    assert found.players["ada"].inseparable == ("leo",)
    assert found.players["mia"].inseparable == ()
    assert found.pairs["ada", "leo"].inseparable
    assert not found.pairs["kim", "mia"].inseparable


def test_one_evening_apart_is_enough_to_be_two():
    log = [*FIXED, pairs("z", "ada mia - noe kim", 3)]
    assert inseparable(log) == {}


def test_opponents_who_always_meet_are_not_partners():
    assert "mia" not in inseparable([pairs("r1", "ada - mia", 3)])


def test_of_an_inseparable_pair_the_sum_is_known_and_half_the_variance_of_each_never_goes():
    found = pool(*FIXED)
    ada, both = found.players["ada"], found.pairs["ada", "leo"]
    assert ada.mean == found.players["leo"].mean == pytest.approx(both.mean / 2)
    assert 0.18 < ada.variance < 0.36  # skill is 0.36: who of the two it is stays unknown
    assert both.variance < 0.5 * 0.72
    # Who changed partners as often is known better than that.
    changing = pool(*random_pairs(random.Random(1), 8, 40, TROCCAS)[1])
    assert max(rating.variance for rating in changing.players.values()) < ada.variance


def test_a_pair_has_the_deals_they_sat_together_and_is_provisional_by_these():
    log = [*(pairs(f"r{number}", "ada leo - mia noe", 4) for number in range(4)), pairs("z", "ada mia - leo noe", 4)]
    found = pool(*log)
    assert {names: (each.deals, each.provisional) for names, each in found.pairs.items()} == {
        ("ada", "leo"): (32, True), ("ada", "mia"): (8, True), ("leo", "noe"): (8, True), ("mia", "noe"): (32, True)
    }  # fmt: skip
    assert not found.players["ada"].provisional
    assert not pool(*log, pairs("zz", "ada leo - mia noe", 4)).pairs["ada", "leo"].provisional


@pytest.mark.parametrize(("members", "memory"), [(8, LONG), (16, LONG), (16, 2.0), (28, LONG)])
@pytest.mark.slow(but="8-1000000000.0")
def test_variances_are_those_of_the_whole_covariance_matrix(members, memory):
    model = replace(TROCCAS, skill=1.0, memory=memory)
    _, log = random_pairs(random.Random(members), members, 10, model)
    exact, found = Bayes(log, model), pool(*log, model=model)
    for who, rating in found.players.items():
        assert rating.variance == pytest.approx(exact.of(who)[1], rel=0.03), who
    for names, pair in found.pairs.items():
        assert pair.variance == pytest.approx(exact.of(*names)[1], rel=0.05), names


def test_variances_of_fixed_pairs_are_those_of_the_whole_covariance_matrix():
    exact, found = Bayes(FIXED, TROCCAS), pool(*FIXED)
    for who, rating in found.players.items():
        assert rating.variance == pytest.approx(exact.of(who)[1], rel=0.03), who
    assert found.pairs["ada", "leo"].variance == pytest.approx(exact.of("ada", "leo")[1], rel=0.03)


def test_nobody_is_less_sure_than_a_new_player():
    found = pool(*(pairs(f"r{number}", "ada leo - mia noe", 4) for number in range(50)))
    assert all(rating.variance <= TROCCAS.skill**2 for rating in found.players.values())
    assert all(pair.variance <= 2 * TROCCAS.skill**2 for pair in found.pairs.values())
