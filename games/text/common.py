"""The wording of people, scores and time, which all other sentences about a table use.

Times are in the reader's time zone. Days are those of the person on turn: "2 days" are two of their days, however
many hours of them count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.availability import zone_of
from accounts.models import Player
from core.sursilvan import in_a_row, joined
from domain.pace import Level
from games.read_models import ClockSeen, EndSeen, Line, Overview, ProposalSeen, Replay, Sat, SeatSeen, Sight
from rules.terms import cached_by_language

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise as Promised


class Named(NamedTuple):
    """A seat and the name of its player."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class Readers:
    """Everything on which a sentence of the log about a running game depends, apart from its line; the key for
    caching it."""

    viewer: int | None
    seats: tuple[Named, ...]
    parties: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    rappen: bool
    clock: ClockSeen | None


Company: TypeAlias = Sight | Replay | Overview | Readers
"""The players and the reader of a game: from a running game, a replay, or the list of its deals."""


def readers_of(sight: Sight) -> Readers:
    """What the sentences of the log need of a game and its reader. They need the totals only when it is over."""
    return Readers(
        sight.viewer,
        tuple(Named(seat.number, seat.name) for seat in sight.seats),
        sight.parties,
        sight.totals if sight.status == "finished" else (),
        sight.rappen,
        _agreed_by(sight.clock) if sight.clock is not None else None,
    )


def name_of(seat: int, sight: Company) -> str:
    return sight.seats[seat].name


def is_you(seat: int | None, sight: Company) -> bool:
    """Whether a sentence about `seat` addresses its reader."""
    return seat is not None and seat == sight.viewer


def as_it_was(company: Company, then: Sequence[Sat]) -> Company:
    """The company with the names of another moment. A reader who did not sit there then is not addressed."""
    if not then:
        return company
    names = {sat.seat: sat.name for sat in then}
    was_present = all(sat.present or sat.seat != company.viewer for sat in then)
    viewer = company.viewer if was_present else None
    if isinstance(company, Sight):
        seats = tuple(replace(seat, name=names.get(seat.number, seat.name)) for seat in company.seats)
        return replace(company, seats=seats, viewer=viewer)
    if isinstance(company, Readers):
        people = tuple(Named(seat.number, names.get(seat.number, seat.name)) for seat in company.seats)
        return replace(company, seats=people, viewer=viewer)
    if isinstance(company, Replay):
        open_seats = tuple(replace(seat, name=names.get(seat.number, seat.name)) for seat in company.seats)
        return replace(company, seats=open_seats, viewer=viewer)
    return company  # a list of hands has no lines


def own_side(sight: Company) -> int:
    """The index of the viewer's party; 0 for a watcher."""
    if sight.viewer is None:
        return 0
    return next(index for index, party in enumerate(sight.parties) if sight.viewer in party)


def side_names(sight: Company, side: int) -> str:
    """The names of a party, joined as in a sentence: "You and Beat", "Anna and Clau"."""
    return seats_named(sight.parties[side], sight)


def everyone_alone(sight: Company) -> bool:
    """Whether every player is a side of their own."""
    return all(len(party) == 1 for party in sight.parties)


def own_first(parties: Sequence[Sequence[int]], viewer: int | None) -> list[int]:
    """The indexes of the parties, the viewer's own before the others."""
    return sorted(range(len(parties)), key=lambda index: (viewer not in parties[index], index))


def mark_of(side: int, sight: Company) -> str:
    """The letter of a side if there are two; else empty."""
    return "AB"[side] if len(sight.parties) == 2 else ""


def called(seat: int, sight: Company) -> str:
    """The name of the player at a seat; "You" for the reader."""
    return _("You") if is_you(seat, sight) else name_of(seat, sight)


def seats_named(seats: Sequence[int], sight: Company) -> str:
    """The names of players, joined as in a sentence, the reader first."""
    ordered = sorted(seats, key=lambda seat: (seat != sight.viewer, seat))
    return in_a_row([called(seat, sight) for seat in ordered])


