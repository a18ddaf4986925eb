"""What holds for every game: cards are conserved, legality is closed under play, records and live play are the same."""

from __future__ import annotations

import json
import random
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.engine import (
    CODES,
    Action,
    Hand,
    IllegalAction,
    MalformedAction,
    Match,
    Record,
    View,
    cards_in,
    parse_action,
    parse_record,
    replay,
)
from domain.engine.actions import BARE
from domain.engine.record import RecordedHand, decisions, record_from
from tests.domain.engine.kit import PHRASES, TROCCAS, full_pack, random_match, state_of, walk

SEEDS = st.integers(0, 2**32)
VERBS = sorted({*BARE, "deal", "arrange", "cut", "scart", "discard", "call", "play"})
FEWER = settings(max_examples=settings.default.max_examples // 3)  # for what looks at every ply of a whole game
EVERYONE = (0, 1, 2, 3, None)


def everywhere(hand: Hand) -> list[int]:
    """Every card of the hand, from wherever it lies now."""
    assert hand.pack is not None
    dealt = sum(TROCCAS.batches[hand.rounds][: hand.dealt]) * 4
    if hand.dealt == len(TROCCAS.batches[hand.rounds]):
        dealt += TROCCAS.dealer_extra
    lying = list(hand.pack[dealt:]) + list(hand.trick)
    for held in (*hand.hands, *hand.side_cards):
        lying += cards_in(held)
    if hand.pair_at >= 0:
        lying.append(hand.trick[hand.pair_at] - 3)  # the jack beside its king
    if hand.result is None:
        lying += cards_in(hand.scart)
    return lying


@FEWER
@given(SEEDS)
def test_every_card_is_somewhere_exactly_once(seed: int) -> None:
    for _, hand in walk(random.Random(seed)):
        if hand.result is None or hand.result.status == "played":
            assert sorted(everywhere(hand)) == full_pack()


@FEWER
@given(SEEDS)
def test_both_sides_make_72_and_the_scores_cancel_out(seed: int) -> None:
    match = random_match(random.Random(seed))
    match.totals = [0] * 4
    for _, hand in walk(random.Random(seed), match):
        if hand.result is not None and hand.result.status == "played":
            assert sum(hand.result.points) == 72
            assert hand.result.scores[0] == hand.result.scores[2] == -hand.result.scores[1] == -hand.result.scores[3]
            assert hand.result.scores[0] == hand.result.points[0] - 36
    assert match.totals[0] + match.totals[1] == 0


@FEWER
@given(SEEDS)
def test_every_decision_has_an_answer_and_every_listed_answer_is_accepted(seed: int) -> None:
    rng = random.Random(seed)
    for _, hand in walk(rng):
        if hand.over:
            assert (len(hand.legal), list(hand.legal), hand.asked, hand.turn) == (0, [], "", -1)
            continue
        offered = list(hand.legal)
        assert offered
        assert len(hand.legal) == len(offered)
        assert len(set(offered)) == len(offered)
        assert 0 <= hand.turn < 4
        if rng.random() < 0.2:
            before = state_of(hand)
            for action in rng.sample(offered, min(3, len(offered))):
                assert action in hand.legal
                assert hand.why_illegal(action) is None
                twin = hand.copy()
                twin.push(action)
                assert twin.history[-1] == (hand.turn, action)
            assert state_of(hand) == before


actions = st.builds(
    Action,
    st.sampled_from(VERBS),
    st.lists(st.integers(0, 77), max_size=3).map(tuple),
    st.integers(0, 80) | st.just(0),
    st.lists(st.sampled_from([*PHRASES[:4], "unheard-of"]), max_size=2).map(tuple) | st.just(()),
    st.sampled_from(["", "", "na"]),
    st.sampled_from(["", "", "knock", "buob"]),
)


def likely(hand: Hand, rng: random.Random) -> Action:
    """An action made of what could matter here, with or without something that does not belong to it."""
    held = list(cards_in(hand.hands[hand.turn])) or full_pack()
    cards = tuple(rng.choices(held, k=rng.randrange(3)))
    return Action(
        rng.choice([hand.asked, "play", *(action.verb for action in list(hand.legal)[:3])]),
        cards,
        rng.choice((0, 0, 0, 1, 2, 40)),
        rng.choice(((), (), (PHRASES[0],), ("unheard-of",))),
        rng.choice(("", "", "", "na")),
        rng.choice(("", "", "", "knock", "buob")),
    )


@FEWER
@given(SEEDS, st.lists(actions, min_size=40, max_size=40))
def test_an_action_is_refused_exactly_if_it_is_not_legal_and_then_nothing_changes(
    seed: int, attempts: list[Action]
) -> None:
    rng = random.Random(seed)
    for _, hand in walk(rng):
        attempt = likely(hand, rng) if attempts and rng.random() < 0.5 and not hand.over else rng.choice(attempts)
        if attempt in hand.legal:
            assert hand.why_illegal(attempt) is None
            twin = hand.copy()
            twin.push(attempt)
            continue
        broken = hand.why_illegal(attempt)
        assert broken is not None
        assert str(broken)
        before = state_of(hand)
        with pytest.raises(IllegalAction) as refused:
            hand.push(attempt)
        assert refused.value.illegality == broken
        assert state_of(hand) == before


def played(seed: int) -> tuple[Match, Record, list[tuple[View, ...]]]:
    """A random game, its record, and what everyone saw before each action."""
    seen: list[tuple[View, ...]] = []
    hands: list[RecordedHand] = []
    lying: tuple[int, ...] = ()
    match = Match(TROCCAS, {"talk": "free", "knock": True, "hands": 2}, dealer=seed % 4)
    for _, hand in walk(random.Random(seed), match):
        if not hand.history:
            assert hand.pack is not None
            lying = hand.pack
        if hand.over:
            lines = tuple(f"{seat} {action}" for seat, action in hand.history)
            hands.append(RecordedHand(hand.dealer, lying, lines))
        else:
            seen.append(tuple(hand.view(seat) for seat in EVERYONE))
    return match, Record(TROCCAS, match.options, ("Anna", "Beat", "Clau", "Dora"), tuple(hands)), seen


@FEWER
@given(SEEDS)
def test_the_replay_of_a_record_is_the_live_game_after_each_action(seed: int) -> None:
    match, record, seen = played(seed)
    again = [tuple(step.hand.view(seat) for seat in EVERYONE) for step in decisions(record)]
    assert again == seen
    replayed = replay(record)
    assert (replayed.totals, replayed.results, replayed.over) == (match.totals, match.results, True)
    assert replayed.hand is not None
    assert match.hand is not None
    assert replayed.hand.view(None) == match.hand.view(None)


@FEWER
@given(SEEDS)
def test_a_record_survives_being_written_and_read(seed: int) -> None:
    _, record, _ = played(seed)
    again = parse_record(json.dumps(record.to_json()))
    assert again == record
    assert record_from(again.to_json()) == record


@FEWER
@given(SEEDS)
def test_every_action_of_a_game_survives_as_text(seed: int) -> None:
    _, record, _ = played(seed)
    for hand in record.hands:
        for line in hand.actions:
            text = line.partition(" ")[2]
            assert str(parse_action(text)) == text


SCRAPS = [*VERBS, *CODES, *PHRASES[:3], "knock", "buob", "0", "40", "077", "-1", "²", '"', '"a', '"a b"', '"\\u0000"',
          '"\\ud800"', '""', "\\", "\n", "\t", "x" * 300, "\x00", "é"]  # fmt: skip
scrambled = st.lists(st.sampled_from(SCRAPS) | st.text(string.printable, max_size=3), max_size=8)


@given(st.text(max_size=40) | scrambled.map(" ".join) | scrambled.map("".join))
@example('allow "\\ud800"')
@example('allow "\\u0000"')
@example('allow "\\u001b[31m"')
@example("allow " + "a" * 591 + '"b"')
@example('veto "a" "b"')
def test_any_text_is_an_action_or_malformed_and_nothing_else(text: str) -> None:
    try:
        action = parse_action(text)
    except MalformedAction:
        return
    printed = str(action)
    assert parse_action(printed) == action
    assert str(parse_action(printed)) == printed
    assert printed.encode("utf-8").decode("utf-8") == printed
    assert not any(sign < " " or sign == "\x7f" for sign in action.words)
