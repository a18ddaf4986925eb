"""What a lower app must know of those above it, without importing them: they hand it in from `AppConfig.ready`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """What was registered, each once, in that order."""

    def __init__(self, *entries: T) -> None:
        self._entries = list(entries)

    def register(self, *entries: T) -> None:
        self._entries += [entry for entry in entries if entry not in self._entries]

    def __iter__(self) -> Iterator[T]:
        return iter(self._entries)
