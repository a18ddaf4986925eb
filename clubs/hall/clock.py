"""The clock of a round, as pages show it: till when, and when no deal begins any more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from clubs.evening.state import CLOSED, Clock, Round


@dataclass(frozen=True, slots=True)
class ClockSeen:
    """`ends` and `last_deal` are moments; while the clock stands still, `left` seconds remain."""

    ends: datetime | None
    last_deal: datetime | None
    left: int
    running: bool

    @property
    def minutes_left(self) -> int:
        """Whole minutes that remain while it stands still, rounded up."""
        return -(-self.left // 60)

    def no_new_deal(self, now: datetime) -> bool:
        """Whether no deal may be begun any more."""
        moment = self.last_deal or self.ends
        return self.running and moment is not None and now >= moment


def clock_seen(round: Round) -> ClockSeen | None:
    """The clock of a round that is played; None where none was started."""
    clock: Clock = round.clock
    if round.status == CLOSED or not (clock.running or clock.left):
        return None
    return ClockSeen(
        ends=datetime.fromisoformat(clock.ends) if clock.ends else None,
        last_deal=datetime.fromisoformat(clock.last_deal) if clock.last_deal else None,
        left=clock.left,
        running=clock.running,
    )
