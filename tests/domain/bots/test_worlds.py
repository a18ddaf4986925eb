"""Worlds that fit: the same as the engine allows, counted, drawn and weighed exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import factorial
from random import Random

import pytest

from benchmarks.bots import at_random
from domain.bots.worlds import REST, World, Worlds
from domain.engine import Action, Hand, IllegalAction, View, cards_in, ruleset
from domain.engine.cards import BIT, Card, CardSet, set_of
from domain.engine.ruleset import Ruleset
from domain.engine.state import NOBODY
from tests.domain.bots.table import TROCCAS, composed, play
from tests.domain.engine.tables import at_each_table
from tests.long import LONG

MOST = 3000 if LONG else 150  # worlds that are tried at one moment


def random_hand(rules: Ruleset, seed: int) -> tuple[list[Card], Hand]:
    """The pack of a random hand, and the hand at its first question; words are left out."""
    luck = Random(f"{rules.id} {seed}")
    pack = list(cards_in(rules.pack))
    luck.shuffle(pack)
    options = {name: value for name, value in (("throw_in", False), ("demands", False)) if rules.talk is not None}
    options = {name: value for name, value in options.items() if name in {option.name for option in rules.options}}
    return pack, Hand(rules, seed % rules.seats, pack, options=rules.settled_options(options))


def places_of(hand: Hand, view: View) -> dict[int, CardSet]:
    """Where the cards lie that are hidden from the viewer."""
    lies = hand.tapp if hand.contract in ("solo", "misere") else hand.scart
    places = {seat: held for seat, held in enumerate(hand.hands) if seat != view.seat}
    return places if view.scart is not None else {**places, REST: lies}


def late_views(rules: Ruleset, seed: int) -> Iterator[tuple[list[Card], Hand, View]]:
    """The moments of a random hand at which few enough worlds are possible as far as one only counts cards."""
    pack, hand = random_hand(rules, seed)
    luck = Random(seed)
    while not hand.over:
        view = hand.view(hand.turn)
        if hand.asked in ("play", "call", "fool", "take"):
            sizes = [cards.bit_count() for cards in places_of(hand, view).values()]
            ways = factorial(sum(sizes))
            for size in sizes:
                ways //= factorial(size)
            if 1 < ways <= MOST:
                yield pack, hand, view
        hand.push(at_random(view, luck))


def spread(hidden: CardSet, places: list[tuple[int, int]]) -> Iterator[dict[int, CardSet]]:
    """Every way to share out cards to places with so many cards each."""
    if not places:
        yield {}
        return
    (place, size), *others = places
    for chosen in combinations(cards_in(hidden), size):
        for rest in spread(hidden & ~set_of(chosen), others):
            yield {place: set_of(chosen), **rest}


def as_the_engine_allows(pack: list[Card], hand: Hand, view: View) -> set[World]:
    """Every world in which the whole hand could have been played so and look the same to the viewer: the hidden cards are
    shared out in every way, the pack is laid so, and all that was done is done again."""
    places = places_of(hand, view)
    found = set()
    for world in spread(view.unseen, [(place, cards.bit_count()) for place, cards in places.items()]):
        # who laid cards away had both heaps in hand
        kept = NOBODY if hand.contract in ("solo", "misere") or REST not in places else hand.scartist
        pools = {place: (cards, world[place]) for place, cards in places.items() if place not in (kept, REST)}
        if kept != NOBODY:
            pools[kept] = (places[kept] | places[REST], world[kept] | world[REST])
        elif REST in places:
            pools[REST] = (places[REST], world[REST])
        other: dict[Card, Card] = {}
        for before, after in pools.values():
            other |= {card: card for card in cards_in(before & after)}
            other |= dict(zip(cards_in(before & ~after), cards_in(after & ~before), strict=True))
        again = Hand(hand.ruleset, hand.dealer, [other.get(card, card) for card in pack], options=hand.option)
        if _again(again, hand, kept, tuple(cards_in(world.get(REST, 0)))) and again.view(view.seat) == view:
            found.add(World(tuple(again.hands), places_of(again, view).get(REST, 0)))
    return found


def _again(again: Hand, hand: Hand, kept: int, laid_away: tuple[Card, ...]) -> bool:
    """Do all again that was done in `hand`, but lay these cards away; whether that goes."""
    for seat, action in hand.history:
        if again.turn != seat:
            return False
        hidden = action.verb in ("scart", "discard") and kept != NOBODY
        try:
            again.push(Action(action.verb, laid_away) if hidden else action)
        except IllegalAction:
            return False
    return True


@at_each_table
@pytest.mark.slow(but="troccas-oinkers-at-4")
def test_the_worlds_that_fit_are_those_in_which_the_hand_can_have_been_played_so(rules: Ruleset) -> None:
    seen = 0
    for seed in range(30 if LONG else 6):
        for pack, hand, view in late_views(rules, seed):
            worlds = Worlds(view)
            listed = list(worlds.all())
            assert len(listed) == len(set(listed)) == worlds.count
            assert set(listed) == as_the_engine_allows(pack, hand, view), (seed, len(hand.history))
            seen += 1
            break
    assert seen


@at_each_table
def test_counts_and_chances_are_those_of_all_worlds(rules: Ruleset) -> None:
    for seed in range(4):
        for _, hand, view in late_views(rules, seed):
            worlds = Worlds(view)
            listed = list(worlds.all())
            assert worlds.count == len(listed)
            for card in cards_in(worlds.known.unseen):
                for seat in (*range(hand.seats), REST):
                    holding = sum(
                        bool((world.rest if seat == REST else world.hands[seat]) & BIT[card]) for world in listed
                    )
                    assert worlds.chance(card, seat) == Fraction(holding, len(listed))
            break


@at_each_table
def test_a_world_drawn_from_the_middle_of_a_hand_deals_every_card_once(rules: Ruleset) -> None:
    _, hand = random_hand(rules, 5)
    luck = Random(5)
    while not hand.over:
        view = hand.view(hand.turn)
        worlds = Worlds(view)
        for _ in range(3):
            world = worlds.draw(luck)
            together: CardSet = world.rest | (view.scart or 0)
            for cards, count in zip(world.hands, view.counts, strict=True):
                assert cards.bit_count() == count
                assert not cards & together
                together |= cards
            assert world.hands[hand.turn] == view.held
            assert together & worlds.known.unseen == worlds.known.unseen
        hand.push(at_random(view, luck))


def test_worlds_are_drawn_alike() -> None:
    """By the χ² of the draws among all worlds of one late view, far inside what chance allows for a fixed seed."""
    view = next(
        view for seed in range(30) for _, _, view in late_views(TROCCAS, seed) if 20 <= Worlds(view).count <= 120
    )
    worlds = Worlds(view)
    luck = Random(1)
    draws = 100 * worlds.count
    drawn = Counter(worlds.draw(luck) for _ in range(draws))
    assert set(drawn) == set(worlds.all())
    chi = sum((seen - 100) ** 2 / 100 for seen in drawn.values())
    assert chi < worlds.count + 4 * (2 * worlds.count) ** 0.5


def test_the_same_luck_draws_the_same_worlds() -> None:
    _, hand = random_hand(ruleset("troggu", seats=5), 3)
    hand.push(Action("cut", number=20))
    view = hand.view(hand.turn)
    assert Worlds(view).some(5, Random(7)) == Worlds(view).some(5, Random(7)) != Worlds(view).some(5, Random(8))


def test_what_the_others_have_shown_is_in_every_world() -> None:
    """A void, a card taken back, and the dealer's card that lay face up: in his hand or laid away, never elsewhere."""
    hand = composed({0: "CK CJ C5", 1: "C2 OK", 2: "C9 SQ", 3: "C3 B7"}, dealer=3)
    view = play(hand, "play CK CJ", "C2", "C9", "C3", "take C2")
    worlds = Worlds(view)
    open_card = hand.face_up[3]
    assert open_card is not None
    if worlds.known.unseen >> open_card & 1:
        assert worlds.chance(open_card, 3) + worlds.chance(open_card, REST) == 1
    assert worlds.count > 10**20


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_the_chances_of_an_unknown_card_add_up(seat: int) -> None:
    view = composed({0: "CK"}).view(0)
    worlds = Worlds(view)
    for card in cards_in(worlds.known.unseen):
        assert sum(worlds.chance(card, other) for other in (1, 2, 3, REST)) == 1
    assert worlds.chance(next(cards_in(worlds.known.unseen)), seat) < 1


def test_eight_hands_without_many_suits_are_counted_in_a_moment() -> None:
    """What a decision may cost: at most 14,455 numbers are kept here. Before places became one there were 121,327, and seconds
    passed in other hands."""
    _, hand = random_hand(ruleset("troggu", seats=8), 24)
    luck = Random(24)
    kept = []
    while not hand.over:
        view = hand.view(hand.turn)
        if view.asked == "play":
            worlds = Worlds(view)
            assert worlds.count
            kept.append(sum(len(found) for part in worlds._parts for step in part._memo for found in step))
        hand.push(at_random(view, luck))
    assert 5_000 < max(kept) < 20_000
