"""A person's time zone, waking hours, days off and vacation, for clocks that count in days.

Days are those of the person's own time zone. Everybody has thirty days of vacation in each calendar year; they are used
up by planned absences, and by days that are taken automatically before a clock runs out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import FilteredRelation, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.choices import time_zones
from accounts.models import Absence, Player, WakingHours
from core.prepared_queries import prepared

Span: TypeAlias = "tuple[int, int]"
"""Beginning and end in minutes after midnight: `0 <= begin < end <= 1440`."""

DAY: Final = 24 * 60
USUAL: Final[Span] = (8 * 60, 22 * 60)
USUAL_WEEK: Final[tuple[Span | None, ...]] = (USUAL,) * 7
LEAST_A_DAY: Final = 2 * 60
"""How many minutes a day must have, unless it is off."""
LEAST_A_WEEK: Final = 28 * 60
"""How many minutes a week must have: others wait while these hours pass."""
VACATION_DAYS: Final = 30
"""Days of vacation in a calendar year."""
AHEAD: Final = timedelta(days=366)
"""How far ahead an absence can be planned."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """What a clock must know about one person."""

    zone: ZoneInfo
    waking: tuple[Span | None, ...]
    """Seven days, Monday first; None for a day off."""
    absences: tuple[tuple[date, date], ...]
    """First and last days away, in order and without overlap. Absences that are over are left out."""
    vacation_left: int
    """How many vacation days of this year are neither used nor planned."""


def zone_of(player: Player) -> ZoneInfo:
    """The player's time zone; the site's if they chose none, or one that this machine does not have."""
    return ZoneInfo(player.time_zone if player.time_zone in time_zones() else settings.TIME_ZONE)


def today_of(player: Player, now: datetime | None = None) -> date:
    return (now or timezone.now()).astimezone(zone_of(player)).date()


def availability_of(player: Player, now: datetime | None = None) -> Rhythm:
    """The rhythm of one player. One query."""
    return availability_of_all([player], now)[player.pk]


def availability_of_all(players: Iterable[Player], now: datetime | None = None) -> dict[int, Rhythm]:
    """The rhythms of several players by their keys. One query for all of them."""
    by_key = {player.pk: player for player in players}
    weeks: dict[int, object] = {}
    away: dict[int, list[tuple[date, date]]] = {}
    # The whole year counts, and in the player's time zone it may still be the year before: take one more day.
    since = (now or timezone.now()).date().replace(month=1, day=1) - timedelta(days=1)
    rows = _days_of(next(iter(by_key)), since) if len(by_key) == 1 else _days(Q(pk__in=by_key), since)
    for key, week, first, last in rows:
        weeks[key] = week
        if first is not None and last is not None:
            away.setdefault(key, []).append((first, last))
    rhythms = {}
    for key, player in by_key.items():
        today = today_of(player, now)
        spans = away.get(key, [])
        rhythms[key] = Rhythm(
            zone_of(player),
            week_from(weeks.get(key)),
            tuple(span for span in spans if span[1] >= today),
            VACATION_DAYS - _days_within(spans, today.year),
        )
    return rhythms


def _days(whose: Q, since: date) -> QuerySet[Player, tuple[int, object, date | None, date | None]]:
    """Rows of key, waking hours, and first and last day of an absence: one for each absence that ends on `since` or
    later, in order; one with None if there are none."""
    later = FilteredRelation("absences", condition=Q(absences__last_day__gte=since))
    people = Player.objects.filter(whose).annotate(later=later).order_by("later__first_day")
    return people.values_list("pk", "waking_hours__days", "later__first_day", "later__last_day")


@prepared
def _days_of(player: int, since: date) -> QuerySet[Player, tuple[int, object, date | None, date | None]]:
    return _days(Q(pk=player), since)


def week_from(stored: object) -> tuple[Span | None, ...]:
    """The week that is stored in `WakingHours.days`; the usual week if the value is invalid."""
    if not isinstance(stored, list) or len(stored) != len(USUAL_WEEK):
        return USUAL_WEEK
    return tuple((int(day[0]), int(day[1])) if day else None for day in stored)


def check_week(week: Iterable[Span | None]) -> None:
    """Raise ValidationError, in the reader's language, for hours in which nobody could be expected to play."""
    total = 0
    for span in week:
        if span is None:
            continue
        start, end = span
        if not 0 <= start < end <= DAY:
            raise ValidationError(_("On each day, the hours must end after they begin."), code="order")
        if end - start < LEAST_A_DAY:
            raise ValidationError(_("A day needs at least two hours, or is a day off."), code="short")
        total += end - start
    if total < LEAST_A_WEEK:
        raise ValidationError(_("A week needs at least 28 hours, because others wait for you meanwhile."), code="week")


