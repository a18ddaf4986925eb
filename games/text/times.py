"""Time at the table in words: until when, how much is left, what was agreed, what the log tells of it. In the reader's zone.

Days are those of the person who is asked: "2 days" are two of their days, however many hours of them count.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from domain.pace import Level
from games.read_models import ClockSeen, Line, SeatSeen, Sight
from games.text.people import Company, is_you, name_of

_DAY: Final = 24 * 60 * 60
_HALF: Final = _DAY // 2


def point(moment: datetime, zone: str, now: datetime | None = None) -> str:
    """A moment to come as one says it: "today 20:00", "tomorrow 20:00", "Friday 20:00", "3 December, 20:00"."""
    # A deadline that was reckoned to the millisecond must not read as a minute too early.
    local = (moment + timedelta(seconds=1)).astimezone(ZoneInfo(zone))
    days = (local.date() - (now or timezone.now()).astimezone(ZoneInfo(zone)).date()).days
    fields = {"time": date_format(local, "H:i"), "day": date_format(local, "l")}
    if days == 0:
        return _("today %(time)s") % fields
    if days == 1:
        return _("tomorrow %(time)s") % fields
    if 1 < days < 7:
        return _("%(day)s %(time)s") % fields
    fields["day"] = date_format(local, "MONTH_DAY_FORMAT")
    return _("%(day)s, %(time)s") % fields


def until(moment: datetime, zone: str, now: datetime | None = None) -> str:
    """ "until tomorrow 20:00"."""
    return _("until %(when)s") % {"when": point(moment, zone, now)}


def amount(seconds: int, kind: str) -> str:
    """How much time: "2 days", "a day and a half", "half a day" of a clock in days; "2 minutes", "45 seconds" live."""
    if kind == "days":
        return _days(seconds)
    if seconds >= 120 and (seconds >= 600 or seconds % 60 == 0):
        minutes = seconds // 60
        return ngettext("%(number)d minute", "%(number)d minutes", minutes) % {"number": minutes}
    if seconds >= 60:
        return _("%(minutes)d:%(seconds)s minutes") % {"minutes": seconds // 60, "seconds": f"{seconds % 60:02}"}
    return ngettext("%(number)d second", "%(number)d seconds", seconds) % {"number": seconds}


def _days(seconds: int) -> str:
    halves = round(seconds / _HALF)
    if halves == 0:
        return _("a few hours") if seconds else _("nothing")
    if halves == 1:
        return _("half a day")
    if halves == 3:
        return _("a day and a half")
    days = halves // 2
    return ngettext("%(number)d day", "%(number)d days", days) % {"number": days}


# the table


def seat_line(seat: SeatSeen, sight: Sight) -> str:
    """What the clock says of one seat, short: "until tomorrow 20:00", "a computer player plays"; empty for nothing."""
    clock = sight.clock
    if clock is None or sight.status != "playing":
        return ""
    if seat.away == "away":
        return _("away: a computer player plays")
    if seat.away == "sought":
        return _("away: a substitute is asked")
    if clock.seat == seat.number and clock.until is not None and not clock.live and clock.kind == "days":
        return until(clock.until, clock.zone)
    return ""


def table_line(sight: Sight) -> str:
    """What the clock says to the reader about the whole table, in one or two sentences; empty for nothing."""
    clock = sight.clock
    if clock is None or sight.status != "playing":
        return ""
    if clock.paused_until is not None:
        return _("The game is paused until %(when)s. Nobody’s time passes.") % {
            "when": point(clock.paused_until, clock.zone)
        }
    if sight.question.asked == "sit":
        return _("The next hand begins by itself in a moment.")
    if clock.seat is None or clock.until is None:
        return ""
    seat = sight.seats[clock.seat]
    if seat.away == "sought":
        return _("If nobody takes the seat of %(name)s until %(when)s, a computer player goes on.") % {
            "name": seat.name,
            "when": point(clock.until, clock.zone),
        }
    if clock.live:
        return _("You play on live. Whoever leaves ends that, and loses no time.")
    if clock.seat == sight.viewer:
        return _own(clock, seat.reserve or 0)
    return _other(clock, seat)


def _own(clock: ClockSeen, reserve: int) -> str:
    assert clock.until is not None
    fields = {
        "left": amount(clock.left, clock.kind),
        "reserve": amount(reserve, clock.kind),
        "when": point(clock.until, clock.zone),
    }
    if clock.kind == "live":
        if not clock.left:
            left = max(0, int((clock.until - timezone.now()).total_seconds()))
            return _("You are spending your reserve: %(time)s left.") % {"time": amount(left, clock.kind)}
        if not reserve:
            return _("You have %(left)s.") % fields
        return _("You have %(left)s, then your reserve of %(reserve)s.") % fields
    if clock.left and reserve:
        return _("%(left)s left, then your reserve of %(reserve)s: in all until %(when)s.") % fields
    if clock.left:
        return _("%(left)s left: until %(when)s.") % fields
    return _("You are spending your reserve: it lasts until %(when)s.") % fields


def _other(clock: ClockSeen, seat: SeatSeen) -> str:
    assert clock.until is not None
    if clock.kind == "live":
        left = clock.left or max(0, int((clock.until - timezone.now()).total_seconds()))
        return _("%(name)s: %(time)s") % {"name": seat.name, "time": amount(left, clock.kind)}
    return _("%(name)s has time until %(when)s.") % {"name": seat.name, "when": point(clock.until, clock.zone)}


def terms(clock: ClockSeen) -> list[str]:
    """What the table agreed on about time, a sentence each."""
    action = {"time": amount(clock.action, clock.kind)}
    told = [_("%(time)s for each action.") % action]
    if clock.bank:
        told.append(_("A reserve of %(time)s for the whole game.") % {"time": amount(clock.bank, clock.kind)})
    if clock.kind == "days":
        told.append(_("Time passes in the waking hours of whoever is asked."))
    if not clock.weekends:
        told.append(_("Saturdays and Sundays do not count."))
    if clock.holidays:
        holidays = {"GR": _("Holidays of the Grisons do not count."), "VS": _("Holidays of the Valais do not count.")}
        told.append(holidays[clock.holidays])
    if clock.vacation:
        told.append(
            ngettext(
                "Before time is out, up to %(number)d day of vacation is taken.",
                "Before time is out, up to %(number)d days of vacation are taken.",
                clock.vacation,
            )
            % {"number": clock.vacation}
        )
    told.append(
        _("When time is out, a substitute is asked.")
        if clock.out == "substitute"
        else _("When time is out, a computer player acts until one is back.")
    )
    return told


def reliability(level: str) -> str:
    """How far one can rely on somebody, in words; empty for nobody."""
    return {
        str(Level.NEW): _("new to games with a clock"),
        str(Level.STEADY): _("plays in time"),
        str(Level.MOSTLY): _("mostly plays in time"),
        str(Level.RARELY): _("often runs out of time"),
    }.get(level, "")


def proposal(sight: Sight) -> str:
    """What is proposed and by whom; empty if nothing is."""
    clock = sight.clock
    if clock is None or clock.proposal is None:
        return ""
    asked = clock.proposal
    fields = {"name": name_of(asked.by, sight), "when": point(asked.until, clock.zone) if asked.until else ""}
    if asked.what == "live":
        if asked.by == sight.viewer:
            return _("You offer to play on live. The others have not all answered yet.")
        return _("%(name)s offers to play on live, as long as everybody stays.") % fields
    if asked.by == sight.viewer:
        return _("You propose a pause until %(when)s. The others have not all answered yet.") % fields
    return _("%(name)s proposes a pause until %(when)s.") % fields


# the log

KINDS: Final = frozenset(
    {
        "begun-agreed", "absent", "left-seat", "returned", "substitute-asked", "substituted", "vacation", "more-time",
        "pause-proposed", "pause-agreed", "pause-declined", "paused", "resumed", "resumed-by-itself", "live-offered",
        "live-agreed", "live-declined", "live-begun", "live-ended", "live-stopped",
    }
)  # fmt: skip
"""The lines of the log that are worded here."""


def line(told: Line, sight: Company) -> str:
    """One thing that happened to time or to a seat, as a sentence."""
    clock = getattr(sight, "clock", None)
    zone = clock.zone if clock is not None else timezone.get_current_timezone_name()
    kind = clock.kind if clock is not None else "days"
    fields = {
        "name": told.name or (name_of(told.seat, sight) if told.seat is not None else ""),
        "other": name_of(told.other, sight) if told.other is not None else "",
        "when": _when(told.until, zone),
        "time": amount(told.count, kind),
    }
    own, other = _sentences(to_you=told.other is not None and told.other == sight.viewer).get(told.kind, ("", ""))
    return (own if is_you(told.seat, sight) and not told.name else other) % fields


def _when(text: str, zone: str) -> str:
    """A moment or a day of the log, as a date that stays true: no "tomorrow" in what has happened."""
    if not text:
        return ""
    if len(text) == len("2026-12-24"):
        return date_format(date.fromisoformat(text), "MONTH_DAY_FORMAT")
    local = (datetime.fromisoformat(text) + timedelta(seconds=1)).astimezone(ZoneInfo(zone))
    return _("%(day)s, %(time)s") % {
        "day": date_format(local, "MONTH_DAY_FORMAT"),
        "time": date_format(local, "H:i"),
    }


def _sentences(*, to_you: bool) -> dict[str, tuple[str, str]]:
    """Each kind of line: to the reader, and about another."""
    given = _("%(name)s gives you %(time)s more.") if to_you else _("%(name)s gives %(other)s %(time)s more.")
    return {
        "begun-agreed": ("", _("The hand begins by itself, as agreed.")),
        "absent": (
            _("Your time is out. A computer player acts for you until you are back."),
            _("The time of %(name)s is out. A computer player acts for the seat."),
        ),
        "left-seat": (
            _("You leave the table. A computer player acts for the seat."),
            _("%(name)s leaves the table. A computer player acts for the seat."),
        ),
        "returned": (_("You are back."), _("%(name)s is back.")),
        "substitute-asked": (
            _("A substitute is asked for your seat."),
            _("A substitute is asked for the seat of %(name)s."),
        ),
        "substituted": (
            _("You take the seat as a substitute."),
            _("%(name)s takes the seat as a substitute."),
        ),
        "vacation": (
            _("Your time is out: %(when)s counts as a day of your vacation."),
            _("The time of %(name)s is out: %(when)s counts as a day of vacation."),
        ),
        "more-time": (_("You give %(other)s %(time)s more."), given),
        "pause-proposed": (
            _("You propose a pause until %(when)s."),
            _("%(name)s proposes a pause until %(when)s."),
        ),
        "pause-agreed": (_("You agree to the pause."), _("%(name)s agrees to the pause.")),
        "pause-declined": (_("You decline the pause."), _("%(name)s declines the pause.")),
        "paused": ("", _("The game is paused until %(when)s.")),
        "resumed": (_("You end the pause."), _("%(name)s ends the pause.")),
        "resumed-by-itself": ("", _("The pause is over.")),
        "live-offered": (_("You offer to play on live."), _("%(name)s offers to play on live.")),
        "live-agreed": (_("You agree to play on live."), _("%(name)s agrees to play on live.")),
        "live-declined": (_("You do not want to play on live."), _("%(name)s does not want to play on live.")),
        "live-begun": ("", _("The game goes on live, as long as everybody stays.")),
        "live-ended": (
            _("You are away: the game goes on in days."),
            _("%(name)s is away: the game goes on in days."),
        ),
        "live-stopped": (_("You go back to days."), _("%(name)s goes back to days.")),
    }
