"""How often somebody may do something: a token bucket as a row of the database, so that it holds for all processes together."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.functions import Greatest

from core import metrics
from core.models import TokenBucket
from core.prepared_queries import prepared_update

_SET_BACK: Final = 1.0
"""Seconds: a bucket that would be full later than an empty one, by so much, was written before the clock was set back."""


def take(key: str, *, rate: float, per: float, burst: int | None = None, now: float | None = None) -> bool:
    """Take one token from the bucket `key`; False means "not now".

    The bucket holds at most `burst` tokens (by default `rate`), starts full, and gains `rate` tokens every `per` seconds.
    `now` is in seconds since the epoch, the clock by default; where it was set back a long way, the bucket is full. A key
    may be any text; only a digest of it is stored, since it often holds an address. One statement where the bucket is
    there, and nobody waits for more than its row.

    Raises `ValueError` unless rate, per and burst are above zero.
    """
    burst = int(rate) if burst is None else burst
    if rate <= 0 or per <= 0 or burst < 1:
        raise ValueError("rate, per and burst must be above zero")
    moment = time.time() if now is None else float(now)
    name, token = hashlib.sha256(key.encode()).hexdigest(), per / rate
    bucket = name, moment, moment + (burst - 1) * token, moment + burst * token + _SET_BACK, token
    if _take(*bucket):
        return True
    _row, made = TokenBucket.objects.get_or_create(key=name, defaults={"full_at": moment + token})
    taken = made or _take(*bucket) == 1  # another request may have made it in between
    if not taken:
        metrics.limited.inc()
    return taken


@prepared_update
def _take(
    name: str, moment: float, least: float, most: float, token: float
) -> tuple[QuerySet[TokenBucket], Mapping[str, object]]:
    set_back = Q(full_at__gt=most)
    full_at = Case(When(set_back, then=Value(moment)), default=Greatest(F("full_at"), Value(moment))) + Value(token)
    return TokenBucket.objects.filter(Q(full_at__lte=least) | set_back, key=name), {"full_at": full_at}


def forget(now: datetime) -> None:
    """Delete the buckets that are full again."""
    TokenBucket.objects.filter(full_at__lt=now.timestamp() - _SET_BACK).delete()
