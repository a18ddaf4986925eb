"""The twenty-one trumps and the Fool: caption at the foot and picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tools.deck.trumps import fool, i_to_iiii, v_to_vii, viii_to_xi, xii_to_xiiii, xv_to_xvii, xviii_to_xxi

__all__ = ["FOOL", "TRUMPS", "Trump"]


class Trump(NamedTuple):
    """One trump: the French caption at its foot and the function that draws it."""

    caption: str
    picture: Callable[[], str]


TRUMPS: dict[int, Trump] = {
    1: Trump("LE BATELEUR", i_to_iiii.bateleur),
    2: Trump("JUNON", i_to_iiii.juno),
    3: Trump("L'IMPERATRICE", i_to_iiii.empress),
    4: Trump("L'EMPEREUR", i_to_iiii.emperor),
    5: Trump("JUPITER", v_to_vii.jupiter),
    6: Trump("L'AMOUREUX", v_to_vii.lovers),
    7: Trump("LE CHARIOT", v_to_vii.chariot),
    8: Trump("LA JUSTICE", viii_to_xi.justice),
    9: Trump("L'ERMITE", viii_to_xi.hermit),
    10: Trump("LA ROUE DE FORTUNE", viii_to_xi.wheel),
    11: Trump("LA FORCE", viii_to_xi.force),
    12: Trump("LE PENDU", xii_to_xiiii.hanged),
    13: Trump("LA MORT", xii_to_xiiii.death),
    14: Trump("TEMPERANCE", xii_to_xiiii.temperance),
    15: Trump("LE DIABLE", xv_to_xvii.devil),
    16: Trump("LA MAISON DE DIEU", xv_to_xvii.tower),
    17: Trump("L'ETOILE", xv_to_xvii.star_card),
    18: Trump("LA LUNE", xviii_to_xxi.moon),
    19: Trump("LE SOLEIL", xviii_to_xxi.sun),
    20: Trump("LE JUGEMENT", xviii_to_xxi.judgement),
    21: Trump("LE MONDE", xviii_to_xxi.world),
}
FOOL = Trump("LE MAT", fool.fool)
