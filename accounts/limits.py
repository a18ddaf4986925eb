"""A token bucket on Django's cache: how often somebody may do something.

With one shared cache (database or Redis) the limit holds for all processes together.
"""

from __future__ import annotations

import hashlib
import ipaddress
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from allauth.account.adapter import get_adapter
from django.core.cache import cache

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

_LOCK_SECONDS = 2
"""A bucket whose holder died is free again after this time; whoever asks meanwhile waits that long."""
_WAITS = 18
_WAIT_SECONDS = 0.02
_LONGEST_WAIT = 0.25


def take(key: str, *, rate: float, per: float, burst: int, now: float | None = None) -> bool:
    """Take one token from the bucket `key`; False means "not now".

    The bucket holds at most `burst` tokens, starts full, and gains `rate` tokens every `per` seconds. `now` is in seconds
    since the epoch, the clock by default. A key may be any text; it is stored only as a digest, since it often holds an
    address. A bucket that stays busy for some four seconds refuses: whoever asks that often has had enough.

    Raises `ValueError` unless rate, per and burst are above zero.
    """
    if rate <= 0 or per <= 0 or burst < 1:
        raise ValueError("rate, per and burst must be above zero")
    moment = time.time() if now is None else now
    name = "bucket:" + hashlib.sha256(key.encode()).hexdigest()
    with _held(name) as mine:
        if not mine:
            return False
        tokens, stamp = cache.get(name, (float(burst), moment))
        # A clock set back must not empty a bucket: time passed is never negative.
        tokens = min(float(burst), tokens + max(0.0, moment - stamp) * rate / per)
        granted: bool = tokens >= 1.0
        # After this long the bucket would be full again, which is what a missing one means.
        until_full = int(burst * per / rate) + 1
        cache.set(name, (tokens - 1.0 if granted else tokens, moment), timeout=until_full)
        return granted


def address_of(request: HttpRequest) -> str:
    """The visitor's address as a limit should see it: an IPv6 visitor owns a whole /64, so that is what counts.

    Proxies are trusted as allauth's settings say (`ALLAUTH_TRUSTED_PROXY_COUNT`). Raises `PermissionDenied` where
    there is no address at all.
    """
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


@contextmanager
def _held(name: str) -> Iterator[bool]:
    """Hold the bucket alone; yields False if it stayed busy. `cache.add` is the one atomic step that every cache has."""
    lock = name + ":held"
    for attempt in range(_WAITS):
        if cache.add(lock, 1, timeout=_LOCK_SECONDS):
            break
        time.sleep(min(_WAIT_SECONDS * 2**attempt, _LONGEST_WAIT))
    else:
        yield False
        return
    try:
        yield True
    finally:
        cache.delete(lock)
