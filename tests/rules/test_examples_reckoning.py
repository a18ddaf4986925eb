"""Counting, paying and ranking say what the engine counts, pays and ranks."""

import pytest

from domain.engine import CODES, cards_in, ruleset
from domain.engine.rulesets import RULESETS
from rules.examples import BadExample, read
from rules.examples.answering import count, order, settle

SIDE = "CK CQ C4 C5 C6 C7 O3 O4 O5 O6 S1 S2 S3 S4 B1 B2 B3 B4 T21 T20 T2 T3 T4 T5 T6 T7 T8 F"


def counted(text: str, game: str = "troccas"):
    return count(read(f'kind = "count"\n{text}', ruleset=game, seats=None))


def settled(text: str, game: str = "troggu", seats: int = 4):
    return settle(read(f'kind = "settle"\n{text}', ruleset=game, seats=seats))


def test_four_cards_are_a_group_less_three():
    answer = counted('cards = "CK C2 C3 C4"')
    assert [group.points for group in answer.groups] == [5]
    assert (answer.points, answer.whole) == (5, False)


@pytest.mark.parametrize("game", [game for game, _version in RULESETS])
def test_the_groups_add_up_to_what_the_engine_counts(game):
    wanted = " ".join(code for code in SIDE.split() if code in {CODES[card] for card in cards_in(ruleset(game).pack)})
    answer = counted(f'cards = "{wanted}"', game)
    assert sum(group.points for group in answer.groups) == answer.points
    assert sum(sum(group.values) for group in answer.groups) == answer.values


@pytest.mark.parametrize(
    ("game", "whole"), [("troccas", 72), ("troccas-6", 72), ("troccas-oinkers", 130), ("troccas-online", 72)]
)
def test_both_sides_together_have_all_points(game, whole):
    answer = counted(f'cards = "{SIDE}"', game)
    assert answer.points + answer.others == whole


def test_the_two_cards_of_the_scart_count_one_less():
    answer = counted('cards = "CK C2 C3 C4 S1 S2"\ndealer_side = true')
    assert [group.less for group in answer.groups] == [3, 1]
    assert answer.score == answer.points - 36


def test_with_three_players_the_dealer_has_another_par():
    dealer = counted('cards = "CK C2 C3 C4 S1 S2"\nscart = "S1 S2 C2"\ndealer_side = true', "troccas-3-singles")
    assert (dealer.points, dealer.par) == (7, 43)
    assert counted('cards = "CK C2 C3"\ntricks = 1', "troccas-3-singles").par == 42


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('cards = "CK C2 C3"\ntricks = 1', "4 cards, here are 3"),
        ('cards = "CK C2 C3"\nscart = "C2 C3"', "dealer_side"),
        ('cards = "CK C2 C3"\nscart = "C2"\ndealer_side = true', "2 cards are laid away"),
    ],
)
def test_a_number_of_cards_that_cannot_be_is_refused(text, said):
    with pytest.raises(BadExample) as wrong:
        counted(text)
    assert said in wrong.value.message


def test_58_points_win_in_troggu():
    assert settled("points = [58, 56]").winner == "tappist"
    assert settled("points = [58, 56]").scores == (30, -10, -10, -10)


def test_half_of_the_points_win_nothing():
    answer = settled("points = [57, 57]")
    assert (answer.winner, answer.scores) == ("nobody", (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("text", "each", "why"),
    [
        ("points = [84, 30]", 20, ("few-points",)),
        ("points = [83, 31]", 10, ()),
        ("points = [84, 30]\nno_trick = true", 30, ("no-trick",)),
        ('points = [84, 30]\ncontract = "solo"', 40, ("few-points", "solo")),
        ("points = [84, 30]\ndouble_at = 29", 10, ()),
        ("points = [30, 84]\nstake = 50", 100, ("few-points",)),
    ],
)
def test_the_stake_is_doubled_and_trebled(text, each, why):
    answer = settled(text)
    assert (answer.each, answer.multipliers) == (each, why)


def test_a_partner_shares_with_two_stakes():
    answer = settled("points = [79, 35]\ntappist = 1\npartner = 4", seats=7)
    assert answer.scores == (30, -10, -10, 20, -10, -10, -10)


def test_in_a_misere_most_points_pay_and_in_st_niklaus_fewest_get():
    assert settled('points = [21, 8, 30, 12]\ncontract = "misere"').scores == (10, 10, -30, 10)
    assert settled('points = [21, 8, 30, 12]\ncontract = "misere"', "troggu-st-niklaus").scores == (-5, 15, -5, -5)


def test_what_is_paid_is_got():
    for text in ("points = [84, 30]", "points = [20, 94]", 'points = [21, 8, 30, 30]\ncontract = "misere"'):
        assert sum(settled(text).scores) == 0


def test_round_suits_run_from_the_ace_down_to_the_ten():
    ranked = order(read('kind = "order"\ncards = "C10 C1 CJ C2 CK"', ruleset="troccas", seats=None))
    assert [card.code for card in ranked] == ["CK", "CJ", "C1", "C2", "C10"]
    assert [card.value for card in ranked] == [5, 2, 1, 1, 1]


def test_the_fool_stands_apart_but_in_troggu():
    apart = order(read('kind = "order"\ncards = "F T1 T21"', ruleset="troccas", seats=None))
    assert [(card.code, card.apart) for card in apart] == [("T21", False), ("T1", False), ("F", True)]
    high = order(read('kind = "order"\ncards = "F T1 T21"', ruleset="troggu", seats=4))
    assert [card.code for card in high] == ["F", "T21", "T1"]
