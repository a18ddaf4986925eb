"""The view's part that has to do with time: the clocks of a table, and what the log tells of them, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils import timezone

from accounts import availability
from accounts.models import Player
from domain.pace import Clock, State, level_of
from games import projections
from games.models import Action, Game, Seat
from games.read_models import ClockSeen, Line, ProposalSeen

_OF_ITS_SEAT = ("more-time", "substitute-asked", "live-ended")
"""Entries that somebody else may have made about the seat they name."""
_SECOND = timedelta(seconds=1)


def clock_seen(game: Game, seat: int | None, viewer: Player | None) -> ClockSeen | None:
    """The clocks of a table as `viewer`, who sits at `seat` (None: nowhere), reads them; None without a pace."""
    clock = projections.clock_of(game)
    if clock is None:
        return None
    terms = clock.terms
    zone = availability.zone_of(viewer).key if viewer is not None else settings.TIME_ZONE
    agreed = ClockSeen(
        str(terms.kind), terms.action // _SECOND, terms.bank // _SECOND, terms.weekends, terms.holidays, terms.vacation,
        str(terms.out), zone,
    )  # fmt: skip
    if game.status != Game.Status.PLAYING:
        return agreed
    passes = clock.running is not None and clock.paused_until is None
    return ClockSeen(
        agreed.kind, agreed.action, agreed.bank, agreed.weekends, agreed.holidays, agreed.vacation, agreed.out, zone,
        seat=clock.running if passes else None,
        until=clock.deadline() if passes else None,
        reserve_from=clock.reserve_from(),
        left=_left(clock),
        paused_until=clock.paused_until,
        proposal=_proposal(clock, seat),
        live=clock.live,
    )  # fmt: skip


def _left(clock: Clock) -> int:
    """Seconds before the reserve of the seat that is asked is touched."""
    if clock.reserve_from() is None:
        return 0
    return max(timedelta(0), clock.terms.action - clock.spent(timezone.now())) // _SECOND


def _proposal(clock: Clock, seat: int | None) -> ProposalSeen | None:
    proposal = clock.proposal
    if proposal is None or (proposal.until is not None and proposal.until <= timezone.now()):
        return None
    mine = seat is not None and seat in clock.here() and seat not in proposal.agreed
    return ProposalSeen(proposal.what, proposal.by, proposal.until, mine)


def away_of(clock: Clock | None, number: int) -> str:
    """`away`, `sought`, or empty for a seat whose player plays themselves."""
    state = clock.seats[number].state if clock is not None else State.HERE
    return str(state) if state in (State.AWAY, State.SOUGHT) else ""


def reserve_of(clock: Clock | None, number: int) -> int | None:
    """Seconds in the reserve of a person; None without a clock and for computer players."""
    if clock is None or clock.seats[number].state is State.COMPUTER:
        return None
    return clock.seats[number].bank // _SECOND


def reliabilities(clock: Clock | None, seats: list[Seat]) -> dict[int, str]:
    """How far one can rely on each person to play in time, by seat. One query; none without a clock."""
    people = {seat.number: seat.player for seat in seats if not seat.player.is_computer} if clock is not None else {}
    if not people:
        return {}
    figures = projections.punctuality_of(people.values())
    return {number: str(level_of(figures[player.current.pk])) for number, player in people.items()}


def event_lines(events: Iterable[Action], seats: list[Seat]) -> Iterator[Line]:
    """What happened at the table beside the cards: `events` of its log, in order. Who has left is called by name."""
    where = {seat.player_id: seat.number for seat in seats}
    begun: set[int] = set()
    for event in events:
        if event.text in projections.SILENT:
            continue
        if event.text == "ready" and event.data.get("agreed"):
            if event.hand_number not in begun:
                begun.add(event.hand_number)
                yield Line(event.number, "begun-agreed", None, event.hand_number)
            continue
        yield _event_line(event, where)


def _event_line(event: Action, where: dict[int, int]) -> Line:
    player = event.player
    at = None if player is None else where.get(player.pk, where.get(player.current.pk))
    seat = event.seat if at is None or event.text in _OF_ITS_SEAT else at
    gone = player is not None and at is None and event.seat is not None
    return Line(
        event.number,
        _kind(event),
        event.data.get("giver", seat),
        event.hand_number,
        tuple(code for _, code in event.data.get("drawn", ())),
        name=player.display_name if gone and player is not None else "",
        other=event.seat if event.text == "more-time" else None,
        verb=event.data.get("verb", ""),
        until=_moment(event.data),
        count=event.data.get("seconds", 0),
    )


def _kind(event: Action) -> str:
    """What the line is called: the same entry reads otherwise if a person made it than if time did."""
    if event.data.get("left"):
        return "left-seat"
    if event.text == "resumed" and event.seat is None:
        return "resumed-by-itself"
    if event.text == "undo-declined" and event.seat is None:
        return "undo-lapsed"
    if event.data.get("withdrawn"):
        return "undo-withdrawn"
    return "live-stopped" if event.text == "live-ended" and event.player is not None else event.text


def _moment(data: dict[str, object]) -> str:
    """A moment in UTC, or a day, as the log keeps it."""
    if data.get("until"):
        return datetime.fromisoformat(str(data["until"])).astimezone(UTC).isoformat()
    return str(data.get("day", ""))
