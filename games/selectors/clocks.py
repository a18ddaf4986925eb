"""The clocks of a table as one viewer reads them, and how far one can rely on who sits there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

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
    """The clocks of a table as `viewer`, who sits at `seat` (None: nowhere), reads them."""
    agreed = agreed_clock(clock.terms, availability.zone_of(viewer).key if viewer is not None else settings.TIME_ZONE)
    if game.status != Game.Status.PLAYING:
        return agreed
    passes = clock.running is not None and clock.paused_until is None
    return replace(
        agreed,
        seat=clock.running if passes else None,
        until=clock.deadline() if passes else None,
        reserve_from=clock.reserve_from(),
        left=_seconds_left(clock),
        paused_until=clock.paused_until,
        proposal=_proposal_seen(clock, seat),
        live=clock.live,
    )


def agreed_clock(terms: Terms, zone: str) -> ClockSeen:
    """What is agreed about time, as a reader in this time zone is told it."""
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
    """Seconds before the reserve of the seat that is asked is touched."""
    if clock.reserve_from() is None:
        return 0
    return max(timedelta(0), clock.terms.action - clock.spent(timezone.now())) // _SECOND


def _proposal_seen(clock: Clock, seat: int | None) -> ProposalSeen | None:
    proposal = clock.proposal
    if proposal is None or (proposal.until is not None and proposal.until <= timezone.now()):
        return None
    mine = seat is not None and seat in clock.here() and seat not in proposal.agreed
    return ProposalSeen(proposal.what, proposal.by, proposal.until, mine)


def away_of(clock: Clock, number: int) -> str:
    """`away`, `sought`, or empty for a seat whose player plays themselves."""
    state = clock.seats[number].state
    return str(state) if state in (State.AWAY, State.SOUGHT) else ""


def reserve_of(clock: Clock, number: int) -> int | None:
    """Seconds in the reserve of a person; None for computer players."""
    if clock.seats[number].state is State.COMPUTER:
        return None
    return clock.seats[number].bank // _SECOND


def reliabilities(seats: list[Seat]) -> dict[int, str]:
    """How far one can rely on each person to play in time, by seat. One query."""
    people = {seat.number: seat.player for seat in seats if not seat.player.is_computer}
    figures = projections.punctuality_of(people.values())
    return {number: str(level_of(figures[player.current.pk])) for number, player in people.items()}
