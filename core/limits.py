"""Rate limits: token buckets as rows of the database, so that they hold for all processes together."""

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
"""Seconds. A bucket that is full this much later than an empty one was written before the clock was set back."""


def take(key: str, *, rate: float, per: float, burst: int | None = None, now: float | None = None) -> bool:
    """Take one token from the bucket `key`. Returns False if it is empty.

    The bucket holds at most `burst` tokens (by default `rate`), starts full, and gains `rate` tokens every `per`
    seconds. `now` is in seconds since the epoch, by default from the clock; if that was set back a long way, the bucket
    counts as full. A key may be any text. Only a digest of it is stored, since it often contains an address. One
    statement if the bucket exists; only its row is locked.

    Raises `ValueError` unless rate, per and burst are above zero.
    """
    burst = int(rate) if burst is None else burst
    if rate <= 0 or per <= 0 or burst < 1:
        raise ValueError("rate, per and burst must be above zero")
    moment = time.time() if now is None else float(now)
    name, token = _digest(key), per / rate
    bucket = name, moment, moment + (burst - 1) * token, moment + burst * token + _SET_BACK, token
    if _take(*bucket):
        return True
    _row, made = TokenBucket.objects.get_or_create(key=name, defaults={"full_at": moment + token})
    taken = made or _take(*bucket) == 1  # another request may have created it in between
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


def refill(key: str) -> None:
    """Fill the bucket `key`, because what a token was taken for did not happen."""
    TokenBucket.objects.filter(key=_digest(key)).delete()


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def forget(now: datetime) -> None:
    """Delete the buckets that are full again."""
    TokenBucket.objects.filter(full_at__lt=now.timestamp() - _SET_BACK).delete()
