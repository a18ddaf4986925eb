"""Cards, packs, ranks and values.

A card is a small int; a set of cards is a plain non-negative int with one bit per card. The numbers are chosen so that
the higher number wins within a suit and among the trumps. `CODES[card]` and `card_of(code)` translate.

* 0–13 cups, 14–27 coins, 28–41 swords, 42–55 batons, each from its lowest numeral up to jack, cavalier, queen, king;
* 56–76 the trumps I to XXI;
* 77 the Fool.

Round suits (cups, coins) rank their numerals from 10 (low) up to 1, long suits (swords, batons) from 1 up to 10
(pagat, "Players and Cards").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

Card: TypeAlias = int
CardSet: TypeAlias = int
Lane: TypeAlias = int  # 0–3 the suits, 4 the trumps, -1 while nothing has been led

SUITS: Final = ("C", "O", "S", "B")
LANE_LETTERS: Final = "COSBT"
LANE_SIZE: Final = 14
TRUMPS: Final[Lane] = 4
NO_LANE: Final[Lane] = -1
FIRST_TRUMP: Final[Card] = 56
LAST_TRUMP: Final[Card] = 76
FOOL: Final[Card] = 77

_COURTS: Final = ("J", "N", "Q", "K")
_ROUND: Final = (*(str(n) for n in range(10, 0, -1)), *_COURTS)
_LONG: Final = (*(str(n) for n in range(1, 11)), *_COURTS)

CODES: Final[tuple[str, ...]] = (
    *(f"C{rank}" for rank in _ROUND),
    *(f"O{rank}" for rank in _ROUND),
    *(f"S{rank}" for rank in _LONG),
    *(f"B{rank}" for rank in _LONG),
    *(f"T{number}" for number in range(1, 22)),
    "F",
)
_NUMBERS: Final = {code: card for card, code in enumerate(CODES)}

JACK, CAVALIER, QUEEN, KING = 10, 11, 12, 13  # positions within a suit's lane; the numerals are below them

BIT: Final[tuple[CardSet, ...]] = tuple(1 << card for card in range(78))
LANE_OF: Final[tuple[Lane, ...]] = tuple(
    min(card // LANE_SIZE, TRUMPS) if card != FOOL else NO_LANE for card in range(78)
)


def card_of(code: str) -> Card:
    """The card named `code`, as `CK` or `T21`. Raises ValueError with the code if there is no such card."""
    try:
        return _NUMBERS[code]
    except KeyError:
        raise ValueError(f"no such card: {code}") from None


def cards_of(codes: Iterable[str]) -> tuple[Card, ...]:
    """The cards of several codes, in their order. Raises ValueError with the first code that names no card."""
    try:
        return tuple(map(_NUMBERS.__getitem__, codes))
    except KeyError as error:
        raise ValueError(f"no such card: {error.args[0]}") from None


def set_of(cards: Iterable[Card]) -> CardSet:
    held = 0
    for card in cards:
        held |= BIT[card]
    return held


def cards_in(held: CardSet) -> Iterator[Card]:
    """The cards of a set, from the lowest number up."""
    while held:
        low = held & -held
        yield low.bit_length() - 1
        held ^= low


def codes(held: CardSet) -> list[str]:
    """The codes of a set's cards, sorted as strings (the order records use)."""
    return sorted(CODES[card] for card in cards_in(held))


def in_hand_order(held: CardSet) -> list[Card]:
    """The cards of a hand as players hold them: each suit from the king down, the trumps from XXI down, the Fool."""
    return sorted(cards_in(held), key=lambda card: (LANE_OF[card] if card != FOOL else TRUMPS + 1, -card))


def letter_of(lane: Lane) -> str:
    """The letter of a suit, T for the trumps; empty for `NO_LANE`."""
    return LANE_LETTERS[lane] if lane != NO_LANE else ""


def lane_set(lane: Lane) -> CardSet:
    """All cards of one suit, or (lane 4) the 21 trumps without the Fool."""
    if lane == TRUMPS:
        return ((1 << 21) - 1) << FIRST_TRUMP
    return ((1 << LANE_SIZE) - 1) << lane * LANE_SIZE


LANES: Final[tuple[CardSet, ...]] = tuple(lane_set(lane) for lane in range(5))
SUIT_CARDS: Final[CardSet] = (1 << FIRST_TRUMP) - 1
TRUMP_CARDS: Final[CardSet] = LANES[TRUMPS]
FOOL_BIT: Final[CardSet] = 1 << FOOL
FULL_PACK: Final[CardSet] = (1 << 78) - 1
JACKS, CAVALIERS, QUEENS, KINGS = (
    set_of(lane * LANE_SIZE + place for lane in range(4)) for place in (JACK, CAVALIER, QUEEN, KING)
)
COURTS: Final[CardSet] = JACKS | CAVALIERS | QUEENS | KINGS
NUMERALS: Final[CardSet] = SUIT_CARDS & ~COURTS
BAGAT: Final[Card] = FIRST_TRUMP
MUND: Final[Card] = LAST_TRUMP
HONOURS: Final[CardSet] = KINGS | BIT[BAGAT] | BIT[MUND] | FOOL_BIT
LOW_CARDS: Final[CardSet] = FULL_PACK & ~(HONOURS | QUEENS | CAVALIERS | JACKS)


def value_of(card: Card) -> int:
    """Card points of one card: honours 5, queens 4, cavaliers 3, jacks 2, all others 1 (pagat, the table of values)."""
    return values(1 << card)


def values(held: CardSet) -> int:
    """Sum of the card values of a set, counted singly."""
    return (
        held.bit_count()
        + 4 * (held & HONOURS).bit_count()
        + 3 * (held & QUEENS).bit_count()
        + 2 * (held & CAVALIERS).bit_count()
        + (held & JACKS).bit_count()
    )
