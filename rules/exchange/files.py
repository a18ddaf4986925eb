"""A file that somebody sends: how large it may be, how it is decoded, and what is wrong with it, line by line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from rules.refused import Refused

MOST_BYTES: Final = 5_000_000


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing wrong with a file; `line` counts from 1, 0 is the file as a whole."""

    line: int
    message: str | Promise

    def __str__(self) -> str:
        if not self.line:
            return str(self.message)
        return str(_("line %(line)d: %(message)s") % {"line": self.line, "message": self.message})


class BadFile(Refused):
    """A file that cannot be read; nothing of it has been taken."""

    code = "bad-file"
    message = _("This file cannot be read. Nothing has been changed.")

    def __init__(self, flaws: Iterable[Flaw]) -> None:
        super().__init__()
        self.flaws = tuple(flaws)

    def __str__(self) -> str:
        return "\n".join(map(str, self.flaws))


def check_size(length: int) -> None:
    """Raises BadFile for a file that is too large to be read, or empty."""
    if length > MOST_BYTES:
        raise BadFile([Flaw(0, format_lazy(_("This file is too large: at most {most} MB, please."), most=MOST_BYTES // 1_000_000))])  # fmt: skip
    if not length:
        raise BadFile([Flaw(0, _("This file is empty."))])


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8. Raises BadFile with the line where it is something else."""
    check_size(len(data))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile([Flaw(line, _("This is not UTF-8. Save the file as “CSV UTF-8” and send it again."))]) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise BadFile([Flaw(line, _("There is a character in it that no text has. Is this file a table?"))])
    return text
