"""The sixteen courts: a king, a queen, a cavalier and a jack, dressed anew for each suit."""

from __future__ import annotations

from collections.abc import Iterator

from tools.deck import beings, land, people
from tools.deck.dress import DRESS
from tools.deck.pen import flip
from tools.deck.retinue import cavalier, jack
from tools.deck.sovereigns import king, queen

__all__ = ["court", "definitions"]


def definitions() -> Iterator[str]:
    """Yield the parts that courts and trumps share."""
    yield from people.definitions()
    yield from land.definitions()
    yield from beings.definitions()


def court(suit: str, rank: str) -> str:
    """Return the picture of a court card; `rank` is K, Q, N or J."""
    dress = DRESS[suit]
    picture = {"K": king, "Q": queen, "N": cavalier, "J": jack}[rank](suit, dress)
    return flip(picture) if dress.mirror else picture
