"""The pages about notices: the list, preferences, and stopping mails by a link; and the views for scripts."""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.availability import zone_of
from accounts.middleware import PlayerRequest
from accounts.models import Player
from core import limits
from core.http import require_safe_or_post, shown_count, whole_number
from core.sursilvan import joined
from notices import mail, notifications, outbox, preferences, push, registry, selectors
from notices.forms import KINDS, ROWS, GameForm, PreferenceForm
from notices.models import TOPIC_LENGTH, Delivery, Preference, PushSubscription
from notices.push import Refused


@never_cache
@require_safe
def notices(request: PlayerRequest) -> HttpResponse:
    """The player's notices, newest first. A visitor without a player sees an empty list."""
    player = request.visit.player
    if player is None:
        return render(request, "notices/list.html", {"lines": [], "player": None})
    before = request.GET.get("before", "")
    lines, onward = selectors.lines(player, before=whole_number(before, 15))
    titles = {row: str(title) for row, title, _about in ROWS}
    stopped = mail.stopped_rows(preferences.preferences_of(player)) if player.is_member else []
    return render(
        request,
        "notices/list.html",
        {
            "player": player,
            "lines": lines,
            "onward": onward,
            "unread": selectors.unread(player),
            "paged": bool(before),
            "stopped": joined(", ", [titles[row] for row in stopped]),
            "all_stopped": len(stopped) == len(titles),
        },
    )


@never_cache
@require_POST
def read(request: PlayerRequest) -> HttpResponse:
    """Mark the notice `id` as read, or all of them."""
    notice = whole_number(request.POST.get("id", ""), 15)
    if request.visit.player is not None:
        selectors.mark_read(request.visit.player, [notice] if notice is not None else None)
    if request.headers.get("Accept") == "application/json":
        return HttpResponse(status=204)
    return redirect("notices:list")


@never_cache
@require_safe_or_post
def edit_preferences(request: PlayerRequest) -> HttpResponse:
    player = request.visit.player
    if player is None:
        return render(request, "notices/preferences.html", {"player": None})
    form = PreferenceForm(
        request.POST if request.method == "POST" else None, instance=preferences.preferences_of(player)
    )
    if request.method == "POST" and form.is_valid():
        if form.instance._state.adding:  # two requests at the same time must not create two rows
            player.notice_preference, _created = Preference.objects.get_or_create(player=player)
            PreferenceForm(request.POST, instance=player.notice_preference).save()
        else:
            form.save()
        preferences.note_answer(player)
        preferences.note_language(player)
        preferences.replan(player, timezone.now())
        messages.success(request, _("Saved."))
        return redirect("notices:preferences")
    return render(
        request,
        "notices/preferences.html",
        {
            "player": player,
            "form": form,
            "address": mail.address_of(player),
            "zone": zone_of(player).key.replace("_", " "),
            "devices": PushSubscription.objects.filter(player=player).order_by("-used_at"),
            "key": push.public_key(),
            "last_trials": _last_trials(player),
            "console": not settings.EMAIL_URL,
        },
        status=422 if form.errors else 200,
    )


@never_cache
@require_safe_or_post
def of_game(request: PlayerRequest, topic: str) -> HttpResponse:
    """The player's preferences for one game. Raises Http404 for a game that they have nothing to do with."""
    player = request.visit.player
    subject = registry.find_subject(player, topic) if player is not None else None
    if player is None or subject is None:
        raise Http404
    form = GameForm(request.POST if request.method == "POST" else None, instance=preferences.of_game(player, topic))
    if request.method == "POST" and form.is_valid():
        form.save()
        preferences.note_language(player)
        preferences.replan(player, timezone.now())
        messages.success(request, _("Saved."))
        return redirect("notices:game", topic)
    return render(
        request,
        "notices/game.html",
        {
            "player": player,
            "form": form,
            "subject": subject,
            "general": preferences.preferences_of(player),
            "key": push.public_key(),
        },
        status=422 if form.errors else 200,
    )


