"""Hands, packs and random games for the engine's tests, so that a rule can be tested in three lines."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from domain.engine import Action, Card, Hand, IllegalAction, Match, card_of, cards_in, parse_action, ruleset, set_of
from domain.engine.actions import BARE, PLAYS
from domain.engine.cards import FOOL, FOOL_BIT
from domain.engine.legal import Legal, LegalChoice, LegalCut, LegalPlays, LegalWords
from domain.engine.ruleset import OptionValue
from domain.engine.talk import phrase_book
from domain.engine.tricks import PLAY

TROCCAS = ruleset("troccas")
RECORDS = Path(__file__).resolve().parents[2] / "records"
DEFAULTS = TROCCAS.settled_options({})
PHRASES = sorted(phrase_book())


def cards(text: str) -> list[Card]:
    """`"CK T4"` as cards."""
    return [card_of(code) for code in text.split()]


def full_pack() -> list[Card]:
    return list(cards_in(TROCCAS.pack))


def position(*held: str, dealer: int = 3, leader: int | None = None, scart: str = "", **options: OptionValue) -> Hand:
    """A hand in the middle of the play: each seat holds the cards named, nothing has been led yet.

    The other cards are nowhere, so the count at the end means nothing unless all 78 are named.
    """
    hand = Hand(TROCCAS, dealer, full_pack(), options={**DEFAULTS, "throw_in": False, **options})
    hand.push(parse_action("cut 1"))
    hand.hands = [set_of(cards(text)) for text in held]
    hand.scart = set_of(cards(scart))
    hand.step = TROCCAS.course.index(PLAY)
    hand.stage = PLAY
    PLAY.enter(hand)
    if leader is not None:
        hand.leader = hand.turn = leader
    return hand


def do(hand: Hand, *texts: str) -> Hand:
    """Push actions given as text."""
    for text in texts:
        hand.push(parse_action(text))
    return hand


def listed(hand: Hand) -> list[str]:
    """The legal actions, as text."""
    return sorted(str(action) for action in hand.legal)


def why(hand: Hand, text: str) -> str:
    """Why an action is refused, in English; it must be refused by `push` in the same words."""
    action = parse_action(text)
    broken = hand.why_illegal(action)
    assert broken is not None, f"{text} is legal"
    assert action not in hand.legal
    with pytest.raises(IllegalAction) as refused:
        hand.push(action)
    assert refused.value.illegality == broken
    return str(broken)


def pack_for(hands: Sequence[Sequence[Card]], dealer: int, rounds: int = 3, lifted: int = 1) -> list[Card]:
    """The pack that, after a cut of `lifted`, deals these cards (19 each, the dealer 21), each seat's in the order given."""
    stock: list[Card] = []
    taken = [0] * 4
    batches = TROCCAS.batches[rounds]
    for number, batch in enumerate(batches, 1):
        for step in range(1, 5):
            seat = (dealer + step) % 4
            size = batch + 2 if number == len(batches) and step == 4 else batch
            stock += hands[seat][taken[seat] : taken[seat] + size]
            taken[seat] += size
    assert len(stock) == 78
    return stock[-lifted:] + stock[:-lifted]


def dealt_to(dealer: int, *named: str, seed: int = 0) -> list[list[Card]]:
    """Four hands to deal: each seat gets at least the cards named for it, the rest at random."""
    rng = random.Random(seed)
    hands = [cards(text) for text in named]
    rest = [card for card in full_pack() if not any(card in hand for hand in hands)]
    rng.shuffle(rest)
    for seat, hand in enumerate(hands):
        size = 21 if seat == dealer else 19
        hand += [rest.pop() for _ in range(size - len(hand))]
    return hands


