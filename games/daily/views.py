"""The pages of the daily deal: today, a day, the days before, one's wishes; and the days for programs."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_GET, require_POST, require_safe

from accounts.middleware import PlayerRequest, address_of
from accounts.models import Player
from accounts.services import ensure_player
from core.exceptions import Refusal
from core.http import private
from core.limits import take
from games import charts
from games.daily import selectors as daily_selectors
from games.daily import services as daily_services
from games.daily import text
from games.daily.forms import WishesForm
from games.daily.models import DailyDay, DailyEntry
from games.daily.selectors import Line
from games.daily.services import DailyError
from games.models import Game
from games.text import figures
from games.text.common import signed

BEGUN_HERE: Final = "daily"
"""The cookie that tells that the deal of the day was begun in this browser, and as whose."""
_DRAWN: Final = 21
"""Different results that are drawn one by one; more are gathered in spans."""


def of_today(player: Player | None, now: datetime) -> dict[str, Any]:
    day = daily_services.today(now)
    entry = daily_services.entry_of(day, player)
    return _not_open(day, entry, now) | {
        "begun": day.entries.count(),
        "promise": daily_selectors.promise_of(day),
        "week": list(enumerate(text.order_of_the_week())),
        "weekday": day.date.weekday(),
        "before": _before(day.date - timedelta(days=1), player),
        "player": player,
    }


def _before(date: date, player: Player | None) -> dict[str, Any] | None:
    """The day before today's: open, or with a game of one's own that can still be played to its end."""
    found = daily_selectors.day_of(date)
    if found is None:
        return None
    if found.opened_at is not None:
        return {"day": found, "open": True}
    entry = daily_services.entry_of(found, player)
    return {"day": found, "open": False, "entry": entry, "playing": _is_playing(entry)} if entry else None


def of_waiting(day: DailyDay, player: Player | None, now: datetime) -> dict[str, Any]:
    """The page of a day that is over and not open yet."""
    entry = daily_services.entry_of(day, player)
    return _not_open(day, entry, now) | {"begun": day.entries.count(), "title": text.day_name(day.date)}


def _is_playing(entry: DailyEntry | None) -> bool:
    return entry is not None and entry.game.status == Game.Status.PLAYING


def _not_open(day: DailyDay, entry: DailyEntry | None, now: datetime) -> dict[str, Any]:
    over = entry is not None and entry.game.status == Game.Status.FINISHED
    return {
        "day": day,
        "game": text.game_name(day),
        "rappen": text.in_rappen(day),
        "entry": entry,
        "playing": _is_playing(entry),
        "points": signed(entry.game.totals[0]) if entry is not None and over else None,
        "par": text.par(day) if over else "",
        "comes": text.when_it_comes(day.date, now),
    }


def of_day(day: DailyDay, player: Player | None, page: object) -> dict[str, Any]:
    """The traveller of an open day."""
    counted = daily_selectors.distribution(day)
    entry = daily_services.entry_of(day, player)
    lines, listed = daily_selectors.daily_ranking(day, player, page)
    replay = daily_selectors.replay_of(day, entry)
    guests = daily_selectors.distribution(day, guests=True)
    return {
        "day": day,
        "title": text.day_name(day.date),
        "game": text.game_name(day),
        "rappen": text.in_rappen(day),
        "guests": text.guests(guests),
        "drawing": _drawn(day, counted) if counted else "",
        "counted": [(signed(points), people, _bar(people, counted)) for points, people in counted],
        "datum": signed(day.datum) if day.datum is not None else None,
        "par": text.par(day),
        "par_gain": figures.signed(daily_selectors.par_of(day).mean - (day.datum or 0)),
        "computers_game": day.computer if day.computer_points is not None else None,
        "own": _own(day, entry, counted),
        "best": _told(daily_selectors.best(day, player)),
        "shown": _told(lines),
        "page": listed,
        "replay": replay,
        "where": {"record": reverse("games:record", args=[replay.public_id])} if replay is not None else {},
    }


def _bar(people: int, counted: list[tuple[int, int]]) -> int:
    """How long a bar is, in hundredths of the longest."""
    return round(100 * people / max(number for _points, number in counted))


def _gain(day: DailyDay, points: int) -> str:
    """How far a result lies above the average; empty where nobody is compared."""
    return signed(points - day.datum) if day.datum is not None else ""


def _drawn(day: DailyDay, counted: list[tuple[int, int]]) -> str:
    spans = charts.bins(counted, most=_DRAWN)
    bars = [charts.Column(_span(low, high), people, below=high < (day.datum or 0)) for low, high, people in spans]
    said = ngettext(
        "%(people)d result, on average %(datum)s; all are in the table below.",
        "%(people)d results, on average %(datum)s; all are in the table below.",
        day.players,
    ) % {"people": day.players, "datum": signed(day.datum or 0)}
    return charts.columns(charts.Words("results-drawn", _("How many made which result"), said), bars)


def _span(low: int, high: int) -> str:
    return signed(low) if low == high else _("%(low)s to %(high)s") % {
        "low": signed(low), "high": signed(high)
    }  # fmt: skip


def _own(day: DailyDay, entry: DailyEntry | None, counted: list[tuple[int, int]]) -> dict[str, str | bool] | None:
    if entry is None:
        return None
    if entry.points is None:
        return {"game": entry.game.public_id, "points": ""}
    return {
        "game": entry.game.public_id,
        "points": signed(entry.points),
        "gain": _gain(day, entry.points),
        "place": text.place(daily_selectors.place(counted, entry.points, among=not entry.as_guest)),
        "as_guest": entry.as_guest,
    }


def _told(lines: list[Line]) -> list[dict[str, Any]]:
    return [{"line": line, "points": signed(line.points), "gain": signed(line.gain)} for line in lines]


def of_archive(player: Player | None, asked: date | None, now: datetime) -> dict[str, Any]:
    """The days before: the month that is asked for, or the last one; and one's own history."""
    months = daily_selectors.months()
    month = asked if asked in months else (months[0] if months else None)
    at = months.index(month) if month is not None else 0
    rows = daily_selectors.days_in(month, player) if month is not None else []
    context: dict[str, Any] = {
        "player": player,
        "month": month,
        "later": months[at - 1] if at > 0 else None,
        "earlier": months[at + 1] if at + 1 < len(months) else None,
        "rows": [_row(day, entry) for day, entry in rows],
    }
    if player is not None:
        found = daily_selectors.history(player, now)
        context["history"] = {
            "days": found.days,
            "running": found.running if found.running > 1 else 0,
            "gains": [
                (figures.variant_name(variant), mean.hands, text.average_gain(mean))
                for variant, mean in found.gains.items()
            ],
        }
    return context


