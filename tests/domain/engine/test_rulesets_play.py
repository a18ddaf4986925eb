"""Named rules of the other games, each on a hand dealt for it."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from domain.engine import Hand, Match, Result, Ruleset, card_of, parse_action, ruleset, set_of
from domain.engine.ruleset import OptionError
from tests.domain.engine.kit import do, listed, why
from tests.domain.engine.tables import TAPP, pack_dealing

ONLINE, OINKERS, FIVE = ruleset("troccas-online"), ruleset("troccas-oinkers"), ruleset("troccas-5")
VISP = ruleset("troggu", seats=4)


def dealt(rules: Ruleset, named: Mapping[int, str], **options: bool | int | str) -> Hand:
    """A hand dealt by seat 0 up to the first question after the cut."""
    pack = pack_dealing(rules, 0, named, random.Random(1))
    return do(Hand(rules, 0, pack, options=rules.settled_options(options)), "cut 1")


def playing(rules: Ruleset, *held: str, leader: int = 0, tappist: int = -1) -> Hand:
    """The middle of the play: each seat holds the cards named, nothing has been led yet."""
    hand = dealt(rules, {}, **({"throw_in": False} if rules.talk is not None else {}))
    hand.hands = [set_of(map(card_of, text.split())) for text in held]
    if tappist >= 0:
        hand.tappist, hand.contract = tappist, "solo"
        hand.take_sides(tuple(int(seat != tappist) for seat in range(rules.seats)))
    hand.step = len(rules.course) - 1
    hand.stage = rules.play
    hand.stage.enter(hand)
    hand.leader = hand.turn = leader
    return hand


def happened(hand: Hand) -> list[tuple[str, int]]:
    return [(event.kind, event.seat) for event in hand.happenings]


# Troccas Online


def test_a_holder_who_has_yet_to_play_must_play_the_called_jack() -> None:
    hand = playing(ONLINE, "CK C9 S1", "CJ C3 F", "C4 C5 B2", "C6 C7 B3")
    do(hand, "play CK buob")
    assert listed(hand) == ["play CJ"]
    assert why(hand, "play C3") == "the jack has been called and must be played"
    assert why(hand, "play F") == "the jack has been called and must be played"


def test_a_holder_who_has_played_swaps_even_the_queen_for_the_called_jack() -> None:
    hand = playing(ONLINE, "CQ CJ S1", "C3 C2 S2", "CK C5 B2", "C6 C7 B3")
    do(hand, "play CQ", "play C3", "play CK buob", "play C6")
    assert hand.hands[0] == set_of(map(card_of, ("CQ", "S1")))
    assert card_of("CJ") in hand.tricks[0].cards


def test_a_fool_stays_though_the_jack_is_called() -> None:
    hand = playing(ONLINE, "F CJ S1", "C3 C2 S2", "CK C5 B2", "C6 C7 B3")
    do(hand, "play F", "play C3", "play CK buob", "play C6")
    assert ("no-jack", 2) in happened(hand)
    assert hand.hands[0] == set_of(map(card_of, ("CJ", "S1")))


def test_a_caller_with_the_jack_takes_the_lowest_numeral_of_another() -> None:
    hand = playing(ONLINE, "CK CJ S1", "C3 C2 S2", "C9 C5 B2", "C6 C7 B3")
    do(hand, "play CK buob", "play C3", "play C9", "play C6")
    assert hand.hands[0] == set_of(map(card_of, ("C9", "S1")))


def test_the_jack_is_called_only_with_its_king_and_only_to_the_first_lead() -> None:
    hand = playing(ONLINE, "SK CQ S1", "C3 C2 S2", "CK C5 B2", "CJ C7 B3")
    assert why(hand, "play CQ buob") == (
        "the jack is called with its king, when the suit is led for the first time and before it is played"
    )
    assert why(hand, "play CQ knock") == "knocking is not played at this table"
    assert why(hand, "play SK CQ") == "one card at a time is played"
    do(hand, "play CQ", "play C3", "play CK buob", "play CJ")
    assert "play SK buob" not in listed(hand)  # it is seat 2 that leads


# How To Play Troccas!


def test_the_first_trick_is_led_with_a_trump_by_who_has_one() -> None:
    hand = playing(OINKERS, "CK T4 F", "C3 C2 S2", "C9 C5 B2", "C6 C7 B3")
    assert listed(hand) == ["play F", "play T4"]
    assert why(hand, "play CK") == "the first trick is led with a trump or the Fool"


def test_a_led_fool_calls_for_trumps_and_the_next_suit_wins_if_none_falls() -> None:
    hand = playing(OINKERS, "CK T4 F", "C3 C2 S2", "C9 CQ B2", "B6 C7 BK")
    do(hand, "play F", "play C3", "play CQ", "play BK")  # nobody needs to follow cups
    assert (hand.tricks[0].winner, hand.led) == (2, 0)


def test_the_cavalier_is_called_and_brings_back_the_queen() -> None:
    hand = playing(OINKERS, "CK C8 B1", "CQ CN S2", "C9 C5 B2", "C6 C7 B3")
    do(hand, "play CK", "play CQ", "play C9", "play C6")
    assert listed(hand) == ["buob", "quiet"]
    do(hand, "buob")
    assert hand.hands[1] == set_of(map(card_of, ("CQ", "S2")))


def test_king_and_cavalier_take_back_even_the_trump_that_wins() -> None:
    hand = playing(OINKERS, "CK CN B1", "T5 T6 S2", "C9 C5 B2", "F C7 B3")
    do(hand, "play CK CN", "play T5", "play C9", "play F")
    assert listed(hand) == ["take C9", "take T5"]
    do(hand, "take T5")
    assert (hand.tricks[0].winner, hand.turn) == (1, 1)
    assert why(playing(OINKERS, "CK CJ B1", "T5", "C9", "F"), "play CK CJ") == (
        "only a king and the cavalier of its suit may be played together, king first"
    )


def test_the_third_speaker_may_throw_in_at_once() -> None:
    hand = do(dealt(OINKERS, {}), "allow", "allow")
    assert listed(hand) == ["throw-in", "veto"]
    do(hand, "throw-in")
    assert hand.result is not None
    assert hand.result.status == "thrown-in"


@pytest.mark.parametrize("extra", ["F", "T2", "CJ"])
def test_a_dealer_with_a_trump_the_fool_or_a_court_may_not_throw_in(extra: str) -> None:
    numerals = "C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 O1 O2 O3 O4 O5 O6 O7 O8 O9 O10"
    hand = do(dealt(OINKERS, {0: f"{numerals} {extra}"}), "veto", "veto", "veto")
    assert "throw-in" not in [str(action) for action in hand.legal]


# Troccas for five


def test_there_is_no_call_of_the_jack_but_king_and_jack_may_be_played_together() -> None:
    hand = playing(FIVE, "CK CJ B1", "C3 C2 S2", "C9 C5 B2", "C6 C7 B3", "C8 C10 B4")
    do(hand, "play CK CJ", "play C3", "play C9", "play C6", "play C8")
    assert listed(hand) == ["take C3", "take C6", "take C8", "take C9"]
    plain = playing(FIVE, "CK C4 B1", "C3 C2 S2", "C9 C5 B2", "C6 CJ B3", "C8 C10 B4")
    do(plain, "play CK", "play C3", "play C9", "play C6", "play C8")
    assert (plain.asked, plain.turn) == ("play", 0)


# Troggu


def test_once_somebody_has_taken_only_solo_goes_higher() -> None:
    hand = do(dealt(VISP, {}), "take")
    assert listed(hand) == ["pass", "solo"]
    assert why(hand, "take") == "somebody has taken the game already: pass or play solo"
    do(hand, "pass", "solo")
    assert (hand.contract, hand.tappist, hand.turn, hand.asked) == ("solo", 3, 3, "play")


def test_kings_are_laid_away_all_four_or_none() -> None:
    hand = do(dealt(VISP, {1: "CK OK SK BK T2 T3 T4 T5", TAPP: "T6 T7 T8 T9 T10 T11"}), "take", "pass", "pass", "pass")
    assert why(hand, "discard CK T2 T3 T4 T5 T6 T7 T8 T9 T10") == (
        "CK may be laid away only together with all 4 of its kind"
    )
    do(hand, "discard CK OK SK BK T2 T3 T4 T5 T6 T7")
    assert hand.view(1).scart == hand.scart
    assert hand.view(2).scart is None


def test_a_king_may_not_be_laid_away_where_one_is_missing() -> None:
    hand = do(
        dealt(VISP, {1: "CK OK SK T2", 2: "BK", TAPP: "T3 T4 T5 T6 T7 T8 T9 T10"}), "take", "pass", "pass", "pass"
    )
    assert why(hand, "discard CK T2 T3 T4 T5 T6 T7 T8 T9 T10") == "CK counts five and may not be laid away"


def test_a_lone_fool_may_be_withheld_and_then_stays_to_the_last_trick() -> None:
    hand = playing(VISP, "T5 C1 O1", "F C2 O2", "T6 C3 O3", "T7 C4 O4", tappist=0)
    do(hand, "play T5")
    assert listed(hand) == ["play C2", "play F", "play O2"]
    do(hand, "play O2", "play T6", "play T7")
    assert [hand.view(seat).fool_withheld for seat in (0, 1, None)] == [False, True, False]
    do(hand, "play C4", "play C1")
    assert why(hand, "play F") == "the Fool was withheld and stays in hand to the last trick"
    do(hand, "play C2", "play C3")
    assert (hand.turn, hand.tricks[1].winner) == (0, 0)
    do(hand, "play O1", "play F")
    assert hand.view(None).best == 0


def test_a_withheld_fool_is_not_led_before_the_last_trick() -> None:
    hand = playing(VISP, "T5 C1 O1 S6", "F C2 O2 S7", "T6 C3 O3 S8", "T7 C4 O4 S9", tappist=0)
    do(hand, "play T5", "play O2", "play T6", "play T7", "play C4", "play C1", "play C2", "play C3")
    hand.leader = hand.turn = 1
    assert listed(hand) == ["play S7"]
    assert why(hand, "play F") == "the Fool was withheld and stays in hand to the last trick"


def test_a_fool_with_another_trump_cannot_be_withheld() -> None:
    hand = playing(VISP, "T5 C1", "F T2 O2", "T6 C3", "T7 C4", tappist=0)
    do(hand, "play T5")
    assert listed(hand) == ["play F", "play T2"]
    do(hand, "play F", "play T6", "play T7")
    assert hand.tricks[0].winner == 1


def test_who_holds_the_suit_led_may_not_play_the_fool() -> None:
    hand = playing(VISP, "C1", "F C2", "T6", "T7", tappist=0)
    do(hand, "play C1")
    assert listed(hand) == ["play C2"]


@pytest.mark.parametrize("seats", [7, 8])
def test_only_trumps_from_1_to_20_may_be_called(seats: int) -> None:
    rules = ruleset("troggu", seats=seats)
    hand = do(dealt(rules, {}), "take", *["pass"] * (seats - 1))
    do(hand, str(next(iter(hand.legal))))
    assert len(hand.legal) == 20
    assert why(hand, "call T21") == "only a trump from I to XX may be called"


def test_with_six_players_nobody_is_called_and_nobody_is_forced() -> None:
    hand = do(dealt(ruleset("troggu", seats=6), {}), *["pass"] * 6)
    assert (hand.contract, hand.turn, hand.asked) == ("misere", 1, "play")


def test_with_seven_players_the_holder_of_the_fool_must_play() -> None:
    hand = do(dealt(ruleset("troggu", seats=7), {4: "F"}), *["pass"] * 7)
    assert (hand.tappist, hand.asked, happened(hand)) == (4, "discard", [("must-play", 4)])


def test_the_dealer_of_graechen_chooses_the_packets_for_five() -> None:
    hand = dealt(ruleset("troggu-graechen", seats=5), {})
    assert (hand.turn, listed(hand)) == (0, ["packets 5 6", "packets 6 5"])
    assert why(hand, "packets 7 4") == "the packets are dealt in another way"
    assert str(parse_action("packets 6 5")) == "packets 6 5"


def test_a_table_may_agree_on_the_stake_and_where_it_doubles() -> None:
    assert VISP.settled_options({"stake": 20, "double_at": 29}) == {"hands": 4, "stake": 20, "double_at": 29}
    with pytest.raises(OptionError, match="option stake is a number from 1 to 1000"):
        VISP.settled_options({"stake": 0})


@pytest.mark.parametrize(("totals", "winners"), [([36, 36, 36, 36], ()), ([30, 42, 30, 42], (1, 3))])
def test_equal_card_points_of_a_whole_game_are_a_draw(totals: list[int], winners: tuple[int, ...]) -> None:
    match = Match(ONLINE, {"hands": 1})
    match.results = [Result("played")]
    match.totals = totals
    assert list(match.winners) == list(winners)
