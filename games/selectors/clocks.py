"""The clocks of a table as one viewer sees them, and the reliability of its players."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from accounts import availability
from accounts.models import Player
from domain.pace import Clock, State, Terms, level_of
from games import projections
from games.models import Game, Seat
from games.read_models import ClockSeen, ProposalSeen

_SECOND = timedelta(seconds=1)


def clock_of_viewer(clock: Clock, game: Game, seat: int | None, viewer: Player | None) -> ClockSeen:
    """The clocks of a table as seen by `viewer`, who sits at `seat` (None: at none)."""
    zone = availability.zone_of(viewer).key if viewer is not None else settings.TIME_ZONE
    agreed = replace(agreed_clock(clock.terms, zone), zone_chosen=viewer is not None and bool(viewer.time_zone))
    if game.status != Game.Status.PLAYING:
        return agreed
    is_running = clock.running is not None and clock.paused_until is None
    return replace(
        agreed,
        seat=clock.running if is_running else None,
        until=clock.deadline() if is_running else None,
        reserve_from=clock.reserve_from(),
        left=_seconds_left(clock),
        paused_until=clock.paused_until,
        proposal=_proposal_seen(clock, seat),
        live=clock.live,
    )


def agreed_clock(terms: Terms, zone: str) -> ClockSeen:
    """What is agreed about time, for a reader in time zone `zone`."""
    action, bank = terms.action // _SECOND, terms.bank // _SECOND
    return ClockSeen(
        str(terms.kind),
        action,
        bank,
        terms.weekends,
        terms.holidays,
        terms.vacation,
        str(terms.out),
        zone,
        terms.refills,
        terms.leaves_out_absences,
    )


def _seconds_left(clock: Clock) -> int:
    """The seconds that are left before the seat on turn begins to use its reserve."""
    if clock.reserve_from() is None:
        return 0
    return max(timedelta(0), clock.terms.action - clock.spent(timezone.now())) // _SECOND


def _proposal_seen(clock: Clock, seat: int | None) -> ProposalSeen | None:
    proposal = clock.proposal
    if proposal is None or (proposal.until is not None and proposal.until <= timezone.now()):
        return None
    waits = tuple(each for each in clock.here() if each not in proposal.agreed)
    return ProposalSeen(proposal.what, proposal.by, proposal.until, seat in waits, waits)


def away_of(clock: Clock, number: int) -> str:
    """`away`, `sought`, or empty for a seat whose player is present."""
    state = clock.seats[number].state
    return str(state) if state in (State.AWAY, State.SOUGHT) else ""


def reserve_of(clock: Clock, number: int) -> int | None:
    """The seconds in the reserve of a person; None for computer players."""
    if clock.seats[number].state is State.COMPUTER:
        return None
    return clock.seats[number].bank // _SECOND


_HOLDS: Final = 60.0
"""For how many seconds a process caches a player's reliability, which summarizes three months."""
_REMEMBERED: Final = 10_000
_UNKNOWN: Final = (0.0, "")
_cached: Final[dict[str, tuple[float, str]]] = {}
"""By public id of the player: until when the entry is valid, and the level. Saves a query at each step of a table."""


def reliabilities(seats: list[Seat]) -> dict[int, str]:
    """How reliably each person plays in time, by seat, at most a minute old. One query at most."""
    people = {seat.number: seat.player.current for seat in seats if not seat.player.is_computer}
    now = time.monotonic()
    levels = {player.public_id: _cached.get(player.public_id, _UNKNOWN) for player in people.values()}
    missing = [player for player in people.values() if levels[player.public_id][0] <= now]
    if missing:
        figures = projections.punctuality_of(missing)
        levels |= {player.public_id: (now + _HOLDS, str(level_of(figures[player.pk]))) for player in missing}
        if len(_cached) >= _REMEMBERED:
            _cached.clear()
        _cached.update(levels)
    return {number: levels[player.public_id][1] for number, player in people.items()}


def forget_reliabilities() -> None:
    """Clear the cache, so that the next call reads what is stored."""
    _cached.clear()
