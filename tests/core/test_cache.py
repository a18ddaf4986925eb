"""The cache while Redis is away."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.cache.backends.redis import RedisCache

from core.cache import ForgetfulRedisCache
from tests.live import free_port


@pytest.fixture
def nobody_there() -> str:
    return f"redis://127.0.0.1:{free_port()}/0"


def test_without_redis_nothing_is_found_and_nothing_breaks(nobody_there: str):
    cache = ForgetfulRedisCache(nobody_there, {})
    cache.set("place", 1, 10)
    assert cache.get("place") is None
    assert cache.get("place", "nothing") == "nothing"
    assert cache.get_many(["place", "other"]) == {}
    assert cache.add("place", 1, 10)
    assert not cache.delete("place")
    assert not cache.touch("place")
    assert "place" not in cache
    cache.set_many({"place": 1})
    cache.delete_many(["place"])


def test_djangos_own_would_break_pages(nobody_there: str):
    from redis.exceptions import RedisError

    with pytest.raises(RedisError):
        RedisCache(nobody_there, {}).get("place")


def test_a_site_with_redis_uses_it():
    text = (settings.BASE_DIR / "troccas_site" / "settings.py").read_text(encoding="utf-8")
    assert '"BACKEND": "core.cache.ForgetfulRedisCache"' in text
