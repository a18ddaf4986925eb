"""Messages to a person's devices by web push: subscribing, and sending one."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from accounts.models import Player
from notices import endpoints, sealing, vapid
from notices.models import Delivery, PushSubscription
from notices.outcomes import Never, NotNow
from notices.telling import Words

MOST_DEVICES: Final = 5
_DAY: Final = 24 * 3600
_BODY_LENGTH: Final = 300


def subscribe(player: Player, endpoint: str, p256dh: str, auth: str, *, language: str, device: str) -> PushSubscription:
    """Keep a browser's subscription; known ones are renewed, and belong to whoever asked last.

    A player has at most five: the one that was silent longest makes room. Raises ValueError for an endpoint or keys that
    cannot be a browser's.
    """
    endpoints.check(endpoint)
    sealing.check_keys(sealing.from_base64url(p256dh), sealing.from_base64url(auth))
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        kept, _made = PushSubscription.objects.update_or_create(
            digest=digest_of(endpoint),
            defaults={
                "player": player,
                "endpoint": endpoint,
                "p256dh": p256dh,
                "auth": auth,
                "language": language,
                "device": device[:60],
                "used_at": timezone.now(),
            },
        )
        silent = PushSubscription.objects.filter(player=player).exclude(pk=kept.pk).order_by("-used_at", "-pk")
        PushSubscription.objects.filter(pk__in=list(silent.values_list("pk", flat=True)[MOST_DEVICES - 1 :])).delete()
    return kept


def unsubscribe(player: Player, endpoint: str) -> bool:
    """Let go of a browser's subscription; whether there was one of this player."""
    gone, _rows = PushSubscription.objects.filter(player=player, digest=digest_of(endpoint)).delete()
    return gone > 0


def service_of(device: PushSubscription) -> str:
    """The push service of a device: host and port."""
    return urlsplit(device.endpoint).netloc


def digest_of(endpoint: str) -> str:
    """Under what an endpoint is found."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def payload(words: Words, language: str) -> bytes:
    """What the device gets to read: a few words and where they lead."""
    told = {
        "title": words.subject[:120],
        "body": words.line[:_BODY_LENGTH],
        "url": words.url,
        "tag": words.tag,
        "lang": language,
    }
    return json.dumps(told, ensure_ascii=False).encode()


def send(delivery: Delivery, words: Words, language: str, moment: datetime, *, urgent: bool) -> None:
    """Post a message to its device's push service. A subscription the service does not know any more is deleted.

    Raises Never, NotNow or Unreachable.
    """
    device = delivery.subscription
    if device is None:
        raise Never("no device")
    body = sealing.seal(
        payload(words, language), sealing.from_base64url(device.p256dh), sealing.from_base64url(device.auth)
    )
    until = delivery.outbox.expires_at
    lives = _DAY if until is None else max(60, min(_DAY, int((until - moment).total_seconds())))
    answer = endpoints.post(
        device.endpoint,
        body,
        {
            "Authorization": vapid.authorization(device.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(lives),
            "Urgency": "high" if urgent else "normal",
            # What a service still keeps about the same thing is replaced. 32 base64url characters at most.
            "Topic": sealing.to_base64url(hashlib.sha256(words.tag.encode()).digest())[:32],
        },
    )
    if 200 <= answer.status < 300:
        return
    if answer.status in (404, 410):
        device.delete()  # and with it whatever else waits for it
        raise Never("the device is gone")
    if answer.status == 429 or answer.status >= 500:
        raise NotNow(f"the push service is busy ({answer.status})", _wait(answer))
    raise Never(f"the push service refused ({answer.status})")


def note_use(device: PushSubscription, moment: datetime) -> None:
    """The device has taken a message."""
    PushSubscription.objects.filter(pk=device.pk).update(used_at=moment)


def _wait(answer: endpoints.Answer) -> timedelta | None:
    """What the service asks us to wait, at most a day; a date instead of seconds is not read."""
    text = answer.headers.get("retry-after", "")
    return timedelta(seconds=min(int(text), _DAY)) if text.isascii() and text.isdigit() and len(text) < 10 else None
