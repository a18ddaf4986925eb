"""How long the site waits before it does something for a player: drawn by chance, from one distribution for all there is to
do, so that neither a quick answer nor a slow one tells what kind of answer it was.

At a table of days it waits as the player would: as long as they usually take, in the hours in which they are awake. A card
at three in the night, from somebody who sleeps then, would tell that nobody had to think about it. Nothing of the hand
comes in here but what everybody sees.
"""

from __future__ import annotations

import math
import random
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from games.pace import Calendar


class Tempo(Enum):
    """What sort of table it is: who waits, and for how long one thinks there (least and most)."""

    ALONE = (timedelta(milliseconds=700), timedelta(milliseconds=1600))
    """Only computer players sit with the player: there is nobody to hide anything from."""
    LIVE = (timedelta(seconds=2), timedelta(seconds=7))
    DAYS = (timedelta(minutes=7), timedelta(hours=5))
    """Counted time: of a waking day of fourteen hours, four minutes to three hours. Where a player's habits are not known."""


AT_LEAST_LEFT: Final = 0.5
"""Of the time that may be waited away without costing anybody anything, the part that never is."""
ENOUGH: Final = 8
"""So many answers of a player tell how long they usually take."""
SHORTEST: Final = timedelta(seconds=30)
"""Nobody is seen to answer faster than this at a table of days, counted time."""
_CHANCE: Final = secrets.SystemRandom()


def drawn(tempo: Tempo, left: timedelta | None, chance: random.Random | None = None) -> timedelta:
    """How long to wait where every second counts. Short waits are as likely as long ones, by ratio (a log-uniform distribution).

    `left` is the time that may be waited without cost, None where there is no clock.
    """
    lot = chance or _CHANCE
    return _within(_log_uniform(tempo, lot), left, lot)


def moment(
    waking: Calendar,
    start: datetime,
    free_until: datetime,
    usual: Sequence[timedelta],
    chance: random.Random | None = None,
) -> datetime:
    """When to act at a table of days: in the hours that `waking` counts, and before `free_until`, after which waiting would cost.

    `usual`: how long the player took lately, in counted time; one of these times is drawn and varied, if there are enough of
    them. Where nothing can be waited away, the answer is `start`.
    """
    lot = chance or _CHANCE
    wait = _log_uniform(Tempo.DAYS, lot)
    if len(usual) >= ENOUGH:
        wait = max(SHORTEST, lot.choice(usual) * 2 ** lot.uniform(-0.5, 0.5))
    return waking.deadline(start, _within(wait, waking.spent(start, free_until), lot))


def _log_uniform(tempo: Tempo, lot: random.Random) -> timedelta:
    least, most = (math.log(bound.total_seconds()) for bound in tempo.value)
    return timedelta(seconds=math.exp(lot.uniform(least, most)))


def _within(wait: timedelta, left: timedelta | None, lot: random.Random) -> timedelta:
    """A wait that leaves a part of what is `left`; one that is too long gives way to any shorter one."""
    if left is None:
        return wait
    most = AT_LEAST_LEFT * max(timedelta(0), left)
    return wait if wait <= most else lot.random() * most