def scores_of(seats: Sequence[int], scores: Sequence[int], sight: Company) -> str:
    """The score of some players: one figure if it is the same for all, else one for each with their name."""
    if len({scores[seat] for seat in seats}) == 1:
        return amount(scores[seats[0]], sight)
    return joined(", ", [joined(" ", (called(seat, sight), amount(scores[seat], sight))) for seat in seats])


def signed(score: int) -> str:
    """A score with its sign: "+4", "−4" (a true minus), "0"."""
    return f"+{score}" if score > 0 else f"−{-score}" if score else "0"


def amount(score: int, sight: Company) -> str:
    """A score as it is settled: points with their sign, or Rappen."""
    return _("%(score)s Rappen") % {"score": signed(score)} if sight.rappen else signed(score)


_DAY: Final = 24 * 60 * 60
_HALF: Final = _DAY // 2


def moment_to_come(moment: datetime, zone: str, now: datetime | None = None) -> str:
    """A future moment in words: "today 20:00", "tomorrow 20:00", "Friday 20:00", "3 December, 20:00"."""
    # A deadline with milliseconds must not be shown a minute too early.
    local = (moment + timedelta(seconds=1)).astimezone(ZoneInfo(zone))
    days = (local.date() - (now or timezone.now()).astimezone(ZoneInfo(zone)).date()).days
    return _in_days(local.replace(second=0, microsecond=0, tzinfo=None), days)


@cached_by_language(5_000)
def _in_days(local: datetime, days: int) -> str:
    """A local time, to the minute, `days` days ahead, in words."""
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
    return _("until %(when)s") % {"when": moment_to_come(moment, zone, now)}


def moment_for(moment: datetime, reader: Player | None) -> str:
    """A future moment as a page says it to a reader: with the city of the time zone if they have not chosen one."""
    zone = zone_of(reader) if reader is not None else ZoneInfo(settings.TIME_ZONE)
    return _in_zone(moment_to_come(moment, zone.key), zone.key, chosen=_has_chosen(reader))


def moment_written(moment: datetime, reader: Player | None) -> str:
    """When something was written, for a reader: "30 November, 20:14", with the city as in `moment_for`."""
    zone = zone_of(reader) if reader is not None else ZoneInfo(settings.TIME_ZONE)
    return _in_zone(_dated(moment.astimezone(zone)), zone.key, chosen=_has_chosen(reader))


def _moment(moment: datetime, clock: ClockSeen) -> str:
    """A future moment at a table, for the viewer of its clocks."""
    return _in_zone(moment_to_come(moment, clock.zone), clock.zone, chosen=clock.zone_chosen)


def moment_in_letter(moment: datetime, reader: Player) -> str:
    """A future moment for a mail, which may be read on another day: "Thursday 18:22", "3 December, 18:22".

    With the city of the time zone if the reader has not chosen one.
    """
    zone = zone_of(reader)
    local = (moment + timedelta(seconds=1)).astimezone(zone)
    days = (local.date() - timezone.now().astimezone(zone).date()).days
    fields = {"time": date_format(local, "H:i"), "day": date_format(local, "l")}
    when = _("%(day)s %(time)s")
    if not 0 <= days < 7:
        fields["day"] = date_format(local, "MONTH_DAY_FORMAT")
        when = _("%(day)s, %(time)s")
    return _in_zone(when % fields, zone.key, chosen=_has_chosen(reader))


def _has_chosen(reader: Player | None) -> bool:
    """Whether a reader has chosen a time zone."""
    return reader is not None and bool(reader.time_zone)


def _in_zone(when: str, zone: str, *, chosen: bool) -> str:
    """A moment in words, with the city of its time zone if the reader has not chosen one."""
    if chosen:
        return when
    return _("%(when)s (%(city)s time)") % {
        "when": when,
        "city": _("Zurich") if zone == "Europe/Zurich" else zone.rpartition("/")[2].replace("_", " "),
    }


