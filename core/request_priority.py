"""Requests go first: while this process answers some, its worker waits a moment before it lets the next computer player act.

All threads of a process share one interpreter, half of which a busy worker would take.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_lock: Final = threading.Lock()
_none: Final = threading.Event()
_none.set()
_answering = 0


@contextmanager
def answering() -> Iterator[None]:
    """A request is being answered, or waits for a thread that answers it."""
    global _answering
    with _lock:
        _answering += 1
        _none.clear()
    try:
        yield
    finally:
        with _lock:
            _answering -= 1
            if not _answering:
                _none.set()


def let_requests_go_first(most: float) -> None:
    """Wait until no request is being answered in this process, for so many seconds at most."""
    _none.wait(most)
