"""Why results cannot be rated as they are. Words for it are made where there are readers."""

from __future__ import annotations


class RatingsRefused(ValueError):
    """Input that makes no sense; nothing was rated.

    `code` says what is wrong and `field` where (``results[t17].deals``), `facts` the numbers and names that belong into
    a sentence about it.
    """

    def __init__(self, code: str, field: str, **facts: str | int) -> None:
        super().__init__(f"{field}: {code} {facts}" if facts else f"{field}: {code}")
        self.code = code
        self.field = field
        self.facts = facts
