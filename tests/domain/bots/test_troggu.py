"""Troggu: bidding, laying away, calling a partner, the Fool as the highest trump, and the Misere."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from domain.bots.advice import advise, choose
from domain.bots.common import Reason, sides_supposed
from domain.bots.knowledge import know
from domain.engine import Action, Hand, card_of, cards_in, parse_action, ruleset, set_of
from domain.engine.cards import FOOL_BIT, HONOURS, KINGS, LANES, TRUMP_CARDS
from tests.domain.bots.table import cards

STRONG = "F T21 T20 T19 T18 T17 T16 T15 T14 CK CQ OK OQ"
GOOD = "T21 T20 T18 T15 T9 T7 CK CQ OK C1 C2 O1 O2"
WEAK = "T2 C1 C2 C3 O1 O2 O3 S5 S6 S7 B5 B6 B7"
BUSY = "T3 T4 CJ ON SQ BQ S9 S10 B8 B9 C4 O4 SJ"


def dealt(
    holdings: Mapping[int, str], *, tapp: str = "", id: str = "troggu", seats: int = 4, dealer: int | None = None
) -> Hand:
    """A hand at its first bid: the seats hold `holdings`, filled up at random from the cards that nobody is given, as is
    the Tapp. Seat 0 speaks first unless somebody else deals than the last seat.
    """
    rules = ruleset(id, seats=seats)
    dealer = seats - 1 if dealer is None else dealer
    given = {seat: cards(codes) for seat, codes in holdings.items()}
    below = cards(tapp)
    taken = {card for held in given.values() for card in held} | set(below)
    rest = [card for card in cards_in(rules.pack) if card not in taken]
    Random(7).shuffle(rest)
    batches = next(iter(rules.batches.values()))
    while len(below) < rules.tapp:
        below.append(rest.pop())
    hands = [list(given.get(seat, ())) for seat in range(seats)]
    for held in hands:
        while len(held) < sum(batches):
            held.append(rest.pop())
    pack = list(below)
    done = 0
    for batch in batches:
        for step in range(1, seats + 1):
            pack += hands[(dealer + step) % seats][done : done + batch]
        done += batch
    hand = Hand(rules, dealer, [*pack[-20:], *pack[:-20]])
    hand.push(Action("cut", number=20))
    assert hand.asked == "bid"
    return hand


def push(hand: Hand, *actions: str) -> Hand:
    for action in actions:
        hand.push(parse_action(action))
    return hand


def chosen(hand: Hand) -> str:
    return str(choose(hand.view(hand.turn)))


@pytest.mark.parametrize(("held", "bid"), [(STRONG, "solo"), (GOOD, "take"), (WEAK, "pass"), (BUSY, "pass")])
def test_the_bid_follows_the_strength_of_the_hand(held: str, bid: str) -> None:
    assert chosen(dealt({0: held})) == bid


def test_a_good_hand_passes_when_the_game_is_taken_and_an_overwhelming_one_plays_solo() -> None:
    assert chosen(push(dealt({1: GOOD}), "take")) == "pass"
    assert chosen(push(dealt({1: STRONG}), "take")) == "solo"


def test_the_discard_empties_suits_and_keeps_the_trumps() -> None:
    tapp = "SQ SJ S9 S10 BQ BJ B9 B10 C3 O3"
    hand = push(dealt({0: GOOD}, tapp=tapp), "take", "pass", "pass", "pass")
    assert hand.asked == "discard"
    away = set_of(choose(hand.view(0)).cards)
    assert not away & (TRUMP_CARDS | HONOURS)
    kept = hand.hands[0] & ~away
    assert not kept & LANES[2]
    assert not kept & LANES[3]


def test_honours_are_laid_away_all_or_none() -> None:
    held = "CK OK SK BK T2 T3 C1 C2 O1 O2 S5 S6 B5"
    hand = push(dealt({0: held}), "take", "pass", "pass", "pass")
    action = choose(hand.view(0))
    assert action in hand.legal
    assert set_of(action.cards) & KINGS in (0, KINGS)


def test_the_partner_called_has_the_highest_trump_that_the_tappist_lacks() -> None:
    hand = dealt({0: "T20 T19 T15 T9 CK CQ OK OQ"}, tapp="T18 C1 O1 S5 S6 B5", seats=7)
    push(hand, "take", *["pass"] * 6)
    hand.push(choose(hand.view(0)))
    assert hand.asked == "partner"
    assert chosen(hand) == "call T17"
    assert advise(hand.view(0)).reason == Reason.CALL_THE_STRONGEST


def test_who_is_not_known_is_a_foe_to_the_tappist_and_a_friend_to_his_opponents() -> None:
    hand = dealt({0: "T20 T19 T15 T9 CK CQ OK OQ", 3: "T18"}, tapp="C1 O1 S5 S6 B5 B6", seats=7)
    push(hand, "take", *["pass"] * 6)
    hand.push(choose(hand.view(0)))
    push(hand, "call T18")
    assert sides_supposed(hand.view(0)) == (0, 1, 1, 1, 1, 1, 1)
    assert sides_supposed(hand.view(1)) == (0, 1, 1, 1, 1, 1, 1)
    assert sides_supposed(hand.view(3)) == (0, 1, 1, 0, 1, 1, 1)


def solo(holdings: Mapping[int, str]) -> Hand:
    """Seat 0 plays solo at a table of four and is to lead."""
    return push(dealt(holdings, tapp="S5 S6 S7 B5 B6 B7 C6 O6 C5 O5"), "solo")


def test_the_fool_takes_a_rich_trick_when_nothing_else_does() -> None:
    hand = solo(
        {
            0: "T21 T5 T6 T7 CQ C4 O4 S8 B8 O1 O2 O3 T4",
            1: "T2 T8 CK C2 OK OQ SJ SQ SN BN BJ B9 B10",
            2: "C1 T3 T9 T10 T11 OJ S9 S10 BQ BK SK T12 T13",
            3: "F T1 T14 T15 T16 ON T17 T18 T19 T20 CN CJ C3",
        }
    )
    push(hand, "play T21", "play T2", "play T3")
    assert chosen(hand) == "play F"
    assert advise(hand.view(3)).reason == Reason.WIN_HIGH


def test_the_fool_is_not_spent_on_the_trick_of_a_friend() -> None:
    hand = solo(
        {
            0: "T5 T6 T7 CQ C4 O4 S8 B8 O1 O2 O3 T4 C3",
            1: "T2 T8 CK C2 OK OQ SJ SQ SN BN BJ B9 B10",
            2: "C1 T21 T9 T10 T11 OJ S9 S10 BQ BK SK T12 T13",
            3: "F T1 T14 T15 T16 ON T17 T18 T19 T20 CN CJ T3",
        }
    )
    push(hand, "play T5", "play T8", "play T21")
    assert chosen(hand) == "play T1"


def misere(holdings: Mapping[int, str]) -> Hand:
    """Nobody plays for the Tapp at a table of four, and seat 0 is to lead."""
    return push(dealt(holdings), "pass", "pass", "pass", "pass")


def test_in_a_misere_the_highest_card_that_stays_below_goes_first() -> None:
    hand = misere({0: "C6", 1: "CK C3 C4", 2: "CJ CN", 3: "CQ C1 C2"})
    push(hand, "play C6", "play CK", "play CJ")
    assert chosen(hand) == "play CQ"
    assert advise(hand.view(3)).reason == Reason.AVOID_POINTS


def test_in_a_misere_nobody_leads_the_highest_trump_while_a_low_card_is_there() -> None:
    hand = misere({0: "F T21 T20 C6 O6 S5 B5"})
    assert not (TRUMP_CARDS | FOOL_BIT) >> choose(hand.view(0)).cards[0] & 1


def test_how_the_dealer_deals_is_his_own_affair() -> None:
    rules = ruleset("troggu-graechen", seats=5)
    hand = Hand(rules, 0, list(cards_in(rules.pack)))
    while hand.asked != "packets":
        hand.push(choose(hand.view(hand.turn)))
    assert choose(hand.view(0)) in hand.legal
    assert len({str(choose(hand.view(0), seed=b"%d" % seed)) for seed in range(20)}) == 2


def test_who_had_to_play_is_known_to_hold_the_fool() -> None:
    hand = dealt({2: "F"}, seats=7)
    push(hand, *["pass"] * 7)
    hand.push(choose(hand.view(2)))
    hand.push(choose(hand.view(2)))
    assert hand.asked == "play"
    assert know(hand.view(5)).located[2] >> card_of("F") & 1
