"""The pages of the daily deal: today, a day, the archive, preferences; and the days as JSON for programs."""

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
"""The cookie with the key of the entry that was begun in this browser."""
_DRAWN: Final = 21
"""Up to this number of different results, each gets its own bar; more are grouped into ranges."""


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
    """The day before today: open, or with a game of the player; None otherwise."""
    day = daily_selectors.day_of(date)
    if day is None:
        return None
    if day.opened_at is not None:
        return {"day": day, "open": True}
    entry = daily_services.entry_of(day, player)
    return {"day": day, "open": False, "entry": entry, "playing": _is_playing(entry)} if entry else None


def of_waiting(day: DailyDay, player: Player | None, now: datetime) -> dict[str, Any]:
    """The context of the page of a day that is over but not open yet."""
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
        "comes": text.when_comparison_comes(day.date, now),
    }


def of_day(day: DailyDay, player: Player | None, page: str) -> dict[str, Any]:
    """The context of the page of an open day."""
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
        "drawing": _chart(day, counted) if counted else "",
        "counted": [(signed(points), people, _bar(people, counted)) for points, people in counted],
        "datum": signed(day.datum) if day.datum is not None else None,
        "par": text.par(day),
        "par_gain": figures.signed(daily_selectors.par_of(day).mean - (day.datum or 0)),
        "computers_game": day.computer if day.computer_points is not None else None,
        "own": _own(day, entry, counted),
        "best": _with_words(daily_selectors.best(day, player)),
        "shown": _with_words(lines),
        "page": listed,
        "replay": replay,
        "where": {"record": reverse("games:record", args=[replay.public_id])} if replay is not None else {},
    }


def _bar(people: int, counted: list[tuple[int, int]]) -> int:
    """The length of a bar, in percent of the longest."""
    return round(100 * people / max(number for _points, number in counted))


def _gain(day: DailyDay, points: int) -> str:
    """How far a result is above the average, with its sign; empty if there is no average."""
    return signed(points - day.datum) if day.datum is not None else ""


def _chart(day: DailyDay, counted: list[tuple[int, int]]) -> str:
    spans = charts.bins(counted, most=_DRAWN)
    bars = [charts.Column(_span(low, high), people, below=high < (day.datum or 0)) for low, high, people in spans]
    summary = ngettext(
        "%(people)d result, on average %(datum)s; all are in the table below.",
        "%(people)d results, on average %(datum)s; all are in the table below.",
        day.players,
    ) % {"people": day.players, "datum": signed(day.datum or 0)}
    return charts.columns(charts.Words("results-drawn", _("How many made which result"), summary), bars)


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


def _with_words(lines: list[Line]) -> list[dict[str, Any]]:
    return [{"line": line, "points": signed(line.points), "gain": signed(line.gain)} for line in lines]


def of_archive(player: Player | None, chosen: date | None, now: datetime) -> dict[str, Any]:
    """The context of the archive: the chosen month, or by default the latest one, and the player's own history."""
    months = daily_selectors.months()
    month = chosen if chosen in months else next(iter(months), None)
    index = months.index(month) if month is not None else 0
    rows = daily_selectors.days_in(month, player) if month is not None else []
    context: dict[str, Any] = {
        "player": player,
        "month": month,
        "later": months[index - 1] if index > 0 else None,
        "earlier": months[index + 1] if index + 1 < len(months) else None,
        "rows": [_row(day, entry) for day, entry in rows],
    }
    if player is not None:
        history = daily_selectors.history(player, now)
        context["history"] = {
            "days": history.days,
            "running": history.running if history.running > 1 else 0,
            "gains": [
                (figures.variant_name(variant), mean.hands, text.average_gain(mean))
                for variant, mean in history.gains.items()
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
    """Today's deal: its game, commitment and time limit, and the player's own result."""
    return _today(request, timezone.now())


@require_POST
def play(request: PlayerRequest) -> HttpResponseBase:
    """Begin the deal of the day that the page showed, or continue it."""
    now = timezone.now()
    day = _day(request.POST.get("day", ""))
    is_today = day == daily_services.day_at(now)
    today_row = daily_services.today(now)
    entry = daily_services.entry_of(today_row, request.visit.player) if is_today else None
    if entry is None:
        if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
            return render(request, "games/too_many.html", status=429)
        try:
            if day is None or not is_today:
                raise DailyError("day-over")
            begun_here = request.get_signed_cookie(BEGUN_HERE, default="") or ""
            daily_services.check_new_to_browser(today_row, begun_here, request.visit.player)
            entry = daily_services.begin(ensure_player(request), day, now)
        except Refusal as refusal:
            return _today(request, now, refusal=refusal)
    response = HttpResponseRedirect(reverse("games:table", args=[entry.game.public_id]), status=303)
    secure = settings.SESSION_COOKIE_SECURE or request.is_secure()
    lasts = timedelta(days=1)
    response.set_signed_cookie(BEGUN_HERE, str(entry.pk), max_age=lasts, secure=secure, httponly=True, samesite="Lax")
    return response


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@require_safe
def day(request: PlayerRequest, day: date) -> HttpResponseBase:
    """The results of a day's deal once it is open; before that, a page that says so."""
    now = timezone.now()
    if day == daily_services.day_at(now):
        return redirect("daily:today")
    row = daily_selectors.day_of(day)
    if row is None:
        raise Http404
    if row.opened_at is None:
        return private(render(request, "games/daily/waiting.html", of_waiting(row, request.visit.player, now)))
    context = of_day(row, request.visit.player, request.GET.get("page", ""))
    return private(render(request, "games/daily/day.html", context))


@require_safe
def archive(request: PlayerRequest) -> HttpResponseBase:
    """Past days by month, and the player's own history."""
    month = _day(f"{request.GET.get('month', '')[:7]}-01")
    return private(render(request, "games/daily/archive.html", of_archive(request.visit.player, month, timezone.now())))


@require_POST
def wishes(request: PlayerRequest) -> HttpResponseBase:
    """Save a member's preferences."""
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
    """Open days for programs, without names; with `before`, only days before that date."""
    before = _day(request.GET.get("before", ""))
    if before is None and request.GET.get("before"):
        return JsonResponse({"error": _("“before” is a day like 2026-11-22.")}, status=400)
    return JsonResponse(daily_selectors.days(before))
