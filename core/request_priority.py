"""Requests go first: while this process is answering any, its worker waits a moment before a computer player acts.

All threads of a process share one interpreter, and a busy worker would take half of it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_lock: Final = threading.Lock()
_idle: Final = threading.Event()
"""Set while no request is being answered."""
_idle.set()
_answering = 0


@contextmanager
def answering() -> Iterator[None]:
    """Mark the block as answering a request, or waiting for a thread to answer it."""
    global _answering
    with _lock:
        _answering += 1
        _idle.clear()
    try:
        yield
    finally:
        with _lock:
            _answering -= 1
            if not _answering:
                _idle.set()


def let_requests_go_first(most: float) -> None:
    """Wait until no request is being answered in this process, for at most `most` seconds."""
    _idle.wait(most)
