"""Computer players: from what one seat may know to an action. Pure Python, nothing of the site, never a whole hand.

>>> from domain.bots import LEVELS
>>> "level-1" in LEVELS
True
"""

from __future__ import annotations

from typing import Final

from domain.bots.advice import advise
from domain.bots.facts import Advice, Reason
from domain.engine.actions import Action
from domain.engine.view import View

LEVELS: Final = ("level-1",)

__all__ = ["LEVELS", "Advice", "Reason", "advise", "choose"]


def choose(view: View, *, level: str = "level-1", seed: bytes = b"") -> Action:
    """What a computer player of `level` does in `view`: always a legal action, the same for the same view and seed.

    Raises ValueError if the viewer is not on turn (or nothing is asked), or for an unknown level.
    """
    if level not in LEVELS:
        raise ValueError(f"no computer player of level {level}")
    return advise(view, seed=seed).action
