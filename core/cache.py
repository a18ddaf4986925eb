"""What is kept for a moment may be forgotten: while Redis is away nothing is found, and nothing breaks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


class ForgetfulRedisCache(RedisCache):
    """Django's cache on Redis. Where Redis does not answer, every question is answered as by an empty cache."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:  # type: ignore[explicit-any]  # as Django has it
        super().__init__(server, params)
        self._class = _Client


class _Client(RedisCacheClient):
    """Speaks with Redis; what is said where it does not answer stands in `_FORGOTTEN`."""


def _forgiving(name: str, otherwise: Callable[..., _Answer]) -> Callable[..., _Answer]:  # type: ignore[explicit-any]  # whatever a method takes
    asked = getattr(RedisCacheClient, name)

    @wraps(asked)
    def ask(*arguments: Any, **named: Any) -> _Answer:  # type: ignore[explicit-any]  # whatever a method takes
        try:
            return asked(*arguments, **named)  # type: ignore[no-any-return]
        except RedisError as why:
            logger.warning("Redis does not answer (%s)", type(why).__name__)
            return otherwise(*arguments, **named)

    return ask


_FORGOTTEN: Final[dict[str, Callable[..., object]]] = {  # type: ignore[explicit-any]  # whatever a method takes
    "add": lambda *_asked: True,
    "get": lambda _client, _key, default=None: default,
    "set": lambda *_asked: None,
    "touch": lambda *_asked: False,
    "delete": lambda *_asked: False,
    "get_many": lambda *_asked: {},
    "has_key": lambda *_asked: False,
    "set_many": lambda *_asked: None,
    "delete_many": lambda *_asked: None,
}
for _name, _otherwise in _FORGOTTEN.items():
    setattr(_Client, _name, _forgiving(_name, _otherwise))
