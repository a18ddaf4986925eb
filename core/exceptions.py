"""The exception for what cannot be done, whose message people read. Bugs are other exceptions, and are never shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core import metrics

UNPROCESSABLE: Final = 422


class Refusal(Exception):
    """Something cannot be done now. Nothing has been written when this is raised.

    `code` is the reason for programs, and never changes; `message` is the reason for people; `status` is the matching
    HTTP status. Each app has one subclass with two tables: the `words` of every code, and in `statuses` the codes whose
    status is not 422. Further subclasses, which set their `code`, are for refusals that are caught by type or carry
    more data.
    """

    words: ClassVar[Mapping[str, str | Promise]] = {
        "request-reused": _("This page sent two different answers under one number. Reload the page and try again."),
    }
    statuses: ClassVar[Mapping[int, Collection[str]]] = {}
    code: str = ""

    def __init__(self, code: str = "", message: str | Promise = "") -> None:
        """`code` may be left out if the class sets it, and `message` if the code is in the table."""
        self.code = code or self.code
        self.message = message or self.words[self.code]
        super().__init__(self.code)
        metrics.refusals.labels(self.code).inc()

    def __str__(self) -> str:
        return str(self.message)

    @property
    def status(self) -> int:
        return self.status_of(self.code)

    @classmethod
    def status_of(cls, code: str) -> int:
        return next((status for status, codes in cls.statuses.items() if code in codes), UNPROCESSABLE)
