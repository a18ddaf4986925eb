"""The clocks of a table in templates: `{% load clock %}`. All words come from `games.text.times`.

Taking back in templates: `{% load undo %}`. All words come from `games.text.undo`.
"""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone

from domain.pace import Kind
from games.read_models import ClockSeen, SeatSeen, Sight, UndoSeen
from games.services.agreements import LONGEST_PAUSE, MORE_TIME
from games.text import times
from games.text import undo as undo_text

register = template.Library()


@register.filter
def seat_clock(seat: SeatSeen, sight: Sight) -> str:
    """What the clock says of one seat."""
    return times.seat_line(seat, sight)


@register.filter
def clock_line(sight: Sight) -> str:
    """What the clock says of the table."""
    return times.table_line(sight)


@register.filter
def clock_terms(clock: ClockSeen) -> list[str]:
    """What was agreed about time."""
    return times.terms(clock)


@register.filter
def proposal_line(sight: Sight) -> str:
    """What is proposed."""
    return times.proposal(sight)


@register.simple_tag
def pause_days(clock: ClockSeen) -> tuple[str, str]:
    """The first and the last day that may be chosen for the end of a pause, where the reader lives: as 2026-12-24."""
    today = timezone.now().astimezone(ZoneInfo(clock.zone)).date()
    return (today + timedelta(days=1)).isoformat(), (today + LONGEST_PAUSE - timedelta(days=1)).isoformat()


@register.filter
def reserve(seat: SeatSeen, clock: ClockSeen) -> str:
    """How much a seat has in reserve."""
    return times.amount(seat.reserve or 0, clock.kind)


@register.filter
def reliability(seat: SeatSeen) -> str:
    """How far one can rely on somebody to play in time."""
    return times.reliability(seat.reliability)


@register.filter
def own_seat(sight: Sight) -> SeatSeen | None:
    """The viewer's seat; None for who watches."""
    return None if sight.viewer is None else sight.seats[sight.viewer]


@register.filter
def sought_seats(sight: Sight) -> list[SeatSeen]:
    """The seats for which a substitute is asked."""
    return [seat for seat in sight.seats if seat.away == "sought"]


@register.filter
def given_time_to(sight: Sight) -> list[SeatSeen]:
    """The seats to which the viewer may give more time: those of the other people who play."""
    return [seat for seat in sight.seats if not seat.own and not seat.computer and not seat.away]


@register.filter
def plays_on(sight: Sight) -> bool:
    """Whether the game goes on without its viewer: a clock runs, and another person plays."""
    return sight.clock is not None and bool(given_time_to(sight))


@register.filter
def away_seats(sight: Sight) -> list[SeatSeen]:
    """The seats of others for which a computer player acts."""
    return [seat for seat in sight.seats if not seat.own and seat.away == "away"]


@register.filter
def more_times(clock: ClockSeen) -> list[tuple[int, str]]:
    """The amounts that can be given: seconds, and what they are called."""
    least, most = (int(amount.total_seconds()) for amount in MORE_TIME[Kind(clock.kind)])
    return [(seconds, times.amount(seconds, clock.kind)) for seconds in (least, least * 2, least * 4, most)]


@register.filter
def undo_offer(undo: UndoSeen) -> str:
    """What the viewer may ask for."""
    return undo_text.offer(undo)
