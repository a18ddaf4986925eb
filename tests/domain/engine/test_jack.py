"""Calling the jack, and king and jack together (docs/rules.md, `troccas`, 8 and 9)."""

from __future__ import annotations

import pytest

from domain.engine import CODES, Hand, cards_in
from tests.domain.engine.kit import do, listed, position, why


def holds(hand: Hand, seat: int) -> list[str]:
    return [CODES[card] for card in cards_in(hand.hands[seat])]


def last_trick(hand: Hand) -> list[str]:
    return [CODES[card] for card in hand.tricks[-1].cards]


def kinds(hand: Hand) -> list[str]:
    return [happening.kind for happening in hand.happenings]


def asked(hand: Hand) -> tuple[int, str]:
    return hand.turn, hand.asked


# The call


def test_the_called_jack_goes_into_the_trick_and_the_card_played_back_to_hand() -> None:
    hand = do(position("CK S1", "C2 CJ", "C3 S3", "C4 S4"), "play CK", "play C2", "play C3", "play C4")
    assert asked(hand) == (0, "call")
    assert listed(hand) == ["buob", "buob-sche", "quiet"]
    do(hand, "buob")
    assert last_trick(hand) == ["CK", "CJ", "C3", "C4"]
    assert holds(hand, 1) == ["C2"]
    assert asked(hand) == (0, "play")


def test_quiet_leaves_everything_as_it_lies() -> None:
    hand = do(position("CK S1", "C2 CJ", "C3 S3", "C4 S4"), "play CK", "play C2", "play C3", "play C4", "quiet")
    assert last_trick(hand) == ["CK", "C2", "C3", "C4"]
    assert kinds(hand) == []


def test_the_winner_of_the_trick_may_call_the_jack_even_if_a_trump_won_it() -> None:
    hand = do(position("C2 S1", "CK S2", "C3 CJ", "T1 S4"), "play C2", "play CK", "play C3", "play T1")
    assert asked(hand) == (3, "call")
    do(hand, "buob")
    assert last_trick(hand) == ["C2", "CK", "CJ", "T1"]
    assert hand.tricks[-1].winner == hand.turn == 3


def test_no_call_without_the_king_in_the_trick() -> None:
    hand = do(position("CQ S1", "C2 CJ", "C3 S3", "C4 S4"), "play CQ", "play C2", "play C3", "play C4")
    assert asked(hand) == (0, "play")


def test_no_call_when_the_jack_lies_in_the_trick() -> None:
    hand = do(position("CK S1", "CJ C2", "C3 S3", "C4 S4"), "play CK", "play CJ", "play C3", "play C4")
    assert asked(hand) == (0, "play")


def test_no_call_when_the_suit_was_led_before() -> None:
    hand = position("C1 CK S1", "C2 CJ S2", "C3 C7 S3", "C4 C8 S4")
    do(hand, "play C1", "play C2", "play C3", "play C4")
    do(hand, "play CK", "play CJ", "play C7", "play C8")
    assert asked(hand) == (0, "play")


def test_no_call_when_the_jack_was_thrown_to_an_earlier_trick() -> None:
    hand = position("S1 CK C2", "S2 C3 C6", "CJ C4 C7", "S10 C5 C8")
    do(hand, "play S1", "play S2", "play CJ", "play S10")
    do(hand, "play C5", "play CK", "play C3", "play C4")
    assert asked(hand) == (0, "play")


def test_a_suit_that_followed_a_led_fool_counts_as_led() -> None:
    hand = position("F CK S1", "C2 CJ S2", "C3 C7 S3", "C4 C8 S4")
    do(hand, "play F", "play C2", "play C3", "play C4")
    assert asked(hand) == (1, "play")
    do(hand, "play CJ", "play C7", "play C8", "play CK")
    assert asked(hand) == (0, "play")


def test_the_call_is_open_too_when_the_suit_was_set_after_a_led_fool() -> None:
    hand = position("F S1", "C2 CJ", "CK S3", "C4 S4")
    do(hand, "play F", "play C2", "play CK", "play C4")
    assert asked(hand) == (2, "call")


def test_the_call_is_offered_with_the_jack_in_the_scart_and_finds_nothing() -> None:
    hand = position("CK S1", "C2 S2", "C3 S3", "C4 S4", scart="CJ O2")
    do(hand, "play CK", "play C2", "play C3", "play C4")
    assert asked(hand) == (0, "call")
    do(hand, "buob")
    assert kinds(hand) == ["no-jack"]
    assert last_trick(hand) == ["CK", "C2", "C3", "C4"]


