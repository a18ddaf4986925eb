"""What a lower app must know about apps above it, without importing them: those register it in `AppConfig.ready`."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class Registry(list[T]):
    """The registered entries, each once, in the order in which they were registered."""

    def register(self, *entries: T) -> None:
        self += [entry for entry in entries if entry not in self]
