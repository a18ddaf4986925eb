"""One after the other, in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque


class Queue:
    """Lets one in at a time. The one that leaves hands over to the one that has waited longest: nobody is overtaken."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._taken = False

    def enter(self, patience: float) -> bool:
        """Wait for one's turn, at most so many seconds; whether it came. After True, `leave` must be called, from whatever thread."""
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
        """The next may enter."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