@never_cache
@require_POST
def how(request: PlayerRequest) -> HttpResponse:
    """Save the answer to the question at a table how the player wants to be notified, and redirect to `next`.

    The answer is `mail`, `push` (this device has subscribed) or `later`.
    """
    player, answer = request.visit.player, request.POST.get("how", "")
    if player is not None and answer in ("mail", "push", "later"):
        preferences.note_answer(player, by_mail=answer == "mail")
        preferences.note_language(player)
        preferences.replan(player, timezone.now())
        if answer == "mail":
            messages.success(request, _("You are told by mail, within the hour."))
    onward = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(onward, allowed_hosts=None):
        onward = reverse("notices:preferences")
    return redirect(onward)


@never_cache
@require_POST
def try_out(request: PlayerRequest) -> HttpResponse:
    """Send the player a trial notice by `channel`: `mail` or `push`. It is sent like all other notices."""
    player, channel = request.visit.player, request.POST.get("channel", "")
    if player is None or channel not in notifications.CHANNELS:
        return redirect("notices:preferences")
    if not limits.take(f"notices.test:{player.pk}", rate=5, per=3600):
        messages.error(request, _("You have tried that often enough for now. Please try again in an hour."))
    elif channel == "mail" and not mail.address_of(player):
        messages.error(request, _("There is no confirmed address to write to."))
    elif channel == "mail" and preferences.preferences_of(player).mail_off:
        messages.error(request, _("You want no notices by mail. Take that back first."))
    elif channel == "push" and not PushSubscription.objects.filter(player=player).exists():
        messages.error(request, _("No device of yours shows messages yet."))
    else:
        preferences.note_language(player)
        outbox.put(notifications.EVENT, player, {"channel": channel})
        messages.success(request, _("It is on its way."))
    return redirect("notices:preferences")


@never_cache
@require_POST
def forget_device(request: PlayerRequest) -> HttpResponse:
    """Delete one of the player's devices, by its key `device`. Works without scripts, and for a device that is lost."""
    device = whole_number(request.POST.get("device", ""), 15)
    if request.visit.player is not None and device is not None:
        PushSubscription.objects.filter(player=request.visit.player, pk=device).delete()
    return redirect("notices:preferences")


@never_cache
@csrf_exempt  # The token is the permission; mail programs send neither cookies nor our CSRF token (RFC 8058).
@require_safe_or_post
def unsubscribe(request: PlayerRequest, token: str) -> HttpResponse:
    """Stop mails without logging in. Opening the page changes nothing; a POST from it or from a mail program does.

    A POST without `what`, as mail programs send it (RFC 8058), stops the kinds that were in the mail. The tokens of old
    mails do not contain the kinds: then it stops all mails about that game, or all mails.
    """
    named = mail.read_token(token)
    if named is None:
        return render(request, "notices/unsubscribe.html", {"named": None}, status=404)
    player = named.player
    if request.method == "POST":
        default = "all"
        if named.kinds:
            default = "kinds"
        elif named.topic:
            default = "game"
        what, stopped = request.POST.get("what", default), "undo" not in request.POST
        if what == "kinds":
            mail.stop_kinds(player, named.kinds, stopped=stopped)
        elif what == "game" and named.topic:
            mail.stop_game(player, named.topic, stopped=stopped)
        else:
            mail.stop_all(player, stopped=stopped)
        if not stopped:
            preferences.replan(Player.objects.get(pk=player.pk), timezone.now())
        return redirect("notices:unsubscribe", token)
    general = preferences.preferences_of(player)
    return render(
        request,
        "notices/unsubscribe.html",
        {
            "named": named,
            "about": joined(", ", [str(KINDS[kind]) for kind in named.kinds]),
            "subject": registry.find_subject(player, named.topic),
            "general": general,
            "stopped": mail.is_stopped(general, named.kinds),
            "silent": preferences.of_game(player, named.topic).mail == "nothing",
        },
    )


@never_cache
@csrf_exempt  # as above
@require_safe_or_post
def no_letters(request: PlayerRequest, token: str) -> HttpResponse:
    """Stop all mails from this site to an address without an account. Opening the page changes nothing."""
    digest = mail.read_stop_token(token)
    if digest is None:
        return render(request, "notices/unsubscribe.html", {"named": None}, status=404)
    if request.method == "POST":
        mail.stop_address(digest, stopped="undo" not in request.POST)
        return redirect("notices:no-letters", token)
    return render(request, "notices/no_letters.html", {"stopped": mail.is_stopped_address(digest)})


