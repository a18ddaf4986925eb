"""Puts the sprite together: one symbol per card code and one for the back."""

from __future__ import annotations

from collections.abc import Iterator

from tools.deck import compact, courts, frame, letters, pips, signs, trumps
from tools.deck.pen import tag

__all__ = ["CODES", "compose"]

_SUITS = {"C": ("cups", "DE COUPE"), "O": ("coins", "DE DENIER"), "S": ("swords", "D'EPEE"), "B": ("batons", "DE BATON")}
_COURTS = {"K": ("King", "ROY"), "Q": ("Queen", "REYNE"), "N": ("Cavalier", "CAVALIER"), "J": ("Jack", "VALET")}
_RANKS = ("K", "Q", "N", "J", *(str(value) for value in range(1, 11)))

CODES: tuple[str, ...] = (*(f"T{value}" for value in range(1, 22)), "F", *(suit + rank for suit in "COSB" for rank in _RANKS))
"""Every card code, in the order of the sprite."""


def _cards() -> Iterator[str]:
    for value in range(1, 22):
        caption, name, picture = trumps.TRUMPS[value]
        yield frame.card(f"T{value}", f"{letters.additive_roman(value)} {name}", picture(), caption, letters.additive_roman(value), None)
    caption, name, picture = trumps.FOOL
    yield frame.card("F", name, picture(), caption, "", None)
    for suit, (suit_name, title) in _SUITS.items():
        for rank in _RANKS:
            if rank in _COURTS:
                rank_name, caption = _COURTS[rank]
                yield frame.card(suit + rank, f"{rank_name} of {suit_name}", courts.court(suit, rank), f"{caption} {title}", rank, suit)
            else:
                value = int(rank)
                yield frame.card(
                    suit + rank, f"{rank} of {suit_name}", pips.pip(suit, value), letters.additive_roman(value), rank, suit
                )


def compose() -> str:
    """Return the whole sprite as SVG text, the same on every run."""
    shared = "".join((*letters.definitions(), *signs.definitions(), *frame.definitions(), *courts.definitions()))
    cards = "\n".join((*_cards(), frame.back("Back of a card")))
    drawing = compact.join_ink(f"{tag('defs', shared)}\n{cards}")
    drawing, parts = compact.share_parts(drawing)
    drawing, paths = compact.share_paths(f"{tag('defs', parts)}\n{drawing}")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg">\n'
        + tag("title", "A tarot deck of 78 cards and a back")
        + f"\n{tag('defs', paths)}\n{drawing}\n</svg>\n"
    )
