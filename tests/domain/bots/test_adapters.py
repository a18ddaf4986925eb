"""The games through the interfaces of PettingZoo and OpenSpiel, and what both are made of."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.steps import MOST_WORDS, NUMBERS, WORDS, Steps, features, size_of_features
from domain.engine import cards_in, parse_action
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import ruleset
from tests.domain.engine.tables import at_each_table


def dealt(rules: Ruleset, seed: int) -> tuple[Steps, Random]:
    luck = Random(f"{rules.id} {rules.seats} {seed}")
    pack = list(cards_in(rules.pack))
    luck.shuffle(pack)
    return Steps(rules, seed % rules.seats, pack), luck


@at_each_table
@pytest.mark.slow(but="troccas-oinkers-at-4")
def test_hands_are_played_by_numbers_to_their_scores(rules: Ruleset) -> None:
    for seed in range(6):
        steps, luck = dealt(rules, seed)
        while not steps.over:
            numbers = steps.numbers
            assert numbers
            assert numbers[0] >= 0
            assert numbers[-1] < NUMBERS
            number = luck.choice(numbers)
            told = steps.text(number)
            before = [steps.seen(seat) for seat in range(rules.seats)]
            asked, turn, length = steps.hand.asked, steps.turn, len(steps.hand.history)
            assert len(features(steps, turn)) == size_of_features(rules)
            steps.push(number)
            if len(steps.hand.history) == length:  # one of several cards to lay away: nobody else sees which
                assert told.split()[0] == asked
                for seat in range(rules.seats):
                    assert (steps.seen(seat) == before[seat]) == (seat != turn)
            elif len(told.split()[1:]) == len(steps.hand.history[length][1].cards):
                assert steps.hand.history[length] == (turn, parse_action(told))
        assert steps.hand.result is not None
        assert steps.scores == (steps.hand.result.scores or (0,) * rules.seats)


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    steps, _ = dealt(ruleset("troccas"), 1)
    before = steps.seen(0), steps.numbers
    with pytest.raises(ValueError, match="not legal"):
        steps.push(WORDS + MOST_WORDS - 1)
    assert (steps.seen(0), steps.numbers) == before


def test_a_copy_goes_its_own_way() -> None:
    steps, luck = dealt(ruleset("troggu", seats=5), 2)
    twin = steps.copy()
    before = twin.seen(0)
    while not steps.over:
        steps.push(luck.choice(steps.numbers))
    assert not twin.over
    assert twin.seen(0) == before


@pytest.mark.parametrize(("name", "seats"), [("troccas", 4), ("troccas-5", 5), ("troggu", 5), ("troggu", 8)])
def test_pettingzoo_finds_nothing_wrong(name: str, seats: int) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test  # only where it is installed

    from benchmarks.pettingzoo_env import env

    api_test(env(name, seats=seats), num_cycles=200, verbose_progress=False)
    seed_test(lambda: env(name, seats=seats), num_cycles=60)


@pytest.mark.parametrize(("name", "seats"), [("troccas", 4), ("troccas-5", 5), ("troggu", 5), ("troggu", 8)])
def test_openspiel_finds_nothing_wrong(name: str, seats: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import benchmarks.openspiel_game  # noqa: F401  # registers the game

    game = pyspiel.load_game("python_troccas", {"ruleset": name, "seats": seats})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
