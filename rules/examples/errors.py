"""What is wrong with an example, said to who writes it."""

from __future__ import annotations


class BadExample(Exception):
    """An example that cannot be shown. `message` says in the active language what is wrong and where.

    `field` names the line of the example it is about, empty if it is about the whole; `line` counts from 1 inside the
    example, 0 where it is not known.
    """

    def __init__(self, message: str, field: str = "", line: int = 0) -> None:
        super().__init__(f"{field}: {message}" if field else message)
        self.message = str(self)
        self.field = field
        self.line = line
