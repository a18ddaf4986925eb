"""Puts the sprite together: one symbol per card code and one for the back."""

from __future__ import annotations

from collections.abc import Iterator

from tools.deck import compact, courts, frame, letters, pips, signs, trumps
from tools.deck.pen import tag

__all__ = ["CODES", "compose"]

_SUITS = {"C": "DE COUPE", "O": "DE DENIER", "S": "D'EPEE", "B": "DE BATON"}
_COURTS = {"K": "ROY", "Q": "REYNE", "N": "CAVALIER", "J": "VALET"}
_RANKS = ("K", "Q", "N", "J", *(str(value) for value in range(1, 11)))

CODES: tuple[str, ...] = (
    *(f"T{value}" for value in range(1, 22)),
    "F",
    *(suit + rank for suit in "COSB" for rank in _RANKS),
)
"""Every card code, in the order of the sprite."""


def _cards() -> Iterator[str]:
    for value, trump in trumps.TRUMPS.items():
        yield frame.card(f"T{value}", trump.picture(), trump.caption, letters.additive_roman(value), None)
    yield frame.card("F", trumps.FOOL.picture(), trumps.FOOL.caption, "", None)
    for suit, of_suit in _SUITS.items():
        for rank in _RANKS:
            if rank in _COURTS:
                yield frame.card(suit + rank, courts.court(suit, rank), f"{_COURTS[rank]} {of_suit}", rank, suit)
            else:
                value = int(rank)
                yield frame.card(suit + rank, pips.pip(suit, value), letters.additive_roman(value), rank, suit)


def compose() -> str:
    """Return the whole sprite as SVG text, the same on every run."""
    shared = "".join((*letters.definitions(), *signs.definitions(), *frame.definitions(), *courts.definitions()))
    cards = "\n".join((*_cards(), frame.back()))
    drawing = compact.join_lines(compact.join_ink(f"{tag('defs', shared)}\n{cards}"))
    drawing, parts = compact.share_parts(drawing)
    drawing, paths = compact.share_paths(f"{tag('defs', parts)}\n{drawing}")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg">\n'
        "<!-- A tarot deck of 78 cards and a back, drawn for this site. CC0 1.0. Made by tools/deck; see docs/deck.md. -->"
        f"\n{tag('defs', paths)}\n{drawing}\n</svg>\n"
    )
