"""Each for themselves: what the scores at a table teach."""

from __future__ import annotations

import random
from dataclasses import replace
from math import erf, sqrt

import pytest

from domain.rating.rate import rate
from domain.rating.results import Datum
from domain.rating.skills import Alone, SkillEquations, win_probabilities
from tests.domain.rating.kit import TROGGU, Field, pairs, random_tables, table

FIRST = "ada 40, leo 10, mia -20, noe -30"


def after(*results, model=TROGGU):
    return rate(results, {"troggu": model})["troggu"].players


def means(found, names="ada leo mia noe"):
    return [found[who].mean for who in names.split()]


def test_the_order_at_the_table_is_the_order_of_the_ratings():
    found = means(after(table("r1", FIRST)))
    assert found == sorted(found, reverse=True)
    assert sum(found) == pytest.approx(0, abs=1e-9)


def test_how_far_the_first_is_ahead_matters():
    far = "ada 90, leo -15, mia -35, noe -40"
    assert after(table("r1", far))["ada"].mean > after(table("r1", FIRST))["ada"].mean


def test_what_everybody_scored_alike_is_no_news():
    higher = "ada 140, leo 110, mia 80, noe 70"
    assert means(after(table("r1", FIRST))) == pytest.approx(means(after(table("r1", higher))))


def test_a_result_beyond_all_bounds_counts_as_a_very_large_win():
    large = "ada 3000, leo -1000, mia -1000, noe -1000"
    larger = "ada 9000, leo -3000, mia -3000, noe -3000"
    assert means(after(table("r1", large))) == pytest.approx(means(after(table("r1", larger))))
    assert after(table("r1", large))["ada"].mean < 2.5 * TROGGU.skill


def test_equals_learn_the_same():
    found = after(table("r1", "ada 10, leo 10, mia -20"))
    assert found["ada"].mean == pytest.approx(found["leo"].mean)
    assert found["ada"].mean > 0


def test_more_deals_say_more():
    few = after(table("r1", FIRST, 2))
    many = after(table("r1", ", ".join(f"{who} {12 * points}" for who, points in zip(
        ("ada", "leo", "mia", "noe"), (40, 10, -20, -30), strict=True)), 24))  # fmt: skip
    assert 0 < few["ada"].mean < many["ada"].mean
    assert few["ada"].variance > many["ada"].variance


def test_a_first_result_worked_by_hand():
    # Three, one deal of luck 20 (variance 400) and skill 3 (9): scores 20, 10, 0 lie 10, 0, -10 from their mean, of which
    # 9 / 409 is taken for skill. Two directions out of three are told about each, so the variance is 9 (1 - 9/409 2/3).
    found = after(table("r1", "ada 20, leo 10, mia 0", 1))
    assert means(found, "ada leo mia") == pytest.approx([90 / 409, 0, -90 / 409])
    assert [each.variance for each in found.values()] == pytest.approx([9 * (1 - 9 / 409 * 2 / 3)] * 3)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_results_together_are_what_the_whole_covariance_matrix_says(seed):
    model = replace(TROGGU, memory=4.0)
    _, log = random_tables(random.Random(seed), 14, 40, model)
    exact, equations = Field(log, model), SkillEquations(model, log[-1].when)
    fold = Alone(model, cap=float("inf"), equations=equations)
    for each in log:
        fold.add(each)
    for who, skill in equations.skills().items():
        mean, variance = exact.of(who)
        assert skill == pytest.approx(mean, abs=1e-4), who
        assert equations.variance(who) == pytest.approx(variance, rel=0.01), who  # the nearest 24 who were met
    assert means(after(*log, model=model), "m00 m01") == pytest.approx(
        [exact.of("m00")[0], exact.of("m01")[0]], abs=0.5
    )  # a few results were far enough out to be felt a little less


def test_the_fold_predicts_what_comes_as_surely_as_it_says():
    _, log = random_tables(random.Random(5), 16, 400, TROGGU)
    fold = Alone(TROGGU)
    steps = [fold.add(each) for each in log]
    told = sum(len(each.sides) - 1 for each in log)
    assert sum(step.squares for step in steps) / told == pytest.approx(1, abs=0.1)


