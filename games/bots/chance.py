"""Small free choices (which phrase, where to cut) that differ from game to game and yet can be worked out again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from games.engine.view import View

Thing = TypeVar("Thing")


class Dice:
    """Numbers that depend on nothing but a seed, the seat, and how many actions have happened."""

    __slots__ = ("_key", "_thrown")

    def __init__(self, seed: bytes, view: View) -> None:
        self._key = b"%b|%d|%d" % (seed, -1 if view.seat is None else view.seat, len(view.history))
        self._thrown = 0

    def below(self, limit: int) -> int:
        """A number from 0 up to `limit` - 1 (`limit` at least 1)."""
        self._thrown += 1
        digest = hashlib.sha256(b"%b|%d" % (self._key, self._thrown)).digest()
        return int.from_bytes(digest[:8], "big") % limit

    def one_of(self, things: Sequence[Thing]) -> Thing:
        """One of `things`, which must not be empty."""
        return things[self.below(len(things))]
