"""Why something cannot be done now. Words for it are made where there are readers."""

from __future__ import annotations


class EveningRefused(ValueError):
    """Something that does not fit the state of the tournament, or makes no sense; nothing has changed.

    `code` says what is wrong and `field` where (both fixed words), `facts` the numbers and names that belong into a
    sentence about it.
    """

    def __init__(self, code: str, field: str = "", **facts: str | int) -> None:
        super().__init__(f"{field}: {code} {facts}")
        self.code = code
        self.field = field
        self.facts = facts
