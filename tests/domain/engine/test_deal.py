"""Demands, arranging, the cut, the rounds of the deal, the talk, the scart (docs/rules.md, `troccas`, 2 to 5)."""

from __future__ import annotations

import random

import pytest

from domain.engine import CODES, Action, Hand, IllegalAction, Match, card_of, cards_in, parse_action, set_of
from domain.engine.cards import HONOURS, TRUMP_CARDS
from domain.engine.errors import Illegality, Rule
from domain.engine.match import gathered_from
from domain.engine.ruleset import OptionValue
from domain.engine.talk import phrase_book
from tests.domain.engine.kit import (
    DEFAULTS,
    TROCCAS,
    cards,
    dealt_to,
    do,
    full_pack,
    listed,
    pack_for,
    position,
    random_action,
    random_pack,
    why,
)


def open_hand(dealer: int = 0, even: int = 0, **options: OptionValue) -> Hand:
    """A hand about to be dealt, where seats 0 and 2 stand at `even` and the others at as much the other way."""
    return Hand(TROCCAS, dealer, full_pack(), options={**DEFAULTS, **options}, running=(even, -even, even, -even))


# Demands


@pytest.mark.parametrize(
    ("even", "offered"),
    [
        (-8, []),
        (-9, ["deal 2", "deal 3"]),
        (-17, ["deal 2", "deal 3"]),
        (-18, ["deal 1", "deal 2", "deal 3"]),
        (-60, ["deal 1", "deal 2", "deal 3"]),
        (8, []),
    ],
)
def test_a_losing_side_may_ask_for_fewer_rounds(even: int, offered: list[str]) -> None:
    hand = open_hand(0, even)
    assert (hand.asked == "deal") is bool(offered)
    if offered:
        assert hand.turn == 2
        assert listed(hand) == offered


def test_the_losing_players_are_asked_in_turn_until_one_asks() -> None:
    hand = do(open_hand(0, 9), "deal 3")
    assert (hand.turn, hand.asked) == (3, "deal")
    do(hand, "deal 2")
    assert (hand.turn, hand.asked, hand.rounds) == (3, "cut", 2)
    hand = do(open_hand(0, 9), "deal 2")
    assert (hand.turn, hand.asked, hand.rounds) == (3, "cut", 2)


def test_nobody_needs_to_ask() -> None:
    hand = do(open_hand(0, -9), "deal 3", "deal 3")
    assert (hand.asked, hand.rounds) == ("cut", 3)


def test_one_round_may_not_be_asked_for_too_early() -> None:
    assert why(open_hand(0, -9), "deal 1") == "the deal in 1 round(s) may not be asked for"
    assert why(open_hand(0, -18), "deal 0") == "the deal in 0 round(s) may not be asked for"


def test_without_the_option_nobody_is_asked() -> None:
    assert open_hand(0, -40, demands=False).asked == "cut"


# The cut and the rounds


@pytest.mark.parametrize("lifted", [1, 40, 77])
def test_the_player_before_the_dealer_cuts_and_the_cards_lifted_go_under_the_rest(lifted: int) -> None:
    hand = open_hand(2)
    assert hand.turn == 1
    do(hand, f"cut {lifted}")
    pack = full_pack()
    assert hand.pack == tuple(pack[lifted:] + pack[:lifted])


@pytest.mark.parametrize("lifted", [0, 78])
def test_a_cut_lifts_at_least_one_card_and_leaves_one(lifted: int) -> None:
    assert why(open_hand(), f"cut {lifted}") == "a cut lifts 1 to 77 cards"


@pytest.mark.parametrize(
    ("even", "demand", "sizes"),
    [
        (0, [], [(6, 6, 6, 6), (12, 12, 12, 12), (19, 19, 21, 19)]),
        (-9, ["deal 2"], [(9, 9, 9, 9), (19, 19, 21, 19)]),
        (-18, ["deal 1"], [(19, 19, 21, 19)]),
    ],
)
def test_the_rounds_of_the_deal(even: int, demand: list[str], sizes: list[tuple[int, ...]]) -> None:
    hand = do(open_hand(2, even), *demand, "cut 30")
    for number, size in enumerate(sizes, 1):
        assert hand.dealt == number
        assert tuple(held.bit_count() for held in hand.hands) == size
        do(hand, "veto")
    assert hand.asked == "scart"