def test_of_two_the_probability_to_be_first_is_that_of_the_difference():
    for ahead, one, other in ((3.0, 4.0, 12.0), (-1.0, 0.5, 90.0), (0.0, 1.0, 1.0)):
        expected = (1 + erf(ahead / sqrt(2 * (one + other)))) / 2
        assert win_probabilities([ahead, 0.0], [one, other]) == pytest.approx([expected, 1 - expected], abs=2e-3)


def test_of_equals_each_is_first_as_often_and_the_unsure_more_often_than_not():
    assert win_probabilities([1.0] * 5, [2.0] * 5) == pytest.approx([0.2] * 5)
    wide = win_probabilities([0.0, 0.0, 0.0], [9.0, 1.0, 1.0])
    assert wide[0] > wide[1] == pytest.approx(wide[2])
    assert sum(wide) == pytest.approx(1)


@pytest.mark.parametrize("count", [3, 4, 6, 8])
def test_points_and_certainty_come_out_true_at_tables_of_every_size(count):
    """Fixed tables, normal luck: a skill of 2 points more than the others is found as such, and as surely as claimed."""
    chance = random.Random(count)
    errors = []
    for club in range(40):
        log_of_club, rng = [], random.Random(chance.random())
        skill = {f"m{number}": rng.gauss(0, TROGGU.skill) for number in range(2 * count)}
        for night in range(60):
            here = rng.sample(sorted(skill), count)
            scores = ", ".join(f"{who} {round(8 * skill[who] + rng.gauss(0, 20) * 8**0.5)}" for who in here)
            log_of_club.append(table(f"{club}-{night:02}", scores, 8, night))
        found = after(*log_of_club, model=TROGGU)
        errors += [(found[who].mean - true) ** 2 / found[who].variance for who, true in skill.items()]
    assert 0.7 < sum(errors) / len(errors) < 1.4


def test_teams_at_a_table_of_three_pairs_learn_together():
    result = replace(
        table("r1", "x 1, y 2, z 3"), sides=((("ada", "leo"), 30), (("mia", "noe"), 20), (("ida", "kim"), 10))
    )
    found = after(result)
    assert found["ada"].mean == pytest.approx(found["leo"].mean)
    assert found["ada"].mean > found["mia"].mean > found["ida"].mean
    assert found["ada"].inseparable == ("leo",)


def test_with_the_same_cards_elsewhere_the_gain_decides_and_not_the_points():
    # In the first seat everybody makes a lot; ada made less of it than the others, leo more of his.
    others = [
        table(f"t{number}", "a1 60, a2 -20, a3 -20, a4 -20".replace("a", f"p{number}"), 1, board="b1")
        for number in range(9)
    ]
    found = after(*others, table("z", "ada 30, leo 10, mia -20, noe -20", 1, board="b1"))
    assert found["leo"].mean > found["ada"].mean
    assert after(table("z", "ada 30, leo 10, mia -20, noe -20", 1))["ada"].mean > 0


def test_a_datum_from_outside_counts_like_tables_of_the_log():
    given = replace(table("z", "ada 15, leo 5, mia -10, noe -10", 1), datum=Datum((24.0, -8.0, -8.0, -8.0), 9))
    others = [table(f"t{number}", "a1 24, a2 -8, a3 -8, a4 -8", 1, board="b1") for number in range(9)]
    inside, outside = Alone(TROGGU), Alone(TROGGU)
    in_the_log, given_apart = inside.add(replace(given, datum=None, board="b1"), others), outside.add(given)
    assert in_the_log.gained == pytest.approx(given_apart.gained)
    assert inside.people.known("leo") == pytest.approx(outside.people.known("leo"))


def test_games_of_both_kinds_are_rated_apart():
    found = rate([table("r1", FIRST), pairs("r2", "ada leo - mia noe", 10)])
    assert sorted(found) == ["troccas", "troggu"]
    assert found["troggu"].players["leo"].deals == 8
