"""The computer players at every table of every game: always legal, nothing unanswered, nothing believed that is untrue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import fmean

import pytest

from benchmarks.bots import at_random, duplicate, player_of
from domain.bots.advice import STRATEGIES, choose
from domain.bots.knowledge import know
from domain.engine import Action, Hand, Match, View, cards_in, parse_action, ruleset
from domain.engine.cards import LANES
from domain.engine.ruleset import Ruleset
from domain.engine.rulesets import RULESETS
from tests.domain.engine.tables import EACH
from tests.long import quick

TABLES = [found.at(seats) for found in RULESETS.values() for seats in found.sizes]
NAMES = [f"{rules.id}-{rules.seats}" for rules in TABLES]

every_table = pytest.mark.parametrize("rules", quick({name.replace("-at-", "-") for name in EACH}, TABLES, NAMES))


def shuffled(rules: Ruleset, seed: object) -> list[int]:
    pack = list(cards_in(rules.pack))
    Random(f"{rules.id} {seed}").shuffle(pack)
    return pack


def random_hands(rules: Ruleset, hands: int, bids: str = "") -> Iterator[Hand]:
    """Random hands at each of their questions; every bid is one of `bids`, if there are any."""
    for seed in range(hands):
        luck = Random(seed)
        hand = Hand(rules, seed % rules.seats, shuffled(rules, seed))
        while not hand.over:
            yield hand
            if hand.asked == "bid" and bids:
                allowed = [parse_action(verb) for verb in bids.split()]
                hand.push(luck.choice([action for action in allowed if action in hand.legal]))
            else:
                hand.push(at_random(hand.view(hand.turn), luck))


@every_table
@pytest.mark.slow(but="troccas-oinkers-4")
def test_every_choice_is_legal_in_every_position(rules: Ruleset) -> None:
    for bids in ("pass", "pass take", "solo") if rules.bidding else ("",):
        for hand in random_hands(rules, 4, bids):
            view = hand.view(hand.turn)
            action = choose(view, seed=b"seed")
            assert action in view.legal
            assert choose(view, seed=b"seed") == action


@pytest.mark.slow
def test_every_kind_of_question_is_asked_somewhere_and_answered() -> None:
    asked: Counter[str] = Counter()
    for rules in TABLES:
        for seed in range(9):  # the talk rarely gets to its end where half of all answers are random
            luck = Random(seed)
            match = Match(rules, {"hands": 2}, dealer=seed % rules.seats)
            if rules.id == "troccas":
                match.totals = [-20, 20, -20, 20]
            while not match.over:
                hand = match.deal(shuffled(rules, luck.random()))
                while not hand.over:
                    view = hand.view(hand.turn)
                    asked[view.asked] += 1
                    match.push(choose(view) if luck.random() < 0.5 else at_random(view, luck))
    assert set(asked) == set(STRATEGIES)


@every_table
def test_what_is_taken_for_proven_is_true(rules: Ruleset) -> None:
    proven = 0
    for bids in ("pass", "take pass", "solo") if rules.bidding else ("",):
        for hand in random_hands(rules, 4, bids):
            if hand.asked == "play" and len(hand.tricks) % 2:
                proven += _assert_true(hand, hand.turn)
    assert proven > 0


def _assert_true(hand: Hand, seat: int) -> int:
    """Check all that `seat` knows against the hand itself; how much it knows of the others."""
    known = know(hand.view(seat))
    found = 0
    for other, held in enumerate(hand.hands):
        assert not known.located[other] & ~held
        assert not held & ~known.may_hold[other]
        for lane in range(5):
            if known.is_void(other, lane):
                assert not held & LANES[lane]
                found += other != seat
        if other != seat:
            found += known.located[other].bit_count()
    hidden = sum(held for other, held in enumerate(hand.hands) if other != seat)
    assert not hidden & ~known.unseen
    assert known.unseen.bit_count() == hidden.bit_count() + known.resting
    return found


@every_table
def test_computer_players_play_a_game_to_its_end_among_themselves(rules: Ruleset) -> None:
    match = Match(rules, {"hands": 2}, dealer=0)
    deals = 0
    while not match.over and deals < 40:
        hand = match.deal(shuffled(rules, deals))
        deals += 1
        while not hand.over:
            match.push(choose(hand.view(hand.turn), seed=b"%d" % deals))
    assert match.over


# per family: how far above the mean of the table, at the least (`benchmarks/bots.py` measures it exactly)
@pytest.mark.parametrize(
    ("id", "seats", "least"),
    [
        ("troccas-6", 6, 3),
        ("troccas-3", 3, 4),
        ("troccas-3-singles", 3, 6),
        ("troccas-5", 5, 4),
        ("troccas-oinkers", 4, 8),
        ("troccas-online", 4, 3),
        ("troggu", 4, 8),
        ("troggu", 8, 15),
        ("troggu-st-niklaus", 5, 5),
        ("troggu-graechen", 5, 5),
    ],
)
@pytest.mark.slow(but="troccas-oinkers-4-8")
def test_they_beat_random_play_clearly(id: str, seats: int, least: float) -> None:
    rules = ruleset(id, seats=seats)
    assert fmean(duplicate(rules, 24, player_of("beginner"), at_random)) >= least


@pytest.mark.parametrize(("id", "seats"), [("troccas-5", 5), ("troggu", 6)])
def test_among_themselves_no_seat_is_better(id: str, seats: int) -> None:
    itself = player_of("beginner")
    assert fmean(duplicate(ruleset(id, seats=seats), 3, itself, itself)) == pytest.approx(0)


def test_in_a_misere_they_take_far_fewer_points_than_random_players() -> None:
    rules = ruleset("troggu", seats=4)
    above = []
    for seed in range(30):
        for seat in range(rules.seats):
            luck = Random(seed)
            hand = Hand(rules, 0, shuffled(rules, seed))
            while not hand.over:
                view: View = hand.view(hand.turn)
                if hand.asked == "bid":
                    hand.push(Action("pass"))
                else:
                    hand.push(choose(view) if hand.turn == seat else at_random(view, luck))
            assert hand.result is not None
            above.append(hand.result.points[seat] - fmean(hand.result.points))
    assert fmean(above) < -3