def test_packets_are_dealt_from_the_top_beginning_with_the_dealers_right() -> None:
    hand = do(open_hand(2), "cut 30")
    assert hand.pack is not None
    assert [hand.hands[seat] for seat in (3, 0, 1, 2)] == [set_of(hand.pack[at : at + 6]) for at in (0, 6, 12, 18)]
    do(hand, "veto", "veto")
    assert hand.hands[2] == set_of(hand.pack[18:24] + hand.pack[42:48] + hand.pack[69:78])


def test_the_last_card_of_each_player_lies_open_and_the_cut_card_is_the_dealers() -> None:
    hand = do(open_hand(2), "cut 30", "veto")
    assert hand.face_up == [None] * 4
    do(hand, "veto")
    assert hand.pack is not None
    assert [hand.face_up[seat] for seat in (3, 0, 1, 2)] == [hand.pack[at] for at in (54, 61, 68, 77)]


# The talk


def test_a_veto_ends_the_interval_at_once() -> None:
    hand = do(open_hand(0), "cut 1")
    assert (hand.turn, listed(hand)) == (1, ["allow", "veto"])
    do(hand, "veto")
    assert (hand.turn, hand.dealt) == (1, 2)
    do(hand, "allow", "veto")
    assert (hand.turn, hand.dealt) == (1, 3)


def test_after_two_consents_the_third_frees_the_dealer() -> None:
    hand = do(open_hand(0), "cut 1", "allow")
    assert (hand.turn, listed(hand)) == (2, ["allow", "veto"])
    do(hand, "allow")
    assert (hand.turn, listed(hand)) == (3, ["liber", "veto"])
    vetoed = do(hand.copy(), "veto")
    assert (vetoed.turn, vetoed.dealt) == (1, 2)
    do(hand, "liber")
    assert (hand.turn, listed(hand)) == (0, ["go", "throw-in"])


def test_the_dealer_lets_the_deal_go_on_or_throws_in() -> None:
    hand = do(open_hand(0), "cut 1", "allow", "allow", "liber")
    thrown = do(hand.copy(), "throw-in")
    assert thrown.result is not None
    assert (thrown.result.status, thrown.result.scores, thrown.over) == ("thrown-in", (), True)
    do(hand, "go")
    assert (hand.turn, hand.dealt) == (1, 2)


def test_without_throwing_in_there_are_no_intervals_at_all() -> None:
    hand = do(open_hand(0, throw_in=False), "cut 1")
    assert (hand.turn, hand.asked, hand.dealt) == (0, "scart", 3)


PHRASE = next(iter(phrase_book()))


@pytest.mark.parametrize(
    ("talk", "text", "refused"),
    [
        ("silent", f"allow {PHRASE}", "this table plays in silence"),
        ("silent", 'allow "na"', "this table plays in silence"),
        ("phrases", f"allow {PHRASE}", ""),
        ("phrases", 'allow "na"', "only phrases of the phrase book are said at this table"),
        ("phrases", "allow not-heard-of", "not-heard-of is not in the phrase book"),
        ("free", f'allow {PHRASE} "na"', ""),
        ("free", "veto not-heard-of", "not-heard-of is not in the phrase book"),
    ],
)
def test_what_may_be_said_is_the_tables_choice(talk: str, text: str, refused: str) -> None:
    hand = do(open_hand(0, talk=talk), "cut 1")
    if refused:
        assert why(hand, text) == refused
    else:
        do(hand, text)
        assert str(hand.spoken[-1].action) == text


def test_phrases_may_also_go_with_liber_but_not_with_the_dealers_decision() -> None:
    hand = do(open_hand(0), "cut 1", "allow", "allow", f"liber {PHRASE}")
    assert Action("go", said=(PHRASE,)) not in hand.legal
    assert hand.why_illegal(Action("go", said=(PHRASE,))) is not None


# The scart


def test_the_dealer_lays_two_cards_away_and_no_honours() -> None:
    hand = do(open_hand(0, throw_in=False), "cut 1")
    hand.hands[0] = hand.hands[0] & ~HONOURS | set_of(cards("CK T21 F"))
    plain = [CODES[card] for card in cards_in(hand.hands[0] & ~HONOURS)]
    one, two, three = plain[:3]
    for honour in ("CK", "T21", "F"):
        assert why(hand, f"scart {one} {honour}") == f"{honour} counts five and may not be laid away"
    assert why(hand, f"scart {one}") == "exactly 2 cards are asked for"
    assert why(hand, f"scart {one} {two} {three}") == "exactly 2 cards are asked for"
    assert why(hand, f"scart {one} {one}") == f"{one} is named twice"
    do(hand, f"scart {two} {one}")
    assert hand.scart == set_of(cards(f"{one} {two}"))
    assert (hand.turn, hand.asked) == (1, "play")


