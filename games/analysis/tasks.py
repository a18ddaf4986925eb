"""Making analyses, one part at a time, in a process of its own that serves no pages and moves for no computer players.
The worker only gives it the next part and saves the result.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from typing import Final

from django.conf import settings

from domain.bots import worker_processes
from games import broadcast
from games.analysis import services
from games.analysis.parts import Answer, work
from games.analysis.services import Task

logger = logging.getLogger(__name__)

NICE: Final = 10
"""The niceness of the process, so that others go first, such as computer players for whom somebody is waiting."""


class Calculator:
    """The process that does the work. It is started when there is work and ended when there is none."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._task: Task | None = None
        self._answer: Future[Answer] | None = None

    def look(self, now: datetime) -> int:
        """Save the finished part, if any, and begin the next one. Returns how many parts were saved."""
        written, task = 0, None
        if self._answer is not None and self._task is not None:
            if not self._answer.done():
                return 0
            task, written = self._write(self._task, self._answer, now)
            self._task = self._answer = None
        task = task or services.take(now)
        if task is not None:
            self._begin(task)
        elif self._pool is not None:
            self.end()
        return written

    def _write(self, task: Task, answer: Future[Answer], now: datetime) -> tuple[Task | None, int]:
        try:
            return services.write(task, answer.result(), now), 1
        except Exception as error:
            logger.exception("a part of the analysis %s failed", task.analysis)
            if isinstance(error, BrokenProcessPool):
                self.end()
            services.count_failure(task, now)
            return None, 0

    def _begin(self, task: Task) -> None:
        if self._pool is None:
            # Compiling takes longer than a part may, so it is left to the computer players, who do it once.
            cache = settings.COMPILED_DIR if worker_processes.is_compiled(settings.COMPILED_DIR) else ""
            self._pool = worker_processes.new_pool(cache, NICE)
        self._task = task
        self._answer = self._pool.submit(work, task.whole, task.pack, task.part, task.worlds)
        self._answer.add_done_callback(_wake)

    def wait(self) -> None:
        """Wait until the current part is finished."""
        if self._answer is not None:
            wait([self._answer])

    def end(self) -> None:
        """End the process, after its current part."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = self._task = self._answer = None


def _wake(_answer: Future[Answer]) -> None:
    broadcast.wake_worker()


calculator = Calculator()
do_due: Callable[[datetime], int] = calculator.look
