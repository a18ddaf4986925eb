"""What scripts ask for: the bell, devices that show messages, and who is looking."""

from __future__ import annotations

import re

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.visits import PlayerRequest
from notices import inbox, preferences, presence, push, vapid
from notices.endpoints import Refused
from notices.models import TOPIC_LENGTH

_TOPIC = re.compile(rf"[0-9a-z]{{1,{TOPIC_LENGTH}}}")


@never_cache
@require_safe
def bell(request: PlayerRequest) -> JsonResponse:
    """`{"unread": n, "newest": [{"id", "subject", "line", "url", "unread"}, …]}`, at most five; the reader's own only.

    With `count`, only the number: one query.
    """
    player = request.player
    if player is None:
        return JsonResponse({"unread": 0, "newest": []})
    if "count" in request.GET:
        return JsonResponse({"unread": inbox.unread(player), "newest": []})
    lines, _onward = inbox.lines(player, limit=5)
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
    return JsonResponse({"unread": inbox.unread(player), "newest": newest})


@never_cache
@require_safe
def key(request: PlayerRequest) -> JsonResponse:
    """`{"key": …, "token": …}`: what a service worker needs to subscribe anew when its subscription has run out."""
    return JsonResponse({"key": vapid.public_key(), "token": get_token(request)})


@never_cache
@require_POST
def subscribe(request: PlayerRequest) -> HttpResponse:
    """Keep a browser's subscription (`endpoint`, `p256dh`, `auth`; `old`, the endpoint it takes the place of).

    403 for a stranger, 422 for what no browser can have made, 429 for too much; else 204.
    """
    player = request.player
    if player is None:
        return HttpResponse(status=403)
    if not limits.take(f"push.subscribe:{player.pk}", rate=20, per=3600, burst=20):
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
def unsubscribe(request: PlayerRequest) -> HttpResponse:
    """Let go of this browser's subscription. 204, whether there was one or not."""
    if request.player is not None:
        push.unsubscribe(request.player, request.POST.get("endpoint", ""))
    return HttpResponse(status=204)


@never_cache
@require_POST
def looking(request: PlayerRequest) -> HttpResponse:
    """The page `topic` is open and in focus; `away=1`: it no longer is. 204."""
    topic = request.POST.get("topic", "")
    if request.player is not None and _TOPIC.fullmatch(topic):
        (presence.forget if request.POST.get("away") else presence.note)(request.player, topic)
        preferences.note_language(request.player)
    return HttpResponse(status=204)


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)  # fmt: skip


def device_of(agent: str) -> str:
    """What a person may recognise a browser by: "Firefox, Android"; empty for one that does not say."""
    found = [next((name for sign, name in signs if sign in agent), "") for signs in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in found if name)
