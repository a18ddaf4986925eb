"""The guided hand: a composed deal, and what the teacher says at each moment of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.bots import advise
from games.engine import CODES
from games.engine.view import View
from games.seen import Sight


@dataclass(frozen=True, slots=True)
class Lesson:
    """One composed hand: the pack before the cut, who deals, the table's options."""

    pack: tuple[str, ...]
    dealer: int
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Advice:
    """What the teacher says now, and the action to show on request."""

    suggestion: str


FIRST: Final = Lesson(CODES, 1, {"hands": 1, "demands": False})


def advice(seen: Sight, view: View | None) -> Advice | None:
    """What to say at this moment; None while others act."""
    if view is None or not seen.question.mine:
        return None
    return Advice(str(advise(view).action))
