"""Games as this process read them last: what their logs say up to one number, so that the next step needs not read it again.

Nothing hangs on it. What is kept follows from the log alone, and is used only for a game whose row, just read, stands at the
same number with the same moment; the rows that do not follow from the log alone (seats, people, deals) are read each time.
Every process keeps its own, and a miss reads the log. What a transaction does is kept after its commit, never before.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from domain.engine.hand import Hand
    from games.models import Game
    from games.selectors.log import Move

MOST: Final = 256
"""Games that are kept, of about a hundred kilobytes each; those that nobody has looked at for longest go first."""

Entry: TypeAlias = tuple[Any, ...]
"""The values of a row of the log, in the order of the model's columns."""
Inputs: TypeAlias = tuple[Any, ...]
"""What an open hand is played from beside the moves of the log, as it stands in the rows of its deals."""


@dataclass(frozen=True, slots=True)
class Read:
    """What the log of a game says at `number`, whose entry was written `at`. Shared by threads: nothing in it is ever changed.

    `entries` are the events, the last move of every deal, and the last of every seat in the open hand; `hand` is the open
    hand after `moves`, played from `inputs`, and `before` the same without the last of them, where that is at hand. They are
    copied before anything is done with them.
    """

    number: int
    at: datetime
    entries: tuple[Entry, ...]
    moves: tuple[Move, ...] = ()
    inputs: Inputs | None = None
    hand: Hand | None = None
    before: Hand | None = None


_lock: Final = threading.Lock()
_read: Final[OrderedDict[str, Read]] = OrderedDict()


def read_of(game: Game) -> Read | None:
    """What is kept of `game` as it stands in this row; None if that is nothing, or of another number."""
    with _lock:
        found = _read.get(game.public_id)
        if found is None or (found.number, found.at) != (game.number, game.acted_at):
            return None
        _read.move_to_end(game.public_id)
        return found


def keep(public_id: str, read: Read) -> None:
    """Keep what was read of a game, or done there and committed. What is kept of a later number stays."""
    with _lock:
        before = _read.get(public_id)
        if before is not None and before.number > read.number:
            return
        _read[public_id] = read
        _read.move_to_end(public_id)
        while len(_read) > MOST:
            _read.popitem(last=False)


def forget() -> None:
    """Keep nothing any more."""
    with _lock:
        _read.clear()
