"""How much luck there is, estimated from results."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from domain.engine.rulesets import RULESETS
from domain.errors import DomainError
from domain.rating.fitting import PRIORS, fit, prior
from domain.rating.results import Model, model
from tests.domain.rating.kit import pairs, random_pairs, table

TRUE = Model(skill=1.0, deal=8.0, play=6.0)


def test_luck_and_skill_are_found_again():
    found = [fit(random_pairs(random.Random(seed), 16, 40, TRUE)[1]) for seed in range(4)]
    assert sum(each.luck for each in found) / 4 == pytest.approx(10, rel=0.05)
    assert sum(each.skill for each in found) / 4 == pytest.approx(1, rel=0.3)


def test_more_skill_in_the_results_is_more_skill_in_the_model():
    low, high = (fit(random_pairs(random.Random(3), 16, 40, replace(TRUE, skill=skill))[1]) for skill in (0.3, 2.0))
    assert high.skill > 2 * low.skill


@pytest.mark.parametrize(("deal", "play"), [(9.0, 3.0), (4.0, 8.0)])
def test_deals_that_several_tables_played_tell_cards_from_play(deal, play):
    _, log = random_pairs(random.Random(7), 16, 12, replace(TRUE, deal=deal, play=play), duplicate=True)
    found = fit(log)
    assert found.play == pytest.approx(play, rel=0.15)
    assert found.deal == pytest.approx(deal, rel=0.2)


def test_without_such_deals_the_share_of_the_cards_is_what_is_known_of_the_game():
    found = fit(random_pairs(random.Random(1), 8, 10, TRUE)[1])
    assert found.deal**2 / found.luck**2 == pytest.approx(PRIORS["troccas"][1])


def test_a_first_evening_moves_little():
    log = [pairs(f"r{number}", "ada leo - mia noe", 0) for number in range(3)]
    found, known = fit(log), prior("troccas")
    assert known.luck > found.luck > 0.9 * known.luck
    assert found.results == 3


def test_one_slip_of_the_pen_moves_little():
    log = random_pairs(random.Random(4), 12, 20, TRUE)[1]
    slip = [*log[:-1], replace(log[-1], sides=((log[-1].sides[0][0], 1_000_000), log[-1].sides[1]))]
    assert fit(slip).luck == pytest.approx(fit(log).luck, rel=0.1)


def test_the_order_of_the_log_does_not_matter():
    log = random_pairs(random.Random(6), 8, 8, TRUE)[1]
    mixed = random.Random(9).sample(log, len(log))
    assert fit(mixed) == fit(log)


def test_a_game_nobody_measured_gets_its_luck_from_its_own_results():
    log = [replace(each, ruleset="village-game") for each in random_pairs(random.Random(8), 12, 20, TRUE)[1]]
    assert fit(log).luck == pytest.approx(10, rel=0.15)
    assert prior("village-game") is None


def test_results_without_any_difference_still_give_a_model():
    log = [replace(pairs(f"r{number}", "a b - c d", 0), ruleset="village-game") for number in range(4)]
    assert fit(log).luck > 0


def test_where_each_plays_alone_luck_and_skill_are_found_from_the_scores():
    found = []
    for seed in range(4):
        chance = random.Random(seed)
        skill = {f"m{number:02}": chance.gauss(0, 3) for number in range(16)}
        log = []
        for night in range(120):
            here = chance.sample(sorted(skill), 5)
            scores = [round(8 * skill[who] + chance.gauss(0, 20) * 8**0.5) for who in here]
            text = ", ".join(f"{who} {score}" for who, score in zip(here, scores, strict=True))
            log.append(table(f"n{night:03}", text, 8, night))
        found.append(fit(log))
    assert {each.table for each in found} == {5}
    assert sum(each.luck for each in found) / 4 == pytest.approx(20, rel=0.1)
    assert sum(each.skill for each in found) / 4 == pytest.approx(3, rel=0.35)


def test_the_numbers_are_for_the_table_most_deals_were_played_at():
    log = [*(table(f"a{number}", "a 3, b 2, c 1", 8) for number in range(3)), table("z", "a 3, b 2, c 1, d 0", 30)]
    assert fit(log).table == 4


def test_every_ruleset_of_the_site_was_measured():
    assert set(PRIORS) == {rules.id for rules in RULESETS.values()}


def test_what_cannot_be_estimated_is_refused():
    with pytest.raises(DomainError, match="mixed-rulesets"):
        fit([pairs("r1", "a b - c d", 3), table("r2", "a 3, b 4")])
    with pytest.raises(DomainError, match="nothing-known"):
        fit([])
    assert fit([], model(10, 0.5)) == model(10, 0.5)


@pytest.mark.parametrize("wrong", [{"skill": 0.0}, {"deal": -1.0}, {"play": float("nan")}, {"memory": 0.0}])
def test_a_model_without_luck_or_skill_is_refused(wrong):
    with pytest.raises(DomainError) as refused:
        Model(**{"skill": 1.0, "deal": 8.0, "play": 6.0, **wrong})
    assert refused.value.field == next(iter(wrong))