def random_pack(rng: random.Random, dealer: int) -> list[Card]:
    """A pack; one in three is lopsided: one seat or side has most trumps and high cards, so that rare things happen."""
    pack = full_pack()
    rng.shuffle(pack)
    if rng.random() < 0.67:
        return pack
    first = rng.randrange(4)
    strong_first = [first, (first + 2) % 4, (first + 1) % 4, (first + 3) % 4]
    blur = rng.choice((0.0, 0.3, 1.0, 2.0))
    pack.sort(key=lambda card: _strength(card) + blur * rng.random(), reverse=True)
    hands: list[list[Card]] = [[] for _ in range(4)]
    side = 40 if dealer in strong_first[:2] else 38
    for seats, part in ((strong_first[:2], pack[:side]), (strong_first[2:], pack[side:])):
        if rng.random() < 0.7:
            rng.shuffle(part)
        for seat in seats:
            size = 21 if seat == dealer else 19
            hands[seat], part = part[:size], part[size:]
            rng.shuffle(hands[seat])
    return pack_for(hands, dealer)


def _strength(card: Card) -> float:
    """Trumps 2 to 3, suit cards 0 to 1 by rank, the Fool with the weak."""
    if card == FOOL:
        return 0.0
    return 2 + card / 100 if card > 55 else card % 14 / 14


def random_action(hand: Hand, rng: random.Random) -> Action:
    """One of the legal actions; rare ones (king and jack together, calls, arranging, knocks) more often than by chance."""
    legal: Legal = hand.legal
    if isinstance(legal, LegalPlays):
        if legal.pairs and rng.random() < 0.6:
            return rng.choice(list(legal)[-legal.pairs.bit_count() :])
        if legal.knocks and rng.random() < 0.5:
            return Action("play", (rng.choice(list(cards_in(legal.knocks))),), signal="knock")
        if legal.cards & FOOL_BIT and hand.first_lead and rng.random() < 0.3:
            return PLAYS[FOOL]
    if legal.asked == "call" and rng.random() < 0.5:
        return BARE["buob"]
    if isinstance(legal, LegalChoice):
        if legal.otherwise and rng.random() < 0.3:
            return legal.otherwise[0]
        return Action(legal.verb, tuple(rng.sample(list(cards_in(legal.cards)), legal.count)))
    if isinstance(legal, LegalCut):
        return Action("cut", number=rng.randint(1, legal.most))
    if legal.asked == "arrange" and rng.random() < 0.7:
        assert hand.gathered is not None
        pile = list(hand.gathered.pile(hand.turn))
        return Action("arrange", tuple(rng.sample(pile, len(pile))))
    action = rng.choice(list(legal))
    if isinstance(legal, LegalWords) and legal.talk and action.verb in ("allow", "veto", "liber"):
        said = tuple(rng.sample(PHRASES, rng.randrange(3)))
        words = rng.choice(("", "nus lein mirar", '«Trü», said "he"')) if legal.talk == "free" else ""
        return Action(action.verb, said=said, words=words)
    return action


def random_options(rng: random.Random) -> dict[str, OptionValue]:
    return {
        "hands": rng.choice((1, 2, 4)),
        "talk": rng.choice(("silent", "phrases", "free")),
        "throw_in": rng.random() < 0.7,
        "demands": rng.random() < 0.7,
        "knock": rng.random() < 0.5,
    }


def random_match(rng: random.Random) -> Match:
    """A game with random options, sometimes with a side far enough behind to make demands."""
    match = Match(TROCCAS, random_options(rng), dealer=rng.randrange(4))
    if rng.random() < 0.5:
        behind = rng.choice((8, 9, 17, 18, 40)) * rng.choice((1, -1))
        match.totals = [behind, -behind, behind, -behind]
    return match


def walk(rng: random.Random, match: Match | None = None) -> Iterator[tuple[Match, Hand]]:
    """Play a random game; stop before every action, and once more when a hand is over."""
    match = random_match(rng) if match is None else match
    while not match.over:
        hand = match.deal(random_pack(rng, match.dealer))
        while not hand.over:
            yield match, hand
            match.push(random_action(hand, rng))
        yield match, hand


def state_of(hand: Hand) -> dict[str, object]:
    """Everything a hand holds, to tell whether anything has changed."""
    names = [name for name in Hand.__slots__ if name not in ("ruleset", "_playable", "gathered", "option")]
    state: dict[str, object] = {}
    for name in names:
        held = getattr(hand, name)
        state[name] = list(held) if isinstance(held, list) else dict(held) if isinstance(held, dict) else held
    return state
