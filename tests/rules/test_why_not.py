"""What a player is told who tries what the rules forbid: it speaks of the cards of the game that is played."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from domain.engine import Hand, IllegalAction, Ruleset, parse_action, ruleset
from rules.text import legality
from tests.domain.engine.kit import do
from tests.domain.engine.test_rulesets_play import playing

OINKERS, THREE = ruleset("troccas-oinkers"), ruleset("troccas-3")


def told(hand: Hand, action: str, card: str = "", suit: str = "") -> str:
    """What the engine's refusal of an action reads like in English."""
    with pytest.raises(IllegalAction) as caught:
        hand.copy().push(parse_action(action))
    broken = caught.value.illegality
    with override("en"):
        return legality.refusal(str(broken.rule), card=card, suit=suit, number=broken.number)


def after_a_trick_of_trumps(rules: Ruleset, *held: str) -> Hand:
    """Everybody has played one of the trumps from XXI down; the first seat leads, with the cards named."""
    with_trumps = [f"T{21 - seat} {cards}" for seat, cards in enumerate(held)]
    hand = playing(rules, *with_trumps)
    return do(hand, *(f"play T{21 - seat}" for seat in range(len(held))))


def house_rules() -> Hand:
    return after_a_trick_of_trumps(OINKERS, "CK CN CJ SK SN", "C3 C2 S2 S3 S4", "C9 C5 B2 S5 S6", "C6 C7 B3 S7 S8")


def test_the_house_rules_refuse_another_companion_than_the_cavalier_and_say_so() -> None:
    assert told(house_rules(), "play CK CJ") == "Only a king and the cavalier of the same suit can be played together."


def test_elsewhere_it_is_the_jack() -> None:
    hand = after_a_trick_of_trumps(THREE, "CK CN CJ", "C3 C2 S2", "C9 C5 B2")
    assert told(hand, "play CK CN") == "Only a king and the jack of the same suit can be played together."


def test_a_pair_that_comes_too_late_is_named_too() -> None:
    hand = do(house_rules(), "play CJ", "play C3", "play C5", "play C6")
    assert told(hand, "play CK CN").startswith("King and cavalier go together only the first time")


def test_a_pair_of_another_suit_than_the_one_led_is_named_too() -> None:
    hand = after_a_trick_of_trumps(OINKERS, "B9 C4 C8", "CK CN S1", "C9 C5 B2", "C6 C7 B3")
    do(hand, "play B9")
    assert told(hand, "play CK CN") == "King and cavalier go together only when their own suit is led. Play one card."


def test_what_may_be_taken_back_is_said_as_the_game_has_it() -> None:
    house = do(house_rules(), "play CK CN", "play C3", "play C5", "play C6")
    assert "only a card that another player put down, and never the Fool" in told(house, "take CK", "CK")
    three = after_a_trick_of_trumps(THREE, "CK CN CJ", "C3 C2 S2", "C9 C5 B2")
    do(three, "play CK CJ", "play C3", "play C9")
    assert "only a numeral card of the suit" in told(three, "take CK", "CK")
