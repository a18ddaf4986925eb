"""Nobody sees what he may not know: whatever changes among hidden cards, a view stays equal.

Two proofs. In the first, the hidden cards of a moment are exchanged and the views compared. In the second, whole other
worlds are dealt in which the viewer has lived through the same evening; every view up to that moment must be the same, so
that not even being asked a question may depend on a hidden card.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine import CODES, Action, Hand, Match, card_of, cards_in, parse_action, set_of
from domain.engine.cards import FOOL, KINGS, LANE_OF
from tests.domain.engine.kit import (
    DEFAULTS,
    TROCCAS,
    cards,
    dealt_to,
    do,
    full_pack,
    pack_for,
    position,
    random_action,
    random_match,
    random_pack,
    walk,
)

SEEDS = st.integers(0, 2**32)
FEWER = settings(max_examples=settings.default.max_examples // 3)
VIEWERS = (0, 1, 2, 3, None)


def public_cards(hand: Hand, viewer: int | None) -> set[int]:
    """What the viewer has seen of this hand: his own cards, what was played or shown."""
    seen = {card for _, action in hand.history if action.verb in ("play", "take") for card in action.cards}
    seen |= {card for card in hand.face_up if card is not None}
    seen |= {card for happening in hand.happenings for card in (happening.card, happening.back) if card is not None}
    if hand.cut and hand.pack is not None:
        seen.add(hand.pack[-1])
    if viewer is not None:
        seen |= set(cards_in(hand.hands[viewer] | hand.start[viewer]))
    return seen


def exchanged(hand: Hand, viewer: int | None, rng: random.Random) -> Hand:
    """The same moment with everything hidden from the viewer mixed up."""
    hidden = [card for card in full_pack() if card not in public_cards(hand, viewer)]
    other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def swap(held: int) -> int:
        return set_of(other.get(card, card) for card in cards_in(held))

    twin = hand.copy()
    assert hand.pack is not None
    twin.pack = tuple(other.get(card, card) for card in hand.pack)
    twin.hands = [swap(held) for held in hand.hands]
    twin.start = [swap(held) for held in hand.start]
    twin.scart = swap(hand.scart)
    for place, (seat, action) in enumerate(hand.history):
        if action.verb == "scart":
            laid = tuple(other.get(card, card) for card in action.cards)
            twin.history[place] = (seat, Action("scart", laid))
        elif action.verb == "arrange" and action.cards and seat != viewer:
            twin.history[place] = (seat, Action("arrange", tuple(rng.sample(action.cards, len(action.cards)))))
            twin.arranged[seat] = twin.history[place][1].cards
        elif action.verb == "cut" and seat != viewer and hand.rounds == 1 and hand.gathered is not None:
            twin.history[place] = (seat, Action("cut", number=rng.randint(1, 77)))
            twin.cut = twin.history[place][1].number
    return twin


@FEWER
@given(SEEDS)
@pytest.mark.slow
def test_exchanging_what_a_viewer_cannot_see_leaves_the_view_equal(seed: int) -> None:
    rng = random.Random(seed)
    for _, hand in walk(rng):
        if hand.over or rng.random() < 0.5:
            continue
        viewer = rng.choice(VIEWERS)
        assert exchanged(hand, viewer, rng).view(viewer) == hand.view(viewer)


def shown_by(hand: Hand, call: str) -> tuple[str, int]:
    """What a call brings to light, said once more from the rules: (what happens, who)."""
    jack = card_of("COSB"[hand.lane] + "J")
    holder = next((seat for seat in range(4) if hand.hands[seat] >> jack & 1), None)
    if holder is None:
        return "nothing", -1
    played = hand.trick[(holder - hand.leader) % 4]
    if played == FOOL or 1 << played & KINGS:
        return "nothing", -1
    if call == "buob-sche" and CODES[played][1:] in ("Q", "N"):
        return "kept", holder
    return "given", holder


def lying(hand: Hand) -> tuple[int, ...]:
    """The pack as it lay before the cut."""
    assert hand.pack is not None
    return hand.pack[78 - hand.cut :] + hand.pack[: 78 - hand.cut]


def dealt_again(hand: Hand, pack: list[int]) -> Hand:
    """The beginning of the same hand with another pack."""
    return Hand(TROCCAS, hand.dealer, pack, options=hand.option, running=hand.running, gathered=hand.gathered)


def live_again(hand: Hand, viewer: int | None, rng: random.Random) -> bool:
    """Live through the same evening in another world, where two cards hidden from the viewer are exchanged.

    True if everybody could act there as here; else it ends where somebody could not, or where a call showed everyone
    that the worlds differ. Up to there the viewer must have seen the same.
    """
    hidden = [card for card in full_pack() if card not in public_cards(hand, viewer)]
    if viewer == hand.dealer:
        hidden = [card for card in hidden if not hand.scart >> card & 1]
    if rng.random() < 0.5:  # cards of one suit are the likelier to fit what has been played
        lane = rng.randrange(5)
        hidden = [card for card in hidden if LANE_OF[card] == lane]
    if len(hidden) < 2:
        return False
    one, two = rng.sample(hidden, 2)
    other = {one: two, two: one}
    here = dealt_again(hand, list(lying(hand)))
    there = dealt_again(hand, [other.get(card, card) for card in lying(hand)])
    for _, action in hand.history:
        assert here.view(viewer) == there.view(viewer)
        acting = action
        if action.verb == "scart":
            acting = Action("scart", tuple(other.get(card, card) for card in action.cards))
        if acting not in there.legal:
            return False
        if action.verb in ("buob", "buob-sche") and shown_by(here, action.verb) != shown_by(there, action.verb):
            return False
        here.push(action)
        there.push(acting)
    assert here.view(viewer) == there.view(viewer)
    return True


@given(SEEDS)
@pytest.mark.slow
def test_other_worlds_look_the_same_at_every_moment_of_the_evening(seed: int) -> None:
    rng = random.Random(seed)
    match = random_match(rng)
    hand = match.deal(random_pack(rng, match.dealer))
    until = rng.randrange(3, 100)
    while len(hand.history) < until:
        action = random_action(hand, rng)
        twin = hand.copy()
        twin.push(action)
        if twin.over:  # then everything lies open
            break
        hand.push(action)
    for _ in range(8):
        live_again(hand, rng.choice(VIEWERS), rng)


def test_there_are_other_worlds_to_compare() -> None:
    rng = random.Random(1)
    hand = Hand(TROCCAS, 0, full_pack(), options={**DEFAULTS, "throw_in": False})
    while len(hand.history) < 40:
        hand.push(random_action(hand, rng))
    assert sum(live_again(hand, viewer, rng) for viewer in VIEWERS for _ in range(20)) > 10


@pytest.mark.parametrize("call", ["buob", "buob-sche"])
def test_whether_the_fools_player_is_asked_tells_nothing(call: str) -> None:
    """The jack is with the king's player, with the Fool's player or in the scart: others see the same evening."""
    worlds = []
    for place in (0, 1, 3):
        rest = ["S1", "S2", "S3", "O3"]
        rest[place] = "CJ"
        spare = ["S1", "S2", "S3", "O3"][place]
        held = [f"{text} {more}" for text, more in zip(["CK C2", "F T9", "C3 T4"], rest[:3], strict=True)]
        hand = position(*held, "C5 T5 S4", scart=f"O2 {'CJ' if place == 3 else spare}")
        seen = []
        for text in ("play CK", "play F", "play C3", "play C5", call, "keep"):
            do(hand, text)
            seen += [hand.view(viewer) for viewer in (2, None)]
        worlds.append(seen)
    assert worlds[0] == worlds[1] == worlds[2]
    assert worlds[0][8].asked == "fool"


def dealing(running: int = 0, *, gathered: bool = False) -> tuple[Match, Hand]:
    match = Match(TROCCAS, {}, dealer=3)
    if gathered:
        do_whole_hand(match)
    match.totals = [-running, running, -running, running]
    pack = full_pack()
    random.Random(5).shuffle(pack)
    return match, match.deal(pack)


def do_whole_hand(match: Match) -> None:
    rng = random.Random(11)
    hand = match.deal(random_pack(rng, match.dealer))
    while not hand.over:
        action = random_action(hand, rng)
        match.push(parse_action("veto") if hand.asked in ("talk", "free") else action)


def test_the_cut_card_is_seen_by_all_but_the_dealer_who_sees_it_after_the_second_round() -> None:
    _, hand = dealing()
    do(hand, "cut 40")
    bottom = lying(hand)[39]
    assert [hand.view(seat).cut_card for seat in VIEWERS] == [bottom, bottom, bottom, None, None]
    do(hand, "veto")
    assert hand.dealt == 2
    assert [hand.view(seat).cut_card for seat in VIEWERS] == [bottom] * 5


@pytest.mark.parametrize(("behind", "rounds"), [(9, 2), (18, 1)])
def test_the_dealer_sees_the_cut_card_at_once_in_a_shorter_deal(behind: int, rounds: int) -> None:
    _, hand = dealing(behind)
    do(hand, f"deal {rounds}", "cut 40")
    assert hand.view(3).cut_card == lying(hand)[39]


def test_the_last_card_of_each_player_lies_open_once_everything_is_dealt() -> None:
    _, hand = dealing()
    do(hand, "cut 1", "veto")
    assert hand.view(None).face_up == (None,) * 4
    do(hand, "veto")
    assert hand.pack is not None
    stock = hand.pack[48:]
    assert hand.view(2).face_up == (stock[6], stock[13], stock[20], stock[29])


def test_the_scart_is_seen_by_the_dealer_alone_until_the_hand_is_over() -> None:
    _, hand = dealing()
    do(hand, "cut 1", "veto", "veto", "veto")
    laid = next(iter(hand.legal))
    hand.push(laid)
    assert [hand.view(seat).scart for seat in VIEWERS] == [None, None, None, set_of(laid.cards), None]
    assert [hand.view(seat).history[-1][1] for seat in VIEWERS] == [Action("scart")] * 3 + [laid, Action("scart")]


def test_a_dealer_without_trumps_is_asked_as_any_other() -> None:
    dealt = dealt_to(3, "T21 T20 T19 T18 T17 T16 T15", "T14 T13 T12 T11 T10 T9 T8", "T7 T6 T5 T4 T3 T2 T1", "F")
    poor = do(Hand(TROCCAS, 3, pack_for(dealt, 3)), "cut 1", "veto", "veto", "veto")
    assert not poor.hands[3] & set_of(range(56, 77))
    traded = next(card for card in reversed(dealt[3][:-1]) if card != FOOL and card in dealt[3][14:-1])
    dealt[3][dealt[3].index(traded)], dealt[2][dealt[2].index(card_of("T2"))] = card_of("T2"), traded
    rich = do(Hand(TROCCAS, 3, pack_for(dealt, 3)), "cut 1", "veto", "veto", "veto")
    assert rich.hands[3] & set_of(cards("T2"))
    assert [poor.view(seat) for seat in (0, 1, None)] == [rich.view(seat) for seat in (0, 1, None)]
    assert poor.view(3).legal != rich.view(3).legal


def test_only_the_player_on_turn_is_told_what_is_legal() -> None:
    _, hand = dealing()
    assert [bool(hand.view(seat).legal) for seat in VIEWERS] == [False, False, True, False, False]
    assert {hand.view(seat).asked for seat in VIEWERS} == {"cut"}
    assert {hand.view(seat).turn for seat in VIEWERS} == {2}


def test_arranging_and_the_cut_of_an_unshuffled_pack_stay_with_those_who_did_it() -> None:
    match, hand = dealing(18, gathered=True)
    assert hand.gathered is not None
    do(hand, "deal 1")
    arranger = hand.turn
    pile = hand.gathered.pile(arranger)
    turned = Action("arrange", tuple(reversed(pile)))
    hand.push(turned if pile else Action("arrange"))
    do(hand, "arrange", "cut 40")
    cutter = (hand.dealer - 1) % 4
    for seat in VIEWERS:
        told = [action for _, action in hand.view(seat).history if action.verb in ("arrange", "cut")]
        mine = [actor for actor, action in hand.history if action.verb == "arrange"]
        assert told[0] == (hand.history[1][1] if seat == mine[0] else Action("arrange"))
        assert told[-1] == (Action("cut", number=40) if seat == cutter else Action("cut"))
    while not hand.over:
        match.push(Action("veto") if hand.asked in ("talk", "free") else random_action(hand, random.Random(1)))
    assert hand.view(None).history == tuple(hand.history)


def test_a_hand_thrown_in_is_laid_open_as_far_as_it_was_dealt() -> None:
    _, hand = dealing()
    do(hand, "cut 1", "allow", "allow", "liber", "throw-in")
    view = hand.view(None)
    assert view.over
    assert [held.bit_count() for held in view.opened] == [6, 6, 6, 6]
    assert view.opened == tuple(hand.hands)
    _, hand = dealing()
    do(hand, "cut 1", "veto", "veto", "allow", "allow", "liber", "throw-in")
    assert [held.bit_count() for held in hand.view(None).opened] == [19, 19, 19, 21]


def test_a_played_hand_is_laid_open_as_it_was_dealt() -> None:
    match = Match(TROCCAS, {"throw_in": False})
    rng = random.Random(3)
    hand = match.deal(random_pack(rng, 0))
    while not hand.over:
        match.push(random_action(hand, rng))
    opened = hand.view(1).opened
    assert [held.bit_count() for held in opened] == [21, 19, 19, 19]
    assert hand.scart & opened[0] == hand.scart == hand.view(2).scart


def test_a_seat_that_does_not_exist_has_no_view() -> None:
    hand = Hand(TROCCAS, 0, full_pack(), options=DEFAULTS)
    for seat in (-1, 4):
        with pytest.raises(IndexError):
            hand.view(seat)
