"""A cache on Redis that may forget: while Redis is away nothing is found in it, but nothing breaks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
_Result = TypeVar("_Result")


class ForgetfulRedisCache(RedisCache):
    """Django's cache on Redis. While Redis does not answer, it behaves like an empty cache."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:  # type: ignore[explicit-any]  # as Django has it
        super().__init__(server, params)
        self._class = _Client


class _Client(RedisCacheClient):
    """A client whose methods fall back to those in `_FALLBACKS` while Redis does not answer."""


def _with_fallback(name: str, fallback: Callable[..., _Result]) -> Callable[..., _Result]:  # type: ignore[explicit-any]  # whatever a method takes
    method = getattr(RedisCacheClient, name)

    @wraps(method)
    def call(*arguments: Any, **named: Any) -> _Result:  # type: ignore[explicit-any]  # whatever a method takes
        try:
            return method(*arguments, **named)  # type: ignore[no-any-return]
        except RedisError as error:
            logger.warning("Redis does not answer (%s)", type(error).__name__)
            return fallback(*arguments, **named)

    return call


_FALLBACKS: Final[dict[str, Callable[..., object]]] = {  # type: ignore[explicit-any]  # whatever a method takes
    "add": lambda *_arguments: True,
    "get": lambda _client, _key, default=None: default,
    "set": lambda *_arguments: None,
    "touch": lambda *_arguments: False,
    "delete": lambda *_arguments: False,
    "get_many": lambda *_arguments: {},
    "has_key": lambda *_arguments: False,
    "set_many": lambda *_arguments: None,
    "delete_many": lambda *_arguments: None,
}
for _name, _fallback in _FALLBACKS.items():
    setattr(_Client, _name, _with_fallback(_name, _fallback))
