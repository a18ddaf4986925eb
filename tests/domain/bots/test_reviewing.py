"""Looking back at a hand: each remark is true, and rests on nothing that whoever decided could not know."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from domain.bots import reviewing
from domain.bots.common import fool_is_high, lane_of, over
from domain.bots.evaluating import prospects
from domain.bots.racing import Valued
from domain.bots.reviewing import Fact, FactKind
from domain.engine import Action, Hand, card_of, parse_action, ruleset
from domain.engine.cards import BIT, LANES, TRUMPS
from domain.engine.record import rewound
from tests.domain.bots.table import composed, play
from tests.domain.engine.tables import at_few_tables
from tests.games.store_kit import pack_of, random_hand, replayed, texts_of
from tests.games.unseen import unseen_by

TROCCAS = ruleset("troccas")


def played(rules, seed: int = 1) -> Hand:
    """A hand in which everybody did anything that was allowed."""
    return next(hand for more in range(50) if (hand := random_hand(seed + more, 1000, rules=rules)).tricks)


def is_true(fact: Fact, hand: Hand) -> bool:
    """Whether a fact holds with the cards as they really lie before the card is played."""
    high = fool_is_high(hand.ruleset)
    if fact.kind in (FactKind.SHOWN_VOID, FactKind.PARTNER_VOID):
        return not hand.hands[fact.seat] & LANES[fact.lane]
    if fact.kind is FactKind.HIGHER_HELD:
        return bool(hand.hands[fact.seat] & BIT[fact.card])
    if fact.kind is FactKind.HIGHEST_LEFT:
        others = [held for seat, held in enumerate(hand.hands) if seat != hand.turn]
        return lane_of(fact.card, high) == fact.lane and not any(held & over(fact.card, high) for held in others)
    if fact.kind is FactKind.TRUMPS_OUT:
        out = sum((held & LANES[TRUMPS]).bit_count() for seat, held in enumerate(hand.hands) if seat != hand.turn)
        return fact.number >= out
    return True


def wins(hand: Hand, action) -> bool:
    """Whether who plays this last card of a trick takes it."""
    after = hand.copy()
    seat = after.turn
    after.push(action)
    winner = (
        after.tricks[-1].winner
        if len(after.tricks) > len(hand.tricks)
        else after.view(seat).seat_of(after.view(seat).best)
    )
    return winner == seat


@at_few_tables
def test_what_is_said_to_be_known_is_true(rules):
    found = set()
    hand = played(rules)
    for _step, before in reviewing.decisions(hand, pack_of(hand)):
        if before.asked != "play":
            continue
        view = before.view(before.turn)
        for done, better in permutations([action for action in view.legal if not action.signal], 2):
            for fact in reviewing.facts(view, done, better):
                found.add(fact.kind)
                assert is_true(fact, before), (fact, done, better)
                if fact.kind is FactKind.COULD_WIN:
                    assert wins(before, better)
                    assert not wins(before, done)
                if fact.kind in (FactKind.GAVE_POINTS, FactKind.COULD_BRING):
                    assert not wins(before, better)
                    assert not wins(before, done)
    assert {FactKind.SHOWN_VOID, FactKind.TRUMPS_OUT} & found


def test_who_alone_can_hold_a_card_is_known_to_hold_it_though_nobody_has_seen_it():
    holdings = {
        0: "CN CJ S2 S3 S4 T2 T3 T4 T5 T6",
        1: "CK CQ C7",
        2: "S7 S8 S9 S10 SJ SN SQ SK B1 B2 B3 B4 B5 B6 B7 B8 O1 O2 O3",
        3: "O4 O5 O6 O7 O8 O9 O10 OJ ON OQ OK B9 B10 BJ BN BQ BK S5 S6",
    }
    view = play(composed(holdings, dealer=3), "CJ", "C7", "B1", "S5")
    found = list(reviewing.facts(view, parse_action("play CN"), parse_action("play S2")))
    assert [(fact.kind, fact.seat, fact.card) for fact in found] == [(FactKind.HIGHER_HELD, 1, card_of("CK"))]
    assert view.face_up[1] != card_of("CK")


def test_neither_hidden_cards_nor_what_came_later_change_a_judgement():
    hand = played(TROCCAS, 3)
    pack, texts = pack_of(hand), texts_of(hand)
    chance = random.Random(5)
    compared = 0
    for step in [step for step, _before in reviewing.decisions(hand, pack)][8::12]:
        before = rewound(hand, pack, step)
        hidden = unseen_by(before, before.turn)
        for _attempt in range(40):
            one, other = chance.sample(hidden, 2)
            swapped = [{one: other, other: one}.get(card, card) for card in pack]
            moment = replayed(hand, swapped, texts[: step + 1])
            if moment is not None and moment.history == hand.history[: step + 1]:
                assert reviewing.judge(moment, swapped, step, worlds=2) == reviewing.judge(hand, pack, step, worlds=2)
                compared += 1
                break
    assert compared > 1


@at_few_tables
@pytest.mark.slow(but="troccas-at-4")
def test_a_judgement_names_the_action_and_never_costs_less_than_nothing(rules):
    hand = played(rules)
    pack = pack_of(hand)
    steps = [step for step, _before in reviewing.decisions(hand, pack)]
    judged = [reviewing.judge(hand, pack, step, worlds=2) for step in steps[:: max(1, len(steps) // 8)]]
    told = [each for each in judged if each is not None]
    assert told
    for each in told:
        assert each.cost >= 0
        assert each.action in [option.action for option in each.options]
        assert all(abs(sum(chances.shares) - 100) <= len(chances.shares) for chances in each.chances)
        assert reviewing.judge(hand, pack, each.step, worlds=2) == each


def test_of_the_talk_the_answer_is_judged_and_not_what_is_said_with_it():
    hands = (random_hand(seed, 1000, rules=TROCCAS) for seed in range(50))
    hand = next(hand for hand in hands if hand.tricks and any(action.said for _seat, action in hand.history))
    pack, spoken = pack_of(hand), 0
    for step, before in reviewing.decisions(hand, pack):
        seat, action = hand.history[step]
        if before.asked in reviewing.TALK:
            judged = reviewing.judge(hand, pack, step, worlds=2)
            assert judged is not None
            assert (judged.seat, judged.trick, judged.action) == (seat, 0, Action(action.verb))
            assert {option.action.verb for option in judged.options} == {each.verb for each in before.legal}
            spoken += bool(action.said)
    assert spoken


def test_nothing_is_judged_where_nothing_was_decided():
    hand = played(TROCCAS)
    with pytest.raises(ValueError, match="nothing is decided"):
        reviewing.judge(hand, pack_of(hand), 0, worlds=2)


def test_a_hand_that_is_played_on_from_its_last_card_ends_as_it_did():
    hand = played(TROCCAS)
    pack = pack_of(hand)
    last = len(hand.history) - 1
    assert reviewing.outcome(hand, pack, last, 0) == tuple(hand.result.scores)


def test_what_seems_a_mistake_by_chance_is_none(monkeypatch):
    """Of many actions one is best by chance in the worlds that are looked into: only what others find too is told."""
    hand = played(TROCCAS)
    pack = pack_of(hand)
    step = next(step for step, before in reviewing.decisions(hand, pack) if before.asked == "play" and not before.trick)
    done = reviewing.plain(hand.history[step][1])
    looks = []

    def by_chance(view, *, worlds, seed=b""):
        """Another action seems better at the first look, and none at the second, which goes into more worlds."""
        looks.append((worlds, seed))
        other = next(action for action in view.legal if reviewing.plain(action) != done)
        points = 1.0 if len(looks) == 1 else -0.1
        found = [Valued(other, points, 0.3, exact=False), Valued(done, 0.0, 0.3, exact=False)]
        return tuple(sorted(found, key=lambda each: -each.points))

    monkeypatch.setattr(reviewing, "evaluate", by_chance)
    judged = reviewing.judge(hand, pack, step, worlds=40)
    assert judged is not None
    assert (judged.cost, judged.facts, judged.prospects) == (0.0, (), ())
    (few, one), (many, another) = looks
    assert many > few
    assert one != another


@pytest.mark.slow
def test_what_comes_of_a_card_is_what_the_rules_make_of_it():
    """Whoever plays last takes the trick with one card, and leaves it with another."""
    hand = played(TROCCAS)
    for _step, before in reviewing.decisions(hand, pack_of(hand)):
        if before.asked != "play":
            continue
        view = before.view(before.turn)
        for done, better in permutations([action for action in view.legal if not action.signal], 2):
            if any(fact.kind is FactKind.COULD_WIN for fact in reviewing.facts(view, done, better)):
                best, other = prospects(view, (better, done))
                assert (best.trick, other.trick) == (100, 0)
                assert best.tricks >= 100
                assert best.points > other.points == 0
                return
    pytest.fail("no such decision")
