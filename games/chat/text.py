"""Text that people write, made harmless: what cannot be seen goes, what would climb out of its line is cut. And greetings, which
everybody reads in their own language.

Nothing here refuses a text because of a character: what is pasted from a telephone is full of invisible ones. Templates
escape everything, and nothing becomes a link.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _

from accounts.names import MARKS_IN_A_ROW

_JOINER: Final = "\u200d"
"""Invisible, but what many pictures in a text are put together with."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Controls, direction overrides and zero-width signs, surrogates, private and unassigned characters."""


def one_line(raw: str) -> str:
    """`raw` as one line of visible characters in NFC, with single spaces; may be empty."""
    return " ".join(_visible(raw).split())


def lines(raw: str) -> str:
    """`raw` with its lines, at most one empty between two, each of visible characters; may be empty."""
    kept = [one_line(line) for line in re.split(r"\r\n|[\r\n\u2028\u2029]", raw)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def _visible(raw: str) -> str:
    """Without unseen characters (white space becomes a space), without joiners that join nothing and marks in heaps."""
    found: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", raw):
        category = unicodedata.category(character)
        if character.isspace() or category in ("Zl", "Zp"):
            character, category = " ", "Zs"
        elif character == _JOINER:
            if not found or not _is_picture(found[-1]):
                continue
        elif category in _UNSEEN:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MARKS_IN_A_ROW:
            found.append(character)
    return "".join(found).rstrip(_JOINER)


def _is_picture(character: str) -> bool:
    """Whether a joiner may stand after this: a symbol, one of its skin tones, or the sign that makes it a picture."""
    return unicodedata.category(character) in ("So", "Sk") or character == "\ufe0f"


def greetings() -> Mapping[str, str]:
    """The greetings by their id, in the reader's language, in the order in which they are offered."""
    return {
        "hello": _("Hello everybody"),
        "have-fun": _("Have a good game"),
        "well-played": _("Well played"),
        "thanks": _("Thank you"),
        "sorry": _("Sorry"),
        "one-moment": _("One moment, please"),
        "back": _("I am back"),
        "goodbye": _("Goodbye"),
    }


def text_of(greeting: str) -> str:
    """A greeting in the reader's language; its id for one that is no longer offered."""
    return greetings().get(greeting, greeting)
