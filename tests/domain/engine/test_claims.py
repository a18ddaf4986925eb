"""A claim is never false: whatever the others hold and play, who claims wins every trick, and the count is the same."""

from __future__ import annotations

import random

import pytest

from domain.engine import set_of
from domain.engine.claims import next_claimed, next_given, proven
from domain.engine.legal import LegalPlays
from tests.domain.engine.kit import do, position
from tests.domain.engine.tables import any_action, at_each_table, at_few_tables, walk_table


def claims(hand):
    return proven(hand.view(hand.turn))


def thrown(hand):
    """A hand in which every card that nobody holds has fallen before."""
    from domain.engine.state import Trick

    held = set_of([card for seat in hand.hands for card in range(78) if seat >> card & 1])
    gone = tuple(card for card in range(78) if not held >> card & 1)
    hand.tricks.append(Trick(0, 0, gone, (0,) * len(gone), 0))
    return hand


def test_the_highest_trumps_and_nothing_else_are_a_claim():
    assert claims(thrown(position("T21 T20", "T19 C1", "C2 C3", "C4 C5", leader=0)))
    assert not claims(thrown(position("T21 T18", "T19 T17", "C2 C3", "C4 C5", leader=0)))


def test_a_lower_trump_counts_when_the_higher_ones_have_drawn_all():
    assert claims(thrown(position("T21 T20 T2", "T19 C1 S1", "T3 C2 C3", "C4 C5 C6", leader=0)))
    assert not claims(thrown(position("T21 T20 T2", "T19 C1 F", "T3 C2 C3", "C4 C5 C6", leader=0))), "a Fool saves one"


def test_a_high_suit_card_needs_the_trumps_out():
    assert claims(thrown(position("CK", "C1", "S3", "S4", leader=0)))
    assert not claims(thrown(position("CK", "C1", "T1", "S4", leader=0)))
    assert claims(thrown(position("T5 CK", "C1 T1", "S3 S5", "S4 S6", leader=0)))


def test_only_who_leads_claims_and_never_with_a_fool_that_excuses():
    hand = thrown(position("T21 T20", "T19 C1", "C2 C3", "C4 C5", leader=0))
    assert not any(proven(hand.view(seat)) for seat in (1, 2, 3, None))
    assert not proven(do(hand, "play T21").view(1))
    assert not claims(thrown(position("T21 F", "C7 C1", "C2 C3", "C4 C5", leader=0)))


def test_cards_one_has_not_seen_stand_in_the_way():
    assert not claims(position("T20 T19", "C6 C1", "C2 C3", "C4 C5", leader=0)), "the XXI may be anywhere"


def played_out(hand, seat, others):
    """The hand after a claim, the others choosing by `others`; all tricks since are the claimant's."""
    from_trick = len(hand.tricks)
    hand = hand.copy()
    while not hand.over:
        view = hand.view(hand.turn)
        hand.push(next_claimed(view) if hand.turn == seat else others(hand, view))
    assert {trick.winner for trick in hand.tricks[from_trick:]} == {seat}
    return hand.result


def redealt(hand, seat, rng):
    """The others' cards shared out anew among all that the claimant has not seen: as far as they know it may lie so."""
    twin = hand.copy()
    hidden = [card for card in range(78) if hand.view(seat).unseen >> card & 1]
    rng.shuffle(hidden)
    for other in range(hand.seats):
        if other != seat:
            size = hand.hands[other].bit_count()
            twin.hands[other] = set_of(hidden[:size])
            del hidden[:size]
    twin._playable = -1
    return twin


@at_few_tables
@pytest.mark.slow
def test_a_claim_holds_against_every_deal_of_the_unseen_cards_and_every_way_to_play(rules):
    rng = random.Random(11)
    found = 0
    for number in range(60):
        for _match, hand in walk_table(rules, random.Random(number)):
            if hand.over or not isinstance(hand.legal, LegalPlays) or hand.trick or not claims(hand):
                continue
            seat = hand.turn
            end = played_out(hand, seat, lambda _hand, view: next_given(view))
            for _ in range(6):
                assert played_out(hand, seat, lambda played, _view: any_action(played, rng)) == end
                if not hand.fool_withheld:
                    twin = redealt(hand, seat, rng)
                    played_out(twin, seat, lambda played, _view: any_action(played, rng))
            found += 1
            break
        if found > 40:
            break
    assert found > 5, "too few claims to say anything"


def every_way(hand, seat):
    """Whether the claimant wins all that is left in every line of play of the others: by trying all of them."""
    if hand.over:
        return True
    view = hand.view(hand.turn)
    actions = [next_claimed(view)] if hand.turn == seat else list(view.legal)
    for action in actions:
        after = hand.copy()
        tricks = len(after.tricks)
        after.push(action)
        if any(trick.winner != seat for trick in after.tricks[tricks:]) or not every_way(after, seat):
            return False
    return True


@at_few_tables
@pytest.mark.slow(but="troccas-at-4")
def test_a_claim_of_the_last_tricks_agrees_with_trying_everything(rules):
    """Small endings, all lines of play of the others."""
    tried = 0
    for number in range(300):
        for _match, hand in walk_table(rules, random.Random(1000 + number)):
            if hand.over or not isinstance(hand.legal, LegalPlays) or hand.trick:
                continue
            if not 1 < hand.hands[hand.turn].bit_count() <= (3 if hand.seats < 6 else 2):
                continue
            if claims(hand):
                assert every_way(hand, hand.turn)
                tried += 1
        if tried > 8:
            break
    assert tried > 3


@at_each_table
@pytest.mark.slow(but="troccas-at-4")
def test_what_is_unseen_is_all_that_others_hold(rules):
    for _match, hand in walk_table(rules, random.Random(3)):
        if hand.over or hand.asked != "play":
            continue
        for seat in range(hand.seats):
            others = 0
            for other, held in enumerate(hand.hands):
                others |= held if other != seat else 0
            assert not others & ~hand.view(seat).unseen
            assert not hand.hands[seat] & hand.view(seat).unseen
