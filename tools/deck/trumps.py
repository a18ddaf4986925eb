"""The twenty-one trumps and the Fool: caption at the foot, English title and picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tools.deck import trumps_one as one
from tools.deck import trumps_three as three
from tools.deck import trumps_two as two

__all__ = ["FOOL", "TRUMPS", "Trump"]


class Trump(NamedTuple):
    """One trump: the French caption of the old packs, the English title, and the function that draws it."""

    caption: str
    name: str
    picture: Callable[[], str]


TRUMPS: dict[int, Trump] = {
    1: Trump("LE BATELEUR", "The Magician", one.bateleur),
    2: Trump("JUNON", "Juno", one.juno),
    3: Trump("L'IMPERATRICE", "The Empress", one.empress),
    4: Trump("L'EMPEREUR", "The Emperor", one.emperor),
    5: Trump("JUPITER", "Jupiter", one.jupiter),
    6: Trump("L'AMOUREUX", "The Lovers", one.lovers),
    7: Trump("LE CHARIOT", "The Chariot", one.chariot),
    8: Trump("LA JUSTICE", "Justice", two.justice),
    9: Trump("L'ERMITE", "The Hermit", two.hermit),
    10: Trump("LA ROUE DE FORTUNE", "Wheel of Fortune", two.wheel),
    11: Trump("LA FORCE", "Strength", two.force),
    12: Trump("LE PENDU", "The Hanged Man", two.hanged),
    13: Trump("LA MORT", "Death", two.death),
    14: Trump("TEMPERANCE", "Temperance", two.temperance),
    15: Trump("LE DIABLE", "The Devil", three.devil),
    16: Trump("LA MAISON DE DIEU", "The Tower", three.tower),
    17: Trump("L'ETOILE", "The Star", three.star_card),
    18: Trump("LA LUNE", "The Moon", three.moon),
    19: Trump("LE SOLEIL", "The Sun", three.sun),
    20: Trump("LE JUGEMENT", "Judgement", three.judgement),
    21: Trump("LE MONDE", "The World", three.world),
}
FOOL = Trump("LE MAT", "The Fool", one.fool)
