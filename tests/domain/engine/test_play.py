"""Following suit, winning a trick, and knocking (docs/rules.md, `troccas`, 6 and 12)."""

from __future__ import annotations

import pytest

from domain.engine import card_of
from domain.engine.cards import LANE_OF
from domain.engine.tricks import winning_place
from tests.domain.engine.kit import cards, do, listed, position, why


def test_the_player_after_the_dealer_leads_then_each_winner() -> None:
    hand = position("C1 S1", "C2 S2", "C3 S3", "CK S10", dealer=0)
    assert hand.turn == 1
    do(hand, "play C2", "play C3", "play CK", "play C1", "quiet")
    assert hand.turn == 3


def test_suit_must_be_followed_and_the_fool_may_always_be_played() -> None:
    hand = do(position("C1", "C2 O1 T5 F", "C3", "C4"), "play C1")
    assert listed(hand) == ["play C2", "play F"]
    assert why(hand, "play T5") == "must follow cups"
    assert why(hand, "play O1") == "must follow cups"


def test_who_cannot_follow_must_trump_even_if_it_cannot_win() -> None:
    hand = do(position("C1", "T21 O1", "T5 O2 F", "C4"), "play C1", "play T21")
    assert listed(hand) == ["play F", "play T5"]
    assert why(hand, "play O2") == "must play a trump"


def test_the_fool_is_no_trump_for_following() -> None:
    hand = do(position("T1", "F C2", "T5 O2", "C4"), "play T1")
    assert listed(hand) == ["play C2", "play F"]


def test_trumps_must_be_followed_with_trumps() -> None:
    hand = do(position("T1", "T2 C2", "T5", "C4"), "play T1")
    assert listed(hand) == ["play T2"]
    assert why(hand, "play C2") == "must follow trumps"


def test_who_has_neither_suit_nor_trump_plays_anything() -> None:
    assert listed(do(position("C1", "O2 S3 BK", "C2", "C3"), "play C1")) == ["play BK", "play O2", "play S3"]


def test_after_a_led_fool_the_next_card_is_free_and_sets_the_suit() -> None:
    hand = do(position("F C1", "O2 C4 T1", "O3 C5", "T7 C6"), "play F")
    assert listed(hand) == ["play C4", "play O2", "play T1"]
    do(hand, "play O2")
    assert listed(hand) == ["play O3"]
    do(hand, "play O3")
    assert listed(hand) == ["play T7"]


def test_a_trump_after_a_led_fool_calls_for_trumps() -> None:
    assert listed(do(position("F C1", "T1 C4", "C2 T2", "C6 C7"), "play F", "play T1")) == ["play T2"]


@pytest.mark.parametrize(
    ("trick", "place"),
    [
        ("C10 C1 CK CQ", 2),
        ("C10 C9 C2 C1", 3),  # the 10 is the lowest numeral of a round suit, the 1 the highest
        ("S1 S10 S2 S9", 1),  # and the other way round in a long one
        ("O1 OJ ON O2", 2),
        ("B10 BJ B9 B8", 1),
        ("C2 OK SK BK", 0),  # other suits never win
        ("CK T1 CQ CJ", 1),
        ("CK T1 T2 CJ", 2),
        ("T20 T21 T1 T19", 1),
        ("F C2 C3 C4", 1),
        ("F C2 T1 C4", 2),
        ("CK F C1 C2", 0),
        ("T1 F C1 C2", 0),
        ("F T3 CK T2", 1),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(trick: str, place: int) -> None:
    lying = cards(trick)
    led = next(card for card in lying if card != card_of("F"))
    assert winning_place(lying, LANE_OF[led]) == place


def test_a_card_that_is_not_held_cannot_be_played() -> None:
    hand = position("C1 C2", "C3 C4", "C5 C6", "C7 C8")
    assert why(hand, "play CK") == "CK is not in this hand"
    assert why(hand, "quiet") == "that is not asked now: play"
    assert why(hand, "play C1 C2").startswith("only a king and the jack")
    assert why(hand, "play C1 buob") == "nothing may be said with this card"


def test_the_holder_of_the_highest_trump_may_knock_when_trumps_are_led() -> None:
    hand = position("T21 T3 C1", "T5 T6 C2", "T7 T8 C3", "T20 T9 C4", knock=True)
    assert why(hand, "play C1 knock") == "one may knock only when trumps are led"
    do(hand, "play T3 knock")
    assert [happening.kind for happening in hand.happenings] == ["knock"]
    assert why(hand, "play T5 knock") == "only the holder of the highest trump still out may knock"


def test_one_may_knock_following_a_trump_lead_with_any_card() -> None:
    hand = position("T2 C1", "T5 C2", "T7 C3", "T21 T9 F", knock=True)
    do(hand, "play T2", "play T5", "play T7")
    do(hand, "play F knock")
    assert hand.happenings[0].seat == 3


def test_the_next_highest_may_knock_only_from_the_next_trump_lead_on() -> None:
    hand = position("T21 T3", "T20 T6", "T7 T8", "T1 T9", knock=True)
    do(hand, "play T21")
    assert why(hand, "play T20 knock") == "only the holder of the highest trump still out may knock"
    do(hand, "play T6", "play T7", "play T1", "play T3", "play T20 knock")


def test_nobody_knocks_to_a_suit_or_where_it_is_not_played() -> None:
    hand = do(position("C1 T3", "T21 T6", "T7 T8", "T1 T9", knock=True), "play C1")
    assert why(hand, "play T21 knock") == "one may knock only when trumps are led"
    assert why(position("T21", "T6", "T7", "T1"), "play T21 knock") == "knocking is not played at this table"


def test_a_trump_in_the_scart_keeps_everyone_from_knocking() -> None:
    """Nobody but the dealer knows that the XX is out of play: the right to knock must not tell."""
    hand = position("T19 T3", "T5 T6", "T7 T8", "T21 T9", scart="T20 C1", knock=True)
    do(hand, "play T3", "play T5", "play T7", "play T21", "play T9")
    assert why(hand, "play T19 knock") == "only the holder of the highest trump still out may knock"
