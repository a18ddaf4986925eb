"""Leading and following: what a partner expects of a computer player."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from domain.bots.advice import advise, choose
from domain.bots.common import Reason, fool_is_high, lane_of, takes
from domain.bots.playing import read, why_lead
from domain.engine import Hand, card_of, cards_in, ruleset
from domain.engine.cards import BAGAT, BIT, FOOL, KINGS, TRUMPS, value_of
from tests.domain.bots.table import cards, composed, play
from tests.long import LONG


def test_smears_an_honour_on_the_partners_sure_trick() -> None:
    hand = composed({0: "C5 CK", 1: "CN C2", 2: "C7", 3: "CQ C9 C4 C10"}, dealer=3)
    view = play(hand, "C5", "CN", "C7")
    assert str(choose(view)) == "play CQ"
    assert advise(view).reason == Reason.WIN_HIGH, "she takes it over herself"


def test_gives_the_partner_a_king_that_a_foe_would_trump_later() -> None:
    holdings = {
        0: "CK C5 C4",
        1: "C7 C8 C2 CJ",
        2: "T21 S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 O1 O2 O3 O4 O5 O6 O7",
        3: "T3 T4 T9 S8 S9 S10 SJ SN SQ SK B5 B6 B7 B8 B9 B10 BJ BN BQ",
    }
    view = play(composed(holdings, dealer=0), "C7", "T21", "T3")
    assert str(choose(view)) == "play CK"
    assert advise(view).reason == Reason.PARTNER_WINS_SMEAR


def test_does_not_overtake_the_partners_sure_trump() -> None:
    holdings = {
        0: "T21 T5 S1 S2 S3 S8 S9 S10 SJ SN B1 B2 B3 B4 B5 O1 O2 O3 O4",
        1: "C7 C2",
        2: "T20 S4 S5 S6 S7 SK SQ B6 B7 B8 B9 O5 O6 O7 O8 O9 OJ ON OQ",
        3: "C8 C9",
    }
    view = play(composed(holdings, dealer=0), "C7", "T20", "C8")
    assert str(choose(view)) == "play T5"


def test_does_not_spend_a_high_trump_on_the_partners_sure_trick_when_the_fool_can_go() -> None:
    holdings = {0: "C5 C6", 1: "CK C2", 2: "C7 C8", 3: "T21 T20 T19 F S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 B5 O1 O2 O3"}
    view = play(composed(holdings, dealer=3), "C5", "CK", "C7")
    assert str(choose(view)) == "play F"


def test_keeps_the_one_of_trumps_from_a_foe_who_has_overtrumped() -> None:
    holdings = {
        0: "T20 T21 S8 S9 S10 SJ SN SQ SK B6 B7 B8 B9 B10 O5 O6 O7 O8 O9",
        1: "T1 T5 T9 S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 B5 O1 O2 O3 O4",
        3: "C7 C8",
    }
    view = play(composed(holdings, dealer=2), "C7", "T20")
    assert str(choose(view)) == "play T5"
    assert advise(view).reason == Reason.PROTECT_BAGAT


def test_brings_the_one_of_trumps_home_as_last_player() -> None:
    holdings = {0: "C5", 1: "C7", 2: "C9", 3: "T1 T5 T9 T17 S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 B5 O1 O2 O3"}
    view = play(composed(holdings, dealer=3), "C5", "C7", "C9")
    assert str(choose(view)) == "play T1"
    assert advise(view).reason == Reason.BRING_BAGAT_HOME


def test_does_not_lead_the_trumps_that_cover_the_one() -> None:
    hand = composed({0: "T1 T5 T9 S1 S2 S3 S4 S5 S6 B1 B2 B3 B4 B5 O1 O2 O3 C4 C5"}, dealer=3)
    assert not card_of("T1") <= choose(hand.view(0)).cards[0] <= card_of("T21")


_TRUMPER = "T20 S8 S9 S10 SJ SN SQ SK B6 B7 B8 B9 B10 O5 O6 O7 O8 O9 OJ"


def test_keeps_the_king_out_of_a_trick_that_is_lost() -> None:
    hand = composed({0: _TRUMPER, 1: "CK C7 C8", 2: "C9", 3: "C10"}, dealer=1)
    view = play(hand, "C9", "C10", "T20")
    assert str(choose(view)) == "play C8"


def test_the_fool_saves_a_bare_king_from_a_sure_loss() -> None:
    mine = "CK F S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 B5 O1 O2 O3 O4 T4"
    view = play(composed({0: _TRUMPER, 1: mine, 2: "C9", 3: "C10"}, dealer=1), "C9", "C10", "T20")
    assert str(choose(view)) == "play F"
    assert advise(view).reason == Reason.FOOL_SAVES


def test_throws_no_queen_to_a_foes_sure_trick_when_a_low_card_is_there() -> None:
    hand = composed({0: _TRUMPER, 1: "CQ C7 C8 CN", 2: "C9", 3: "C10"}, dealer=1)
    view = play(hand, "C9", "C10", "T20")
    assert str(choose(view)) == "play C8"
    assert advise(view).reason == Reason.LOSE_CHEAPLY


def test_leads_a_king_of_a_fresh_suit_that_everyone_should_have() -> None:
    hand = composed({0: "SK S4 S2 C5 C6 C7 C8 C9 O5 O6 O7 O8 O9 B1 B2 B3 B4 T3 T6"}, dealer=3)
    view = hand.view(0)
    assert str(choose(view)) == "play SK"
    assert advise(view).reason == Reason.LEAD_KING


def test_plays_king_and_jack_together() -> None:
    hand = composed({0: "SK SJ S4 C5 C6 C7 C8 C9 O5 O6 O7 O8 O9 B1 B2 B3 B4 T3 T6"}, dealer=3)
    view = hand.view(0)
    assert str(choose(view)) == "play SK SJ"
    assert advise(view).reason == Reason.KING_AND_JACK


def test_leads_no_queen_under_a_king_that_is_still_out() -> None:
    hand = composed({0: "SQ S4 S2 CQ C6 C7 C8 C9 ON O6 O7 O8 O9 BN B2 B3 B4 T3 T6"}, dealer=3)
    assert str(choose(hand.view(0))) not in ("play SQ", "play CQ", "play ON", "play BN")


def test_takes_a_trick_with_no_more_than_it_needs() -> None:
    mine = "T3 T18 T21 S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 B5 O1 O2 O3 O4"
    view = play(composed({0: "C5", 1: "C7", 2: "C9", 3: mine}, dealer=3), "C5", "C7", "C9")
    assert str(choose(view)) == "play T3"
    assert advise(view).reason == Reason.WIN_WITH_TRUMP


@pytest.mark.parametrize(
    "mine",
    [
        "T21 T19 T18 T17 T9 T7 T5 T3 OQ O3 O7 B2 B5 B8 C6 C9 S4 S7 SJ",
        "T21 T20 T18 T14 T9 T8 F O5 O7 O9 C5 C6 C8 S2 S4 S6 B3 B7 BJ",
    ],
)
def test_a_long_hand_of_trumps_draws_those_of_the_foes(mine: str) -> None:
    """Two hands that were played here, in which nobody drew a trump before trick 17."""
    view = composed({0: mine}, dealer=3).view(0)
    assert card_of("T1") < choose(view).cards[0] <= card_of("T21")
    assert advise(view).reason == Reason.DRAW_TRUMPS


@pytest.mark.parametrize(
    ("held", "led", "why"),
    [
        ("T1 T3 T10 T12 T17", "T17", Reason.PROTECT_BAGAT),
        ("T3 T10 T12 T17", "T3", Reason.LEAD_LOW),
        ("T3 T10 T12 T17", "T17", Reason.DRAW_TRUMPS),
        ("T1 T10 T12 T17 SQ", "T17", Reason.DRAW_TRUMPS),
    ],
)
def test_a_trump_is_led_for_good_cards_only_where_there_are_some(held: str, led: str, why: Reason) -> None:
    """From hands of trumps alone it was said that trumps are drawn for good cards."""
    view = composed({0: "T1 T3 T10 T12 T17 SQ C6 C7 C8 C9 O5 O6 O7 O8 O9 B1 B2 B3 B4"}, dealer=3).view(0)
    situation = read(replace(view, held=sum(BIT[card] for card in cards(held))))
    assert why_lead(situation, (card_of(led),), 0.9) == why


def test_of_a_court_card_that_is_led_for_want_of_a_better_one_it_is_not_said_that_it_is_easily_spared() -> None:
    """Before, a queen of four points was led because that was "easily spared"."""
    situation = read(composed({0: "SQ SN B10", 1: "SK"}, dealer=3).view(0))
    for chance, why in ((0.2, Reason.LOSE_CHEAPLY), (0.7, Reason.WIN_HIGH)):
        assert why_lead(situation, (card_of("SQ"),), chance) == why
    assert why_lead(situation, (card_of("B10"),), 0.2) == Reason.LEAD_LOW


def test_of_a_trump_that_only_the_leader_has_left_it_is_said_that_it_takes_the_trick() -> None:
    trumps = " ".join(f"T{number}" for number in range(1, 19))
    view = composed({0: f"{trumps} SQ", 1: "T19 C5", 2: "T20 C6", 3: "T21 C7"}, dealer=3).view(0)
    situation = read(view)
    known = replace(situation.known, unseen=situation.known.unseen & ~sum(BIT[card] for card in cards("T19 T20 T21")))
    assert why_lead(replace(situation, known=known), (card_of("T18"),), 1.0) == Reason.WIN_WITH_TRUMP


def test_draws_no_trumps_that_only_the_partner_has() -> None:
    mine = "T21 T19 T18 T17 T9 T7 T5 T3 O3 O7 B2 B5 B8 C6 C9 S4 S7 SJ S8"
    others = {1: "T2 C5 S9 S10", 2: "T20 T16 T15 T14 T13 T12 T11 T10", 3: "T4 C7 S5 S6"}
    hand = composed({0: mine, **others}, dealer=3, without="T1 T6 T8")
    assert card_of("T1") <= choose(hand.view(0)).cards[0] <= card_of("T21")
    hand = composed({0: mine, **others, 3: "T4 T1 T6 T8 C7 S5 S6"}, dealer=3)
    view = play(
        hand, "T21", "T2", "T10", "T1", "T19", "C5", "T11", "T4", "T18", "S9", "T12", "T6", "T17", "S10", "T13", "T8"
    )
    assert not card_of("T1") <= choose(view).cards[0] <= card_of("T21")


def test_leads_no_suit_that_the_last_player_trumps_while_there_is_another() -> None:
    """Played here: the suit was led again that the last player had trumped, for nothing."""
    mine = "C2 C5 C7 C9 O4 O9 S8 S7 S6 S5 T17 T14 T13 T11 T8 S4 O3 O5 O6"
    others = {1: "C3 C4 T5 B7 C1 CJ CK", 2: "C6 CN T6 B6 C8 C10 CQ", 3: "T7 B4 B5 S2"}
    hand = composed({0: mine, **others}, dealer=3)
    view = play(hand, "C9", "C4", "C6", "T7", "B4", "T8", "B7", "B6")
    assert view.seat == 0
    assert choose(view).cards[0] not in cards("C2 C5 C7")


def test_leads_no_suit_in_which_a_foe_shows_a_higher_court_card() -> None:
    """Played here: the 10 of cups led to the neighbour whose queen of cups lay face up for all."""
    mine = "C10 C8 C6 B10 B9 B8 B4 B3 T20 T14 T13 T12 T10 T8 S3 S5 O5 O6 O7"
    shown = "S4 S6 S7 S8 O1 O2 O3 O4 B5 B6 B7 T2 T3 T4 T5 T6 C2 C3 CQ"
    view = composed({0: mine, 1: shown}, dealer=3).view(0)
    assert view.face_up[1] == card_of("CQ")
    assert choose(view).cards[0] not in cards("C10 C8 C6")


HOLDS = {
    Reason.PARTNER_WINS_SMEAR: lambda card, takes_it, trump: value_of(card) > 1 and not takes_it,
    Reason.PARTNER_WINS_LOW: lambda card, takes_it, trump: value_of(card) == 1 and not takes_it,
    Reason.WIN_CHEAPLY: lambda card, takes_it, trump: takes_it,
    Reason.WIN_HIGH: lambda card, takes_it, trump: takes_it,
    Reason.WIN_WITH_TRUMP: lambda card, takes_it, trump: takes_it and trump,
    Reason.HELP_PARTNER: lambda card, takes_it, trump: takes_it,
    Reason.PROTECT_BAGAT: lambda card, takes_it, trump: card != BAGAT and trump,
    Reason.BRING_BAGAT_HOME: lambda card, takes_it, trump: card == BAGAT,
    Reason.FOOL_SAVES: lambda card, takes_it, trump: card == FOOL,
    Reason.DRAW_TRUMPS: lambda card, takes_it, trump: trump,
    Reason.LEAD_KING: lambda card, takes_it, trump: BIT[card] & KINGS,
}


@pytest.mark.parametrize(("name", "size"), [("troccas", 4), ("troggu", 7)])
def test_the_reason_holds_of_the_card_that_is_advised(name: str, size: int) -> None:
    rules = ruleset(name, None, size)
    for seed in range(20 if LONG else 4):
        pack = list(cards_in(rules.pack))
        Random(seed).shuffle(pack)
        hand = Hand(rules, 0, pack)
        while not hand.over:
            view = hand.view(hand.turn)
            given = advise(view)
            if view.asked == "play" and given.reason in HOLDS:
                card, high = given.action.cards[0], fool_is_high(rules)
                takes_it = view.best < 0 or takes(card, view.trick[view.best], view.lane, high)
                assert HOLDS[given.reason](card, takes_it, lane_of(card, high) == TRUMPS), (given, view.trick)
            hand.push(given.action)