def _last_trials(player: Player) -> list[Delivery]:
    """The deliveries of the player's last trials: the newest of each channel."""
    rows = Delivery.objects.filter(player=player, outbox__event=notifications.EVENT).order_by("-pk")
    newest: dict[str, Delivery] = {}
    for row in rows[:20]:
        newest.setdefault(row.channel, row)
    return list(newest.values())


_TOPIC = re.compile(rf"[0-9a-z]{{1,{TOPIC_LENGTH}}}")


@never_cache
@require_safe
def bell(request: PlayerRequest) -> HttpResponse:
    """`{"unread": n, "newest": [{"id", "subject", "line", "url", "unread"}, …]}`: the reader's own, at most five.

    With `count`, `newest` is empty, which saves queries. For htmx, the number as the head of a page shows it.
    """
    player = request.visit.player
    if request.htmx:
        return shown_count(selectors.unread(player) if player is not None else 0)
    if player is None:
        return JsonResponse({"unread": 0, "newest": []})
    if "count" in request.GET:
        return JsonResponse({"unread": selectors.unread(player), "newest": []})
    lines, _onward = selectors.lines(player, limit=5)
    newest = [
        {
            "id": line.id,
            "subject": line.words.subject,
            "line": line.words.line,
            "url": line.words.url,
            "unread": line.unread,
        }
        for line in lines
    ]
    return JsonResponse({"unread": selectors.unread(player), "newest": newest})


@never_cache
@require_safe
def key(request: PlayerRequest) -> JsonResponse:
    """`{"key": …, "token": …}`: what a service worker needs to subscribe again when its subscription has expired."""
    return JsonResponse({"key": push.public_key(), "token": get_token(request)})


@never_cache
@require_POST
def subscribe(request: PlayerRequest) -> HttpResponse:
    """Save a browser's subscription: `endpoint`, `p256dh`, `auth`; `old` is the endpoint that it replaces.

    403 for a visitor without a player, 422 for data that no browser can have made, 429 for too many requests; else 204.
    """
    player = request.visit.player
    if player is None:
        return HttpResponse(status=403)
    if not limits.take(f"push.subscribe:{player.pk}", rate=20, per=3600):
        return HttpResponse(status=429)
    given = request.POST
    try:
        push.subscribe(
            player,
            given.get("endpoint", ""),
            given.get("p256dh", ""),
            given.get("auth", ""),
            language=given.get("language") or get_language() or settings.LANGUAGE_CODE,
            device=device_of(request.headers.get("User-Agent", "")),
        )
    except (Refused, ValueError):
        return HttpResponse(status=422)
    if given.get("old") and given["old"] != given.get("endpoint"):
        push.unsubscribe(player, given["old"])
    preferences.note_language(player)
    return HttpResponse(status=204)


@never_cache
@require_POST
def unsubscribe_device(request: PlayerRequest) -> HttpResponse:
    """Delete this browser's subscription. 204, whether there was one or not."""
    if request.visit.player is not None:
        push.unsubscribe(request.visit.player, request.POST.get("endpoint", ""))
    return HttpResponse(status=204)


@never_cache
@require_POST
def looking(request: PlayerRequest) -> HttpResponse:
    """Note that the page of `topic` is open and in focus, or with `away=1` that it no longer is. 204."""
    topic = request.POST.get("topic", "")
    if request.visit.player is not None and _TOPIC.fullmatch(topic):
        if request.POST.get("away"):
            preferences.forget_looking(request.visit.player, topic)
        else:
            selectors.look(request.visit.player, topic)
        preferences.note_language(request.visit.player)
    return HttpResponse(status=204)


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)  # fmt: skip


def device_of(agent: str) -> str:
    """A name by which a person may recognise their browser: "Firefox, Android"; empty if unknown."""
    names = [next((name for sign, name in signs if sign in agent), "") for signs in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in names if name)
