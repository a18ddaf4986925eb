"""Hands composed for a test: who holds what, what was laid away and played."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from domain.engine import Action, Hand, View, card_of, cards_in, parse_action, ruleset
from domain.engine.cards import HONOURS

TROCCAS = ruleset("troccas")


def cards(text: str) -> list[int]:
    """`"CK T1"` as card numbers."""
    return [card_of(code) for code in text.split()]


def composed(
    holdings: Mapping[int, str],
    *,
    dealer: int = 3,
    scart: str = "",
    without: str = "",
    seed: int = 1,
    **options: object,
) -> Hand:
    """A hand of Troccas for four at its first lead, or at the talk if `throw_in=True`.

    `holdings` are cards that the seats have after the scart, filled up at random from what nobody is given; `scart` what
    the dealer lays away (else numerals nobody is given). Of the cards `without`, the dealer gets as many as fit.
    """
    given = {seat: cards(codes) for seat, codes in holdings.items()}
    named = {card for held in given.values() for card in held} | set(cards(scart)) | set(cards(without))
    rest = [card for card in cards_in(TROCCAS.pack) if card not in named]
    Random(seed).shuffle(rest)
    away = cards(scart)
    while len(away) < 2:
        away.append(rest.pop(next(at for at, card in enumerate(rest) if not HONOURS >> card & 1 and card < 56)))
    hands = [list(given.get(seat, ())) for seat in range(4)]
    hands[dealer] += [card for card in cards(without) if card not in hands[dealer]]
    for held in hands:
        while len(held) < 19:
            held.append(rest.pop())
    hand = dealt(hands, away, dealer, **{"throw_in": False, **options})
    if hand.asked == "scart":
        hand.push(Action("scart", tuple(away)))
    return hand


def dealt(hands: list[list[int]], away: list[int], dealer: int, **options: object) -> Hand:
    """A hand in which `hands` and, to the dealer, `away` have been dealt."""
    order = [(dealer + step) % 4 for step in range(1, 5)]
    hands = [[*held, *away] if seat == dealer else held for seat, held in enumerate(hands)]
    pack: list[int] = []
    for first, last in ((0, 6), (6, 12), (12, 21)):
        for seat in order:
            pack += hands[seat][first:last]
    hand = Hand(TROCCAS, dealer, [*pack[-40:], *pack[:-40]], options=TROCCAS.settled_options(options))
    hand.push(Action("cut", number=40))
    return hand


def play(hand: Hand, *plays: str) -> View:
    """`plays` one after the other, and what the player then on turn sees."""
    for text in plays:
        hand.push(parse_action(text if " " in text or not text[0].isupper() else f"play {text}"))
    return hand.view(hand.turn)