def test_the_call_has_no_effect_if_the_jack_is_with_the_player_of_the_king() -> None:
    hand = do(position("CK CJ", "C2 S2", "C3 S3", "C4 S4"), "play CK", "play C2", "play C3", "play C4", "buob")
    assert kinds(hand) == ["no-jack"]
    assert holds(hand, 0) == ["CJ"]


@pytest.mark.parametrize("card", ["CQ", "CN"])
def test_buob_sche_leaves_queen_and_cavalier_in_the_trick(card: str) -> None:
    hand = position("CK S1", f"{card} CJ", "C3 S3", "C4 S4")
    do(hand, "play CK", f"play {card}", "play C3", "play C4", "buob-sche")
    assert kinds(hand) == ["jack-kept"]
    assert last_trick(hand) == ["CK", card, "C3", "C4"]
    assert holds(hand, 1) == ["CJ"]


@pytest.mark.parametrize("card", ["CQ", "CN"])
def test_buob_exchanges_queen_and_cavalier_too(card: str) -> None:
    hand = position("CK S1", f"{card} CJ", "C3 S3", "C4 S4")
    do(hand, "play CK", f"play {card}", "play C3", "play C4", "buob")
    assert last_trick(hand) == ["CK", "CJ", "C3", "C4"]
    assert holds(hand, 1) == [card]


def test_buob_sche_exchanges_a_numeral() -> None:
    hand = position("CK S1", "C1 CJ", "C3 S3", "C4 S4")
    do(hand, "play CK", "play C1", "play C3", "play C4", "buob-sche")
    assert last_trick(hand) == ["CK", "CJ", "C3", "C4"]


def test_the_winner_of_the_trick_never_changes() -> None:
    hand = position("C2 S1", "CK S2", "CQ CJ", "T21 S4")
    do(hand, "play C2", "play CK", "play CQ", "play T21", "buob")
    assert hand.tricks[-1].winner == 3


# The Fool and the call


def test_the_holder_who_played_the_fool_chooses() -> None:
    hand = do(position("CK S1", "F CJ", "C3 S3", "C4 S4"), "play CK", "play F", "play C3", "play C4", "buob")
    assert asked(hand) == (1, "fool")
    assert listed(hand) == ["give", "keep"]
    given = do(hand.copy(), "give")
    assert last_trick(given) == ["CK", "CJ", "C3", "C4"]
    assert holds(given, 1) == ["F"]
    kept = do(hand, "keep")
    assert last_trick(kept) == ["CK", "F", "C3", "C4"]
    assert holds(kept, 1) == ["CJ"]
    assert kinds(kept)[0] == "no-jack"


@pytest.mark.parametrize("call", ["buob", "buob-sche"])
def test_the_fools_player_is_asked_without_the_jack_and_can_only_keep(call: str) -> None:
    hand = position("CK S1", "F S2", "C3 S3", "C4 S4", scart="CJ O2")
    do(hand, "play CK", "play F", "play C3", "play C4", call)
    assert asked(hand) == (1, "fool")
    assert listed(hand) == ["keep"]
    assert why(hand, "give") == "without the jack the Fool stays where it is"


def test_the_fools_player_is_asked_when_the_kings_player_has_the_jack() -> None:
    hand = do(position("CK CJ", "F S2", "C3 S3", "C4 S4"), "play CK", "play F", "play C3", "play C4", "buob")
    assert asked(hand) == (1, "fool")
    assert listed(hand) == ["keep"]


def test_the_fools_player_is_not_asked_when_the_jack_appears() -> None:
    hand = do(position("CK S1", "F S2", "C3 CJ", "C4 S4"), "play CK", "play F", "play C3", "play C4", "buob")
    assert asked(hand) == (0, "play")


def test_the_fools_player_is_not_asked_after_the_holder_has_spoken_up() -> None:
    hand = do(position("CK S1", "F S2", "CQ CJ", "C4 S4"), "play CK", "play F", "play CQ", "play C4", "buob-sche")
    assert asked(hand) == (0, "play")
    assert kinds(hand)[0] == "jack-kept"


# King and jack together


