"""Two sides: what a margin teaches."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from domain.rating.rate import rate
from domain.rating.results import CAP, Datum
from domain.rating.skills import Partners, SkillEquations
from tests.domain.rating.kit import TROCCAS, Bayes, pairs, random_pairs

FOUR = "ada leo - mia noe"
ALL = ("ada", "leo", "mia", "noe")


def after(*results, model=TROCCAS):
    return rate(results, {"troccas": model})["troccas"].players


def fold(*results, model=TROCCAS, cap=CAP):
    partners = Partners(model, cap=cap)
    for each in results:
        partners.add(each)
    return {who: partners.people.present(who, 0) for who in partners.people.names()}


def test_the_first_match_is_the_rule_of_bayes_worked_by_hand():
    # 20 points more in 8 deals: 1.25 a deal above the table. Skill adds 4 x 0.36, luck (64 + 36) / 8 = 12.5: 13.94.
    found = fold(pairs("r1", FOUR, 20))
    gain = 0.36 / 13.94
    assert [found[who].mean for who in ALL] == pytest.approx([1.25 * gain] * 2 + [-1.25 * gain] * 2)
    assert [found[who].variance for who in ALL] == pytest.approx([0.36 * (1 - gain)] * 4)
    assert [found[who].deals for who in ALL] == [8] * 4


@given(some.lists(some.tuples(some.permutations(list("abcdef")), some.integers(-300, 300)), min_size=1, max_size=12))
def test_sides_and_signs_can_be_exchanged(played):
    def log(turned: int):
        return [
            pairs(f"r{number:02}", f"{a} {b} - {c} {d}" if turned > 0 else f"{c} {d} - {a} {b}", turned * margin)
            for number, ((a, b, c, d, *_), margin) in enumerate(played)
        ]

    # The sides named the other way round, with the margin turned as well, is the same match.
    usual, turned = after(*log(1)), after(*log(-1))
    # And with only the margin turned, all that was good is bad.
    mirrored = after(*(pairs(each.id, " - ".join(" ".join(who) for who, _ in each.sides), margin)
                       for each, (_, margin) in zip(log(1), ((p, -m) for p, m in played), strict=True)))  # fmt: skip
    for who, rating in usual.items():
        assert turned[who].mean == pytest.approx(rating.mean)
        assert turned[who].variance == pytest.approx(rating.variance)
        assert mirrored[who].mean == pytest.approx(-rating.mean)


def test_what_one_side_gains_the_other_loses_while_all_are_equally_known():
    assert sum(rating.mean for rating in after(pairs("r1", FOUR, 37)).values()) == pytest.approx(0)


def test_more_deals_say_more():
    few, many = after(pairs("r1", FOUR, 8, deals=4)), after(pairs("r1", FOUR, 32, deals=16))
    assert 0 < few["ada"].mean < many["ada"].mean
    assert few["ada"].variance > many["ada"].variance


def test_a_win_that_was_expected_teaches_less_than_one_against_expectation():
    ten = [pairs(f"r{number}", FOUR, 60) for number in range(10)]
    before = after(*ten)["ada"].mean
    expected = after(*ten, pairs("z", FOUR, 60))["ada"].mean - before
    surprising = before - after(*ten, pairs("z", FOUR, -60))["ada"].mean
    assert surprising > expected > 0


def test_a_blow_out_counts_no_more_than_two_and_a_half_standard_deviations():
    bound = 2.5 * 13.94**0.5 * 16  # as a difference of 8 deals
    at, beyond = (after(pairs("r1", FOUR, round(bound * times)))["ada"].mean for times in (1, 20))
    assert beyond == pytest.approx(at, rel=0.01)
    assert fold(pairs("r1", FOUR, round(bound * 20)), cap=float("inf"))["ada"].mean > 10 * at


def test_what_was_learnt_fades_by_half_in_the_time_of_the_memory():
    model = replace(TROCCAS, memory=30)
    # A result of one day later, among others, so that the log ends there.
    log = [pairs("r1", FOUR, 20), pairs("r2", "eva ben - ann tom", 0, day=900)]
    new, old = after(*log[:1], model=model)["ada"], after(*log, model=model)["ada"]
    assert 1 / old.variance - 1 / 0.36 == pytest.approx((1 / new.variance - 1 / 0.36) / 2, rel=0.05)
    assert old.mean == pytest.approx(new.mean / 2, rel=0.1)


def test_after_long_years_somebody_is_as_good_as_new():
    log = [pairs("r1", FOUR, 200), pairs("r2", "eva ben - ann tom", 0, day=90_000)]
    found = after(*log, model=replace(TROCCAS, memory=30))["ada"]
    assert found.mean == pytest.approx(0, abs=1e-6)
    assert found.variance == pytest.approx(0.36)
    assert found.deals == 8


def test_a_board_nobody_else_played_is_a_free_deal():
    free, alone = after(pairs("r1", FOUR, 20, 1)), after(pairs("r1", FOUR, 20, 1, board="b1"))
    assert free == alone


def test_the_cards_are_taken_off_as_far_as_other_tables_tell():
    board = [
        pairs(f"t{number}", f"a{number} b{number} - c{number} d{number}", 20, 1, board="b1") for number in range(8)
    ]
    # All eight tables made 10 above par: hardly anything of that was anybody's skill.
    assert abs(after(*board)["a0"].mean) < 0.2 * after(pairs("r1", FOUR, 20, 1))["ada"].mean
    # Who made nothing of these cards did badly, and has shown it better than with a free deal.
    low = after(*board[:7], pairs("t7", "a7 b7 - c7 d7", 0, 1, board="b1"))["a7"]
    assert low.mean < 0
    assert low.variance < after(pairs("r1", FOUR, 20, 1))["ada"].variance


def test_what_strong_players_made_of_the_cards_says_less_for_the_cards():
    elsewhere = pairs("b1", "eva ben - ann tom", 20, 1, board="b1", day=9)
    here = pairs("b2", FOUR, 20, 1, board="b1", day=9)
    strong = [pairs(f"r{number:02}", "eva ben - ann tom", 200) for number in range(30)]
    assert after(*strong, elsewhere, here)["ada"].mean > after(elsewhere, here)["ada"].mean + 0.02


def test_a_datum_from_outside_is_believed_like_tables_of_the_log():
    inside = [
        pairs(f"t{number}", f"a{number} b{number} - c{number} d{number}", 20, 1, board="b1") for number in range(4)
    ]
    outside = pairs("t9", FOUR, 20, 1, board="b2", datum=Datum((46.0, 26.0), 4))
    given = Partners(TROCCAS)
    known = Partners(TROCCAS)
    told = given.add(outside)
    same = known.add(pairs("t9", FOUR, 20, 1, board="b1"), inside)
    assert told.gained == pytest.approx(same.gained)
    assert told.spread == pytest.approx(same.spread)


def test_without_a_cap_means_are_those_of_the_whole_covariance_matrix():
    model = replace(TROCCAS, memory=3)
    _, log = random_pairs(random.Random(5), 8, 30, model)
    equations = SkillEquations(model, log[-1].when)
    partners = Partners(model, cap=float("inf"), equations=equations)
    for each in log:
        partners.add(each)
    exact = Bayes(log, model)
    assert equations.skills() == pytest.approx({who: exact.of(who)[0] for who in equations.skills()})


def test_the_cap_moves_means_by_little():
    _, log = random_pairs(random.Random(5), 8, 30, TROCCAS)
    exact = Bayes(log, TROCCAS)
    for who, rating in after(*log).items():
        mean, variance = exact.of(who)
        assert abs(rating.mean - mean) < 0.1 * variance**0.5, who


def test_with_boards_means_are_near_those_of_a_computation_in_which_the_worth_of_cards_is_an_unknown():
    _, log = random_pairs(random.Random(5), 8, 12, TROCCAS, duplicate=True)
    log = [each for each in log if each.id.endswith(("-0", "-1"))]
    exact = Bayes(log, TROCCAS)
    for who, rating in after(*log).items():
        mean, variance = exact.of(who)
        assert abs(rating.mean - mean) < 0.1 * variance**0.5, who
        assert rating.variance == pytest.approx(variance, rel=0.02), who


def test_half_a_season_orders_people_by_their_skill():
    skill, log = random_pairs(random.Random(2), 16, 40, replace(TROCCAS, skill=1.5))
    found = after(*log, model=replace(TROCCAS, skill=1.5))
    best, worst = max(skill, key=skill.__getitem__), min(skill, key=skill.__getitem__)
    assert found[best].cautious > found[worst].mean + 2 * found[worst].spread
