"""How long the site waits before it does something for a player: drawn by chance, from one distribution for all there is to
do, so that neither a quick answer nor a slow one tells what kind of answer it was.

Nothing of the hand comes in here but what everybody sees.
"""

from __future__ import annotations

import math
import random
import secrets
from datetime import timedelta
from enum import Enum
from typing import Final


class Tempo(Enum):
    """What sort of table it is: who waits, and for how long one thinks there."""

    ALONE = (timedelta(milliseconds=700), timedelta(milliseconds=1600))
    """Only computer players sit with the player: there is nobody to hide anything from."""
    LIVE = (timedelta(seconds=2), timedelta(seconds=7))
    DAYS = (timedelta(minutes=4), timedelta(hours=3))


AT_LEAST_LEFT: Final = 0.5
"""Of the time to the deadline, the part that is never waited away."""
_CHANCE: Final = secrets.SystemRandom()


def drawn(tempo: Tempo, left: timedelta | None, chance: random.Random | None = None) -> timedelta:
    """How long to wait. Short waits are as likely as long ones, by ratio (a log-uniform distribution).

    `left` is the time to the deadline, None without one.
    """
    least, most = (bound.total_seconds() for bound in tempo.value)
    share = (chance or _CHANCE).random()
    wait = math.exp(math.log(least) + share * (math.log(most) - math.log(least)))
    if left is not None:
        wait = min(wait, share * AT_LEAST_LEFT * max(0.0, left.total_seconds()))
    return timedelta(seconds=wait)
