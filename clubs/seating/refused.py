"""Why something cannot be seated. Words for it are made where there are readers."""

from __future__ import annotations


class SeatingRefused(ValueError):
    """Input that makes no sense; nothing was drawn.

    `code` says what is wrong and `field` where (both fixed words of this package), `facts` the numbers and names that
    belong into a sentence about it. Numbers of players, repeats and absences are never a reason: what must repeat, repeats.
    """

    def __init__(self, code: str, field: str, **facts: str | int) -> None:
        super().__init__(f"{field}: {code} {facts}" if facts else f"{field}: {code}")
        self.code = code
        self.field = field
        self.facts = facts
