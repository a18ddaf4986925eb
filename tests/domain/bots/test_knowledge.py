"""What is proven by the public past: every conclusion must hold in the hand it was drawn from."""

from __future__ import annotations

from random import Random

import pytest

from domain.bots.knowledge import know
from domain.engine import Action, Hand, card_of, cards_in, set_of
from domain.engine.cards import LANES
from tests.domain.bots.table import TROCCAS, composed, play


def _assert_true(hand: Hand, seat: int) -> int:
    """Check all that `seat` knows against the hand itself; the number of foreign cards it has located."""
    known = know(hand.view(seat))
    others = [other for other in range(4) if other != seat]
    for other in others:
        assert not known.located[other] & ~hand.hands[other]
        assert not hand.hands[other] & ~known.may_hold[other]
        assert known.slots[other] == (hand.hands[other] & ~known.located[other]).bit_count()
        for lane in range(5):
            if known.is_void(other, lane):
                assert not hand.hands[other] & LANES[lane]
    hidden = 0
    for other in others:
        hidden |= hand.hands[other]
    if seat != hand.dealer:
        hidden |= hand.scart
    assert known.unseen == hidden
    assert sum(known.slots) + known.resting == (known.unseen & ~_joined(known.located, others)).bit_count()
    return _joined(known.located, others).bit_count()


def _joined(sets: tuple[int, ...], seats: list[int]) -> int:
    joined = 0
    for seat in seats:
        joined |= sets[seat]
    return joined


@pytest.mark.slow
def test_every_conclusion_holds_in_random_hands() -> None:
    located = 0
    for seed in range(60):
        luck = Random(seed)
        pack = list(range(78))
        luck.shuffle(pack)
        hand = Hand(TROCCAS, seed % 4, pack, options=TROCCAS.settled_options({"throw_in": False, "knock": True}))
        hand.push(Action("cut", number=luck.randrange(1, 78)))
        hand.push(luck.choice(list(hand.legal)))
        while not hand.over:
            for seat in range(4):
                located += _assert_true(hand, seat)
            action = luck.choice(list(hand.legal))
            if hand.asked == "play":
                knocked = Action("play", action.cards, signal="knock")
                action = knocked if knocked in hand.legal and luck.random() < 0.5 else action
            hand.push(action)
    assert located > 5000


def test_who_fails_to_follow_is_void() -> None:
    mine = "S1 S2 S3 S4 S5 S6 S7 S8 S9 B1 B2 B3 B4 B5 O1 O2 O3 O4 T2"
    hand = composed({0: "C5", 1: mine, 2: "C7"}, dealer=3)
    view = play(hand, "C5", "T2")
    assert know(view).is_void(1, 0)
    assert not know(view).is_void(1, 2)


def test_the_fool_proves_no_void() -> None:
    hand = composed({0: "C5", 1: "F C6", 2: "C7"}, dealer=3)
    assert not know(play(hand, "C5", "F")).is_void(1, 0)


def test_a_card_turned_up_is_known_to_be_there() -> None:
    hand = composed({}, dealer=3, seed=7)
    up = hand.face_up[1]
    assert up is not None
    assert know(hand.view(0)).located[1] >> up & 1


def test_a_low_card_the_dealer_turned_up_may_lie_in_the_scart() -> None:
    hand = composed({}, dealer=3, scart="C9 C10", seed=7)
    assert hand.face_up[3] in (card_of("C9"), card_of("C10"))
    known = know(hand.view(0))
    assert not known.located[3]
    assert known.resting == 2


def test_a_card_taken_back_for_the_jack_is_known() -> None:
    hand = composed({0: "CK C5", 1: "CJ C7", 2: "C8", 3: "C9"}, dealer=3)
    play(hand, "CK", "C7", "C8", "C9")
    view = play(hand, "buob")
    assert know(view).located[1] & set_of([card_of("C7")])


def test_when_nobody_answers_the_call_only_the_kings_player_can_have_the_jack() -> None:
    hand = composed({0: "CK CJ C5", 1: "C7", 2: "C8", 3: "C9"}, dealer=3)
    play(hand, "CK", "C7", "C8", "C9")
    play(hand, "buob")
    jack = card_of("CJ")
    known = know(hand.view(1))
    assert [seat for seat in (0, 2, 3) if known.may_hold[seat] >> jack & 1] == [0]


def test_a_knock_shows_the_highest_trump() -> None:
    hand = composed({0: "T5", 1: "T21 T4", 2: "T6", 3: "T7"}, dealer=3, knock=True)
    hand.push(Action("play", (card_of("T5"),)))
    hand.push(Action("play", (card_of("T4"),), signal="knock"))
    assert know(hand.view(2)).located[1] >> card_of("T21") & 1


def test_the_last_hand_that_can_hold_an_honour_holds_it() -> None:
    trumpers = {
        0: "T2 S1 S2 S3 S4 S5 S6 S7 S8 S9 B1 B2 B3 B4 B5 B6 B7 B8 B9",
        1: "T3 SK SQ SN SJ S10 BK BQ BN BJ B10 O1 O2 O3 O4 O5 O6 O7 O8",
        2: "CK C5 C4",
        3: "C7 C8",
    }
    hand = composed(trumpers, dealer=2)
    view = play(hand, "C7", "T2", "T3")
    assert view.turn == 2
    assert list(cards_in(know(hand.view(3)).located[2] & 1 << card_of("CK"))) == [card_of("CK")]
