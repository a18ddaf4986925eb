"""The one error of the pure packages. The site puts it into words for its readers."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class DomainError(ValueError):
    """Input that makes no sense, or does not fit the present state; nothing was done.

    `code` says what is wrong and `field` where (``bye.points``, ``penalties[2].code``; both from fixed words); `facts`
    are the numbers and names that a sentence about it needs.
    """

    def __init__(self, code: str, field: str = "", **facts: str | int) -> None:
        super().__init__(f"{field}: {code} {facts}" if facts else f"{field}: {code}")
        self.code = code
        self.field = field
        self.facts = facts


def refuse_if(wrong: object, code: str, field: str = "", **facts: str | int) -> None:
    """Raise DomainError(code, field, **facts) if `wrong` is true."""
    if wrong:
        raise DomainError(code, field, **facts)


def require(value: T | None, code: str, field: str = "", **facts: str | int) -> T:
    """Return `value`, or raise DomainError(code, field, **facts) if it is None."""
    if value is None:
        raise DomainError(code, field, **facts)
    return value
