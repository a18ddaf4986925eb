"""The fast core plays as the engine does: random hands of every ruleset and size in both, the same at every card."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from random import Random

import pytest

from benchmarks.fast_core import play_at_random
from domain.bots.advice import advise
from domain.bots.fast.compiling import State, numbers, table
from domain.bots.fast.count import scores_of
from domain.bots.fast.encoding import at_first_lead, number_of, rules_for, state_in
from domain.bots.fast.layout import (
    ACTIONS,
    ASKED,
    CALLED,
    HELD_SUITS,
    HELD_TRUMPS,
    LYING,
    OVER,
    PARTNER,
    SIZE,
    SOLO,
    TAPPIST,
    TRICK,
    TURN,
    VOIDS,
)
from domain.bots.fast.play import apply, legal_actions
from domain.bots.fast.policy import choose, shortfall, weights
from domain.bots.worlds import World
from domain.engine import Action, Hand, cards_in, ruleset
from domain.engine.legal import LegalChoice
from domain.engine.ruleset import Ruleset
from tests.domain.bots.table import TROCCAS
from tests.domain.engine.tables import EVERY, NAMES
from tests.long import LONG

QUESTIONS = ("play", "call", "fool", "take")
HANDS = 100_000 // len(EVERY) + 1 if LONG else 12


def any_of(hand: Hand, luck: Random) -> Action:
    legal = hand.legal
    if isinstance(legal, LegalChoice) and not legal.otherwise:
        return Action(legal.verb, tuple(luck.sample(list(cards_in(legal.cards)), legal.count)))
    return luck.choice(list(legal))


def at_play(rules: Ruleset, seed: int) -> tuple[Hand, Random]:
    """A random hand at its first lead (or over, if all passed), and the luck it goes on with."""
    luck = Random(f"{rules.id} {rules.seats} {seed}")
    pack = list(cards_in(rules.pack))
    luck.shuffle(pack)
    options = {"throw_in": False} if rules.talk is not None else {}
    hand = Hand(rules, seed % rules.seats, pack, options=rules.settled_options(options))
    while not hand.over and hand.asked != "play":
        hand.push(any_of(hand, luck))
    return hand, luck


def in_the_core(hand: Hand) -> tuple[State, State]:
    """The rules and the state of a hand at its first lead."""
    r = rules_for(hand.ruleset, hand.option, hand.dealer)
    away, to = hand.scart, hand.sides[hand.dealer]
    if hand.ruleset.bidding is not None:
        away, to = (hand.tapp if hand.contract == "solo" else hand.scart), 0
    if hand.contract == "misere":
        away, to = 0, -1
    s = at_first_lead(hand.sides, hand.hands, hand.leader, away, to)
    s[SOLO], s[TAPPIST], s[PARTNER] = hand.contract == "solo", hand.tappist, hand.partner
    s[CALLED] = -1 if hand.called is None else hand.called
    return r, s


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
def test_random_hands_go_as_in_the_engine(rules: Ruleset) -> None:
    for seed in range(HANDS):
        hand, luck = at_play(rules, seed)
        if hand.asked != "play":
            continue
        r, s = in_the_core(hand)
        found = numbers(ACTIONS)
        while not hand.over:
            count = legal_actions(s, r, found)
            numbered = {number_of(action): action for action in hand.legal}
            assert sorted(found[:count]) == sorted(numbered)
            assert s[TURN] == hand.turn
            number = luck.choice(sorted(numbered))
            apply(s, r, number)
            hand.push(numbered[number])
        assert hand.result is not None
        assert s[ASKED] == OVER
        scores = numbers(8)
        scores_of(s, r, scores)
        assert tuple(scores[: rules.seats]) == hand.result.scores


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
@pytest.mark.slow(but="troccas-oinkers-at-4")
def test_a_state_made_from_a_view_and_the_true_world_is_that_of_the_hand(rules: Ruleset) -> None:
    for seed in range(6):
        hand, luck = at_play(rules, seed)
        if hand.asked != "play":
            continue
        r, s = in_the_core(hand)
        while not hand.over:
            for seat in range(rules.seats):
                view = hand.view(seat)
                lies = hand.tapp if hand.contract in ("solo", "misere") else hand.scart
                there = state_in(view, World(tuple(hand.hands), lies if view.scart is None else 0))
                assert differing(s, there) == []
            action = luck.choice([action for action in hand.legal if action.signal != "knock"])
            apply(s, r, number_of(action))
            hand.push(action)


def differing(first: State, second: State) -> list[int]:
    """The places where two states differ that matter: not what was played in tricks that are gathered, nor what who has no
    card left does not have."""
    left_out = set(range(TRICK + first[LYING], HELD_SUITS))
    left_out |= {VOIDS + seat for seat in range(8) if not first[HELD_SUITS + seat] | first[HELD_TRUMPS + seat]}
    return [at for at in range(len(first)) if first[at] != second[at] and at not in left_out]


@pytest.mark.parametrize("rules", EVERY, ids=NAMES)
@pytest.mark.slow(but="troccas-oinkers-at-4")
def test_the_policy_plays_only_what_is_legal(rules: Ruleset) -> None:
    found = numbers(ACTIONS)
    w = weights()
    for seed in range(3):
        hand, _ = at_play(rules, seed)
        if hand.asked != "play":
            continue
        r, s = in_the_core(hand)
        while s[ASKED] != OVER:
            action = choose(s, r, w)
            legal = found[: legal_actions(s, r, found)]
            assert action in legal
            short = {each: shortfall(s, r, w, each) for each in legal}
            assert short[action] == 0
            assert all(0 <= each < 100_00 for each in short.values()), "every play has been judged"
            apply(s, r, action)


@pytest.mark.parametrize("rules", [TROCCAS, ruleset("troggu")], ids=lambda rules: rules.id)
def test_the_policy_plays_as_rules_of_thumb_do(rules: Ruleset) -> None:
    """In 92 plays of 100 or more: rounding and some of what is proven about others make the difference."""
    w = weights()
    plays = alike = 0
    for seed in range(40 if LONG else 8):
        hand, _ = at_play(rules, seed)
        while not hand.over:
            view = hand.view(hand.turn)
            action = advise(view).action
            if view.asked == "play" and len(view.legal) > 1 and hand.contract != "misere":
                r = rules_for(rules, hand.option, hand.dealer, hand.face_up)
                s = state_in(view, World(tuple(hand.hands), hand.scart if view.scart is None else 0))
                plays += 1
                alike += not shortfall(s, r, w, number_of(action))
            hand.push(action)
    assert alike > 0.92 * plays > 50


def checksum(hands: int, times: int) -> str:
    """All that is played in some hands of every ruleset, once by the policy and `times` at random, in one number."""
    told = hashlib.sha256()
    w, found, work = weights(), numbers(ACTIONS), numbers(SIZE)
    for rules in EVERY:
        for seed in range(hands):
            hand, _ = at_play(rules, seed)
            if hand.asked == "play":
                r, s = in_the_core(hand)
                bases, scores = table(1, SIZE), numbers(8)
                bases[0][:] = s
                told.update(b"%d " % play_at_random(bases, 1, times, r, seed, found, work, scores))
                while s[ASKED] != OVER:
                    action = choose(s, r, w)
                    told.update(b"%d " % action)
                    apply(s, r, action)
                scores_of(s, r, scores)
                told.update(b"%d " % sum(int(score) << 8 * seat for seat, score in enumerate(scores)))
    return told.hexdigest()


@pytest.mark.long
def test_compiled_it_plays_the_same() -> None:
    """More than 100,000 hands in all, the same number of each ruleset and size."""
    pytest.importorskip("numba")
    hands = 50
    times = 100_000 // (hands * len(EVERY)) + 1
    script = f"from tests.domain.bots.test_fast import checksum; print(checksum({hands}, {times}))"
    env = {**os.environ, "TROCCAS_COMPILED": "1", "PYTHONPATH": os.getcwd()}
    ran = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == checksum(hands, times)
