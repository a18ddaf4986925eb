"""What actions are worth: every legal one valued, the same for the same, and never by what nobody may know."""

from __future__ import annotations

import pytest

from domain.bots import evaluating
from domain.bots.advice import LEVELS, choose
from domain.bots.evaluating import SOLVED_WORLDS, evaluate, is_late
from domain.engine import Action, Hand, ruleset
from domain.engine.ruleset import Ruleset
from tests.domain.bots.table import composed
from tests.domain.bots.test_worlds import random_hand
from tests.domain.engine.tables import at_each_table


@at_each_table
@pytest.mark.slow
def test_the_levels_play_a_hand_legally_to_its_end(rules: Ruleset) -> None:
    for seed in range(1, 2):
        _, hand = random_hand(rules, seed)
        while not hand.over:
            view = hand.view(hand.turn)
            late = view.held.bit_count() <= 4 or view.asked != "play"
            action = choose(view, level=LEVELS[1] if late else LEVELS[0], seed=b"seed")
            assert action in view.legal
            hand.push(action)


def near_the_end(seed: int, cards: int = 4) -> Hand:
    hand = composed({}, seed=seed)
    while hand.asked != "play" or hand.view(hand.turn).held.bit_count() > cards:
        hand.push(choose(hand.view(hand.turn)))
    return hand


def test_the_same_view_and_seed_give_the_same_values() -> None:
    view = near_the_end(1, 6).view(near_the_end(1, 6).turn)
    assert evaluate(view, worlds=6, seed=b"a") == evaluate(view, worlds=6, seed=b"a")


def test_every_legal_card_is_valued_and_the_best_comes_first() -> None:
    hand = near_the_end(2)
    view = hand.view(hand.turn)
    valued = evaluate(view, worlds=8)
    assert {option.action for option in valued} == set(view.legal)
    assert valued[0].error == 0
    assert valued[0].points == max(option.points for option in valued)


def test_the_last_cards_are_valued_exactly() -> None:
    """All play the last trick as they must: what is expected is the mean over the worlds that fit."""
    hand = near_the_end(3, 2)
    view = hand.view(hand.turn)
    valued = evaluate(view, worlds=10_000)
    assert all(option.exact and not option.error for option in valued)


@pytest.mark.parametrize(("ruleset_id", "seats"), [("troccas", 4), ("troggu", 3)])
def test_whoever_is_waited_for_solves_no_five_tricks(
    ruleset_id: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They took up to three seconds in Troggu for three, which has fewer cards in them."""
    monkeypatch.setattr(evaluating, "SOLVED_CARDS", 20)  # as it is where the core is compiled
    _, hand = random_hand(ruleset(ruleset_id, seats=seats), 1)
    told = {}
    while not hand.over:
        view = hand.view(hand.turn)
        if view.asked == "play":
            told[min(view.counts)] = [is_late(view, SOLVED_WORLDS, at_once=at_once) for at_once in (False, True)]
        hand.push(choose(view))
    assert told[5] == [True, False]
    assert told[3] == [True, True]


def test_who_is_not_on_turn_has_nothing_to_value() -> None:
    hand = composed({})
    with pytest.raises(ValueError, match="not on turn"):
        evaluate(hand.view((hand.turn + 1) % 4))


@pytest.mark.parametrize(
    ("first_six", "word"), [("T21 T20 T19 F CK CQ", "veto"), ("C9 O8 S2 B3 BJ SJ", "allow")], ids=["strong", "weak"]
)
def test_the_talk_is_valued_by_how_the_hand_would_go_on(first_six: str, word: str) -> None:
    """Once the first six cards are dealt. What is said with the word is true, as among beginners."""
    hand = composed({0: first_six}, dealer=3, throw_in=True)
    view = hand.view(0)
    assert (view.asked, view.held.bit_count()) == ("talk", 6)
    assert evaluate(view, worlds=16)[0].action.verb == word
    action = choose(view, level="club", seed=b"a")
    assert action in view.legal
    assert bool(action.said) == (action.verb in ("allow", "veto"))


def test_hopeless_bids_are_not_made() -> None:
    """A hand like others is worth less alone than passed."""
    _, hand = random_hand(ruleset("troggu", seats=4), 1)
    hand.push(Action("cut", number=10))
    view = hand.view(hand.turn)
    assert view.asked == "bid"
    valued = {option.action.verb: option.points for option in evaluate(view, worlds=16)}
    assert set(valued) == {"pass", "take", "solo"}
    assert valued["solo"] < valued["pass"]
