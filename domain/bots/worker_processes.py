"""Computer players in processes of their own, so that the processes that serve pages never wait for them.

The plain process is available at once. Meanwhile another one compiles the fast core, if numba is installed, and takes
over when it is ready (docs/adr/0023-computer-players.md). This module must not import the core, because a process must
set first whether it is compiled.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import signal
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
"""After this many late answers in a row the processes are ended. Not earlier: on a busy machine the one that compiles
would start again and again."""
_LOOK: Final = 2.0  # seconds between checks whether the parent process is still alive


class WorkerProcess:
    """A process that chooses actions for all callers, started at the first call; thread-safe.

    `cache` is a folder for compiled code, kept between starts; without it, or without numba, nothing is compiled.
    `told` is called for each answer with its origin: the `compiled` process, the `plain` one, or, if both failed, the
    caller's own (`here`).
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
        """The result of `advice.choose`. If the processes fail, it is computed in this one."""
        try:
            future, by = self._submit(view, level, seed)
            action = future.result(LONGEST)
            self._late = 0
        except (BrokenExecutor, CancelledError, TimeoutError, OSError) as error:
            self._late += isinstance(error, TimeoutError)
            if isinstance(error, TimeoutError) and self._late < LATE_AT_MOST:
                logger.warning("a computer player apart has not answered in %g s", LONGEST)
            else:
                logger.exception("computer players cannot think apart")
                self.close()
            by = "here"
            action = _choose(view, level, seed)
        if self._told is not None:
            self._told(by)
        return action

    def _submit(self, view: View, level: str, seed: bytes) -> tuple[Future[Action], str]:
        """Submit the question to a process. Returns the future, and which process it is.

        Takes the lock, so that no process is ended meanwhile.
        """
        with self._lock:
            self._start_or_switch()
            pool, by = (self._compiled, "compiled") if self._plain is None else (self._plain, "plain")
            assert pool is not None
            return pool.submit(_choose, view, level, seed), by

    def _start_or_switch(self) -> None:
        if self._plain is None and self._compiled is None:
            self._plain = new_pool("")
            if self._cache and importlib.util.find_spec("numba") is not None:
                self._compiled = new_pool(self._cache)
                self._warm = self._compiled.submit(_warm)
        if self._warm is None or not self._warm.done():
            return
        error = self._warm.exception()
        if error is None and not self._warm.result() and self._compiled is not None:
            # Compiling took 200 MB more than deciding does: start again and load the compiled code from the cache.
            self._compiled.shutdown(wait=False)
            self._compiled = new_pool(self._cache)
            self._warm = self._compiled.submit(_warm)
            return
        self._warm = None
        if error is None:
            logger.info("computer players think compiled now")
            stale, self._plain = self._plain, None
        else:
            logger.warning("computer players stay uncompiled: %r", error)
            stale, self._compiled = self._compiled, None
        if stale is not None:
            stale.shutdown(wait=False)

    def close(self) -> None:
        """End the processes; the next call starts new ones."""
        with self._lock:
            for pool in (self._plain, self._compiled):
                if pool is not None:
                    pool.shutdown(wait=False, cancel_futures=True)
            self._plain = self._compiled = self._warm = None
            self._late = 0


def new_pool(cache: str, nice: int = 5) -> ProcessPoolExecutor:
    """A pool of one process of lower priority, which ends with this one and not at Ctrl-C. Raises OSError.

    The core is compiled in it if numba is installed and a `cache` folder is given.
    """
    # Servers end without waiting for it. Python then removes its semaphores as it should, but warns of them.
    os.environ.setdefault("PYTHONWARNINGS", "ignore:resource_tracker:UserWarning")
    pool = ProcessPoolExecutor(1, get_context("spawn"), _begin, (os.getpid(), cache, nice))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # the process inherits it from its first step on
    try:
        pool.submit(int)  # this starts it
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return pool


def _begin(asker: int, cache: str, nice: int) -> None:
    os.nice(nice)
    threading.Thread(target=_end_with, args=(asker,), daemon=True).start()
    if cache and importlib.util.find_spec("numba") is not None:
        os.environ["TROCCAS_COMPILED"] = "1"
        os.environ["NUMBA_CACHE_DIR"] = cache


def is_compiled(cache: str) -> bool:
    """Whether this folder has compiled code."""
    return bool(cache) and any(Path(cache).rglob("*.nbc"))


def _end_with(asker: int) -> None:
    while os.getppid() == asker:
        time.sleep(_LOOK)
    os._exit(0)


def _choose(view: View, level: str, seed: bytes) -> Action:
    from domain.bots.advice import choose  # noqa: PLC0415  # not before it is set whether the core is compiled

    return choose(view, level=level, seed=seed)


def _warm() -> bool:
    """Compile everything that a decision needs, or load it from the cache. Returns whether it was in the cache."""
    from domain.bots.fast.warming import warm  # noqa: PLC0415  # as above

    cached = is_compiled(os.environ["NUMBA_CACHE_DIR"])  # the folder that `compiling` has chosen
    warm()
    return cached
