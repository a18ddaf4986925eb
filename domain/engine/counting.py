"""Counting the cards of a side, and turning points into scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from domain.engine.cards import CardSet, values
from domain.engine.hand import Hand


@dataclass(frozen=True, slots=True)
class GroupsOf:
    """Values in groups of `size` cards, `less` points off each full group and `rest_less` off an incomplete one.

    pagat, "Scoring": groups of four less three, the two cards left over less one; both sides together 72.
    """

    size: int
    less: int
    rest_less: int = 0

    def points(self, hand: Hand) -> tuple[int, ...]:
        return tuple(self._count(cards) for cards in hand.side_cards)

    def total(self, pack: CardSet, scart: int) -> int:
        return self._count(pack)

    def _count(self, cards: int) -> int:
        full, rest = divmod(cards.bit_count(), self.size)
        return values(cards) - self.less * full - (self.rest_less if rest else 0)


@dataclass(frozen=True, slots=True)
class Singly:
    """The plain sum of the values; each card laid away counts `scart_less` less."""

    scart_less: int = 0

    def points(self, hand: Hand) -> tuple[int, ...]:
        less = self.scart_less
        return tuple(values(cards) - less * (cards & hand.scart).bit_count() for cards in hand.side_cards)

    def total(self, pack: CardSet, scart: int) -> int:
        return values(pack) - self.scart_less * scart


@dataclass(frozen=True, slots=True)
class ScartOfDealer:
    """The scart counts for the dealer's side, unless all tricks go to one side and `sweeper_takes_it`."""

    sweeper_takes_it: bool

    def award(self, hand: Hand) -> None:
        side = hand.sides[hand.dealer]
        if self.sweeper_takes_it and len(hand.tricks) in hand.side_tricks:
            side = hand.side_tricks.index(len(hand.tricks))
        hand.side_cards[side] |= hand.scart


@dataclass(frozen=True, slots=True)
class CardPoints:
    """Each player scores his side's points as they are."""

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        return tuple(points[side] for side in hand.sides)


@dataclass(frozen=True, slots=True)
class DifferenceToPar:
    """Each player scores how far his side's points lie above or below par."""

    par: int
    dealer_par: int | None = None

    def scores(self, hand: Hand, points: Sequence[int]) -> tuple[int, ...]:
        dealer_par = self.par if self.dealer_par is None else self.dealer_par
        dealers_side = hand.sides[hand.dealer]
        return tuple(points[side] - (dealer_par if side == dealers_side else self.par) for side in hand.sides)
