"""The Fool: excused, kept by its side, paid for (docs/rules.md, `troccas`, 7)."""

from __future__ import annotations

from domain.engine import CODES, Hand, card_of, set_of
from domain.engine.cards import value_of
from tests.domain.engine.kit import cards, do, position


def told(hand: Hand) -> list[tuple[str, int, str]]:
    """What the table saw of the Fool: what, whose, which card."""
    return [
        (happening.kind, happening.seat, CODES[happening.card] if happening.card is not None else "")
        for happening in hand.happenings
        if happening.kind.startswith("fool")
    ]


def side_of(hand: Hand, code: str) -> int:
    return next(side for side, held in enumerate(hand.side_cards) if held >> card_of(code) & 1)


def test_the_fool_never_wins() -> None:
    hand = do(position("C10 S1", "F S2", "C9 S3", "C8 S4"), "play C10", "play F", "play C9", "play C8")
    assert hand.tricks[-1].winner == 3


def test_the_fool_stays_with_its_side_and_costs_nothing_if_that_side_wins_the_trick() -> None:
    hand = do(position("C10 S1", "F S2", "C9 S3", "C8 S4"), "play C10", "play F", "play C9", "play C8")
    assert side_of(hand, "F") == 1
    assert told(hand) == []


def test_the_fool_is_paid_for_at_once_with_a_low_card_from_the_tricks_of_its_side() -> None:
    hand = position("C10 T1 S1", "F CK S2", "C9 T5 S3", "C8 C7 S4")
    do(hand, "play C10", "play CK", "play C9", "play C8", "quiet")  # a trick for the Fool's side first
    do(hand, "play F", "play T5", "play C7", "play T1")
    assert side_of(hand, "F") == 1
    kinds = told(hand)
    assert kinds[0] == ("fool-owed", 1, "")
    assert kinds[1][:2] == ("fool-paid", 2)
    assert value_of(card_of(kinds[1][2])) == 1
    assert side_of(hand, kinds[1][2]) == 0
    assert [held.bit_count() for held in hand.side_cards] == [4, 4]


def test_the_fool_is_owed_until_its_side_wins_a_trick_with_a_low_card() -> None:
    hand = position("C1 S10 SN T9", "F S1 S2 S3", "C2 S4 SQ O1", "C3 SJ SK O2", scart="B1 B2")
    do(hand, "play C1", "play F", "play C2", "play C3")
    assert told(hand) == [("fool-owed", 1, "")]
    do(hand, "play SN", "play S1", "play SQ", "play SK", "quiet")
    assert told(hand)[1][:2] == ("fool-paid", 0)
    assert told(hand)[1][2] == "S1"


def test_a_trick_of_honours_and_courts_pays_nothing_yet() -> None:
    hand = position("C1 SN S10", "F T1 T2", "C2 SQ S9", "C3 SK S8")
    do(hand, "play C1", "play F", "play C2", "play C3")
    do(hand, "play SN", "play T1", "play SQ", "play SK", "quiet")
    assert told(hand) == [("fool-owed", 1, "")]
    do(hand, "play T2", "play S9", "play S8", "play S10")
    assert told(hand)[1][:2] == ("fool-paid", 0)
    assert told(hand)[1][2] in ("T2", "S8", "S9", "S10")


def test_the_scart_pays_no_debt_of_the_fool() -> None:
    hand = position("C1 T20", "F C4", "C2 T21", "C3 C5", dealer=3, scart="B1 B2")
    do(hand, "play C1", "play F", "play C2", "play C3")
    do(hand, "play T20", "play C4", "play T21", "play C5")
    assert told(hand) == [("fool-owed", 1, ""), ("fool-lost", 0, "")]


def test_at_the_end_the_least_valuable_card_is_paid_if_there_is_no_low_one() -> None:
    hand = position("C1 SN", "F CQ", "C2 SJ", "C3 SK")
    do(hand, "play C1", "play F", "play C2", "play C3")
    do(hand, "play SN", "play CQ", "play SJ", "play SK")
    assert told(hand) == [("fool-owed", 1, ""), ("fool-paid", 0, "SJ")]
    assert side_of(hand, "F") == 1


def test_a_side_without_any_trick_loses_the_fool_to_the_winner_of_its_trick() -> None:
    hand = position("T21 T20", "F C1", "T19 T18", "C2 C3")
    do(hand, "play T21", "play F", "play T19", "play C2")
    assert side_of(hand, "F") == 1
    do(hand, "play T20", "play C1", "play T18", "play C3")
    assert told(hand)[-1] == ("fool-lost", 0, "")
    assert side_of(hand, "F") == 0


def test_the_fool_may_be_led_and_its_side_still_keeps_it() -> None:
    hand = do(position("F C1", "S1 C2", "S2 C3", "S3 C4"), "play F", "play S1", "play S2", "play S3")
    assert hand.tricks[-1].winner == 3
    assert hand.tricks[-1].lane == 2
    assert side_of(hand, "F") == 0


def test_the_fool_taken_back_for_the_jack_costs_nothing_and_may_be_played_again() -> None:
    hand = position("CK S1", "F CJ", "C3 S3", "C5 S4")
    do(hand, "play CK", "play F", "play C3", "play C5", "buob", "give")
    assert told(hand) == []
    assert hand.hands[1] == set_of(cards("F"))
    do(hand, "play S1", "play F", "play S3", "play S4")
    assert hand.tricks[-1].winner == 3
    assert side_of(hand, "F") == 1
