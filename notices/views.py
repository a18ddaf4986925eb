"""Pages about notices: the list, what one wants to be told, and stopping mail from a mail."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits
from accounts.models import Player
from accounts.visits import PlayerRequest
from notices import inbox, mail, outbox, planning, preferences, subjects, trial, unsubscribing, vapid
from notices.forms import GameForm, PreferenceForm
from notices.models import Delivery, PushSubscription


@never_cache
@require_safe
def listed(request: PlayerRequest) -> HttpResponse:
    """The player's notices, newest first. A stranger sees that there are none."""
    player = request.player
    if player is None:
        return render(request, "notices/list.html", {"lines": [], "player": None})
    before = request.GET.get("before", "")
    lines, onward = inbox.lines(player, before=int(before) if before.isdecimal() and len(before) < 16 else None)
    return render(
        request,
        "notices/list.html",
        {"player": player, "lines": lines, "onward": onward, "unread": inbox.unread(player), "paged": bool(before)},
    )


@never_cache
@require_POST
def read(request: PlayerRequest) -> HttpResponse:
    """Mark as read: the notice named by `id`, or all of them."""
    wanted = request.POST.get("id", "")
    if request.player is not None:
        inbox.mark_read(request.player, [int(wanted)] if wanted.isdecimal() and len(wanted) < 16 else None)
    if request.headers.get("Accept") == "application/json":
        return HttpResponse(status=204)
    return redirect("notices:list")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def wanted(request: PlayerRequest) -> HttpResponse:
    """Show and change what the player wants to be told."""
    player = request.player
    if player is None:
        return render(request, "notices/preferences.html", {"player": None})
    form = PreferenceForm(request.POST if request.method == "POST" else None, instance=preferences.of(player))
    if request.method == "POST" and form.is_valid():
        form.save()
        preferences.note_language(player)
        planning.reschedule_digests(player, timezone.now())
        messages.success(request, _("Saved."))
        return redirect("notices:preferences")
    return render(
        request,
        "notices/preferences.html",
        {
            "player": player,
            "form": form,
            "address": mail.address_of(player),
            "zone": preferences.zone_of(player).key.replace("_", " "),
            "devices": PushSubscription.objects.filter(player=player).order_by("-used_at"),
            "key": vapid.public_key(),
            "last_trials": _last_trials(player),
            "console": not settings.EMAIL_URL,
        },
        status=422 if form.errors else 200,
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def of_game(request: PlayerRequest, topic: str) -> HttpResponse:
    """What the player wants to be told of one game they sit in. Raises 404 for one they have nothing to do with."""
    player = request.player
    subject = subjects.find(player, topic) if player is not None else None
    if player is None or subject is None:
        raise Http404
    form = GameForm(request.POST if request.method == "POST" else None, instance=preferences.of_game(player, topic))
    if request.method == "POST" and form.is_valid():
        form.save()
        preferences.note_language(player)
        messages.success(request, _("Saved."))
        return redirect("notices:game", topic)
    return render(
        request,
        "notices/game.html",
        {"player": player, "form": form, "subject": subject, "general": preferences.of(player)},
        status=422 if form.errors else 200,
    )


@never_cache
@require_POST
def try_out(request: PlayerRequest) -> HttpResponse:
    """Send the player a trial by `channel`: `mail` or `push`. It goes the way of all notices."""
    player, channel = request.player, request.POST.get("channel", "")
    if player is None or channel not in trial.CHANNELS:
        return redirect("notices:preferences")
    if not limits.take(f"notices.test:{player.pk}", rate=5, per=3600, burst=5):
        messages.error(request, _("You have tried that often enough for now. Please try again in an hour."))
    elif channel == "mail" and not mail.address_of(player):
        messages.error(request, _("There is no confirmed address to write to."))
    elif channel == "mail" and preferences.of(player).mail_off:
        messages.error(request, _("You want no notices by mail. Take that back first."))
    elif channel == "push" and not PushSubscription.objects.filter(player=player).exists():
        messages.error(request, _("No device of yours shows messages yet."))
    else:
        preferences.note_language(player)
        outbox.put(trial.EVENT, player, {"channel": channel})
        messages.success(request, _("It is on its way."))
    return redirect("notices:preferences")


@never_cache
@require_POST
def forget_device(request: PlayerRequest) -> HttpResponse:
    """Let go of one of the player's devices, named by `device`; works without script, and for a device that is lost."""
    wanted = request.POST.get("device", "")
    if request.player is not None and wanted.isdecimal() and len(wanted) < 16:
        PushSubscription.objects.filter(player=request.player, pk=int(wanted)).delete()
    return redirect("notices:preferences")


@never_cache
@csrf_exempt  # The token is the right to do it; mail programs send neither cookies nor our form's secret (RFC 8058).
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: PlayerRequest, token: str) -> HttpResponse:
    """Stop mail without logging in. Opening the page changes nothing; a POST from it, or from a mail program, does."""
    named = unsubscribing.read(token)
    if named is None:
        return render(request, "notices/unsubscribe.html", {"named": None}, status=404)
    if request.method == "POST":
        what = request.POST.get("what", "all")
        if what == "game" and named.topic:
            unsubscribing.stop_game(named.player, named.topic)
        else:
            unsubscribing.stop_all(named.player, stopped=what != "undo")
        return redirect("notices:unsubscribe", token)
    return render(
        request,
        "notices/unsubscribe.html",
        {
            "named": named,
            "subject": subjects.find(named.player, named.topic),
            "general": preferences.of(named.player),
            "silent": preferences.of_game(named.player, named.topic).mail == "nothing",
        },
    )


def _last_trials(player: Player) -> list[Delivery]:
    """How the player's last trials went, the newest of each channel."""
    rows = Delivery.objects.filter(player=player, outbox__event=trial.EVENT).order_by("-pk")
    newest: dict[str, Delivery] = {}
    for row in rows[:20]:
        newest.setdefault(row.channel, row)
    return list(newest.values())