def moment_told(text: object) -> datetime | None:
    """A moment from a parameter of a notice; None if it is missing or invalid."""
    try:
        moment = parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return moment if moment is not None and timezone.is_aware(moment) else None


def day_told(text: object) -> str:
    """A day from a parameter of a notice, as it is written in a sentence; empty if it is missing or invalid."""
    try:
        day = parse_date(text) if isinstance(text, str) else None
    except ValueError:
        return ""
    return date_format(day, "MONTH_DAY_FORMAT") if day is not None else ""


def duration(seconds: int, kind: str) -> str:
    """An amount of time: "2 days", "a day and a half", "half a day" for clocks in days; "2 minutes", "45 seconds"
    live."""
    if kind == "days":
        return _days(seconds)
    if seconds >= 600 or (seconds and seconds % 60 == 0):
        minutes = seconds // 60
        return ngettext("%(number)d minute", "%(number)d minutes", minutes) % {"number": minutes}
    if seconds >= 60:
        return _("%(minutes)d:%(seconds)s minutes") % {"minutes": seconds // 60, "seconds": f"{seconds % 60:02}"}
    return ngettext("%(number)d second", "%(number)d seconds", seconds) % {"number": seconds}


def _days(seconds: int) -> str:
    """An amount of time in days. Rounded to half a day; above two days, then down to whole days."""
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
    """The time of one seat in a few words: "until tomorrow 20:00", "a computer player plays"; empty if there is
    none."""
    clock = sight.clock
    if clock is None or sight.status != "playing":
        return ""
    if seat.away == "away":
        return _("away: a computer player plays")
    if seat.away == "sought":
        return _("away: a substitute is sought")
    if clock.seat == seat.number and clock.until is not None and not clock.live and clock.kind == "days":
        return until(clock.until, clock.zone)
    return ""


def begins_by_itself(hand: int) -> str:
    """The sentence before a hand at a table where nobody has to sit down."""
    if hand == 1:
        return _("The first hand begins by itself in a moment.")
    return _("The next hand begins by itself in a moment.")


def table_line(sight: Sight) -> str:
    """The state of the clock, for the reader, in one or two sentences; empty if there is nothing to say."""
    clock = sight.clock
    if clock is None or sight.status != "playing":
        return ""
    if clock.paused_until is not None:
        return _("The game is paused until %(when)s. Nobody’s time passes.") % {
            "when": _moment(clock.paused_until, clock)
        }
    if sight.question.asked == "sit":
        return begins_by_itself(sight.hand)
    if clock.seat is None or clock.until is None:
        return ""
    seat = sight.seats[clock.seat]
    if seat.away == "sought":
        own = _("If nobody takes your seat by %(when)s, a computer player goes on.")
        others = _("If nobody takes the seat of %(name)s by %(when)s, a computer player goes on.")
        sentence = own if clock.seat == sight.viewer else others
        return sentence % {"name": seat.name, "when": _moment(clock.until, clock)}
    if clock.live:
        return _("The game continues live. Whoever leaves sends it back to the slow pace, and loses no time by that.")
    if clock.seat == sight.viewer:
        return _own_time(clock, seat.reserve or 0)
    return _time_of_other(clock, seat)


def _own_time(clock: ClockSeen, reserve: int) -> str:
    assert clock.until is not None
    fields = {
        "left": duration(clock.left, clock.kind),
        "reserve": duration(reserve, clock.kind),
        "when": _moment(clock.until, clock),
    }
    if clock.kind == "live":
        if not clock.left:
            left = max(0, int((clock.until - timezone.now()).total_seconds()))
            return _("You are spending your reserve: %(time)s left.") % {"time": duration(left, clock.kind)}
        if not reserve:
            return _("You have %(left)s.") % fields
        return _("You have %(left)s, then your reserve of %(reserve)s.") % fields
    if clock.left and reserve:
        return _("You have %(left)s, then your reserve of %(reserve)s: in all until %(when)s.") % fields
    if clock.left:
        return _("You have %(left)s: until %(when)s.") % fields
    return _("You are spending your reserve: it lasts until %(when)s.") % fields


def _time_of_other(clock: ClockSeen, seat: SeatSeen) -> str:
    assert clock.until is not None
    if clock.kind == "live":
        left = clock.left or max(0, int((clock.until - timezone.now()).total_seconds()))
        return _("%(name)s: %(time)s") % {"name": seat.name, "time": duration(left, clock.kind)}
    return _("%(name)s has time until %(when)s.") % {"name": seat.name, "when": _moment(clock.until, clock)}


def only_away(sight: Sight) -> str:
    """What becomes of the seat and the time of a reader who only closes the page."""
    clock = sight.clock
    if clock is None:
        return _(
            "If you only go away for a while, just close the page: your seat is kept, and the front page brings you back."
        )
    if clock.seat == sight.viewer and clock.until is not None and not clock.live:
        return _(
            "If you only go away for a while, just close the page: the seat stays yours. But it is your turn, and your "
            "time runs on until %(when)s."
        ) % {"when": _moment(clock.until, clock)}
    return _(
        "If you only go away for a while, just close the page: the seat stays yours. But when it is your turn, your time "
        "runs even if you are not there."
    )


def clock_terms(clock: ClockSeen) -> tuple[str, ...]:
    """The agreements about time, a sentence each."""
    return _terms(replace(_agreed_by(clock), zone=""))


def _agreed_by(clock: ClockSeen) -> ClockSeen:
    """The clocks with only what was agreed, without their present state."""
    return replace(
        clock, seat=None, until=None, reserve_from=None, left=0, paused_until=None, proposal=None, live=False
    )


@cached_by_language(500)
def _terms(clock: ClockSeen) -> tuple[str, ...]:
    action = {"time": duration(clock.action, clock.kind)}
    sentences = [_("Time for each move: %(time)s.") % action]
    if clock.bank:
        reserve = {"time": duration(clock.bank, clock.kind)}
        sentences.append(
            _("A reserve of %(time)s for each hand.") % reserve
            if clock.refills
            else _("A reserve of %(time)s for the whole game.") % reserve
        )
    if clock.kind == "days":
        sentences.append(_("Time passes in the waking hours of whoever is asked."))
    if not clock.weekends:
        sentences.append(_("Saturdays and Sundays do not count."))
    if clock.holidays:
        holidays = {"GR": _("Holidays of the Grisons do not count."), "VS": _("Holidays of the Valais do not count.")}
        sentences.append(holidays[clock.holidays])
    if clock.announced:
        sentences.append(_("Days of announced vacation do not count."))
    if clock.vacation:
        sentences.append(
            ngettext(
                "Before somebody first runs out of time, up to %(number)d day of vacation is taken.",
                "Before somebody first runs out of time, up to %(number)d days of vacation are taken.",
                clock.vacation,
            )
            % {"number": clock.vacation}
        )
    sentences.append(
        _("When time runs out, a substitute is sought.")
        if clock.out == "substitute"
        else _("When time runs out, a computer player acts until one is back.")
    )
    return tuple(sentences)


def reliability(level: str) -> str:
    """A player's reliability in words; empty for an unknown level."""
    return str(_RELIABILITY.get(level, ""))


_RELIABILITY: Final = {
    str(Level.NEW): gettext_lazy("new to games with a clock"),
    str(Level.STEADY): gettext_lazy("plays in time"),
    str(Level.MOSTLY): gettext_lazy("mostly plays in time"),
    str(Level.RARELY): gettext_lazy("often runs out of time"),
}


def clock_proposal(sight: Sight) -> str:
    """The proposal about time, and who made it, as a sentence; empty if there is none."""
    clock = sight.clock
    if clock is None or clock.proposal is None:
        return ""
    proposal = clock.proposal
    when = _moment(proposal.until, clock) if proposal.until else ""
    fields = {"name": name_of(proposal.by, sight), "when": when}
    if proposal.what == "live":
        own = _("You propose to continue live.")
        other = _("%(name)s proposes to continue live, as long as everybody stays.")
    else:
        own = _("You propose a pause until %(when)s.")
        other = _("%(name)s proposes a pause until %(when)s.")
    sentence = own if proposal.by == sight.viewer else other
    return with_answers(sentence % fields, proposal, sight)


def with_answers(sentence: str, proposal: ProposalSeen | EndSeen, sight: Sight) -> str:
    """The sentence of a proposal, and whose answer it waits for; the reader's own is asked for by the buttons."""
    waits = [name_of(seat, sight) for seat in proposal.waits if seat != sight.viewer]
    if proposal.mine or not waits:
        return sentence
    has_agreed = sight.viewer is not None and proposal.by != sight.viewer and not sight.seats[sight.viewer].away
    agreed = _("You have agreed.") if has_agreed else ""
    waiting = _("Waiting for %(waits)s.") % {"waits": in_a_row(waits)}
    return joined(" ", [each for each in (sentence, agreed, waiting) if each])


# the log

TIME_KINDS: Final = frozenset(
    {
        "begun-agreed", "absent", "left-seat", "left-sought", "returned", "substitute-asked", "substitute-sought", "search-ended",
        "nobody-came", "substituted", "vacation", "more-time", "pause-proposed", "pause-agreed", "pause-declined",
        "pause-withdrawn", "paused", "resumed", "resumed-by-itself", "live-offered", "live-agreed", "live-declined",
        "live-withdrawn", "live-begun", "live-ended", "live-stopped",
    }
)  # fmt: skip
"""The lines of the log that are worded here."""


def time_line(line: Line, sight: Company) -> str:
    """A line of the log about time or a change of seat, as a sentence."""
    clock: ClockSeen | None = getattr(sight, "clock", None)
    kind = clock.kind if clock is not None else "days"
    fields = {
        "name": line.name or (name_of(line.seat, sight) if line.seat is not None else ""),
        "other": name_of(line.other, sight) if line.other is not None else "",
        "when": _logged_moment(line.until, clock),
        "time": duration(line.count, kind),
        "before": line.words,
    }
    if line.kind == "more-time" and line.other is not None and line.other == sight.viewer:
        return _("%(name)s gives you %(time)s more.") % fields
    own, other = _TIME.get(line.kind, ("", ""))
    return (own if is_you(line.seat, sight) and not line.name else other) % fields


def _logged_moment(text: str, clock: ClockSeen | None) -> str:
    """A moment or a day of the log, as a date: "tomorrow" would not stay true."""
    if not text:
        return ""
    if len(text) == len("2026-12-24"):
        return date_format(date.fromisoformat(text), "MONTH_DAY_FORMAT")
    zone = clock.zone if clock is not None else timezone.get_current_timezone_name()
    local = (datetime.fromisoformat(text) + timedelta(seconds=1)).astimezone(ZoneInfo(zone))
    return _in_zone(_dated(local), zone, chosen=clock is None or clock.zone_chosen)


def _dated(local: datetime) -> str:
    return _("%(day)s, %(time)s") % {"day": date_format(local, "MONTH_DAY_FORMAT"), "time": date_format(local, "H:i")}


_TIME: Final[dict[str, tuple[Promised, Promised]]] = {
    "begun-agreed": ("", gettext_lazy("The hand begins by itself, as agreed.")),
    "absent": (
        gettext_lazy("Your time has run out. A computer player acts for you until you are back."),
        gettext_lazy("%(name)s has run out of time. A computer player acts for the seat."),
    ),
    "left-seat": (
        gettext_lazy("You leave the table. A computer player acts for the seat."),
        gettext_lazy("%(name)s leaves the table. A computer player acts for the seat."),
    ),
    "left-sought": (
        gettext_lazy("You leave the table. A substitute is sought for the seat."),
        gettext_lazy("%(name)s leaves the table. A substitute is sought for the seat."),
    ),
    "returned": (gettext_lazy("You are back."), gettext_lazy("%(name)s is back.")),
    "substitute-asked": (
        gettext_lazy("A substitute is sought for your seat."),
        gettext_lazy("A substitute is sought for the seat of %(name)s."),
    ),
    "substitute-sought": (
        gettext_lazy("Your time has run out. A substitute is sought for your seat."),
        gettext_lazy("%(name)s has run out of time. A substitute is sought for the seat."),
    ),
    "search-ended": (
        gettext_lazy("No substitute is sought any more. A computer player acts for you until you are back."),
        gettext_lazy("No substitute is sought for %(name)s any more. A computer player acts for the seat."),
    ),
    "nobody-came": (
        gettext_lazy("Nobody has taken your seat. A computer player acts for you until you are back."),
        gettext_lazy("Nobody has taken the seat of %(name)s. A computer player acts for it."),
    ),
    "substituted": (
        gettext_lazy("You take the seat of %(before)s as a substitute."),
        gettext_lazy("%(name)s takes the seat of %(before)s as a substitute."),
    ),
    "vacation": (
        gettext_lazy("Your time has run out: %(when)s counts as a day of your vacation."),
        gettext_lazy("%(name)s has run out of time: %(when)s counts as a day of vacation."),
    ),
    "more-time": (
        gettext_lazy("You give %(other)s %(time)s more."),
        gettext_lazy("%(name)s gives %(other)s %(time)s more."),
    ),
    "pause-proposed": (
        gettext_lazy("You propose a pause until %(when)s."),
        gettext_lazy("%(name)s proposes a pause until %(when)s."),
    ),
    "pause-agreed": (gettext_lazy("You agree to the pause."), gettext_lazy("%(name)s agrees to the pause.")),
    "pause-declined": (gettext_lazy("You decline the pause."), gettext_lazy("%(name)s declines the pause.")),
    "pause-withdrawn": (
        gettext_lazy("You take back your proposal of a pause."),
        gettext_lazy("%(name)s takes back the proposal of a pause."),
    ),
    "paused": ("", gettext_lazy("The game is paused until %(when)s.")),
    "resumed": (gettext_lazy("You end the pause."), gettext_lazy("%(name)s ends the pause.")),
    "resumed-by-itself": ("", gettext_lazy("The pause is over.")),
    "live-offered": (
        gettext_lazy("You propose to continue live."),
        gettext_lazy("%(name)s proposes to continue live."),
    ),
    "live-agreed": (gettext_lazy("You agree to continue live."), gettext_lazy("%(name)s agrees to continue live.")),
    "live-declined": (
        gettext_lazy("You do not want to continue live."),
        gettext_lazy("%(name)s does not want to continue live."),
    ),
    "live-withdrawn": (
        gettext_lazy("You take back your proposal to continue live."),
        gettext_lazy("%(name)s takes back the proposal to continue live."),
    ),
    "live-begun": ("", gettext_lazy("The game continues live, as long as everybody stays.")),
    "live-ended": (
        gettext_lazy("You are away: the game goes back to the slow pace."),
        gettext_lazy("%(name)s is away: the game goes back to the slow pace."),
    ),
    "live-stopped": (
        gettext_lazy("You go back to the slow pace."),
        gettext_lazy("%(name)s goes back to the slow pace."),
    ),
}
"""For each kind of line two sentences: one addressed to the reader, and one about another player."""