def _row(day: DailyDay, entry: DailyEntry | None) -> dict[str, Any]:
    points = entry.points if entry is not None else None
    return {
        "day": day,
        "game": text.game_name(day),
        "datum": signed(day.datum) if day.datum is not None else "–",
        "points": signed(points) if points is not None else "",
        "gain": _gain(day, points) if points is not None else "",
        "begun": entry is not None,
    }


def _today(
    request: PlayerRequest, now: datetime, form: WishesForm | None = None, refusal: Refusal | None = None
) -> HttpResponseBase:
    context = of_today(request.visit.player, now)
    if request.visit.player is not None and request.visit.player.is_member:
        context["form"] = form or WishesForm(None, request.visit.player)
    status = 422 if form is not None else 200
    if refusal is not None:
        context["refusal"], status = str(refusal.message), refusal.status
    return private(render(request, "games/daily/today.html", context, status=status))


@require_safe
def today(request: PlayerRequest) -> HttpResponseBase:
    """Today's deal: which game, what is promised, until when; and what one has made of it."""
    return _today(request, timezone.now())


@require_POST
def play(request: PlayerRequest) -> HttpResponseBase:
    """Begin the deal of the day that the page showed, or go on with it."""
    now = timezone.now()
    day = _day(request.POST.get("day", ""))
    is_today = day == daily_services.day_at(now)
    found = daily_services.today(now)
    entry = daily_services.entry_of(found, request.visit.player) if is_today else None
    if entry is None:
        if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
            return render(request, "games/too_many.html", status=429)
        try:
            if day is None or not is_today:
                raise DailyError("day-over")
            begun_here = request.get_signed_cookie(BEGUN_HERE, default="") or ""
            daily_services.check_new_to_browser(found, begun_here, request.visit.player)
            entry = daily_services.begin(ensure_player(request), day, now)
        except Refusal as refusal:
            return _today(request, now, refusal=refusal)
    answer = HttpResponseRedirect(reverse("games:table", args=[entry.game.public_id]), status=303)
    secure = settings.SESSION_COOKIE_SECURE or request.is_secure()
    lasts = timedelta(days=1)
    answer.set_signed_cookie(BEGUN_HERE, str(entry.pk), max_age=lasts, secure=secure, httponly=True, samesite="Lax")
    return answer


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@require_safe
def day(request: PlayerRequest, day: date) -> HttpResponseBase:
    """What everybody made of a day's deal, once it is open; until then, that it is not."""
    now = timezone.now()
    if day == daily_services.day_at(now):
        return redirect("daily:today")
    found = daily_selectors.day_of(day)
    if found is None:
        raise Http404
    if found.opened_at is None:
        return private(render(request, "games/daily/waiting.html", of_waiting(found, request.visit.player, now)))
    context = of_day(found, request.visit.player, request.GET.get("page"))
    return private(render(request, "games/daily/day.html", context))


@require_safe
def archive(request: PlayerRequest) -> HttpResponseBase:
    """The days before, by months, and one's own history."""
    asked = _day(f"{request.GET.get('month', '')[:7]}-01")
    return private(render(request, "games/daily/archive.html", of_archive(request.visit.player, asked, timezone.now())))


@require_POST
def wishes(request: PlayerRequest) -> HttpResponseBase:
    """Store what a member wishes."""
    player, now = request.visit.player, timezone.now()
    if player is None or not player.is_member:
        return redirect("account_login")
    form = WishesForm(request.POST, player)
    if not form.is_valid():
        return _today(request, now, form)
    form.write(now)
    messages.success(request, _("Saved."))
    return redirect("daily:today")


@require_GET
@cache_control(public=True, max_age=300)
@conditional_page
def days(request: HttpRequest) -> HttpResponseBase:
    """Open days for programs, without names; `before` (a date) goes on."""
    before = _day(request.GET.get("before", ""))
    if before is None and request.GET.get("before"):
        return JsonResponse({"error": "before is a date like 2026-11-22"}, status=400)
    return JsonResponse(daily_selectors.days(before))
