"""What is wrong with a text: shown to who writes it with the line, never to who reads it."""

from __future__ import annotations

from dataclasses import dataclass

MAX_BYTES = 60_000
MAX_NESTING = 8
"""Lists and quotes inside each other."""
MAX_PARAGRAPH = 8_000
"""Characters of one paragraph: what brackets cost to match grows with its square."""
MAX_TOLD = 100
"""Troubles that are told of one text; nobody reads more at once."""


@dataclass(frozen=True, slots=True, order=True)
class Trouble:
    """Something that cannot be shown as it was meant. `line` counts from 1; 0 concerns the whole text."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}: {self.message}" if self.line else self.message


class Broken(Exception):
    """A directive that cannot be made into anything; `line` counts from the directive's own line, which is 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
