"""Django's SQLite, with the threads of a process writing in the order in which they ask.

SQLite lets one writer in at a time. A writer that finds it busy sleeps, tries again, and may be overtaken by a
newcomer: with eight writers some wait for seconds. The queue only puts them in order. SQLite itself still makes sure
that two never write at once, so other processes are as safe as ever, and a writer that has waited too long in the queue
asks SQLite directly.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from django.db import DEFAULT_DB_ALIAS
from django.db.backends.sqlite3 import base

logger = logging.getLogger(__name__)

PATIENCE: Final = 20.0
"""Seconds in the queue, as long as SQLite itself waits."""
WRITING: Final = ("INSERT", "UPDATE", "DELETE")
LONG: Final = 5.0
"""Seconds after which a transaction is logged, because it kept all other writers waiting."""


class Queue:
    """A fair lock: whoever leaves hands over to the thread that has waited longest, so nobody is overtaken."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._taken = False

    def enter(self, patience: float) -> bool:
        """Wait for a turn, for at most `patience` seconds, and return whether it came.

        After True, `leave` must be called, from any thread.
        """
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._waiting.append(turn)
        if turn.acquire(timeout=patience):
            return True
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
        return True  # it came at the last moment

    def leave(self) -> None:
        """Let the next one enter."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


_queues: Final[dict[str, Queue]] = {}


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that enters the queue of its file before a transaction begins, and leaves it after the end.

    It also queues for a single writing statement outside transactions: among many waiting writers that would hardly
    ever find the file free.
    """

    _entered: Queue | None = None
    _began = 0.0
    """When the open transaction got the lock, in seconds of the monotonic clock."""

    def __init__(self, settings_dict: dict[str, object], alias: str = DEFAULT_DB_ALIAS) -> None:
        super().__init__(settings_dict, alias)
        self.execute_wrappers.append(self._execute_in_order)

    def _execute_in_order(
        self,
        execute: Callable[[str, object, bool, dict[str, object]], object],
        sql: str,
        params: object,
        many: bool,
        context: dict[str, object],
    ) -> object:
        if self.in_atomic_block or not sql.startswith(WRITING):
            return execute(sql, params, many, context)
        self._enter()
        try:
            return execute(sql, params, many, context)
        finally:
            self._leave()

    def _start_transaction_under_autocommit(self) -> None:
        self._enter()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs leave it out
        except BaseException:
            self._leave()
            raise
        self._began = time.monotonic()

    def _commit(self) -> None:
        commit_began = time.monotonic()
        super()._commit()  # type: ignore[misc]  # the stubs leave it out
        if self._entered is not None and (held := time.monotonic() - self._began) > LONG:
            on_disk = time.monotonic() - commit_began
            logger.warning(
                "a transaction kept all others from writing for %.1f s, %.1f of it for the disk", held, on_disk
            )
        self._leave()  # a commit that fails is followed by a rollback

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._leave()

    def _enter(self) -> None:
        queue = _queues.setdefault(str(self.settings_dict["NAME"]), Queue())
        if self._entered is None and queue.enter(PATIENCE):
            self._entered = queue

    def _leave(self) -> None:
        if self._entered is not None:
            queue, self._entered = self._entered, None
            queue.leave()