def without_trumps() -> Hand:
    """Seat 3 deals and gets no trump but the Fool."""
    dealt = dealt_to(3, "T1 T2 T3 T4 T5 T6 T7", "T8 T9 T10 T11 T12 T13 T14", "T15 T16 T17 T18 T19 T20 T21", "F")
    return Hand(TROCCAS, 3, pack_for(dealt, 3))


def test_a_dealer_without_trumps_may_throw_in_after_a_veto_and_the_fool_is_no_trump() -> None:
    hand = do(without_trumps(), "cut 1", "veto", "veto", "allow", "veto")
    assert hand.hands[3] >> 77 & 1
    assert "throw-in" in listed(hand)
    do(hand, "throw-in")
    assert hand.result is not None
    assert hand.result.status == "thrown-in"


def test_a_dealer_without_trumps_may_not_throw_in_after_a_free_last_round() -> None:
    hand = do(without_trumps(), "cut 1", "veto", "veto", "allow", "allow", "liber", "go")
    assert why(hand, "throw-in") == "after a free last round the dealer has decided already"


def test_only_the_last_interval_counts_for_that() -> None:
    hand = do(without_trumps(), "cut 1", "veto", "veto", "allow", "allow", "liber", "go")
    assert "throw-in" not in listed(hand)
    hand = do(without_trumps(), "cut 1", "allow", "allow", "liber", "go", "veto", "veto")
    assert "throw-in" in listed(hand)


def test_a_dealer_with_a_trump_may_not_throw_in_after_a_veto() -> None:
    hand = do(without_trumps(), "cut 1", "veto", "veto", "veto")
    hand.hands[3] |= set_of(cards("T1"))
    assert why(hand, "throw-in") == "only a dealer without trumps may throw in now"


def test_without_the_option_a_dealer_without_trumps_plays_on() -> None:
    pack = without_trumps().pack
    assert pack is not None
    hand = do(Hand(TROCCAS, 3, pack, options={**DEFAULTS, "throw_in": False}), "cut 1")
    assert not hand.hands[3] & TRUMP_CARDS
    assert "throw-in" not in listed(hand)
    assert hand.why_illegal(parse_action("throw-in")) is not None


# The one-round deal and the arranged pack


def after_a_hand(seed: int = 2, dealer: int = 0) -> Match:
    """A game after its first hand, with seats 0 and 2 far behind."""
    rng = random.Random(seed)
    match = Match(TROCCAS, {"throw_in": False}, dealer=dealer)
    hand = match.deal(random_pack(rng, dealer))
    while not hand.over:
        match.push(random_action(hand, rng))
    match.totals = [-20, 20, -20, 20]
    return match


def test_the_losing_players_arrange_their_own_tricks_before_the_one_round_deal() -> None:
    match = after_a_hand()
    before = match.hand
    assert before is not None
    hand = do(match.deal(full_pack()), "deal 1")
    assert (hand.turn, hand.asked) == (2, "arrange")
    pile = [card for trick in before.tricks if trick.winner == 2 for card in trick.cards]
    assert hand.gathered is not None
    assert len(hand.gathered.pile(2)) == len(pile)
    hand.push(Action("arrange", tuple(sorted(hand.gathered.pile(2)))))
    assert (hand.turn, hand.asked) == (0, "arrange")
    do(hand, "arrange")
    assert (hand.turn, hand.asked, hand.rounds) == (0, "cut", 1)
    assert list(hand.arranged) == [2, 0]


def test_an_arrangement_names_every_card_of_ones_own_tricks_once() -> None:
    hand = do(after_a_hand().deal(full_pack()), "deal 1")
    assert hand.gathered is not None
    pile = hand.gathered.pile(2)
    assert pile
    for wrong in (pile[1:], (*pile, pile[0]), (*pile[1:], pile[1])):
        with pytest.raises(IllegalAction) as refused:
            hand.push(Action("arrange", wrong))
        assert refused.value.illegality.rule is Rule.NOT_YOUR_TRICKS


def test_nothing_is_arranged_before_a_deal_in_two_rounds() -> None:
    assert do(after_a_hand().deal(full_pack()), "deal 2").asked == "cut"


