"""Counting, the score, the game of several hands, and the draw for partners (docs/rules.md, `troccas`, 1, 10 and 11)."""

from __future__ import annotations

import random
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine import CODES, Hand, Match, OptionError, UnknownRuleset, draw_partners, parse_action, ruleset
from domain.engine.cards import FULL_PACK, values
from tests.domain.engine.kit import (
    DEFAULTS,
    TROCCAS,
    cards,
    dealt_to,
    do,
    full_pack,
    pack_for,
    position,
    random_action,
    random_pack,
    walk,
)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("F", 5),
        ("T21", 5),
        ("T1", 5),
        ("BK", 5),
        ("CQ", 4),
        ("ON", 3),
        ("SJ", 2),
        ("S10", 1),
        ("C1", 1),
        ("T20", 1),
        ("T2", 1),
    ],
)
def test_the_value_of_a_card(code: str, value: int) -> None:
    assert values(1 << CODES.index(code)) == value


def test_all_cards_together_are_worth_130_and_count_72() -> None:
    assert values(FULL_PACK) == 130


def test_a_side_with_every_trick_takes_the_scart_too() -> None:
    hand = position("T21 T19", "C1 C2", "T20 T18", "C3 C4", dealer=3, scart="O2 O3")
    do(hand, "play T21", "play C1", "play T20", "play C3", "play T19", "play C2", "play T18", "play C4")
    assert hand.side_cards[0].bit_count() == 10
    assert hand.side_cards[1] == 0


def test_else_the_scart_counts_for_the_dealers_side() -> None:
    hand = position("T21 C5", "C1 C2", "T20 C6", "C3 T1", dealer=3, scart="O2 O3")
    do(hand, "play T21", "play C1", "play T20", "play T1", "play C5", "play C2", "play C6", "play C3")
    assert [held.bit_count() for held in hand.side_cards] == [4, 6]


def test_groups_of_four_count_three_less_and_the_two_cards_left_one_less() -> None:
    hand = position("T21 C5", "C1 C2", "T20 C6", "C3 T1", dealer=3, scart="O2 O3")
    do(hand, "play T21", "play C1", "play T20", "play T1", "play C5", "play C2", "play C6", "play C3")
    assert hand.result is not None
    assert hand.result.winners == (0, 1)
    assert hand.result.points == (5 + 1 + 1 + 5 - 3, 4 - 3 + 2 - 1)
    assert hand.result.scores == (9 - 36, 2 - 36, 9 - 36, 2 - 36)
    assert hand.result.parties == ((0, 2), (1, 3))


def test_a_side_without_a_trick_has_nothing_at_all() -> None:
    """Seats 0 and 2 hold every trump and seat 0 leads the highest ones; the other side has the Fool, and loses even that."""
    strong = "T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11"
    dealt = dealt_to(1, f"{strong} CK OK SK BK CQ OQ SQ BQ", "F", "T1 T2 T3 T4 T5 T6 T7 T8 T9 T10", "", seed=4)
    hand = do(Hand(TROCCAS, 1, pack_for(dealt, 1), options={**DEFAULTS, "throw_in": False}), "cut 1")
    do(hand, "scart " + " ".join(plain_of(hand, 1)[:2]))
    hand.leader = hand.turn = 0
    while not hand.over:
        if hand.asked == "call":
            do(hand, "quiet")
        else:  # the highest card comes last
            plays = list(hand.legal)
            hand.push(plays[-1] if hand.turn == 0 else plays[0])
    assert hand.result is not None
    assert hand.result.points == (72, 0)
    assert hand.result.scores == (36, -36, 36, -36)
    assert {seat % 2 for seat in hand.result.winners} == {0}


def plain_of(hand: Hand, seat: int) -> list[str]:
    """The low cards a seat holds."""
    return [CODES[card] for card in range(56) if hand.hands[seat] >> card & 1 and CODES[card][1:].isdigit()]


# The game


def play_hand(match: Match, rng: random.Random, *, throw_in: bool = False) -> None:
    hand = match.deal(random_pack(rng, match.dealer))
    while not hand.over:
        if hand.asked in ("talk", "free", "decide"):
            words = {"talk": "allow", "free": "liber", "decide": "throw-in"}
            match.push(parse_action(words[hand.asked] if throw_in else "veto"))
        elif hand.asked == "deal":
            match.push(parse_action("deal 3"))
        else:
            match.push(random_action(hand, rng))
            if hand.result is not None and hand.result.status == "thrown-in":
                raise AssertionError("a hand meant to be played was thrown in")


def test_a_game_is_as_many_hands_as_agreed_and_the_deal_goes_round() -> None:
    rng = random.Random(1)
    match = Match(TROCCAS, {"hands": 5}, dealer=2)
    dealers = []
    while not match.over:
        dealers.append(match.dealer)
        play_hand(match, rng)
    assert dealers == [2, 3, 0, 1, 2]
    with pytest.raises(ValueError, match="over"):
        match.deal(full_pack())


