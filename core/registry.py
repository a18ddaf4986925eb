"""What a lower app must know of those above it, without importing them: they hand it in from `AppConfig.ready`."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class Registry(list[T]):
    """What was registered, each once, in that order."""

    def register(self, *entries: T) -> None:
        self += [entry for entry in entries if entry not in self]
