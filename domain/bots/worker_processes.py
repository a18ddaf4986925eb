"""Computer players that think in processes of their own, so that who serves pages never waits for them.

The plain process is there at once; meanwhile another one compiles the fast core, where numba is installed, and takes over when
it is ready (docs/adr/0023-computer-players.md). This module must not import the core: a process says first whether it is
compiled.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from domain.engine.actions import Action
from domain.engine.view import View

logger = logging.getLogger(__name__)

LONGEST: Final = 20.0  # seconds to wait for an answer, on the busiest machine
LATE_AT_MOST: Final = 3
"""So many answers that do not come in time, one after the other, end the processes. Fewer leave them: on a busy machine the one that
compiles would begin again and again."""
_LOOK: Final = 2.0  # seconds between looks whether who asked still lives


class WorkerProcess:
    """One process that chooses for all who ask, begun when somebody first asks; safe for threads.

    `cache` is a folder for what is compiled, kept from one start to the next; without one, or without numba, nothing is.
    `told` hears who gave each answer: the process that is `compiled`, the `plain` one, or, when both failed, who asked (`here`).
    """

    def __init__(self, cache: str = "", told: Callable[[str], None] | None = None) -> None:
        self._cache = cache
        self._told = told
        self._lock = threading.Lock()
        self._plain: ProcessPoolExecutor | None = None
        self._compiled: ProcessPoolExecutor | None = None
        self._warm: Future[bool] | None = None
        self._late = 0

    def choose(self, view: View, *, level: str, seed: bytes) -> Action:
        """What `advice.choose` says. If the processes fail it is said in this one."""
        try:
            asked, by = self._asked(view, level, seed)
            action = asked.result(LONGEST)
            self._late = 0
        except (BrokenExecutor, CancelledError, TimeoutError, OSError) as failed:
            self._late += isinstance(failed, TimeoutError)
            if isinstance(failed, TimeoutError) and self._late < LATE_AT_MOST:
                logger.warning("a computer player apart has not answered in %g s", LONGEST)
            else:
                logger.exception("computer players cannot think apart")
                self.close()
            by = "here"
            action = _choose(view, level, seed)
        if self._told is not None:
            self._told(by)
        return action

    def _asked(self, view: View, level: str, seed: bytes) -> tuple[Future[Action], str]:
        """The question, put to the process that answers it, and which that is. Holds the lock, so that none ends meanwhile."""
        with self._lock:
            self._begin_or_change()
            pool, by = (self._compiled, "compiled") if self._plain is None else (self._plain, "plain")
            assert pool is not None
            return pool.submit(_choose, view, level, seed), by

    def _begin_or_change(self) -> None:
        if self._plain is None and self._compiled is None:
            self._plain = _begun("")
            if self._cache and importlib.util.find_spec("numba") is not None:
                self._compiled = _begun(self._cache)
                self._warm = self._compiled.submit(_warm)
        if self._warm is None or not self._warm.done():
            return
        failed = self._warm.exception()
        if failed is None and not self._warm.result() and self._compiled is not None:
            self._compiled.shutdown(
                wait=False
            )  # compiling took 200 MB more than deciding does: what is kept is read anew
            self._compiled = _begun(self._cache)
            self._warm = self._compiled.submit(_warm)
            return
        self._warm = None
        if failed is None:
            logger.info("computer players think compiled now")
            stale, self._plain = self._plain, None
        else:
            logger.warning("computer players stay uncompiled: %r", failed)
            stale, self._compiled = self._compiled, None
        if stale is not None:
            stale.shutdown(wait=False)

    def close(self) -> None:
        """End the processes; who asks then begins new ones."""
        with self._lock:
            for pool in (self._plain, self._compiled):
                if pool is not None:
                    pool.shutdown(wait=False, cancel_futures=True)
            self._plain = self._compiled = self._warm = None
            self._late = 0


def _begun(cache: str) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), begin, (os.getpid(), cache, 5))


def begin(asker: int, cache: str, nice: int) -> None:
    """In a new process: let others go first by so much, end with the process that asked, and compile where numba is installed
    and a folder for what is compiled is named."""
    os.nice(nice)
    threading.Thread(target=_end_with, args=(asker,), daemon=True).start()
    if cache and importlib.util.find_spec("numba") is not None:
        os.environ["TROCCAS_COMPILED"] = "1"
        os.environ["NUMBA_CACHE_DIR"] = cache


def is_compiled(cache: str) -> bool:
    """Whether this folder holds something that was compiled before."""
    return bool(cache) and any(Path(cache).rglob("*.nbc"))


def _end_with(asker: int) -> None:
    while os.getppid() == asker:
        time.sleep(_LOOK)
    os._exit(0)


def _choose(view: View, level: str, seed: bytes) -> Action:
    from domain.bots.advice import choose  # noqa: PLC0415  # not before it is said whether the core is compiled

    return choose(view, level=level, seed=seed)


def _warm() -> bool:
    """Compile all that a decision needs, or read what is kept of it; whether there was."""
    from domain.bots.fast.warming import warm  # noqa: PLC0415  # as above

    kept = is_compiled(os.environ["NUMBA_CACHE_DIR"])  # the folder that `compiling` has chosen
    warm()
    return kept
