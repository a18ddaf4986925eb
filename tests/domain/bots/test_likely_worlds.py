"""Worlds weighed by the others' plays: the play so far can be gone through again in each, and odd plays speak against it."""

from __future__ import annotations

from collections import Counter
from math import exp
from random import Random
from statistics import fmean

import pytest

from domain.bots import likely_worlds
from domain.bots.evaluating import evaluate
from domain.bots.fast.compiling import numbers
from domain.bots.fast.encoding import number_of, rules_for, state_in
from domain.bots.fast.layout import ACTIONS, AWAY_SUITS, AWAY_TO, AWAY_TRUMPS
from domain.bots.fast.play import apply, legal_actions
from domain.bots.likely_worlds import likely, log_likelihoods, starts_in
from domain.bots.talking import edge
from domain.bots.worlds import World, Worlds, _rests
from domain.engine import Action, cards_in, parse_action
from domain.engine.cards import BIT, HONOURS, CardSet
from domain.engine.ruleset import Ruleset
from tests.domain.bots.table import TROCCAS, cards, composed, dealt, play
from tests.domain.bots.test_fast import at_play, differing
from tests.domain.engine.tables import at_each_table
from tests.long import LONG


@at_each_table
@pytest.mark.slow(but="troccas-at-4")
def test_in_every_world_that_is_drawn_the_play_so_far_leads_to_what_is_seen(rules: Ruleset) -> None:
    compared = 0
    for seed in range(20 if LONG else 2):
        hand, luck = at_play(rules, seed)
        leader, played = hand.turn, len(hand.history)
        while not hand.over:
            view = hand.view(hand.turn)
            done = [action for _, action in view.history[played:]]
            for world in Worlds(view).some(2, luck):
                r = rules_for(rules, hand.option, hand.dealer)
                s = starts_in(view, [world], leader)[0]
                found = numbers(ACTIONS)
                for action in done:
                    assert number_of(action) in found[: legal_actions(s, r, found)]
                    apply(s, r, number_of(action))
                assert set(differing(s, state_in(view, world))) <= {AWAY_SUITS, AWAY_TRUMPS, AWAY_TO}
                compared += 1
            hand.push(luck.choice(list(hand.legal)))
    assert compared > rules.seats * 3


@at_each_table
@pytest.mark.slow(but="troccas-oinkers-at-4")
def test_a_world_that_was_moved_on_still_fits(rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likely_worlds, "STEPS", 12)
    monkeypatch.setattr(likely_worlds, "APART", 12)
    monkeypatch.setattr(likely_worlds, "SAMPLES", 2)  # no more than are looked at
    changed = 0
    for seed in range(20 if LONG else 3):
        hand, luck = at_play(rules, seed)
        while not hand.over:
            view = hand.view(hand.turn)
            fitting = Worlds(view)
            if fitting.count > 2 and view.history and luck.random() < 0.3:
                drawn = fitting.some(2, luck)
                for world in likely(view, drawn, 2, luck, fitting):
                    changed += world not in drawn
                    for seat, held in enumerate(world.hands):
                        assert held.bit_count() == view.counts[seat]
                        assert not held & ~(fitting.known.may_hold[seat] | fitting.known.located[seat])
                        assert fitting.known.located[seat] & ~held == 0
                    assert sum(world.hands) + world.rest == view.held | fitting.known.unseen
                    assert any(
                        not world.rest & ~may and not sure & ~world.rest for sure, may in _rests(view, fitting.known, 0)
                    )
            hand.push(luck.choice(list(hand.legal)))
    assert changed


