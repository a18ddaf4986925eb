"""When two spellings are the same but for case, accents and hyphens."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LETTERS: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ſ": "s"})
_BETWEEN: Final = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """The words of `text` in small letters without marks, one blank between them: "S-chüra d’aur" -> "s chura d aur".

    What is neither letter nor figure separates words. Folding twice changes nothing. Never raises.
    """
    if not text.isascii():
        text = _plain_letters(text)
    return _BETWEEN.sub(" ", text.lower()).strip()


def _plain_letters(text: str) -> str:
    # Once is not always enough: a compatibility form may hold a capital, and that capital another form.
    while True:
        plain = unicodedata.normalize("NFKD", text.casefold()).translate(_LETTERS)
        plain = "".join(char for char in plain if not unicodedata.category(char).startswith("M"))
        if plain == text:
            return plain
        text = plain
