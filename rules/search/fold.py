"""When two spellings sound the same, as far as is safe. `core.text.fold` says when they are the same in writing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from core.text import fold

_NUMERAL: Final = re.compile(r"[ivx]+")  # XXI is not XI
_SOUNDS: Final = (
    # German writes ä, ö, ü also as ae, oe, ue; the folded text has lost the dots.
    (re.compile(r"([aou])e"), r"\1"),
    # Swiss German writes as it speaks: Schtich, Schpiil.
    (re.compile(r"sch(?=[ptkg])"), "s"),
    # One sound in Sursilvan, and a German ear writes it in full: retg, "retsch".
    (re.compile(r"tsch"), "tg"),
    (re.compile(r"ck|gg+|c(?!h)"), "k"),
    (re.compile(r"qu"), "ku"),
    (re.compile(r"ph"), "f"),
    (re.compile(r"th|dt"), "t"),
    (re.compile(r"tz"), "z"),
    (re.compile(r"y|ie"), "i"),
    (re.compile(r"([^\W\d_])\1+"), r"\1"),
)


def skeleton(text: str) -> str:
    """What is left of a spelling when sounds that are commonly written in several ways are written in one.

    "Schwäärti", "schwarti" and "schwaerti" all give "schwarti"; "Troccas" and "Troggas" give "trokas". Works word by word
    on any text; on a skeleton it changes nothing. Never raises.
    """
    return " ".join(_word_skeleton(word) for word in fold(text).split())


@lru_cache(maxsize=8192)
def _word_skeleton(word: str) -> str:
    if _NUMERAL.fullmatch(word):
        return word
    while True:
        bare = word
        for pattern, sound in _SOUNDS:
            bare = pattern.sub(sound, bare)
        if bare == word:
            return bare
        word = bare