@pytest.mark.slow
def test_worlds_are_moved_as_often_as_they_are_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Late in a hand, where all that fit can be weighed one by one."""
    monkeypatch.setattr(likely_worlds, "STEPS", 3)
    monkeypatch.setattr(likely_worlds, "SAMPLES", 1)  # no more than are looked at
    compared = 0
    for seed in range(20):
        hand, luck = at_play(TROCCAS, seed)
        while not hand.over:
            view = hand.view(hand.turn)
            fitting = Worlds(view)
            if view.asked == "play" and 4 <= fitting.count <= 12:
                every = list(fitting.all())
                logs = log_likelihoods(view, every)
                likelihoods = [exp(each - max(logs)) for each in logs]
                found, world = Counter[World](), every[0]
                for _ in range(1000):
                    (world,) = likely(view, [world], 1, luck, fitting)
                    found[world] += 1
                for each, likelihood in zip(every, likelihoods, strict=True):
                    assert abs(found[each] / 1000 - likelihood / sum(likelihoods)) < 0.1
                compared += 1
                break
            hand.push(luck.choice(list(hand.legal)))
        if compared == (4 if LONG else 1):
            return
    raise AssertionError("no such moment was found")


def test_who_went_on_in_the_talk_has_probably_a_good_hand() -> None:
    hand = composed({}, dealer=3, throw_in=True)
    for word in ("allow", "allow", "liber", "go"):
        hand.push(parse_action(word))
    for word in ("allow", "veto"):  # after the second round
        if hand.asked == "talk":
            hand.push(parse_action(word))
    while hand.asked != "scart":
        hand.push(parse_action({"talk": "allow", "free": "veto"}[hand.asked]))
    hand.push(next(iter(hand.legal)))
    view = play(hand, str(next(iter(hand.legal))))
    drawn = Worlds(view).some(600, Random(1))
    weighed = likely(view, drawn, 200, Random(2))
    third = (view.dealer + 3) % 4
    assert third != view.seat
    gone = view.unseen
    before, after = (fmean(edge(world.hands[third] & gone) for world in worlds) for worlds in (drawn, weighed))
    assert after > before + 0.5


def mean_of(worlds: list[World], seat: int, among: CardSet) -> float:
    """How many of these cards a seat holds, on the average of the worlds."""
    return fmean((world.hands[seat] & among).bit_count() for world in worlds)


def numerals(codes: str) -> CardSet:
    return sum(BIT[card] for card in cards(codes))


def test_who_stays_under_a_foes_cavalier_has_probably_nothing_above_it() -> None:
    view = play(composed({0: "C2", 1: "C3", 2: "CN C7", 3: "C4"}, dealer=3), "C2", "C3", "CN", "C4")
    drawn = Worlds(view).some(1200, Random(1))
    weighed = likely(view, drawn, 300, Random(2))
    assert len(weighed) == 300
    above = numerals("CK CQ")
    assert mean_of(weighed, 3, above) < 0.8 * mean_of(drawn, 3, above)


def test_where_nothing_has_been_played_all_worlds_count_alike() -> None:
    view = composed({}).view(0)
    drawn = Worlds(view).some(20, Random(1))
    assert likely(view, drawn, 8, Random(2)) == drawn[:8]


def test_hidden_cards_that_change_places_change_nothing_that_is_weighed() -> None:
    """Two others exchange what they have not shown: the same worlds count the same, and the same is thought of each action."""
    luck = Random(1)
    named = [cards("CK CJ"), cards("C9 T3"), cards("C8 T4"), cards("C3")]
    away = cards("O9 O10")
    given = {card for held in [*named, away] for card in held}
    rest = [card for card in cards_in(TROCCAS.pack & ~HONOURS) if card not in given]
    rest += [card for card in cards_in(TROCCAS.pack & HONOURS) if card not in given]  # the honours come to seat 3
    hidden = rest[:34]
    luck.shuffle(hidden)
    own, last = rest[34:51], rest[51:]
    moments = []
    for mixed in (hidden, hidden[17:] + hidden[:17]):
        hands = [[*own, *named[0]], [*mixed[:17], *named[1]], [*mixed[17:], *named[2]], [*last, *named[3]]]
        hand = dealt(hands, away, 3, throw_in=False)
        hand.push(Action("scart", tuple(away)))
        moments.append((hand.hands, play(hand, "CK", "C9", "C8", "C3", "quiet")))
    (one, view), (two, same) = moments
    assert one[1] != two[1]
    assert view == same
    assert evaluate(view, worlds=6, seed=b"a", weighed=True) == evaluate(same, worlds=6, seed=b"a", weighed=True)