def test_king_and_jack_may_be_led_together() -> None:
    hand = position("CK CJ S1", "C2 S2", "CQ S3", "C4 S4")
    assert "play CK CJ" in listed(hand)
    do(hand, "play CK CJ", "play C2", "play CQ", "play C4")
    assert asked(hand) == (0, "take")
    assert listed(hand) == ["take C2", "take C4"]
    do(hand, "take C4")
    assert sorted(last_trick(hand)) == ["C2", "CJ", "CK", "CQ"]
    assert holds(hand, 0) == ["C4", "S1"]
    assert asked(hand) == (0, "play")


def test_only_a_numeral_of_the_suit_that_another_played_comes_back() -> None:
    hand = position("CK CJ S1", "T2 S2", "CQ S3", "C4 S4")
    do(hand, "play CK CJ", "play T2", "play CQ", "play C4")
    assert listed(hand) == ["take C4"]
    assert why(hand, "take CQ") == "CQ cannot be taken back"
    assert why(hand, "take T2") == "T2 cannot be taken back"
    assert why(hand, "take CK") == "CK cannot be taken back"


def test_king_and_jack_may_follow_together_to_the_first_lead() -> None:
    hand = do(position("C2 S1", "CK CJ S2", "C3 S3", "C4 S4"), "play C2")
    assert listed(hand) == ["play CJ", "play CK", "play CK CJ"]
    do(hand, "play CK CJ", "play C3", "play C4", "take C2")
    assert holds(hand, 1) == ["C2", "S2"]
    assert [trick.seats for trick in hand.tricks] == [(1, 2, 3, 1)]
    assert asked(hand) == (1, "play")


def test_king_and_jack_may_set_the_suit_after_a_led_fool() -> None:
    hand = do(position("F S1", "CK CJ S2", "C3 S3", "C4 S4"), "play F")
    assert "play CK CJ" in listed(hand)
    do(hand, "play CK CJ", "play C3", "play C4")
    assert listed(hand) == ["take C3", "take C4"]


def test_the_jack_goes_back_to_hand_if_there_is_nothing_to_take_back() -> None:
    hand = position("CK CJ S1", "T2 S2", "CQ S3", "F S4")
    do(hand, "play CK CJ", "play T2", "play CQ", "play F")
    assert kinds(hand)[0] == "jack-back"
    assert holds(hand, 0) == ["CJ", "S1"]
    assert sorted(last_trick(hand)) == ["CK", "CQ", "F", "T2"]
    assert asked(hand) == (1, "play")  # and nothing is called


def test_the_pair_wins_as_the_king_does_and_loses_to_a_trump() -> None:
    hand = position("CK CJ S1", "C2 S2", "T1 S3", "C4 S4")
    do(hand, "play CK CJ", "play C2", "play T1", "play C4")
    assert asked(hand) == (0, "take")
    do(hand, "take C2")
    assert asked(hand) == (2, "play")


def test_no_pair_once_the_suit_has_been_led() -> None:
    hand = position("C1 CK CJ", "C2 S2 S5", "C3 S3 S6", "C4 S4 S7")
    do(hand, "play C1", "play C2", "play C3", "play C4")
    assert listed(hand) == ["play CJ", "play CK"]
    assert why(hand, "play CK CJ").startswith("cups have been led before")


def test_no_pair_to_another_suit_and_none_in_the_wrong_order() -> None:
    hand = do(position("S1 O1", "CK CJ", "S3 O3", "S4 O4"), "play S1")
    assert listed(hand) == ["play CJ", "play CK"]
    assert why(hand, "play CK CJ") == "king and jack go together only to a lead of their own suit"
    hand = position("CK CJ CQ", "C1", "C2", "C3")
    assert why(hand, "play CJ CK").startswith("only a king and the jack")
    assert why(hand, "play CK CQ").startswith("only a king and the jack")


def test_the_king_may_be_played_without_the_jack_beside_it() -> None:
    hand = position("CK CJ S1", "C2 S2", "C3 S3", "C4 S4")
    assert listed(hand) == ["play CJ", "play CK", "play CK CJ", "play S1"]


@pytest.mark.parametrize("taken", ["C2", "C3", "C4"])
def test_everyone_has_the_same_number_of_cards_after_a_pair(taken: str) -> None:
    hand = position("CK CJ S1", "C2 S2 O2", "C3 S3 O3", "C4 S4 O4")
    do(hand, "play CK CJ", "play C2", "play C3", "play C4", f"take {taken}")
    assert [len(holds(hand, seat)) for seat in range(4)] == [2, 2, 2, 2]
