"""The door: a log becomes ratings."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from domain.errors import DomainError
from domain.rating.rate import rate
from tests.domain.rating.kit import TROCCAS, TROGGU, pairs, random_pairs, table

MODELS = {"troccas": TROCCAS, "troggu": TROGGU}
SKILL, LOG = random_pairs(random.Random(11), 12, 10, TROCCAS)
BOARDS = random_pairs(random.Random(12), 12, 2, TROCCAS, duplicate=True)[1]
TABLES = [
    table(f"t{number}", f"m01 {number % 7}, m02 3, m0{number % 6 + 3} {-number}", 8, number) for number in range(20)
]


@settings(max_examples=20)
@given(some.randoms(use_true_random=False))
def test_the_order_in_which_results_are_given_does_not_matter(chance):
    everything = [*LOG, *TABLES]
    mixed = list(everything)
    chance.shuffle(mixed)
    assert rate(mixed, MODELS) == rate(everything, MODELS)


def test_the_order_of_results_with_boards_does_not_matter_either():
    assert rate(reversed(BOARDS), MODELS) == rate(BOARDS, MODELS)


def test_ratings_are_the_same_without_a_model_given_whatever_the_order():
    assert rate(reversed(LOG)) == rate(LOG)


def test_a_corrected_result_corrects_what_was_learnt_from_all_later_ones():
    (first, points), (second, less) = LOG[0].sides
    wrong = replace(LOG[0], sides=((first, less), (second, points)))
    before, after = (rate([one, *LOG[1:]], MODELS)["troccas"].players for one in (wrong, LOG[0]))
    assert after == rate(LOG, MODELS)["troccas"].players
    changed = {who for who in after if after[who] != before[who]}
    assert set(LOG[0].players) < changed  # others too, who met them later


def test_a_result_that_is_taken_out_leaves_nothing():
    assert rate([*LOG, pairs("zz", "m00 m01 - m02 m03", 99, day=999)][:-1], MODELS) == rate(LOG, MODELS)
    with_a_guest = rate([*LOG, pairs("zz", "m00 guest - m02 m03", 99, day=999)], MODELS)["troccas"]
    assert "guest" in with_a_guest.players
    assert "guest" not in rate(LOG, MODELS)["troccas"].players


def test_a_corrected_table_corrects_the_others_with_the_same_cards():
    first = BOARDS[0]
    same = [each for each in BOARDS if each.board == first.board and each.id != first.id]
    wrong = replace(first, sides=((first.sides[0][0], first.sides[0][1] + 40), first.sides[1]))
    before, after = (rate([one, *same], MODELS)["troccas"].players for one in (wrong, first))
    assert before[same[0].players[0]].mean < after[same[0].players[0]].mean


def test_below_forty_deals_a_rating_is_provisional():
    four = [pairs(f"r{number}", "ada leo - mia noe", 3) for number in range(5)]
    assert all(each.provisional for each in rate(four[:4], MODELS)["troccas"].players.values())
    assert not any(each.provisional for each in rate(four, MODELS)["troccas"].players.values())
    tables = [table(f"r{number}", "ada 3, leo 2, mia 1", 13) for number in range(4)]
    assert all(each.provisional for each in rate(tables[:3], MODELS)["troggu"].players.values())
    assert not any(each.provisional for each in rate(tables, MODELS)["troggu"].players.values())


def test_the_list_goes_by_the_cautious_value_and_provisional_ratings_come_last():
    log = [*LOG, pairs("zz", "ada leo - m02 m03", 400, 8, 999)]
    found = rate(log, MODELS)["troccas"].ranked()
    settled = [each for each in found if not each.provisional]
    assert [each.player for each in found[len(settled) :]] == ["ada", "leo"]
    assert [each.cautious for each in settled] == sorted((each.cautious for each in settled), reverse=True)
    assert settled[0].cautious == settled[0].mean - 2 * settled[0].variance ** 0.5


def test_rulesets_are_rated_apart():
    other = [replace(each, id=f"o{each.id}", ruleset="troccas-online") for each in LOG[:9]]
    found = rate([*LOG, *other], {**MODELS, "troccas-online": TROCCAS})
    assert found["troccas"] == rate(LOG, MODELS)["troccas"]


def test_no_results_give_no_ratings():
    assert rate([]) == {}


def test_the_better_side_is_likelier_to_win_and_more_so_over_more_deals():
    pool = rate(LOG, MODELS)["troccas"]
    best, second, *_, worse, worst = sorted(pool.players, key=lambda who: -pool.players[who].mean)
    few, many = (pool.chances(((best, second), (worse, worst)), deals) for deals in (8, 80))
    assert 0.5 < few[0] < many[0] < 1
    assert sum(few) == pytest.approx(1)
    assert pool.chances(((worse, worst), (best, second)), 8)[0] == pytest.approx(few[1])
    assert pool.chances((("new", "comer"), ("no", "body")), 8) == pytest.approx((0.5, 0.5))


def test_with_the_same_deals_elsewhere_the_better_side_is_likelier_to_gain():
    pool = rate(LOG, MODELS)["troccas"]
    best, second, *_, worse, worst = sorted(pool.players, key=lambda who: -pool.players[who].mean)
    sides = ((best, second), (worse, worst))
    assert pool.chances(sides, 8, tables=9)[0] > pool.chances(sides, 8, tables=1)[0] > pool.chances(sides, 8)[0]


def test_at_a_table_of_five_the_chances_add_up_and_follow_the_ratings():
    pool = rate(TABLES, MODELS)["troggu"]
    five = sorted(pool.players, key=lambda who: -pool.players[who].mean)[:5]
    chances = pool.chances([(who,) for who in five], 8)
    assert sum(chances) == pytest.approx(1)
    assert list(chances) == sorted(chances, reverse=True)
    assert chances[0] > 0.2


@pytest.mark.parametrize(
    ("sides", "deals", "tables", "code"),
    [
        ((("a", "b"),), 8, 0, "bad-count"),
        ((("a",), ("b",), ("c",)), 8, 0, "bad-count"),
        ((("a",), ("b",)), 0, 0, "no-deals"),
        ((("a",), ("b",)), 8, -1, "negative"),
    ],
)
def test_questions_that_make_no_sense_are_refused(sides, deals, tables, code):
    with pytest.raises(DomainError, match=code):
        rate(LOG, MODELS)["troccas"].chances(sides, deals, tables)


def test_a_computer_player_is_a_player_like_others():
    found = rate([pairs("r1", "ada leo - bot:level-1 mia", 3)], MODELS)["troccas"]
    assert "bot:level-1" in found.players
