"""What the pages of the daily deal show, ready to be printed."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Player
from games.daily import door, reading, wording
from games.daily.reading import Line
from games.daily_models import DailyDay, DailyEntry
from games.models import Game
from games.statistics import charts
from games.statistics import wording as figures

_DRAWN: Final = 21
"""Different results that are drawn one by one; more are gathered in spans."""


def of_today(player: Player | None, now: datetime) -> dict[str, Any]:
    """Today's page."""
    day = door.today(now)
    entry = door.entry_of(day, player)
    return _not_open(day, entry, now) | {
        "begun": reading.begun(day),
        "promise": reading.promise_of(day),
        "week": list(enumerate(wording.order_of_the_week())),
        "weekday": day.date.weekday(),
        "before": _before(day.date - timedelta(days=1), player, now),
        "player": player,
    }


def _before(date: date, player: Player | None, now: datetime) -> dict[str, Any] | None:
    """The day before today's: open, or with a game of one's own that can still be played to its end."""
    found = reading.day_of(date)
    if found is None:
        return None
    if found.opened_at is not None:
        return {"day": found, "open": True}
    entry = door.entry_of(found, player)
    return {"day": found, "open": False, "entry": entry, "playing": _is_playing(entry)} if entry else None


def of_waiting(day: DailyDay, player: Player | None, now: datetime) -> dict[str, Any]:
    """The page of a day that is over and not open yet."""
    entry = door.entry_of(day, player)
    return _not_open(day, entry, now) | {"begun": reading.begun(day), "title": wording.day_name(day.date)}


def _is_playing(entry: DailyEntry | None) -> bool:
    return entry is not None and entry.game.status == Game.Status.PLAYING


def _not_open(day: DailyDay, entry: DailyEntry | None, now: datetime) -> dict[str, Any]:
    points = reading.own_points(entry) if entry is not None else None
    return {
        "day": day,
        "game": wording.game_name(day),
        "rappen": wording.in_rappen(day),
        "entry": entry,
        "playing": _is_playing(entry),
        "points": wording.signed(points) if points is not None else None,
        "comes": wording.when_it_comes(day.date, now),
    }


def of_day(day: DailyDay, player: Player | None, page: object) -> dict[str, Any]:
    """The traveller of an open day."""
    counted = reading.distribution(day)
    entry = door.entry_of(day, player)
    lines, listed = reading.shown(day, player, page)
    replay = reading.replay_of(day, entry)
    context: dict[str, Any] = {
        "day": day,
        "title": wording.day_name(day.date),
        "game": wording.game_name(day),
        "rappen": wording.in_rappen(day),
        "drawing": _drawn(day, counted) if counted else "",
        "counted": [(wording.signed(points), people, _bar(people, counted)) for points, people in counted],
        "datum": wording.signed(day.datum) if day.datum is not None else None,
        "yardstick": _yardstick(day),
        "own": _own(day, entry, counted),
        "best": _told(reading.best(day, player)),
        "shown": _told(lines),
        "page": listed,
        "replay": replay,
        "where": {"record": reverse("games:record", args=[replay.public_id])} if replay is not None else {},
    }
    return context


def _bar(people: int, counted: list[tuple[int, int]]) -> int:
    """How long a bar is, in hundredths of the longest."""
    return round(100 * people / max(number for _points, number in counted))


def _drawn(day: DailyDay, counted: list[tuple[int, int]]) -> str:
    spans = charts.bins(counted, most=_DRAWN)
    bars = [charts.Column(_span(low, high), people, below=high < (day.datum or 0)) for low, high, people in spans]
    said = ngettext(
        "%(people)d result, on average %(datum)s; all are in the table below.",
        "%(people)d results, on average %(datum)s; all are in the table below.",
        day.players,
    ) % {"people": day.players, "datum": wording.signed(day.datum or 0)}
    return charts.columns(charts.Words("results-drawn", _("How many made which result"), said), bars)


def _span(low: int, high: int) -> str:
    return wording.signed(low) if low == high else _("%(low)s to %(high)s") % {
        "low": wording.signed(low), "high": wording.signed(high)
    }  # fmt: skip


def _yardstick(day: DailyDay) -> dict[str, str] | None:
    if day.computer is None or day.computer_points is None:
        return None
    gain = wording.signed(day.computer_points - (day.datum or 0))
    return {"points": wording.signed(day.computer_points), "gain": gain, "game": day.computer.public_id}


def _own(day: DailyDay, entry: DailyEntry | None, counted: list[tuple[int, int]]) -> dict[str, str] | None:
    if entry is None:
        return None
    if entry.points is None:
        return {"game": entry.game.public_id, "points": ""}
    return {
        "game": entry.game.public_id,
        "points": wording.signed(entry.points),
        "gain": wording.signed(entry.points - (day.datum or 0)),
        "place": wording.place(reading.place(counted, entry.points)),
    }


def _told(lines: list[Line]) -> list[dict[str, Any]]:
    return [{"line": line, "points": wording.signed(line.points), "gain": wording.signed(line.gain)} for line in lines]


def of_archive(player: Player | None, asked: date | None, now: datetime) -> dict[str, Any]:
    """The days before: the month that is asked for, or the last one; and one's own history."""
    months = reading.months()
    month = asked if asked in months else (months[0] if months else None)
    at = months.index(month) if month is not None else 0
    rows = reading.days_in(month, player) if month is not None else []
    context: dict[str, Any] = {
        "player": player,
        "month": month,
        "later": months[at - 1] if at > 0 else None,
        "earlier": months[at + 1] if at + 1 < len(months) else None,
        "rows": [_row(day, entry) for day, entry in rows],
    }
    if player is not None:
        found = reading.history(player, now)
        context["history"] = {
            "days": found.days,
            "running": found.running if found.running > 1 else 0,
            "gains": [
                (figures.variant_name(variant), mean.hands, wording.average_gain(mean))
                for variant, mean in found.gains.items()
            ],
        }
    return context


def _row(day: DailyDay, entry: DailyEntry | None) -> dict[str, Any]:
    return {
        "day": day,
        "game": wording.game_name(day),
        "datum": wording.signed(day.datum) if day.datum is not None else "–",
        "points": wording.signed(entry.points) if entry is not None and entry.points is not None else "",
        "gain": wording.signed(entry.points - (day.datum or 0))
        if entry is not None and entry.points is not None
        else "",
        "begun": entry is not None,
    }
