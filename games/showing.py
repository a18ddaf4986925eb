"""Cards and tricks of the engine as the plain data that pages get."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import CODES, Trick, cards_in
from games.engine.hand import NOBODY
from games.engine.kernel import winning_place
from games.engine.view import View
from games.seen import TrickCard, TrickSeen

SUITS = "COSBT"


def open_trick(view: View) -> TrickSeen:
    """The trick on the table, as far as it is complete; the jack beside its king."""
    placed = [(view.seat_of(place), card) for place, card in enumerate(view.trick)]
    if view.pair_at != NOBODY and view.ruleset.pair is not None:
        seat, king = placed[view.pair_at]
        placed.insert(view.pair_at + 1, (seat, king - view.ruleset.pair.below_king))
    best = view.trick[view.best] if view.lane != NOBODY and view.best != NOBODY else None
    return _laid(placed, len(view.tricks) + 1, view.lane, best, None, view.seat or 0, len(view.counts))


def trick_of(trick: Trick, number: int, viewer: int, seats: int) -> TrickSeen:
    """A gathered trick. The winning card may have been taken back by another: then none is marked."""
    placed = list(zip(trick.seats, trick.cards, strict=True))
    own = [card for seat, card in placed if seat == trick.winner]
    best = own[winning_place(own, trick.lane)] if own and trick.lane != NOBODY else None
    return _laid(placed, number, trick.lane, best, trick.winner, viewer, seats)


def _laid(
    placed: Sequence[tuple[int, int]],
    number: int,
    lane: int,
    best: int | None,
    winner: int | None,
    viewer: int,
    seats: int,
) -> TrickSeen:
    cards = tuple(
        TrickCard(seat, (seat - viewer) % seats, CODES[card], led=at == 0, winning=card == best)
        for at, (seat, card) in enumerate(placed)
    )
    return TrickSeen(number, suit_of(lane), cards, winner)


def team_of(seat: int, sides: Sequence[int]) -> str:
    """A or B for a seat of one of two sides; empty where everybody is alone, or the side is not known."""
    side = sides[seat]
    return "AB"[side] if max(sides) == 1 and side >= 0 else "A" if side == max(sides) == 0 else ""


def code_of(card: int | None) -> str:
    """A card's code, empty for none."""
    return CODES[card] if card is not None else ""


def codes_of(held: int) -> tuple[str, ...]:
    """The codes of a set of cards."""
    return tuple(CODES[card] for card in cards_in(held))


def suit_of(lane: int) -> str:
    """The letter of a suit, T for the trumps, empty while nothing is led."""
    return SUITS[lane] if lane >= 0 else ""
