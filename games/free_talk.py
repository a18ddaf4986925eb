"""What may not be said in the talk, where a table allows free words: suits, and cards by name but the XXI and the Fool.

The phrase book holds nothing of the kind. Words are looked for in all languages of the names, accents aside.
Source: `docs/rules.md`, `troccas` 4.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from rules.terms import following
from rules.text import names

_LANGUAGES: Final = ("en", "de", "rm-sursilv")
_SPOKEN_OF: Final = ("T21", "F")
_SMALL_WORDS: Final = frozenset({"il", "la", "igl", "ils", "las", "the", "der", "die", "das", "of", "and", "da", "de"})


def named_card(words: str) -> str:
    """The first word in free talk that names a suit or a card, as it was written; empty if there is none."""
    for word in re.findall(r"[^\W_]+", words):
        if _folded(word) in _forbidden():
            return word
    return ""


@following
def _forbidden() -> frozenset[str]:
    allowed = {_folded(word) for code in _SPOKEN_OF for word in _words_of(code)}
    found: set[str] = set()
    for language in _LANGUAGES:
        for suit in "COSB":
            found.update(map(_folded, re.findall(r"[^\W_]+", names.suit_name(suit, language))))
        for rank in "KQNJ":
            found.update(map(_folded, re.findall(r"[^\W_]+", names.rank_name(rank, language))))
    for number in range(1, 21):
        found.update(map(_folded, _words_of(f"T{number}")))
    # A single letter or numeral says nothing by itself, and "the" is no card.
    return frozenset(word for word in found - allowed - _SMALL_WORDS if len(word) > 2 and not _numeral(word))


def _words_of(code: str) -> list[str]:
    return [word for language in _LANGUAGES for word in re.findall(r"[^\W_]+", names.card_name(code, language))]


def _numeral(word: str) -> bool:
    return not set(word) - set("ivx")


def _folded(word: str) -> str:
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(letter)
    )
