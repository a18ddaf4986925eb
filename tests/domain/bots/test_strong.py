"""Positions in which a good partner groaned: what strong players do there, and beginners where rules of thumb know it.

Most were played here, and told of by a player who reviewed the site.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from domain.bots.advice import choose
from domain.engine import Action, View, parse_action
from domain.engine.cards import BIT, TRUMP_CARDS
from tests.domain.bots.table import cards, composed, play

BOTH = ("beginner", "strong")


def long_in_trumps() -> View:
    """On lead at the first trick with eight trumps, the highest among them: nobody drew any before trick 17."""
    return composed({0: "T21 T19 T18 T17 T9 T7 T5 T3 OQ O3 O7 B2 B5 B8 C6 C9 S4 S7 SJ"}, dealer=3).view(0)


def rather_long_in_trumps() -> View:
    """The same with six trumps, of which four are high, and the Fool."""
    return composed({0: "T21 T20 T18 T14 T9 T8 F O5 O7 O9 C5 C6 C8 S2 S4 S6 B3 B7 BJ"}, dealer=3).view(0)


def suit_that_the_last_player_trumps() -> View:
    """Cups were trumped by the last player, a foe: they were led again, for nothing."""
    mine = "C2 C5 C7 C9 O4 O9 S8 S7 S6 S5 T17 T14 T13 T11 T8 S4 O3 O5 O6"
    others = {1: "C3 C4 T5 B7 C1 CJ CK", 2: "C6 CN T6 B6 C8 C10 CQ", 3: "T7 B4 B5 S2"}
    return play(composed({0: mine, **others}, dealer=3), "C9", "C4", "C6", "T7", "B4", "T8", "B7", "B6")


def suit_in_which_a_foe_shows_the_queen() -> View:
    """The next to play, a foe, has the queen of cups lying face up: the 10 of cups was led into it."""
    mine = "C10 C8 C6 B10 B9 B8 B4 B3 T20 T14 T13 T12 T10 T8 S3 S5 O5 O6 O7"
    shown = "S4 S6 S7 S8 O1 O2 O3 O4 B5 B6 B7 T2 T3 T4 T5 T6 C2 C3 CQ"
    return composed({0: mine, 1: shown}, dealer=3).view(0)


def partner_wins_with_a_trump() -> View:
    """The partner's XX takes the trick for sure: to overtake it with the XXI wastes one of them."""
    holdings = {
        0: "T21 T5 S1 S2 S3 S8 S9 S10 SJ SN B1 B2 B3 B4 B5 O1 O2 O3 O4",
        1: "C7 C2",
        2: "T20 S4 S5 S6 S7 SK SQ B6 B7 B8 B9 O5 O6 O7 O8 O9 OJ ON OQ",
        3: "C8 C9",
    }
    return play(composed(holdings, dealer=0), "C7", "T20", "C8")


def partner_wins_and_a_king_is_to_give() -> View:
    """The last to play holds the king of a suit that a foe trumps from now on, and the partner takes this trick."""
    holdings = {
        0: "CK C5 C4",
        1: "C7 C8 C2 CJ",
        2: "T21 S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 O1 O2 O3 O4 O5 O6 O7",
        3: "T3 T4 T9 S8 S9 S10 SJ SN SQ SK B5 B6 B7 B8 B9 B10 BJ BN BQ",
    }
    return play(composed(holdings, dealer=0), "C7", "T21", "T3")


def fool_or_a_high_trump_on_the_partners_king() -> View:
    holdings = {0: "C5 C6", 1: "CK C2", 2: "C7 C8", 3: "T21 T20 T19 F S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 B5 O1 O2 O3"}
    return play(composed(holdings, dealer=3), "C5", "CK", "C7")


def third_with_high_trumps() -> View:
    """Four trumps of six cards, the XX among them: the third let the dealer throw in."""
    hand = composed({0: "B9 B8 T20 T14 T12 T2"}, dealer=1, throw_in=True)
    for word in ("allow", "allow"):
        hand.push(parse_action(word))
    return hand.view(0)


def foes_queen_and_void_of_the_suit() -> View:
    """The last to play can trump a foe's queen: the lowest trump is enough."""
    holdings = {
        0: "C6 C9",
        1: "CQ C2",
        2: "C7 C8",
        3: "T4 T12 T20 T21 S1 S2 S3 S8 S9 S10 B1 B2 B3 B4 O1 O2 O3 O4 O5",
    }
    return play(composed(holdings, dealer=3), "C6", "CQ", "C7")


