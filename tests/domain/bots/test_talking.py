"""The talk: going on or not by the strength of the hand, and what is told of it."""

from __future__ import annotations

from random import Random

from domain.bots.advice import advise, choose
from domain.bots.common import Reason
from domain.bots.talking import edge, true_phrases
from domain.engine import Action, Hand, View, set_of
from domain.engine.talk import phrase_book
from tests.domain.bots.table import TROCCAS, cards, composed

STRONG = "T21 T20 T19 T18 F CK SK T5 T6 T7 T8 T9 CQ SQ B1 B2 O1 O2 S9"
WEAK = "C5 C6 C7 C8 O5 O6 O7 O8 S2 S3 S4 S5 B3 B4 B5 B6 T2 CJ SJ"
FAIR = "CK C6 C7 T8 O5 O6 O7 T15 S2 T9 S4 S5 B3 T10 B5 B6 T2 CJ SJ"
POOR = "C8 C6 T9 T17 O5 O6 O7 T8 S2 T10 S4 S5 B3 T2 B5 B6 T3 CJ SJ"


def _asked(seat: int, held: str, said: tuple[str, ...] = ("allow", "allow", "liber")) -> View:
    """The view of `seat` (dealer 3) at the talk after the first round, where those before it have spoken."""
    hand = composed({seat: held}, dealer=3, throw_in=True)
    for words in said[:seat]:
        verb, *phrases = words.split()
        hand.push(Action(verb, said=tuple(phrases)))
    return hand.view(seat)


def test_a_strong_hand_goes_on() -> None:
    assert choose(_asked(0, STRONG)).verb == "veto"
    assert choose(_asked(2, STRONG)).verb == "veto"
    assert choose(_asked(3, STRONG)).verb == "go"


def test_a_weak_hand_consents_and_the_dealer_throws_it_in() -> None:
    view = _asked(0, WEAK)
    assert choose(view).verb == "allow"
    assert advise(view).reason == Reason.WEAK_HAND
    assert choose(_asked(2, WEAK)).verb == "liber"
    assert choose(_asked(3, WEAK)).verb == "throw-in"


def test_the_third_goes_on_when_the_partner_speaks_of_a_strong_hand() -> None:
    quiet = _asked(2, FAIR)
    told = _asked(2, FAIR, ("allow encunter-salvaplauna", "allow"))
    assert choose(quiet).verb == "liber"
    assert choose(told).verb == "veto"
    assert advise(told).reason == Reason.PARTNER_IS_STRONG


def test_who_leaves_a_fair_hand_to_the_others_does_not_hear_that_it_is_good_enough_to_be_played() -> None:
    """Before, the advice was: say allow, as these cards are good enough to be played."""
    assert [advise(_asked(seat, FAIR)).action.verb for seat in (0, 2)] == ["allow", "liber"]
    assert {advise(_asked(seat, FAIR)).reason for seat in (0, 2)} == {Reason.FAIR_HAND}


def test_of_a_partner_who_has_not_spoken_well_it_is_not_said_that_they_have() -> None:
    """The dealer goes on with a hand that is poor, but not bad enough; the partner, seat 1, praised nothing."""
    for words in ("allow", "allow vitas"):
        view = _asked(3, POOR, ("allow", words, "liber"))
        assert advise(view).action.verb == "go"
        assert advise(view).reason == Reason.NOT_SO_BAD
    praised = _asked(3, POOR, ("allow", "allow encunter-salvaplauna", "liber"))
    assert advise(praised).reason == Reason.PARTNER_IS_STRONG


def test_a_foes_phrase_is_not_the_partners() -> None:
    assert choose(_asked(2, FAIR, ("allow", "allow encunter-salvaplauna"))).verb == "liber"


def test_nothing_is_said_at_a_silent_table() -> None:
    hand = composed({0: WEAK}, dealer=3, throw_in=True, talk="silent")
    assert choose(hand.view(0)) == Action("allow")


def test_every_phrase_said_is_in_the_book_and_fits_the_verb() -> None:
    book = phrase_book()
    said = 0
    for seed in range(150):
        pack = list(range(78))
        Random(seed).shuffle(pack)
        hand = Hand(TROCCAS, 0, pack)
        while not hand.over and hand.asked != "play":
            action = choose(hand.view(hand.turn), seed=b"%d" % seed)
            for phrase in action.said:
                said += 1
                assert (book[phrase].theme == "veto") is (action.verb == "veto")
            hand.push(action)
    assert said > 150


def test_what_is_told_is_true() -> None:
    assert "duas-da-medel" in true_phrases(set_of(cards("T2 T3 CQ SQ O5 O6")))
    assert "in-fluretg-nausch" in true_phrases(set_of(cards("T9 S4 S5 CK O1 O2")))
    assert true_phrases(set_of(cards("S4 S5 C9 C8 O5 O6"))) == true_phrases(set_of(cards("S4 S2 C9 C8 O5 O6")))
    assert "lavadas" in true_phrases(set_of(cards("S4 S5 C9 C8 O5 O6")))
    assert "il-narr-bein" in true_phrases(set_of(cards("F T20 T21 C5 C6 O2")))
    assert "ina-napla" in true_phrases(set_of(cards("CK CQ T20 T8 C6 O2")))


def test_neither_too_few_nor_too_many_hands_are_thrown_in() -> None:
    thrown_in = 0
    for seed in range(200):
        pack = list(range(78))
        Random(seed).shuffle(pack)
        hand = Hand(TROCCAS, seed % 4, pack)
        while not hand.over and hand.asked != "scart":
            hand.push(choose(hand.view(hand.turn), seed=b"%d" % seed))
        thrown_in += hand.over
    assert 6 <= thrown_in <= 50


def test_an_average_hand_has_no_edge() -> None:
    luck = Random(5)
    for size in (6, 12, 19):
        mean = sum(edge(set_of(luck.sample(range(78), size))) for _ in range(2000)) / 2000
        assert abs(mean) < 0.6


def test_talks_as_its_cards_are() -> None:
    """Hands that were played here, where a computer player said what no good partner says."""
    assert choose(_asked(2, "B9 B8 T20 T14 T12 T2")).verb == "veto"  # four trumps of six cards
    assert choose(_asked(3, "C3 S9 S2 BJ T18 T1")).verb == "throw-in"  # the I nearly bare, and a jack
    told = true_phrases(set_of(cards("OK OJ BN T17 T14 T13 T11 F C5 C6 C7 S5 S6 S7 B2 B3 B5 O8 O9")))
    assert told == ["jeu-sun-da-medel", "in-fluretg"]  # some trumps, one king


def test_nobody_with_a_king_or_the_fool_speaks_of_empty_cards() -> None:
    empty = {"autras", "lavadas", "buca-cheu", "vitas", "senza-mei", "pasun"}
    for hand in ("F C5 C6 CJ BJ O5", "CK CJ BJ SJ O5 O6", "F CK C2 C3 BJ SN OJ ON S2 S3 S4 B2"):
        assert not empty & set(true_phrases(set_of(cards(hand)))), hand
