"""Prizes and the till: every Rappen is somewhere."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from domain.errors import DomainError
from domain.standings.prizes import Contender, Prize, PrizeRules, award, fund

MONEY = (Prize("1", "all", 10000), Prize("2", "all", 6000), Prize("3", "all", 3000))


def listed(*who: str) -> tuple[Contender, ...]:
    """``ada 1 12`` is rank and score."""
    return tuple(Contender(name, int(rank), int(score)) for name, rank, score in map(str.split, who))


def amounts(found) -> dict[str, int]:
    return {each.id: each.amount for each in found.given}


ALL = listed("ada 1 12", "leo 2 10", "mia 3 10", "noe 4 10", "pia 5 4")


def test_by_rank_the_first_prize_goes_to_the_first():
    assert amounts(award(MONEY, {"all": ALL}, PrizeRules())) == {"ada": 10000, "leo": 6000, "mia": 3000}


def test_who_shares_a_rank_shares_the_prizes():
    tied = listed("ada 1 12", "leo 1 12", "mia 3 10")
    found = award(MONEY, {"all": tied}, PrizeRules())
    assert amounts(found) == {"ada": 8000, "leo": 8000, "mia": 3000}
    assert found.given[0].shared_with == ("leo",)


def test_equal_shares_all_tied_on_the_score_and_what_does_not_go_round_goes_to_the_first():
    found = award((Prize("1", "all", 10000), Prize("2", "all", 1000)), {"all": ALL}, PrizeRules(ties="equal"))
    assert amounts(found) == {"ada": 10000, "leo": 335, "mia": 335, "noe": 330}
    kept = award(
        (Prize("1", "all", 10000), Prize("2", "all", 1000)), {"all": ALL}, PrizeRules(ties="equal", rest="till")
    )
    assert (amounts(kept), kept.kept) == ({"ada": 10000, "leo": 330, "mia": 330, "noe": 330}, 10)


def test_hort_gives_half_by_rank_and_shares_the_other_half():
    # leo 60, mia 30, noe nothing; halves 30, 15, 0; the other 45 shared by three.
    assert amounts(award(MONEY, {"all": ALL}, PrizeRules(ties="hort"))) == {
        "ada": 10000, "leo": 4500, "mia": 3000, "noe": 1500
    }  # fmt: skip


def test_one_prize_for_each_and_the_dearest_they_can_have():
    prizes = (*MONEY, Prize("junior", "juniors", 5000), Prize("junior-2", "juniors", 500))
    lists = {"all": ALL, "juniors": listed("leo 1 10", "mia 2 10", "pia 3 4")}
    once = award(prizes, lists, PrizeRules())
    # leo's 60 are dearer than the juniors' 50; these go to mia, the third prize to noe.
    assert amounts(once) == {"ada": 10000, "leo": 6000, "noe": 3000, "mia": 5000, "pia": 500}
    several = award(prizes, lists, PrizeRules(one_each=False))
    assert [(each.category, each.id, each.amount) for each in several.given][3:] == [
        ("juniors", "leo", 5000), ("juniors", "mia", 500)
    ]  # fmt: skip


def test_a_pair_uses_up_the_prize_of_both():
    prizes = (Prize("1", "all", 1000), Prize("pair", "pairs", 5000))
    lists = {
        "all": ALL,
        "pairs": (Contender("ada+leo", 1, 22, ("ada", "leo")), Contender("mia+noe", 2, 20, ("mia", "noe"))),
    }
    assert amounts(award(prizes, lists, PrizeRules())) == {"ada+leo": 5000, "mia": 1000}


def test_things_are_not_divided_and_go_in_the_order_named():
    prizes = (
        Prize("1", "all", 0, "A ham", worth=4000),
        Prize("2", "all", 5000),
        Prize("lamp", "all", 0, "Red lamp", last=True),
    )
    found = award(prizes, {"all": ALL}, PrizeRules())
    assert [(each.id, each.codes, each.amount, each.things) for each in found.given] == [
        ("ada", ("1",), 0, ("A ham",)), ("leo", ("2",), 5000, ()), ("pia", ("lamp",), 0, ("Red lamp",))
    ]  # fmt: skip


def test_prizes_nobody_can_have_stay_in_the_till():
    found = award(MONEY, {"all": ALL[:2]}, PrizeRules())
    assert (found.kept, found.nobody) == (3000, ("3",))


@given(some.integers(0, 10**9))
def test_what_is_given_and_kept_is_what_there_was(seed):
    chance = random.Random(seed)
    scores = sorted((chance.randrange(5) for _ in range(chance.randrange(1, 12))), reverse=True)
    people = [
        Contender(f"p{place}", 1 + (scores.index(score) if chance.random() < 0.3 else place), score)
        for place, score in enumerate(scores)
    ]
    lists = {"all": people, "few": chance.sample(people, chance.randrange(0, len(people) + 1))}
    prizes = [
        Prize(f"z{place}", chance.choice(("all", "few")), chance.randrange(1, 9999), last=chance.random() < 0.2)
        for place in range(chance.randrange(1, 9))
    ]
    rules = PrizeRules(
        chance.random() < 0.5,
        chance.choice(("by-rank", "equal", "hort")),
        chance.choice((1, 5, 100)),
        chance.choice(("first", "till")),
    )
    found = award(prizes, lists, rules)
    assert sum(each.amount for each in found.given) + found.kept == sum(prize.amount for prize in prizes)
    assert all(each.amount >= 0 for each in found.given)
    codes = [code for each in found.given for code in each.codes]
    assert sorted((*codes, *found.nobody)) == sorted(prize.code for prize in prizes)
    if rules.one_each:
        winners = [each.id for each in found.given if each.codes]
        assert len(set(winners)) == len(winners)
        assert len(codes) == len(winners)


def test_fees_become_prizes_by_weight_in_coins():
    assert fund(48000, (5, 3, 2)) == ((24000, 14400, 9600), 0)
    assert fund(10003, (1, 1, 1)) == ((3335, 3335, 3330), 3)
    assert fund(100, (2, 1), unit=50) == ((50, 50), 0)


@given(
    some.integers(0, 10**6), some.lists(some.integers(1, 50), min_size=1, max_size=9), some.sampled_from((1, 5, 100))
)
def test_a_fund_is_given_out_whole(amount, weights, unit):
    shares, left = fund(amount, weights, unit)
    assert sum(shares) + left == amount
    assert 0 <= left < unit
    assert all(
        abs(share * sum(weights) - (amount - left) * weight) < unit * sum(weights)
        for share, weight in zip(shares, weights, strict=True)
    )


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: award((MONEY[0], MONEY[0]), {"all": ALL}, PrizeRules()), "twice"),
        (lambda: award(MONEY, {}, PrizeRules()), "unknown-category"),
        (lambda: award((Prize("1", "all", -1),), {"all": ALL}, PrizeRules()), "negative"),
        (lambda: award((Prize("1", "all"),), {"all": ALL}, PrizeRules()), "empty"),
        (lambda: award(MONEY, {"all": listed("ada 0 3")}, PrizeRules()), "not-ranked"),
        (lambda: PrizeRules(ties="cards"), "not-a-choice"),
        (lambda: PrizeRules(rest="me"), "not-a-choice"),
        (lambda: PrizeRules(unit=0), "out-of-range"),
        (lambda: fund(-1, (1,)), "negative"),
        (lambda: fund(1, ()), "out-of-range"),
        (lambda: fund(1, (1,), 0), "out-of-range"),
    ],
)
def test_what_makes_no_sense_is_refused(make, code):
    with pytest.raises(DomainError) as refused:
        make()
    assert refused.value.code == code
