"""What is wrong with a document, in words for whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.exceptions import Refusal


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend: where it is (`terms.0.text`; empty for the whole document), and what to do about it."""

    field: str
    message: str | Promise

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else str(self.message)


class BadDocument(Refusal):
    """A document that cannot be kept as it is. `problems` lists everything that is wrong, in the order of the fields."""

    words = {"bad-document": _("Some of it must be mended first. Nothing has been changed yet.")}
    code = "bad-document"

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__()
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "; ".join(map(str, self.problems))
