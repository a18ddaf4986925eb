"""Walliser German from a spelling that writes as it is spoken.

Rules after the “Anleitung zur Schreibung der Walliserdialekte” (walliserdialekt.ch) and Dieth’s guide, whose principles it
shares: vowels and consonants written twice are long, e and ä are two sounds, ie is a diphthong, sp and st begin a word as
schp and scht do. Stress is not marked, since the spelling does not tell it. Words in standard spelling (with an h that
lengthens, v, eu, an apostrophe) are left out: they do not say how they sound.
"""

from __future__ import annotations

import re
from typing import Final

_SOUNDS: Final = {
    "tsch": "tʃ",
    "schsch": "ʃː",
    "sch": "ʃ",
    "chch": "xː",
    "ch": "x",
    "ck": "kː",
    "tz": "ts",
    "ng": "ŋ",
    "gg": "k",
    "qu": "kʋ",
    # diphthongs
    "öüw": "øyʋ",
    "ouww": "ouʋː",
    "ouw": "ouʋ",
    "öü": "øy",
    "öi": "øi",
    "üo": "yo",
    "üö": "yø",
    "üe": "ye",
    "uo": "uo",
    "ue": "ue",
    "ie": "ie",
    "ei": "ei",
    "ou": "ou",
    "au": "au",
    "ai": "ai",
    # long vowels
    "aa": "aː",
    "ee": "eː",
    "ii": "iː",
    "oo": "oː",
    "uu": "uː",
    "ää": "æː",
    "öö": "øː",
    "üü": "yː",
    # long consonants
    **{letter * 2: f"{letter}ː" for letter in "bdflmnprst"},
    "ww": "ʋː",
    # single letters
    "ä": "æ",
    "ö": "ø",
    "ü": "y",
    "w": "ʋ",
    "z": "ts",
    "g": "ɡ",
    **{letter: letter for letter in "abdefhijklmnoprstu"},
}
_READ: Final = re.compile("|".join(sorted(map(re.escape, _SOUNDS), key=len, reverse=True)))
_STANDARD: Final = re.compile(r"[aeiouäöü]h|eu|äu|[vxyqß]|c(?![hk])")


def word(text: str) -> str:
    """The IPA of one word, without its stress; empty for what is not spelled as it is spoken."""
    spelled = text.lower()
    if not spelled.isalpha() or _STANDARD.search(spelled):
        return ""
    spelled = re.sub(r"^s(?=[pt])", "sch", spelled)
    read = _READ.findall(spelled)
    return "".join(_SOUNDS[group] for group in read) if "".join(read) == spelled else ""
