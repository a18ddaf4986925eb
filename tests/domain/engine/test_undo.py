"""What can be taken back: only what was no word and showed nobody a hidden card; worked out from views, in every game."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import fields

import pytest

from domain.engine import parse_action, ruleset, set_of
from domain.engine.cards import FOOL_BIT
from domain.engine.view import View, can_be_taken_back, cards_in_sight, says_something
from tests.domain.engine.kit import cards, do, position
from tests.domain.engine.tables import any_action, at_each_table, walk_table

KNOWN = {
    "held", "cut_card", "face_up", "scart", "trick", "tricks", "happenings", "history", "opened", "tapp",
}  # fmt: skip
"""The parts of a view in which a card stands with the place where it lies or lay: `cards_in_sight` reads them all."""
NO_PLACE = {
    "ruleset", "options", "seat", "dealer", "sides", "running", "turn", "asked", "legal", "counts", "rounds", "dealt",
    "demander", "spoken", "leader", "lane", "first_lead", "pair_at", "side_tricks", "fool_owed", "result", "best",
    "caller", "bids", "contract", "tappist", "called", "partner", "fool_withheld", "sayable",
}  # fmt: skip
"""The others. What may be done (`legal`) is told of cards that the same view shows; `called` names a card, and shows none."""


_OUT_OF_A_HAND = ("jack-given", "taken-back", "no-jack")


def taken_back(hand, text):
    before = hand.copy()
    hand.push(parse_action(text))
    return can_be_taken_back(before, hand)


def test_a_new_part_of_a_view_must_be_looked_at_here_and_in_cards_in_sight():
    assert {part.name for part in fields(View)} == KNOWN | NO_PLACE


def test_a_card_in_the_middle_of_a_trick_can_be_taken_back():
    hand = position("C1 S1", "C2 S2", "C3 S3", "C4 S4", leader=0)
    assert taken_back(hand, "play C1")
    assert taken_back(hand, "play C2")


def test_so_can_the_card_that_ends_a_trick_if_nothing_came_out_of_another_hand():
    hand = do(position("C1 S1", "C2 S2", "C3 S3", "C4 S4", leader=0), "play C1", "play C2", "play C3")
    assert taken_back(hand, "play C4")


def test_but_not_the_card_that_ends_the_hand():
    hand = do(position("C1", "C2", "C3", "C4", leader=0), "play C1", "play C2", "play C3")
    assert not taken_back(hand, "play C4")
    assert hand.over


def test_a_call_and_what_came_of_it_stay():
    hand = position("CK S1", "C2 S2", "C3 S3", "C4 CJ", leader=0)
    do(hand, "play CK", "play C2", "play C3", "play C4")
    assert hand.asked == "call"
    assert not taken_back(hand.copy(), "quiet")
    assert not taken_back(hand, "buob")
    assert hand.happenings[-1].kind == "jack-given"


def test_king_and_jack_can_be_taken_back_and_so_can_the_card_taken_for_the_jack():
    hand = position("CK CJ S1", "C2 S2", "C3 S3", "C4 S4", leader=0)
    assert taken_back(hand, "play CK CJ")
    do(hand, "play C2", "play C3")
    assert taken_back(hand, "play C4")
    assert hand.asked == "take"
    assert taken_back(hand, "take C2")


def test_a_knock_stays():
    hand = position("T21 S1", "T2 S2", "T3 S3", "T4 S4", leader=0, knock=True)
    assert not taken_back(hand.copy(), "play T21 knock")
    assert taken_back(hand, "play T21")


def test_the_jack_that_is_called_with_the_king_stays_called():
    rules = ruleset("troccas-online")
    found: Counter[str] = Counter()
    for seed in range(30):
        rng = random.Random(seed)
        for _match, hand in walk_table(rules, rng):
            if hand.over or not hand.history:
                continue
            action = any_action(hand, rng)
            twin = hand.copy()
            twin.push(action)
            shown = [event for event in twin.happenings[len(hand.happenings) :] if event.kind in _OUT_OF_A_HAND]
            known = {*hand.trick, *action.cards} | out_of_tricks(hand)
            if action.signal == "buob" or any(event.card not in known for event in shown):
                assert not can_be_taken_back(hand, twin)
                found.update([action.signal] if action.signal else [event.kind for event in shown])
    assert all(found[kind] > 3 for kind in ("buob", *_OUT_OF_A_HAND)), found


def test_laying_away_can_be_taken_back_until_the_next_has_acted():
    for rules, verb in ((ruleset("troccas"), "scart"), (ruleset("troggu", None, 5), "discard")):
        rng = random.Random(4)
        found = 0
        for _match, hand in walk_table(rules, rng):
            if not hand.over and hand.asked == verb:
                before, action = hand.copy(), any_action(hand, rng)
                twin = hand.copy()
                twin.push(action)
                assert can_be_taken_back(before, twin) is (action.verb == verb)
                found += 1
        assert found


def test_a_bid_that_shows_who_must_play_stays_and_so_does_every_bid():
    rules, shown = ruleset("troggu", None, 7), 0
    for seed in range(40):
        rng = random.Random(seed)
        for _match, hand in walk_table(rules, rng):
            if hand.over or hand.asked != "bid":
                continue
            twin = hand.copy()
            twin.push(parse_action("pass"))
            assert not can_be_taken_back(hand, twin)
            shown += any(event.kind == "must-play" for event in twin.happenings)
    assert shown > 2


@at_each_table
@pytest.mark.slow(but="troccas-at-4")
def test_in_every_game_only_cards_laid_down_in_the_open_hand_can_be_taken_back(rules):
    possible: Counter[tuple[str, bool]] = Counter()
    for seed in range(4):
        rng = random.Random(seed)
        options = {"knock": True} if any(option.name == "knock" for option in rules.options) else {}
        for _match, hand in walk_table(rules, rng, options):
            if hand.over:
                continue
            action, seat = any_action(hand, rng), hand.turn
            twin = hand.copy()
            twin.push(action)
            may = can_be_taken_back(hand, twin)
            possible[action.verb, may] += 1
            if action.verb == "play" and not twin.over and not says_something(action):
                assert may is not any(new_in_sight(hand, twin, viewer) for viewer in (None, *range(hand.seats)))
            if not may:
                continue
            assert action.verb in ("play", "scart", "discard", "take")
            assert not says_something(action)
            assert not twin.over
            new = twin.happenings[len(hand.happenings) :]
            told = {event.card for event in new} | {event.back for event in new}
            assert told - {None} <= set(action.cards) | set(hand.trick) | out_of_tricks(hand)
            assert set_of(action.cards) & ~hand.hands[seat] == (set_of(action.cards) if action.verb == "take" else 0)
            assert [one.bit_count() for one in twin.start] == [one.bit_count() for one in hand.start], (
                "nothing was dealt"
            )
    assert possible["play", True] > 50
    assert possible["play", False] > 0
    assert not {verb for (verb, may), _ in possible.items() if may} & {
        "cut",
        "deal",
        "packets",
        "arrange",
        "pass",
        "call",
    }


def new_in_sight(before, after, viewer):
    """What the viewer sees only now, without the cards that the last action laid down."""
    seat, action = after.history[-1]
    laid = set_of(action.cards) & before.hands[seat]
    return cards_in_sight(after.view(viewer)) & ~(cards_in_sight(before.view(viewer)) | laid)


def out_of_tricks(hand):
    """What every player has seen lie there."""
    beside = {hand.trick[hand.pair_at] - hand.ruleset.pair.below_king} if hand.pair_at >= 0 else set()
    open_cards = set() if hand.tricks else set(hand.face_up)
    return {card for trick in hand.tricks for card in trick.cards} | beside | open_cards


def test_whoever_sees_more_of_it_than_another_counts_too():
    """One pair of eyes is enough: the Tapp, which only its taker sees, and the cards of a round of the deal."""
    rules, looked = ruleset("troggu", None, 3), 0
    rng = random.Random(1)
    for _match, hand in walk_table(rules, rng):
        if hand.over or hand.asked != "bid":
            continue
        twin = hand.copy()
        twin.push(parse_action("take") if parse_action("take") in hand.legal else parse_action("pass"))
        grown = [
            seat for seat in (None, *range(3)) if cards_in_sight(twin.view(seat)) & ~cards_in_sight(hand.view(seat))
        ]
        if grown:
            assert grown == [twin.tappist]
            looked += 1
    assert looked


def test_the_fool_is_a_card_like_any_other():
    hand = do(position("C1 S1", "F S2", "C3 S3", "C4 S4", leader=0), "play C1")
    before = hand.copy()
    do(hand, "play F")
    assert can_be_taken_back(before, hand)
    assert cards_in_sight(hand.view(None)) & FOOL_BIT
    assert set_of(cards("C1")) & cards_in_sight(before.view(3))
