"""What people are told when something cannot be done. Errors of ours are other exceptions, and are never shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import ClassVar, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core import metrics

UNPROCESSABLE: Final = 422


class Refusal(Exception):
    """Something that cannot be done now. Nothing has been written when it is raised.

    `code` names the reason for programs and never changes, `message` says it to people, and `status` is the HTTP status
    that says the same. Each app has one subclass with a table: the `words` of every code, and in `statuses` the codes that
    are not answered with 422. A further subclass is for what is caught by its type or carries more; it sets its `code`.
    """

    words: ClassVar[Mapping[str, str | Promise]] = {
        "request-reused": _("This page sent two different answers under one number. Reload the page and try again."),
    }
    statuses: ClassVar[Mapping[int, Collection[str]]] = {}
    code: str = ""

    def __init__(self, code: str = "", message: str | Promise = "") -> None:
        """`code` and `message` may stay away where the class has the one, and the table the other."""
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