def bagat_at_no_risk() -> View:
    """The last to play has no card of the suit, and no trump lies there: the I takes the trick and is home."""
    holdings = {
        0: "C6 C9",
        1: "CQ C2",
        2: "C7 C8",
        3: "T1 T12 T14 S1 S2 S3 S8 S9 S10 SJ B1 B2 B3 B4 O1 O2 O3 O4 O5",
    }
    return play(composed(holdings, dealer=3), "C6", "CQ", "C7")


def bagat_under_the_partners_mund() -> View:
    """The partner leads the XXI, which nothing beats: the I goes home under it."""
    holdings = {1: "T21 T20", 2: "T6", 3: "T1 T8 T12 S1 S2 S3 S8 S9 S10 SJ B1 B2 B3 B4 O1 O2 O3 O4 O5", 0: "T7"}
    return play(composed(holdings, dealer=0), "T21", "T6")


def bagat_or_fool_under_a_foes_mund() -> View:
    """A foe leads the XXI: the Fool saves the I."""
    holdings = {1: "T21 T20", 2: "T1 F S1 S2 S3 S8 S9 S10 SJ B1 B2 B3 B4 O1 O2 O3 O4 O5 C1"}
    return play(composed(holdings, dealer=0), "T21")


def queen_or_numeral_under_a_foes_king() -> View:
    """A foe's king takes the trick: nobody gives it the queen."""
    return play(composed({0: "CK C6", 1: "CQ C3 C5", 2: "C7 C8", 3: "C9 C10"}, dealer=3), "CK")


def cavalier_on_the_partners_trump() -> View:
    """The partner's trump takes a suit of which one has only the cavalier and a numeral: the cavalier comes home."""
    holdings = {
        0: "CN C5 S8 S9 S10 SJ B5 B6 B7 B8 B9 O7 O8 O9 O10 T2 T3 T4 T5",
        1: "C7 C8",
        2: "T20 T21 S1 S2 S3 S4 S5 S6 S7 B1 B2 B3 B4 O1 O2 O3 O4 O5 O6",
        3: "C9 C10",
    }
    return play(composed(holdings, dealer=0), "C7", "T21", "C9")


def call_for_the_jack() -> View:
    """One's own king has taken the first trick of its suit, and the jack is out."""
    return play(composed({0: "CK C6", 1: "C3 C4", 2: "C7 C8", 3: "C9 C10"}, dealer=3), "CK", "C3", "C7", "C9")


def nothing_to_throw_in_for() -> View:
    """The dealer, who may throw in, with all the high trumps and two kings."""
    hand = composed({0: "T21 T20 T19 T18 T17 F CK SK T12 T11 T10 B2 O2"}, dealer=0, throw_in=True)
    for word in ("allow", "allow", "liber"):
        hand.push(parse_action(word))
    return hand.view(0)


def plays(*codes: str) -> Callable[[Action], bool]:
    return lambda action: action.cards[0] in cards(" ".join(codes))


def is_a_trump(action: Action) -> bool:
    return bool(TRUMP_CARDS & BIT[action.cards[0]])


@pytest.mark.parametrize("level", BOTH)
@pytest.mark.parametrize(
    ("position", "good"),
    [
        (long_in_trumps, is_a_trump),
        (rather_long_in_trumps, is_a_trump),
        (suit_that_the_last_player_trumps, lambda action: not plays("C2", "C5", "C7")(action)),
        (suit_in_which_a_foe_shows_the_queen, lambda action: not plays("C10", "C8", "C6")(action)),
        (partner_wins_with_a_trump, plays("T5")),
        (partner_wins_and_a_king_is_to_give, plays("CK")),
        (fool_or_a_high_trump_on_the_partners_king, plays("F")),
        (foes_queen_and_void_of_the_suit, plays("T4")),
        (bagat_at_no_risk, plays("T1")),
        (bagat_under_the_partners_mund, plays("T1")),
        (bagat_or_fool_under_a_foes_mund, plays("F")),
        (queen_or_numeral_under_a_foes_king, lambda action: not plays("CQ")(action)),
        (cavalier_on_the_partners_trump, plays("CN")),
        (call_for_the_jack, lambda action: action.verb == "buob"),
        (nothing_to_throw_in_for, lambda action: action.verb == "go"),
        (third_with_high_trumps, lambda action: action.verb == "veto"),
    ],
)
@pytest.mark.slow
def test_a_good_partner_does_not_groan(
    position: Callable[[], View], good: Callable[[Action], bool], level: str
) -> None:
    action = choose(position(), level=level, seed=b"b")
    assert good(action), str(action)
