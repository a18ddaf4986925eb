"""The process dies: at some statement that it sends to the database nothing goes on, as if somebody had pulled the plug.

What stands in an open transaction is gone then, what was committed stays, and what was to follow the commit never does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import connection


class Died(BaseException):
    """No program catches this one, as none survives a power cut."""


@dataclass
class Plug:
    """Pulled now and then. `often`: how likely it is within one look of the worker or one request."""

    chance: random.Random
    often: float = 0.0
    most: int = 60
    """At the latest before this statement."""
    pulled: int = 0
    where: list[str] = field(default_factory=list)

    @contextmanager
    def in_danger(self) -> Iterator[None]:
        """Within this it may happen. Raises Died."""
        if self.chance.random() >= self.often:
            yield
            return
        left = self.chance.randint(1, self.most)

        def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
            nonlocal left
            # What Django sends to end a transaction comes too, once one is open; undoing it is what death does.
            if not sql.startswith(("ROLLBACK", "RELEASE")):
                left -= 1
            if left == 0:
                self.pulled += 1
                self.where.append(sql[:60])
                raise Died
            return execute(sql, params, many, context)

        with connection.execute_wrapper(count):
            yield
