"""Packs and random games for every ruleset at every table size, so that what holds for all can be tested on all."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from domain.engine import Action, Card, Hand, Match, Ruleset, card_of, cards_in, ruleset
from domain.engine.actions import BARE, PLAYS
from domain.engine.cards import FOOL, FOOL_BIT, HONOURS, KINGS, TRUMP_CARDS
from domain.engine.legal import LegalChoice, LegalCut, LegalPlays
from domain.engine.ruleset import OptionValue
from domain.engine.rulesets import RULESETS
from tests.long import quick

EVERY = [ruleset(name, version, seats) for (name, version), known in RULESETS.items() for seats in known.sizes]
NAMES = [f"{rules.id}-at-{rules.seats}" for rules in EVERY]
FEW = {"troccas-at-4", "troccas-3-at-3", "troggu-at-5", "troggu-graechen-at-4"}
"""Which together do all that tables do: partners and singles, a Scart, bids, an exchange, packets."""
EACH = FEW | {"troggu-at-3", "troggu-at-7"}
"""Every ruleset once, those that stand nowhere here at their usual table; Troggu with as few as play it and with a partner
who is called."""
EACH |= {f"{known.id}-at-{known.seats}" for known in RULESETS.values() if not any(known.id in name for name in EACH)}
at_each_table = pytest.mark.parametrize("rules", quick(EACH, EVERY, NAMES))
at_few_tables = pytest.mark.parametrize("rules", quick(FEW, EVERY, NAMES))
"""For what is dear. Both are all tables in the long run."""
TAPP = -1  # where `pack_dealing` is told what lies in the Tapp


def order_of_deal(rules: Ruleset, dealer: int, packets: tuple[int, ...] = ()) -> list[int]:
    """For each card of the cut pack, top first, the seat that is dealt it, or `TAPP`."""
    rounds = packets or rules.batches[max(rules.batches)]
    places: list[int] = []
    for number, batch in enumerate(rounds):
        if number == rules.tapp_after:
            places += [TAPP] * rules.tapp
        for step in range(1, rules.seats + 1):
            last = number == len(rounds) - 1 and step == rules.seats
            places += [(dealer + step) % rules.seats] * (batch + (rules.dealer_extra if last else 0))
    return places


def pack_dealing(
    rules: Ruleset, dealer: int, named: Mapping[int, str], rng: random.Random, packets: tuple[int, ...] = ()
) -> list[Card]:
    """A pack that, after a cut of one card, deals everyone at least the cards named (the Tapp too); the rest at random."""
    places = order_of_deal(rules, dealer, packets)
    wanted = {seat: [card_of(code) for code in text.split()] for seat, text in named.items()}
    rest = [card for card in cards_in(rules.pack) if not any(card in cards for cards in wanted.values())]
    rng.shuffle(rest)
    stock = [(wanted[place] if wanted.get(place) else rest).pop() for place in places]
    assert not rest
    return [stock[-1], *stock[:-1]]


def lopsided(rules: Ruleset, dealer: int, rng: random.Random) -> list[Card]:
    """A pack; one in three deals one player most of the strong cards, and weak ones to another."""
    pack = list(cards_in(rules.pack))
    rng.shuffle(pack)
    if rng.random() < 0.67:
        return pack
    places = order_of_deal(rules, dealer)
    seats = rng.sample([*range(rules.seats)], rules.seats)
    pack.sort(key=lambda card: (1 << card & (TRUMP_CARDS | KINGS) > 0) + 0.5 * rng.random(), reverse=True)
    stock: list[Card] = [0] * len(pack)
    for seat in (*seats, TAPP):
        for place, dealt_to in enumerate(places):
            if dealt_to == seat:
                stock[place] = pack.pop(0)
    return [stock[-1], *stock[:-1]]


def any_action(hand: Hand, rng: random.Random) -> Action:
    """One of the legal actions; rare ones more often than by chance."""
    legal = hand.legal
    if isinstance(legal, LegalPlays):
        plays = list(legal)
        if legal.pairs | legal.calls and rng.random() < 0.6:
            return rng.choice(plays[legal.cards.bit_count() :])
        if legal.cards & FOOL_BIT and rng.random() < 0.1:
            return PLAYS[FOOL]
        return rng.choice(plays)
    if isinstance(legal, LegalCut):
        return Action("cut", number=rng.randint(1, legal.most))
    if isinstance(legal, LegalChoice):
        if legal.otherwise and rng.random() < 0.3:
            return legal.otherwise[0]
        free = list(cards_in(legal.cards))
        whole = tuple(cards_in(legal.together)) if rng.random() < 0.7 else ()
        return Action(legal.verb, (*whole, *rng.sample(free, legal.count - len(whole))))
    if legal.asked == "bid" and rng.random() < 0.6:
        return BARE["pass"]
    return rng.choice(list(legal))


def walk_table(
    rules: Ruleset, rng: random.Random, options: Mapping[str, OptionValue] | None = None
) -> Iterator[tuple[Match, Hand]]:
    """Play a random game; stop before every action, and once more when a hand is over."""
    match = Match(rules, {"hands": 2, **(options or {})}, dealer=rng.randrange(rules.seats))
    while not match.over:
        hand = match.deal(lopsided(rules, match.dealer, rng))
        while not hand.over:
            yield match, hand
            match.push(any_action(hand, rng))
        yield match, hand


def laid_away_or_not_played(hand: Hand) -> int:
    """The cards that nobody could play: what was laid away, or the Tapp as it lay."""
    return hand.scart or hand.tapp


def honours_in(held: int) -> int:
    return (held & HONOURS).bit_count()
