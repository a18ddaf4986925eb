"""The clocks of one game, updated by the log of the game, entry by entry.

`follow` applies an entry of the log, `ask` sets the seat that is asked after it. These two make both the projection
that is stored with the game and the one that is rebuilt from the whole log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from domain.pace.counting import Calendar, calendar_of
from domain.pace.terms import Json, Kind, Rhythm, Terms

SOUGHT_FOR: Final = timedelta(hours=48)
"""How long the table waits for a substitute before a computer player acts."""
LIVE_FOR: Final = timedelta(minutes=2)
"""At a table of days that plays on live: if a player does not act for this long, live play ends; nobody loses time."""
_NONE: Final = timedelta(0)


class State(StrEnum):
    """Who acts for a seat."""

    HERE = "here"
    AWAY = "away"
    """A computer player, until the seat's player comes back."""
    SOUGHT = "sought"
    """Nobody: a substitute is asked. The seat's player may still come back."""
    COMPUTER = "computer"
    """A computer player who has the seat from the start."""


@dataclass(slots=True)
class SeatClock:
    """The time of one seat.

    `vacation`: the days of vacation that were taken automatically in this game. `missed`: how often its person ran out
    of time.
    """

    bank: timedelta
    state: State
    rhythm: Rhythm
    vacation: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that all people at the table have to agree on: `what` is pause (until a moment) or live."""

    what: str
    by: int
    agreed: tuple[int, ...]
    until: datetime | None = None


@dataclass(slots=True)
class Clock:
    """The clocks of a game under its terms.

    `running` is the seat whose time passes, if any, and `since` when that began; `used` is the time it had spent on
    this action before a pause. While `paused_until` is set, no time passes. `charged` is the time that the last move
    took from the reserve of its seat.
    """

    terms: Terms
    seats: list[SeatClock] = field(default_factory=list)
    running: int | None = None
    since: datetime | None = None
    used: timedelta = _NONE
    paused_until: datetime | None = None
    proposal: Proposal | None = None
    live: bool = False
    charged: timedelta = _NONE

    def copy(self) -> Clock:
        """An independent copy."""
        return replace(self, seats=[replace(seat) for seat in self.seats])

    # what can be asked

    def calendar(self, seat: int) -> Calendar:
        """The calendar that decides which moments count for a seat."""
        return calendar_of(self.terms, self.seats[seat].rhythm)

    def waking(self, seat: int) -> Calendar:
        """The waking hours of the person at a seat, including weekends and holidays that the table does not count."""
        return calendar_of(replace(self.terms, weekends=True, holidays=""), self.seats[seat].rhythm)

    def free_until(self, seat: int, now: datetime) -> datetime:
        """Until when the person who is asked may wait without spending their reserve.

        That is the end of the time for this action, or, while they play on live, the end of the time that everybody
        waits. During a pause it is counted from the end of the pause.
        """
        start = max(now, self.paused_until or now)
        if self.live:
            return (self.since or start) + LIVE_FOR
        return self.calendar(seat).deadline(start, self.terms.action - self.spent(now))

    def here(self) -> tuple[int, ...]:
        """The seats whose players are here and act themselves."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.state is State.HERE)

    def needs_consent(self) -> bool:
        """Whether a proposal is open to which some person has not agreed yet."""
        return self.proposal is not None and not set(self.here()) <= set(self.proposal.agreed)

    def deadline(self) -> datetime | None:
        """When the clock next has to act: time runs out, nobody has come as a substitute, or a pause ends."""
        if self.paused_until is not None:
            return self.paused_until
        if self.running is None or self.since is None:
            return None
        seat = self.seats[self.running]
        if seat.state is State.SOUGHT:
            return self.since + SOUGHT_FOR
        if self.live:
            return self.since + LIVE_FOR
        return self.calendar(self.running).deadline(self.since, self.terms.action + seat.bank - self.used)

    def reserve_from(self) -> datetime | None:
        """When the seat that is asked begins to spend its reserve; None if nobody's time passes."""
        if not self._time_passes() or self.running is None or self.since is None:
            return None
        return self.calendar(self.running).deadline(self.since, self.terms.action - self.used)

    def reminders(self) -> tuple[datetime, ...]:
        """When to remind the person who is asked; empty at a live table.

        A sixth and a half of the way through the time for the action, and when a fifth is left of that time and the
        reserve together.
        """
        if not self._time_passes() or self.running is None or self.since is None or self.terms.kind is Kind.LIVE:
            return ()
        whole = self.terms.action + self.seats[self.running].bank
        calendar = self.calendar(self.running)
        parts = (self.terms.action / 6, self.terms.action / 2, whole * 4 / 5)
        return tuple(calendar.deadline(self.since, part - self.used) for part in parts if part > self.used)

    def spent(self, at: datetime) -> timedelta:
        """The time that the seat that is asked has spent on this action at a moment."""
        if not self._time_passes() or self.running is None or self.since is None:
            return self.used
        return self.used + self.calendar(self.running).spent(self.since, at)

    def _time_passes(self) -> bool:
        """Whether a person's time passes and may run out."""
        return (
            self.running is not None
            and self.paused_until is None
            and not self.live
            and self.seats[self.running].state is State.HERE
        )

    # what happens

    def ask(self, seat: int | None, at: datetime) -> None:
        """Make `seat` the one that is asked (None: nobody). Its time begins, unless it was running already."""
        if seat is not None and self.seats[seat].state in (State.AWAY, State.COMPUTER):
            seat = None
        if seat != self.running:
            self.running = seat
            self.since = at if seat is not None else None
            self.used = _NONE

    def follow(
        self,
        event: str,
        at: datetime,
        *,
        seat: int | None = None,
        data: Mapping[str, object] | None = None,
        computer: bool = False,
    ) -> None:
        """Apply an entry of the log: "move", or the name of an event. Events that do not concern time are ignored.

        `computer`: whether a computer player did it.
        """
        given = data or {}
        if event == "sat":
            state = State.COMPUTER if computer else State.HERE
            self.seats.append(SeatClock(self.terms.bank, state, _rhythm(given) or Rhythm()))
        elif event == "drawn":
            persons = given["seats"]
            assert isinstance(persons, list)
            self.seats = [self.seats[person] for person in persons]
            self._stop()
        elif event in ("paused", "resumed"):
            until = _moment(given) if event == "paused" else None
            self._suspend(at, until is not None)
            self.paused_until = until
        elif event in ("pause-proposed", "live-offered"):
            assert seat is not None
            self.proposal = Proposal(event.partition("-")[0], seat, (seat,), _moment(given))
        elif event in ("pause-agreed", "live-agreed"):
            assert seat is not None
            if self.proposal is not None:
                self.proposal = replace(self.proposal, agreed=(*self.proposal.agreed, seat))
        elif event in ("pause-declined", "live-declined"):
            self.proposal = None
        elif event in ("live-begun", "live-ended"):
            self._suspend(at, event == "live-begun")
            self.live = event == "live-begun"
        elif seat is not None:
            self._follow_seat(event, seat, at, given)

    def _follow_seat(self, event: str, number: int, at: datetime, data: Mapping[str, object]) -> None:
        seat = self.seats[number]
        if event == "move":
            self._charge(number, at)
        elif event == "undone":
            seat.bank += self.charged
            self.charged = _NONE
            self._stop()
        elif event == "rhythm":
            since = data.get("since")
            day = date.fromisoformat(str(since)) if since else self.calendar(number).day_at(at)
            self._change_days(number, day, _rhythm(data))
        elif event == "vacation":
            seat.rhythm = seat.rhythm.away_on(date.fromisoformat(str(data["day"])))
            seat.vacation += 1
        elif event == "ready":
            if self.terms.refills:
                seat.bank = max(seat.bank, self.terms.bank)
        elif event == "more-time":
            seat.bank += timedelta(seconds=int(str(data["seconds"])))
        elif event in ("absent", "substitute-asked"):
            # A seat loses nothing if its time was not running (someone left).
            if self.running == number and not data.get("left"):
                seat.bank = _NONE
                seat.missed += not data.get("again")
            seat.state = State.AWAY if event == "absent" else State.SOUGHT
            self._stop()
        elif event in ("returned", "substituted"):
            if event == "substituted":
                self.seats[number] = seat = SeatClock(self.terms.bank, State.HERE, Rhythm())
            seat.state = State.HERE
            self._change_days(number, self.calendar(number).day_at(at), _rhythm(data))
            if self.running == number:
                self._stop()

    def _change_days(self, number: int, day: date, rhythm: Rhythm | None) -> None:
        if rhythm is not None:
            self.seats[number].rhythm = self.seats[number].rhythm.replaced_by(rhythm, day)

    def _charge(self, number: int, at: datetime) -> None:
        """Take the time that the person at `number` spent beyond that of one action from their reserve."""
        self.charged = _NONE
        if self.running == number:
            seat = self.seats[number]
            if seat.state is State.HERE:
                over = self.spent(at) - self.terms.action
                self.charged = min(seat.bank, max(_NONE, over))
                seat.bank -= self.charged
            self._stop()

    def _stop(self) -> None:
        self.running, self.since, self.used = None, None, _NONE

    def _suspend(self, at: datetime, begins: bool) -> None:
        """Stop the time of all persons at `at`, for a pause or live play (`begins`), or let it pass again."""
        if begins:
            self.used = self.spent(at)
        if self.running is not None:
            self.since = at
        self.proposal = None

    # as it is stored

    def to_json(self) -> Json:
        """Plain JSON, without the terms, which are stored separately."""
        proposal = self.proposal
        return {
            "seats": [
                {
                    "bank": seat.bank // timedelta(milliseconds=1),
                    "state": str(seat.state),
                    "rhythm": seat.rhythm.to_json(),
                    "vacation": seat.vacation,
                    "missed": seat.missed,
                }
                for seat in self.seats
            ],
            "running": self.running,
            "since": _text(self.since),
            "used": self.used // timedelta(milliseconds=1),
            "paused_until": _text(self.paused_until),
            "proposal": None
            if proposal is None
            else {
                "what": proposal.what,
                "by": proposal.by,
                "agreed": list(proposal.agreed),
                "until": _text(proposal.until),
            },
            "live": self.live,
            "charged": self.charged // timedelta(milliseconds=1),
        }

    @classmethod
    def from_json(cls, terms: Terms, data: Mapping[str, object]) -> Clock:
        """The clocks that `to_json` wrote. Other data are not checked: they raise any of several errors."""
        seats, proposal, running = data["seats"], data["proposal"], data["running"]
        assert isinstance(seats, list)
        assert running is None or isinstance(running, int)
        return cls(
            terms,
            [
                SeatClock(
                    timedelta(milliseconds=seat["bank"]),
                    State(seat["state"]),
                    Rhythm.from_json(seat["rhythm"]),
                    seat["vacation"],
                    seat.get("missed", 0),
                )
                for seat in seats
            ],
            running,
            _read(data["since"]),
            timedelta(milliseconds=int(str(data["used"]))),
            _read(data["paused_until"]),
            _proposal(proposal) if isinstance(proposal, dict) else None,
            bool(data["live"]),
            timedelta(milliseconds=int(str(data.get("charged", 0)))),
        )


def _proposal(data: Mapping[str, object]) -> Proposal:
    agreed = data["agreed"]
    assert isinstance(agreed, Sequence)
    return Proposal(str(data["what"]), int(str(data["by"])), tuple(agreed), _read(data["until"]))


def _rhythm(data: Mapping[str, object]) -> Rhythm | None:
    given = data.get("rhythm")
    return Rhythm.from_json(given) if isinstance(given, dict) else None


def _moment(data: Mapping[str, object]) -> datetime | None:
    return _read(data.get("until"))


def _read(text: object) -> datetime | None:
    return datetime.fromisoformat(str(text)) if text else None


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None
