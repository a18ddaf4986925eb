"""How the court of each suit is dressed, and the suit sign they hold."""

from __future__ import annotations

from typing import NamedTuple

from tools.deck.palette import BLUE, GREEN, OCHRE, PAPER, RED
from tools.deck.pen import place
from tools.deck.signs import sign, staff, sword

__all__ = ["DRESS", "Dress", "held"]


class Dress(NamedTuple):
    """How the court of one suit is dressed; `mirror` lets it face the other way."""

    coat: str
    mantle: str
    lining: str
    hair: str
    mirror: bool


DRESS = {
    "C": Dress(coat=BLUE, mantle=RED, lining=OCHRE, hair=OCHRE, mirror=False),
    "O": Dress(coat=RED, mantle=OCHRE, lining=GREEN, hair=PAPER, mirror=True),
    "S": Dress(coat=OCHRE, mantle=BLUE, lining=RED, hair=RED, mirror=False),
    "B": Dress(coat=RED, mantle=GREEN, lining=OCHRE, hair=OCHRE, mirror=True),
}


def held(suit: str, x: float, y: float, tall: float) -> str:
    """The suit sign held in a fist at (x, y); `tall` is how far swords and staves rise above it."""
    if suit == "C":
        return sign("C", x, y - 22, 1.12)
    if suit == "O":
        return sign("O", x, y - 23, 1.06)
    if suit == "S":
        return place(sword(tall - 8, 8.4), x=x, y=y - 8)
    length = tall + 60
    return place(staff(length, 12), x=x, y=y - tall + length / 2)