def test_nothing_is_arranged_after_a_hand_that_was_thrown_in() -> None:
    match = after_a_hand()
    match.options["throw_in"] = True
    hand = match.deal(full_pack())
    for text in ("deal 3", "deal 3", "cut 1", "allow", "allow", "liber", "throw-in"):
        match.push(parse_action(text))
    assert hand.over
    again = do(match.deal(full_pack()), "deal 1")
    assert again.asked == "cut"


def test_the_tricks_lie_with_their_winners_the_latest_on_top() -> None:
    hand = position("C1 S1", "C2 S2", "C3 S3", "C4 S4", dealer=3, scart="O2 O3")
    do(hand, "play C1", "play C2", "play C3", "play C4", "play S1", "play S2", "play S3", "play S4")
    gathered = gathered_from(hand)
    assert gathered is not None
    assert gathered.pile(0) == tuple(cards("C1 C2 C3 C4"))
    assert gathered.pile(3) == tuple(cards("S1 S2 S3 S4"))
    lost_by_even = gathered.groups(0, 0, {})
    assert lost_by_even == [tuple(cards(text)) for text in ("C1 C2 C3 C4", "S1 S2 S3 S4")] + [tuple(cards("O3 O2"))]
    lost_by_odd = gathered.groups(1, 0, {})
    assert lost_by_odd[0] == tuple(cards("S1 S2 S3 S4"))
    assert set(lost_by_odd[1]) == set(cards("O2 O3"))
    assert lost_by_odd[2] == tuple(cards("C1 C2 C3 C4"))


def test_later_tricks_of_one_player_lie_above_the_earlier() -> None:
    hand = position("CK S10", "C2 S2", "C3 S3", "C4 S4")
    do(hand, "play CK", "play C2", "play C3", "play C4", "quiet", "play S10", "play S2", "play S3", "play S4")
    gathered = gathered_from(hand)
    assert gathered is not None
    assert gathered.pile(0) == tuple(cards("S10 S2 S3 S4 CK C2 C3 C4"))


def test_an_arranged_pile_is_taken_card_by_card() -> None:
    hand = position("C1", "C2", "C3", "C4", scart="O2 O3")
    do(hand, "play C1", "play C2", "play C3", "play C4")
    gathered = gathered_from(hand)
    assert gathered is not None
    order = tuple(cards("C4 C1 C3 C2"))
    assert gathered.groups(0, 1, {0: order})[:4] == [(card,) for card in order]


def test_the_fool_and_the_card_paid_for_it_have_changed_places() -> None:
    hand = position("C1 SQ", "F S2", "C2 S3", "C3 SK")
    do(hand, "play C1", "play F", "play C2", "play C3", "play SQ", "play S2", "play S3", "play SK", "quiet")
    gathered = gathered_from(hand)
    assert gathered is not None
    paid = next(happening.card for happening in hand.happenings if happening.kind == "fool-paid")
    assert paid in cards("S2 S3")
    assert card_of("F") in gathered.pile(3)
    assert paid in gathered.pile(0)
    assert card_of("F") not in gathered.pile(0)


# The pack


def test_the_pack_may_come_while_the_deal_is_still_asked_for() -> None:
    hand = Hand(TROCCAS, 0, running=(-9, 9, -9, 9))
    assert (hand.asked, hand.needs_pack) == ("deal", False)
    do(hand, "deal 3", "deal 3")
    waiting = (hand.needs_pack, hand.why_illegal(parse_action("cut 5")))
    assert waiting == (True, Illegality(Rule.PACK_NOT_READY))
    with pytest.raises(IllegalAction) as refused:
        do(hand, "cut 5")
    assert refused.value.illegality.rule is Rule.PACK_NOT_READY
    hand.lay(full_pack())
    do(hand, "cut 5")
    assert (hand.needs_pack, hand.asked) == (False, "talk")


@pytest.mark.parametrize("wrong", [full_pack()[1:], [*full_pack(), 0], [1, *full_pack()[1:]]])
def test_a_pack_holds_every_card_once(wrong: list[int]) -> None:
    with pytest.raises(ValueError, match="every card"):
        Hand(TROCCAS, 0, wrong)


def test_options_that_are_not_named_are_the_defaults() -> None:
    hand = Hand(TROCCAS, 0, full_pack(), options={"knock": True}, running=(-9, 9, -9, 9))
    assert dict(hand.option) == {**DEFAULTS, "knock": True}
    assert hand.asked == "deal"