def test_a_hand_thrown_in_is_dealt_again_by_the_same_dealer_and_is_none_of_the_game() -> None:
    rng = random.Random(1)
    match = Match(TROCCAS, {"hands": 1}, dealer=3)
    play_hand(match, rng, throw_in=True)
    play_hand(match, rng, throw_in=True)
    assert (match.dealer, match.hands_played, match.over, match.totals) == (3, 0, False, [0] * 4)
    play_hand(match, rng)
    assert (match.dealer, match.hands_played, match.over) == (0, 1, True)
    assert [result.status for result in match.results] == ["thrown-in", "thrown-in", "played"]


@pytest.mark.parametrize(
    ("totals", "winners"), [([5, -5, 5, -5], (0, 2)), ([-5, 5, -5, 5], (1, 3)), ([0, 0, 0, 0], ())]
)
def test_the_side_with_the_positive_total_wins_and_0_is_a_draw(totals: list[int], winners: tuple[int, ...]) -> None:
    match = Match(TROCCAS, {"hands": 1})
    assert match.winners == ()
    play_hand(match, random.Random(2))
    match.totals = totals
    assert match.winners == winners


def test_nobody_has_won_before_the_end() -> None:
    match = Match(TROCCAS, {"hands": 2})
    play_hand(match, random.Random(2))
    assert match.totals[0] != 0
    assert match.winners == ()


def test_only_one_hand_is_open_at_a_time() -> None:
    match = Match(TROCCAS)
    with pytest.raises(ValueError, match="no hand"):
        match.push(parse_action("cut 1"))
    match.deal(full_pack())
    with pytest.raises(ValueError, match="not finished"):
        match.deal(full_pack())


def test_the_running_score_of_a_hand_is_the_total_before_it() -> None:
    rng = random.Random(8)
    match = Match(TROCCAS)
    for _ in walk(rng, match):
        assert match.hand is not None
        if not match.hand.over:
            assert list(match.hand.running) == match.totals


@pytest.mark.parametrize("dealer", [-1, 4])
def test_the_first_dealer_is_one_of_the_players(dealer: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        Match(TROCCAS, dealer=dealer)


# Options and rulesets


def test_options_have_defaults() -> None:
    assert DEFAULTS == {"hands": 4, "talk": "phrases", "throw_in": True, "demands": True, "knock": False}


def test_on_and_off_stand_for_a_switch() -> None:
    settled = TROCCAS.settled_options({"knock": "on", "demands": "off", "throw_in": False})
    assert (settled["knock"], settled["demands"], settled["throw_in"]) == (True, False, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [("knock", 1), ("knock", "yes"), ("hands", 0), ("hands", 17), ("hands", True), ("hands", "4"), ("hands", 4.0),
     ("talk", "loud"), ("talk", None), ("stake", 10)],
)  # fmt: skip
def test_an_option_that_does_not_exist_or_fit_is_an_error(name: str, value: object) -> None:
    with pytest.raises(OptionError) as wrong:
        Match(TROCCAS, {name: value})
    assert wrong.value.name == name
    assert name in str(wrong.value)


def test_rulesets_are_found_by_id_and_version() -> None:
    assert ruleset("troccas") is ruleset("troccas", 1)
    with pytest.raises(UnknownRuleset, match="no such ruleset: tarock"):
        ruleset("tarock")
    with pytest.raises(UnknownRuleset, match="no version 99"):
        ruleset("troccas", 99)


# The draw for partners


def test_the_two_lowest_trumps_are_partners_and_the_lowest_deals_first() -> None:
    draw = draw_partners(cards("C1 T5 T9 T2 T21"))
    assert draw.middle == cards("C1")[0]
    assert draw.drawn == tuple(enumerate(cards("T5 T9 T2 T21")))
    assert draw.seats == (2, 3, 0, 1)  # lowest, highest, second, third


def test_whoever_has_a_trump_is_skipped_until_everyone_has_one() -> None:
    draw = draw_partners(cards("T1 C1 T9 C2 T20 C3 C4 T3 T2"))
    assert [(person, CODES[card]) for person, card in draw.drawn] == [
        (0, "C1"), (1, "T9"), (2, "C2"), (3, "T20"), (0, "C3"), (2, "C4"), (0, "T3"), (2, "T2"),
    ]  # fmt: skip
    assert draw.seats == (2, 3, 0, 1)


def test_the_fool_is_no_trump_in_the_draw() -> None:
    draw = draw_partners(cards("C1 F T9 T2 T21 T3"))
    assert [(person, CODES[card]) for person, card in draw.drawn][-1] == (0, "T3")


@given(st.permutations(full_pack()))
def test_a_draw_always_ends_and_seats_everyone(pack: list[int]) -> None:
    draw = draw_partners(pack)
    assert sorted(draw.seats) == [0, 1, 2, 3]
    last = {person: card for person, card in draw.drawn if card in range(56, 77)}
    lowest, highest, second, third = (last[person] for person in draw.seats)
    assert lowest < second < third < highest
    assert list(chain([draw.middle], (card for _, card in draw.drawn))) == pack[: 1 + len(draw.drawn)]
