"""The one error of the pure packages. Words for it are made where there are readers."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class DomainError(ValueError):
    """Input that makes no sense, or does not fit what is there; nothing was done.

    `code` says what is wrong and `field` where (``bye.points``, ``penalties[2].code``; both from fixed words), `facts` the
    numbers and names that belong into a sentence about it.
    """

    def __init__(self, code: str, field: str = "", **facts: str | int) -> None:
        super().__init__(f"{field}: {code} {facts}" if facts else f"{field}: {code}")
        self.code = code
        self.field = field
        self.facts = facts


def refuse_if(wrong: object, code: str, field: str = "", **facts: str | int) -> None:
    """Raise DomainError, of which these are the parts, if what is said first holds."""
    if wrong:
        raise DomainError(code, field, **facts)


def found(value: T | None, code: str, field: str = "", **facts: str | int) -> T:
    """The value, if there is one; else raise DomainError, of which these are the parts."""
    if value is None:
        raise DomainError(code, field, **facts)
    return value
