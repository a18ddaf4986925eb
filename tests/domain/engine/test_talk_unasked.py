"""The talk where nothing is thrown in (docs/rules.md, `throw_in`): said out of turn, and nobody waits for it."""

from __future__ import annotations

import json

import pytest

from domain.engine import CODES, Action, Hand, IllegalAction, parse_action, ruleset
from domain.engine.actions import SAY
from domain.engine.record import parse_record, replay, replayed, rewound
from domain.engine.ruleset import OptionValue
from domain.engine.talk import phrase_book
from tests.domain.engine.kit import DEFAULTS, TROCCAS, do, full_pack, why

FIRST, SECOND = list(phrase_book())[:2]
SAID = Action(SAY, said=(FIRST,))


def dealt(**options: OptionValue) -> Hand:
    """A hand of dealer 0 with all cards dealt, where nothing is thrown in."""
    return do(Hand(TROCCAS, 0, full_pack(), options={**DEFAULTS, "throw_in": False, "hands": 1, **options}), "cut 1")


def laid_away(hand: Hand) -> Hand:
    hand.push(next(iter(hand.legal)))
    return hand


def led(hand: Hand) -> Hand:
    hand.push(next(iter(hand.legal)))
    return hand


def test_everybody_may_speak_as_soon_as_the_cards_are_dealt_and_nobody_is_asked_to() -> None:
    hand = dealt()
    for seat in (3, 1, 0, 2):
        hand.push_of(seat, SAID)
    assert [(spoken.seat, spoken.action) for spoken in hand.spoken] == [(seat, SAID) for seat in (3, 1, 0, 2)]
    assert (hand.turn, hand.asked) == (0, "scart")
    assert not do(hand).over


def test_one_speaks_as_often_as_the_deal_has_rounds() -> None:
    hand = dealt()
    for _ in range(3):
        hand.push_of(2, SAID)
    assert str(hand.why_unsayable(2, SAID)) == "one speaks 3 times in a deal at most"
    assert hand.view(2).sayable == ""
    assert hand.view(1).sayable == "phrases"


def test_whoever_has_played_their_first_card_is_silent_and_the_others_may_still_speak() -> None:
    hand = led(laid_away(dealt()))
    with pytest.raises(IllegalAction):
        hand.push_of(1, SAID)
    for seat in (2, 3, 0):
        assert hand.why_unsayable(seat, SAID) is None
        hand.push_of(seat, SAID)
    assert hand.turn == 2
    for _ in range(3):
        led(hand)
    assert all(hand.why_unsayable(seat, SAID) is not None for seat in range(4))


def test_nobody_speaks_before_the_cards_are_dealt() -> None:
    hand = Hand(TROCCAS, 0, full_pack(), options={**DEFAULTS, "throw_in": False})
    assert hand.why_unsayable(1, SAID) is not None


@pytest.mark.parametrize(
    ("talk", "text", "refused"),
    [
        ("silent", f"say {FIRST}", "one speaks from the deal to one's own first card, and not where nothing is said"),
        ("phrases", f"say {FIRST} {SECOND}", ""),
        ("phrases", 'say "na"', "only phrases of the phrase book are said at this table"),
        ("phrases", "say not-heard-of", "not-heard-of is not in the phrase book"),
        ("free", f'say {FIRST} "na"', ""),
        ("free", "veto", "that is not asked now: say"),
    ],
)
def test_what_may_be_said_is_the_tables_choice(talk: str, text: str, refused: str) -> None:
    broken = dealt(talk=talk).why_unsayable(1, parse_action(text))
    assert str(broken or "") == refused


def test_where_cards_may_be_thrown_in_one_speaks_only_when_asked() -> None:
    hand = do(Hand(TROCCAS, 0, full_pack(), options={**DEFAULTS, "throw_in": True}), "cut 1")
    assert hand.why_unsayable(3, SAID) is not None
    assert hand.view(3).sayable == ""


@pytest.mark.parametrize("game", ["troccas-3", "troccas-online", "troccas-6"])
def test_games_without_a_talk_have_none_here_either(game: str) -> None:
    rules = ruleset(game)
    assert rules.speaks_unasked(rules.settled_options({})) == ""


def test_on_turn_it_answers_nothing() -> None:
    hand = dealt()
    assert why(hand, f"say {FIRST}") == "that is not asked now: scart"


def test_what_is_said_changes_nothing_but_what_was_said() -> None:
    hand, silent = dealt(), dealt()
    hand.push_of(1, SAID)
    assert hand.legal == silent.legal
    assert (hand.view(1).acted, silent.view(1).acted) == (1, 1)
    assert why(laid_away(hand), "throw-in") == why(laid_away(silent), "throw-in")


def test_a_record_holds_it_and_gives_it_back() -> None:
    hand = led(laid_away(dealt()))
    texts = [f"{seat} {action}" for seat, action in hand.history]
    texts[2:2] = [f"2 say {FIRST}"]
    text = json.dumps(
        {
            "format": "troccas-record", "version": 1, "ruleset": "troccas", "options": {"throw_in": False},
            "players": list("abcd"), "hands": [{"dealer": 0, "pack": _codes(), "actions": texts}],
        }
    )  # fmt: skip
    match = replay(parse_record(text))
    assert match.hand is not None
    assert [spoken.seat for spoken in match.hand.spoken] == [2]
    listed = replayed(parse_record(text), legal=True)["hands"]
    assert isinstance(listed, list)
    first = listed[0]
    assert isinstance(first, dict)
    decisions = first["decisions"]
    assert isinstance(decisions, list)
    assert decisions[2] == {"seat": 2, "legal": ["say"]}
    back = rewound(match.hand, full_pack(), 3)
    assert (len(back.spoken), back.turn) == (1, 1)


def _codes() -> str:
    return " ".join(CODES[card] for card in full_pack())


def test_a_record_in_which_a_seat_speaks_too_late_is_refused() -> None:
    hand = led(laid_away(dealt()))
    texts = [f"{seat} {action}" for seat, action in hand.history] + [f"1 say {FIRST}"]
    text = json.dumps(
        {
            "format": "troccas-record", "version": 1, "ruleset": "troccas", "options": {"throw_in": False},
            "players": list("abcd"), "hands": [{"dealer": 0, "pack": _codes(), "actions": texts}],
        }
    )  # fmt: skip
    with pytest.raises(ValueError, match="one speaks from the deal"):
        replay(parse_record(text))


@pytest.mark.parametrize("text", ["say", "say ", 'say ""', "say CK"])
def test_saying_nothing_is_no_action(text: str) -> None:
    with pytest.raises(ValueError, match=r"say needs|no such phrase"):
        parse_action(text)