def keep_week(player: Player, week: tuple[Span | None, ...]) -> None:
    """Save the player's waking hours. Raises ValidationError like `check_week`; then nothing is written."""
    check_week(week)
    WakingHours.objects.update_or_create(player=player, defaults={"days": [list(day) if day else None for day in week]})


def vacation_left(player: Player, year: int) -> int:
    """How many vacation days of a calendar year the player has neither used nor planned; never below zero."""
    spans = Absence.objects.filter(player=player, first_day__year__lte=year, last_day__year__gte=year)
    return max(0, VACATION_DAYS - _days_within(spans.values_list("first_day", "last_day"), year))


def plan(player: Player, first: date, last: date, *, now: datetime | None = None) -> Absence:
    """Plan an absence from `first` to `last`, both included. Locks the player's row.

    Raises ValidationError, in the reader's language, for days that are past, too far ahead, taken already, or more than
    are left in the year; then nothing is written.
    """
    today = today_of(player, now)
    if last < first:
        raise ValidationError(_("The last day must not come before the first."), code="order")
    if first < today:
        raise ValidationError(_("An absence can begin today at the earliest."), code="past")
    if last > today + AHEAD:
        raise ValidationError(_("An absence can be planned for a year ahead at most."), code="far")
    with transaction.atomic():
        _locked(player)
        _check_free(player, first, last)
        return Absence.objects.create(player=player, first_day=first, last_day=last)


def spend_day(player: Player, day: date) -> bool:
    """Take `day` as vacation because a clock would run out. Returns whether the player is away on that day afterwards.

    That is False if no vacation of that year is left. Locks the player's row. Repeating this does not take a second
    day.
    """
    with transaction.atomic():
        _locked(player)
        if Absence.objects.filter(player=player, first_day__lte=day, last_day__gte=day).exists():
            return True
        if vacation_left(player, day.year) < 1:
            return False
        before = Absence.objects.filter(player=player, automatic=True, last_day=day - timedelta(days=1))
        if not before.update(last_day=day):
            Absence.objects.create(player=player, first_day=day, last_day=day, automatic=True)
        return True


def end_absence(player: Player, absence: int, *, now: datetime | None = None) -> bool:
    """End an absence. Returns False if it is over already or not the player's. Locks the player's row.

    An absence that has not begun is deleted. One that has begun ends today: today stays used, because it may have
    stopped a clock already.
    """
    today = today_of(player, now)
    with transaction.atomic():
        _locked(player)
        own = Absence.objects.filter(player=player, pk=absence)
        deleted, _by_model = own.filter(first_day__gt=today).delete()
        return bool(deleted or own.filter(last_day__gt=today).update(last_day=today))


def _check_free(player: Player, first: date, last: date) -> None:
    if Absence.objects.filter(player=player, first_day__lte=last, last_day__gte=first).exists():
        raise ValidationError(_("You are away on some of these days already."), code="taken")
    for year in range(first.year, last.year + 1):
        days, left = _days_within([(first, last)], year), vacation_left(player, year)
        if days > left:
            raise ValidationError(
                _("That is %(wanted)d days of %(year)s, and %(left)d are left."),
                code="spent",
                params={"wanted": days, "year": str(year), "left": left},
            )


def _days_within(spans: Iterable[tuple[date, date]], year: int) -> int:
    """How many days of a year the spans cover. They must not overlap."""
    new_year, last_of_year = date(year, 1, 1), date(year, 12, 31)
    return sum(max(0, (min(last, last_of_year) - max(first, new_year)).days + 1) for first, last in spans)


def _locked(player: Player) -> None:
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
