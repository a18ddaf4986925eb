"""The time agreed at a table (`Terms`), when a person may be expected to play (`Rhythm`), and how reliably they do.

Public holidays of the two cantons where these games are at home are computed by rule, so that no table of years runs
out. Grisons: the days of rest of its law (Ruhetagsgesetz), including Good Friday. Valais: the nine days of its cantonal
law. Both as listed by the Federal Office of Justice (Gesetzliche Feiertage in der Schweiz) and by the canton of Valais;
feasts that only some parishes keep are left out. Easter and Whit Sunday are added: nobody should have to play then.

The reliability of a person is computed from their last ninety days; older days weigh less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

CANTONS: Final = ("GR", "VS")
"""The cantons whose holidays a table can agree on."""

_FIXED: Final = {
    "GR": ((1, 1), (8, 1), (12, 25), (12, 26)),
    "VS": ((1, 1), (3, 19), (8, 1), (8, 15), (11, 1), (12, 8), (12, 25)),
}
_AFTER_EASTER: Final = {
    # Good Friday, Easter, Easter Monday, Ascension, Whit Sunday, Whit Monday
    "GR": (-2, 0, 1, 39, 49, 50),
    # Easter, Ascension, Whit Sunday, Corpus Christi
    "VS": (0, 39, 49, 60),
}


def easter(year: int) -> date:
    """Easter Sunday in the Gregorian calendar (the rule of Meeus, Jones and Butcher)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    leap, leap_rest = divmod(century, 4)
    correction = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + century - leap - correction + 15) % 30
    quarter, single = divmod(rest, 4)
    weekday = (32 + 2 * leap_rest + 2 * quarter - moon - single) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


@lru_cache(maxsize=256)
def holidays(canton: str, year: int) -> frozenset[date]:
    """The holidays of a canton in a year. Empty for "" (no canton). Raises KeyError for an unknown canton."""
    if not canton:
        return frozenset()
    sunday = easter(year)
    fixed = {date(year, month, day) for month, day in _FIXED[canton]}
    return frozenset(fixed | {sunday + timedelta(days=after) for after in _AFTER_EASTER[canton]})


Json: TypeAlias = "dict[str, object]"
Span: TypeAlias = "tuple[int, int]"
"""Start and end in minutes after midnight; the end is at most 1440 and later than the start."""

DAY: Final = timedelta(days=1)
WHOLE_DAY: Final = 24 * 60
USUAL: Final[Span] = (8 * 60, 22 * 60)
USUAL_WEEK: Final[tuple[Span | None, ...]] = (USUAL,) * 7


class BadTerms(ValueError):
    """The pace is not allowed; the text says which part of it is wrong (for programs, not for people)."""


class Kind(StrEnum):
    """Whether every second counts, or each person's own days do."""

    LIVE = "live"
    DAYS = "days"


class Out(StrEnum):
    """What happens to a seat whose time has run out."""

    COMPUTER = "computer"
    """A computer player acts for it until its player comes back."""
    SUBSTITUTE = "substitute"
    """Somebody else is asked to take the seat; a computer player acts if nobody comes."""


_LIMITS: Final = {
    Kind.LIVE: (timedelta(seconds=5), timedelta(minutes=10), timedelta(hours=2)),
    Kind.DAYS: (DAY / 2, 14 * DAY, 30 * DAY),
}
MOST_VACATION: Final = 30


