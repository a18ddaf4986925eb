"""Why house rules, results or books cannot be taken as they are. Words for it are made where there are readers."""

from __future__ import annotations


class StandingsRefused(ValueError):
    """Input that makes no sense; nothing was counted.

    `code` says what is wrong and `field` where (``bye.points``, ``penalties[2].code``), `facts` the numbers and names
    that belong into a sentence about it.
    """

    def __init__(self, code: str, field: str, **facts: str | int) -> None:
        super().__init__(f"{field}: {code} {facts}" if facts else f"{field}: {code}")
        self.code = code
        self.field = field
        self.facts = facts
