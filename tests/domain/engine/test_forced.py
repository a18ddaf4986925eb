"""Who has only one thing to do has it done; who has two, however alike, is asked."""

from __future__ import annotations

import random

import pytest

from domain.engine import parse_action
from domain.engine.claims import forced, plainly_forced
from domain.engine.legal import LegalArrangement, LegalChoice, LegalPlays
from tests.domain.engine.kit import do, position
from tests.domain.engine.tables import at_each_table, walk_table


def only(hand):
    return str(forced(hand.view(hand.turn)))


def test_the_only_card_that_follows_suit_is_forced():
    hand = do(position("C1 S1", "C2 S2", "C3 CK S3", "C4 S4", leader=0), "play C1")
    assert only(hand) == "play C2"
    do(hand, "play C2")
    assert forced(hand.view(2)) is None, "two cups are a choice"


def test_a_fool_beside_the_only_card_is_a_choice():
    hand = do(position("C1 S1", "C2 F", "C3 S3", "C4 S4", leader=0), "play C1")
    assert forced(hand.view(1)) is None


def test_nobody_else_is_forced_to_anything():
    hand = do(position("C1 S1", "C2 S2", "C3 S3", "C4 S4", leader=0), "play C1")
    assert [forced(hand.view(seat)) for seat in (0, 2, 3, None)] == [None] * 4


def test_a_card_one_may_knock_with_is_a_choice():
    hand = position("T5 S1", "T21 S2", "T3 S3", "T4 S4", leader=0, knock=True)
    do(hand, "play T5")
    assert len(hand.legal) == 1
    assert forced(hand.view(1)) is None
    quiet = do(position("T5 S1", "T21 S2", "T3 S3", "T4 S4", leader=0), "play T5")
    assert only(quiet) == "play T21"


def test_king_and_jack_are_a_choice():
    hand = do(position("C1 S1", "CK CJ", "C3 S3", "C4 S4", leader=0), "play C1")
    assert forced(hand.view(1)) is None


def test_the_last_card_is_plainly_forced_and_an_only_card_of_a_suit_is_not():
    last = position("C1", "C2", "C3", "C4", leader=0)
    assert plainly_forced(last.view(0))
    assert not plainly_forced(do(position("C1 S1", "C2 S2", "C3 S3", "C4 S4", leader=0), "play C1").view(1))


def every_possible_action(hand):
    """What the engine accepts, tried out one by one and not read from the list of what is legal."""
    held = [card for card in range(78) if hand.hands[hand.turn] >> card & 1]
    from domain.engine import CODES

    texts = [f"play {CODES[card]}{sign}" for card in held for sign in ("", " knock", " buob")]
    texts += [f"play {CODES[king]} {CODES[other]}" for king in held for other in held if king != other]
    texts += ["keep", "give", "quiet", "buob", "buob-sche", "pass", "take", "solo", "go", "throw-in", "allow", "veto"]
    texts += ["liber", "allow bun", *(f"take {CODES[card]}" for card in hand.trick)]
    return [text for text in texts if hand.why_illegal(parse_action(text)) is None]


@at_each_table
@pytest.mark.slow(but="troccas-at-4")
def test_forced_says_so_exactly_when_one_action_is_accepted(rules):
    rng = random.Random(5)
    found = 0
    options = {"knock": True} if any(option.name == "knock" for option in rules.options) else {}
    for _match, hand in walk_table(rules, rng, options):
        if hand.over or isinstance(hand.legal, (LegalChoice, LegalArrangement)) or hand.asked in (
            "cut", "deal", "packets", "partner",
        ):  # fmt: skip
            continue
        possible = every_possible_action(hand)
        said = forced(hand.view(hand.turn))
        assert (said is not None) == (len(possible) == 1), (possible, hand.legal)
        if said is not None:
            assert str(said) == possible[0]
            found += isinstance(hand.legal, LegalPlays)
        if found > 60:
            break
    assert found > 10