@dataclass(frozen=True, slots=True)
class Terms:
    """The pace of a table.

    * `action`: the time for each single action.
    * `bank`: each player's reserve, which is used once the time for an action is used up. It is for the whole game;
      with `refills` it is full again at the beginning of each deal.
    * `kind`: with days, one day is one *counted* day of the person who is asked, however long they are awake (see
      `Calendar`); live, all seconds count.
    * `weekends`: whether Saturdays and Sundays count. `holidays`: the canton whose holidays do not count, or "".
    * `announced`: days do not count on which a person has announced that they are away.
    * `vacation`: the days of vacation that are taken automatically, in a game, before a person runs out of time for the
      first time; announced days do not count then either.

    Raises BadTerms.
    """

    kind: Kind
    action: timedelta
    bank: timedelta = timedelta(0)
    weekends: bool = True
    holidays: str = ""
    vacation: int = 0
    out: Out = Out.COMPUTER
    refills: bool = False
    announced: bool = False

    def __post_init__(self) -> None:
        least, most, most_bank = _LIMITS[self.kind]
        if not least <= self.action <= most:
            raise BadTerms(f"action: from {least} to {most}")
        if not timedelta(0) <= self.bank <= most_bank:
            raise BadTerms(f"bank: up to {most_bank}")
        if self.action.microseconds or self.bank.microseconds:
            raise BadTerms("whole seconds")
        if self.holidays and self.holidays not in CANTONS:
            raise BadTerms(f"holidays: {', '.join(CANTONS)} or none")
        if not 0 <= self.vacation <= MOST_VACATION:
            raise BadTerms(f"vacation: up to {MOST_VACATION} days")
        if self.kind is Kind.LIVE and (not self.weekends or self.holidays or self.leaves_out_absences):
            raise BadTerms("live: every second counts")

    @property
    def whole(self) -> timedelta:
        """The time that a player has for the first action of a game: the time of one action and the reserve."""
        return self.action + self.bank

    @property
    def leaves_out_absences(self) -> bool:
        """Whether days of announced vacation do not count."""
        return self.announced or self.vacation > 0

    def to_json(self) -> Json:
        """Plain JSON: times in seconds."""
        return {
            "kind": str(self.kind),
            "action": self.action // timedelta(seconds=1),
            "bank": self.bank // timedelta(seconds=1),
            "weekends": self.weekends,
            "holidays": self.holidays,
            "vacation": self.vacation,
            "out": str(self.out),
            "refills": self.refills,
            "announced": self.announced,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Terms:
        """The terms that `to_json` wrote. Keys but `kind` and `action` may be missing and take their defaults.

        Raises BadTerms for anything else.
        """
        known = {"kind", "action", "bank", "weekends", "holidays", "vacation", "out", "refills", "announced"}
        if unknown := set(data) - known:
            raise BadTerms(f"unknown: {', '.join(sorted(unknown))}")
        canton = data.get("holidays", "")
        if not isinstance(canton, str):
            raise BadTerms("holidays is a text")
        try:
            kind, out = Kind(str(data.get("kind"))), Out(str(data.get("out", Out.COMPUTER)))
        except ValueError as error:
            raise BadTerms(str(error)) from None
        action, bank = _seconds(data, "action"), _seconds(data, "bank")
        return cls(
            kind,
            action,
            bank,
            _switch(data, "weekends", default=True),
            canton,
            _whole(data, "vacation"),
            out,
            _switch(data, "refills"),
            _switch(data, "announced"),
        )


def _switch(data: Mapping[str, object], name: str, *, default: bool = False) -> bool:
    value = data.get(name, default)
    if not isinstance(value, bool):
        raise BadTerms(f"{name} is true or false")
    return value


def _whole(data: Mapping[str, object], name: str) -> int:
    value = data.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise BadTerms(f"{name} is a whole number")
    return value


def _seconds(data: Mapping[str, object], name: str) -> timedelta:
    return timedelta(seconds=_whole(data, name))


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When one person may be expected to play.

    `zone` names an IANA time zone. `waking` has seven entries, Monday first: the hours of that day, or None for a day
    off. `absences` are spans of days, first and last included, in the person's own calendar; they are sorted, and
    joined where they touch. Raises ValueError for invalid hours; an unknown zone raises zoneinfo.ZoneInfoNotFoundError
    only in `Calendar`.
    """

    zone: str = "Europe/Zurich"
    waking: tuple[Span | None, ...] = USUAL_WEEK
    absences: tuple[tuple[date, date], ...] = ()

    def __post_init__(self) -> None:
        if len(self.waking) != 7:
            raise ValueError("a week has seven days")
        for span in self.waking:
            if span is not None and (span[0] < 0 or not span[0] + 60 <= span[1] <= WHOLE_DAY):
                raise ValueError("waking hours last an hour at least and end by midnight")
        if any(last < first for first, last in self.absences):
            raise ValueError("an absence ends after it begins")
        object.__setattr__(self, "absences", _joined(self.absences))

    def away_on(self, day: date) -> Rhythm:
        """This rhythm with one more day of absence."""
        return Rhythm(self.zone, self.waking, (*self.absences, (day, day)))

    def since(self, day: date) -> Rhythm:
        """This rhythm without the absences before `day`."""
        spans = ((max(first, day), last) for first, last in self.absences)
        return Rhythm(self.zone, self.waking, tuple(span for span in spans if span[0] <= span[1]))

    def replaced_by(self, other: Rhythm, day: date) -> Rhythm:
        """`other`, valid from `day`, with the absences of this rhythm before that day: the past does not change."""
        before = ((first, min(last, day - DAY)) for first, last in self.absences)
        past = tuple(span for span in before if span[0] <= span[1])
        return Rhythm(other.zone, other.waking, (*past, *other.since(day).absences))

    def to_json(self) -> Json:
        """Plain JSON: days as 2026-12-24."""
        return {
            "zone": self.zone,
            "waking": [list(span) if span else None for span in self.waking],
            "absences": [[first.isoformat(), last.isoformat()] for first, last in self.absences],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Rhythm:
        """The rhythm that `to_json` wrote. Other data are not checked: they raise ValueError, TypeError or KeyError."""
        zone, waking, absences = data.get("zone"), data.get("waking"), data.get("absences")
        if not isinstance(zone, str) or not isinstance(waking, list) or not isinstance(absences, list):
            raise ValueError("a rhythm has a zone, waking hours and absences")
        return cls(
            zone,
            tuple((int(span[0]), int(span[1])) if span else None for span in waking),
            tuple((date.fromisoformat(first), date.fromisoformat(last)) for first, last in absences),
        )


def _joined(spans: tuple[tuple[date, date], ...]) -> tuple[tuple[date, date], ...]:
    joined: list[tuple[date, date]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + DAY:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)


WINDOW: Final = 90
"""The number of days after which everything is forgiven."""
FEWEST: Final = 10
"""With fewer actions than this, nothing is said about a person."""
WEIGHT: Final = 10
"""A timeout weighs as much as this many actions in time, because it kept a whole table waiting."""
OFTEN: Final = 3
"""With fewer timeouts than this, nobody is told that a person often runs out of time."""
_STEADY: Final = 0.95
_MOSTLY: Final = 0.75


class Tally(NamedTuple):
    """One day of one player: how often they acted in games with a clock, and how often their time ran out."""

    day: date
    actions: int
    timeouts: int


class Level(StrEnum):
    """The reliability in three steps, and one for persons about whom nothing is known yet."""

    NEW = "new"
    STEADY = "steady"
    MOSTLY = "mostly"
    RARELY = "rarely"


def reliability(tallies: Iterable[Tally], today: date) -> float | None:
    """A figure from 0 (never in time) to 1 (always); None if there are too few actions.

    Each day weighs one ninetieth less than the day after it, so that a bad week is half forgiven after six weeks and
    forgotten after thirteen. A person with fewer than `OFTEN` timeouts counts as mostly in time, however few their
    actions.
    """
    kept = [tally for tally in tallies if 0 <= (today - tally.day).days < WINDOW]
    if sum(tally.actions + tally.timeouts for tally in kept) < FEWEST:
        return None
    weights = [1 - (today - tally.day).days / WINDOW for tally in kept]
    in_time = sum(weight * tally.actions for weight, tally in zip(weights, kept, strict=True))
    late = sum(weight * tally.timeouts for weight, tally in zip(weights, kept, strict=True)) * WEIGHT
    figure = in_time / (in_time + late)
    return figure if sum(tally.timeouts for tally in kept) >= OFTEN else max(_MOSTLY, figure)


def level_of(figure: float | None) -> Level:
    """The figure as it is shown to people."""
    if figure is None:
        return Level.NEW
    if figure >= _STEADY:
        return Level.STEADY
    return Level.MOSTLY if figure >= _MOSTLY else Level.RARELY
