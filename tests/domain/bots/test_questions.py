"""The smaller questions: the demands, the cut, the scart, the jack."""

from __future__ import annotations

import pytest

from domain.bots.advice import LEVELS, advise, choose
from domain.bots.common import Reason
from domain.engine import Action, Hand, Match, card_of, set_of
from domain.engine.cards import HONOURS
from domain.engine.legal import LegalCut
from tests.domain.bots.table import TROCCAS, cards, composed, dealt, play

PACK = list(range(78))


def test_a_losing_side_asks_for_as_few_rounds_as_it_may() -> None:
    for lost, rounds in ((-9, 2), (-17, 2), (-18, 1)):
        hand = Hand(TROCCAS, 0, PACK, running=(-lost, lost, -lost, lost))
        assert choose(hand.view(hand.turn)) == Action("deal", number=rounds)
        assert advise(hand.view(hand.turn)).reason == Reason.FEWER_ROUNDS


def test_the_own_tricks_are_left_as_they_lie() -> None:
    match = Match(TROCCAS, {"throw_in": False})
    match.deal(PACK)
    assert match.hand is not None
    while not match.hand.over:
        match.push(choose(match.hand.view(match.hand.turn)))
    match.totals = [-20, 20, -20, 20]
    hand = match.deal(PACK)
    hand.push(Action("deal", number=1))
    assert hand.asked == "arrange"
    assert choose(hand.view(hand.turn)) == Action("arrange")


def test_the_cut_lies_within_the_pack() -> None:
    view = Hand(TROCCAS, 0, PACK).view(3)
    assert isinstance(view.legal, LegalCut)
    for seed in range(50):
        assert 15 <= choose(view, seed=b"%d" % seed).number <= 62


def _scart(held: str) -> Action:
    mine = cards(held)
    rest = [card for card in range(78) if card not in mine]
    hand = dealt([rest[:19], rest[19:38], rest[38:], mine[2:]], mine[:2], 3, throw_in=False)
    assert hand.asked == "scart"
    return choose(hand.view(3))


def test_the_scart_empties_a_suit_when_there_are_trumps_for_it() -> None:
    laid = _scart("C5 C8 S1 S2 S3 S4 S10 SK B1 B2 B3 B9 BK BQ T3 T5 T8 T12 T15 T17 T20")
    assert set(laid.cards) == set(cards("C5 C8"))


def test_the_scart_keeps_a_queen_without_company_safe() -> None:
    laid = _scart("CQ O2 S1 S2 S3 S4 S10 SK B1 B2 B3 B9 BK O5 T3 T5 T8 T12 T15 T17 T20")
    assert card_of("CQ") in laid.cards


def test_the_scart_holds_no_honour_and_no_trump_while_there_are_suits() -> None:
    laid = set_of(_scart("T1 T2 F C5 C7 CK S1 S3 SK B1 B2 B3 B9 BK O5 T3 T5 T8 T12 T15 T17").cards)
    assert not laid & HONOURS
    assert not laid >> card_of("T1")


def test_a_dealer_without_trumps_throws_in_where_he_may() -> None:
    mine = cards("C5 C6 C7 C8 C9 O5 O6 O7 O8 O9 S1 S2 S3 S4 S5 B1 B2 B3 B4 B5 B6")
    rest = [card for card in PACK if card not in mine]
    hand = dealt([rest[:19], rest[19:38], rest[38:], mine[2:]], mine[:2], 3)
    while hand.asked == "talk":
        hand.push(Action("veto"))
    assert choose(hand.view(3)) == Action("throw-in")


def test_the_winner_calls_the_jack() -> None:
    view = play(composed({0: "CK C5", 1: "C6", 2: "C7", 3: "CJ C9"}, dealer=3), "CK", "C6", "C7", "C9")
    assert choose(view) == Action("buob")


def test_a_queen_in_the_trick_is_left_there() -> None:
    view = play(composed({0: "CK C5", 1: "C6", 2: "CQ", 3: "CJ C9"}, dealer=3), "CK", "C6", "CQ", "C9")
    assert choose(view) == Action("buob-sche")
    assert advise(view).reason == Reason.LEAVE_THE_COURT


def test_the_own_jack_is_not_called() -> None:
    view = play(composed({0: "CK CJ", 1: "C6", 2: "C7", 3: "C9"}, dealer=3), "CK", "C6", "C7", "C9")
    assert choose(view) == Action("quiet")


@pytest.mark.parametrize("level", LEVELS)
def test_a_jack_in_the_own_scart_is_called_at_no_level(level: str) -> None:
    hand = composed({0: "C9", 1: "C6", 2: "C7", 3: "CK"}, dealer=3, scart="CJ O10")
    view = play(hand, "C9", "C6", "C7", "CK")
    assert view.asked == "call"
    assert choose(view, level=level) == Action("quiet")


def test_with_the_fool_the_jack_goes_to_the_partners_trick() -> None:
    hand = composed({0: "CK C5", 1: "C6", 2: "F CJ C7", 3: "C9"}, dealer=3)
    view = play(hand, "CK", "C6", "F", "C9", "buob")
    assert view.seat == 2
    assert choose(view) == Action("give")


def test_with_the_fool_the_jack_does_not_go_to_the_foes_trick() -> None:
    hand = composed({0: "CK C5", 1: "F CJ C6", 2: "C7", 3: "C9"}, dealer=3)
    view = play(hand, "CK", "F", "C7", "C9", "buob")
    assert choose(view) == Action("keep")
    assert advise(view).reason == Reason.KEEP_THE_JACK


def test_the_strongest_numeral_comes_back_for_king_and_jack() -> None:
    hand = composed({0: "CK CJ", 1: "C6", 2: "C2", 3: "C9"}, dealer=3)
    view = play(hand, "play CK CJ", "C6", "C2", "C9")
    assert choose(view) == Action("take", (card_of("C2"),))
