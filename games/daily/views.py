"""The pages of the daily deal: today, a day, the days before, one's wishes; and the days for programs."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_GET, require_POST, require_safe

from accounts.guests import ensure_player
from accounts.limits import address_of, take
from accounts.visits import PlayerRequest
from games.daily import door, feed, pages, reading, week
from games.daily.forms import WishesForm
from games.daily.refusals import DayOver
from games.refusals import Refusal


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """What is made for one viewer is kept by nobody."""
    patch_cache_control(response, private=True, no_store=True)
    return response


def _today(
    request: PlayerRequest, now: datetime, form: WishesForm | None = None, refusal: Refusal | None = None
) -> HttpResponseBase:
    context = pages.of_today(request.player, now)
    if request.player is not None and request.player.is_member:
        context["form"] = form or WishesForm(None, request.player)
    status = 422 if form is not None else 200
    if refusal is not None:
        context["refusal"], status = str(refusal.message), refusal.status
    return _private(render(request, "games/daily/today.html", context, status=status))


@require_safe
def today(request: PlayerRequest) -> HttpResponseBase:
    """Today's deal: which game, what is promised, until when; and what one has made of it."""
    return _today(request, timezone.now())


@require_POST
def play(request: PlayerRequest) -> HttpResponseBase:
    """Begin the deal of the day that the page showed, or go on with it."""
    now = timezone.now()
    day = _day(request.POST.get("day", ""))
    entry = door.entry_of(door.today(now), request.player) if day == week.day_at(now) else None
    if entry is None:
        if not take(f"new-game:{address_of(request)}", rate=60, per=3600, burst=30):
            return render(request, "games/too_many.html", status=429)
        try:
            if day != week.day_at(now):
                raise DayOver
            entry = door.begin(ensure_player(request), day, now)
        except Refusal as refusal:
            return _today(request, now, refusal=refusal)
    return HttpResponseRedirect(reverse("games:table", args=[entry.game.public_id]), status=303)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@require_safe
def day(request: PlayerRequest, day: date) -> HttpResponseBase:
    """What everybody made of a day's deal, once it is open; until then, that it is not."""
    now = timezone.now()
    if day == week.day_at(now):
        return redirect("daily:today")
    found = reading.day_of(day)
    if found is None:
        raise Http404
    if found.opened_at is None:
        return _private(render(request, "games/daily/waiting.html", pages.of_waiting(found, request.player, now)))
    context = pages.of_day(found, request.player, request.GET.get("page"))
    return _private(render(request, "games/daily/day.html", context))


@require_safe
def archive(request: PlayerRequest) -> HttpResponseBase:
    """The days before, by months, and one's own history."""
    asked = _day(f"{request.GET.get('month', '')[:7]}-01")
    return _private(
        render(request, "games/daily/archive.html", pages.of_archive(request.player, asked, timezone.now()))
    )


@require_POST
def wishes(request: PlayerRequest) -> HttpResponseBase:
    """Store what a member wishes."""
    player, now = request.player, timezone.now()
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
    text: Any = request.GET.get("before", "")
    before = _day(text)
    if text and before is None:
        return JsonResponse({"error": "before is a date like 2026-11-22"}, status=400)
    return JsonResponse(feed.days(before))
