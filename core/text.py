"""Compare spellings regardless of case, accents and hyphens (`fold`), or by their sound (`skeleton`).

And clean up text that people write (`one_line`, `lines`): remove invisible characters, and heaps of marks that would
climb out of the line. No text is refused because of a character: text pasted from a telephone is full of invisible
ones. Templates escape everything, and nothing becomes a link.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_LETTERS: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ſ": "s"})
_BETWEEN: Final = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """The words of `text` in small letters without marks, with single spaces: "S-chüra d’aur" -> "s chura d aur".

    Any character that is neither a letter nor a digit separates words. Folding twice changes nothing. Never raises.
    """
    if not text.isascii():
        text = _plain_letters(text)
    return _BETWEEN.sub(" ", text.lower()).strip()


def _plain_letters(text: str) -> str:
    # Once is not always enough: a compatibility form may contain a capital, and the capital another form.
    while True:
        plain = unicodedata.normalize("NFKD", text.casefold()).translate(_LETTERS)
        plain = "".join(char for char in plain if not unicodedata.category(char).startswith("M"))
        if plain == text:
            return plain
        text = plain


_NUMERAL: Final = re.compile(r"[ivx]+")  # XXI is not XI
_SOUNDS: Final = (
    # In German, ä, ö, ü are also written ae, oe, ue; the folded text has lost the dots.
    (re.compile(r"([aou])e"), r"\1"),
    # Swiss German is written as it is spoken: Schtich, Schpiil.
    (re.compile(r"sch(?=[ptkg])"), "s"),
    # One sound in Sursilvan, which German speakers spell out: retg, "retsch".
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
    """A spelling in which sounds that are commonly written in several ways are written in one.

    "Schwäärti", "schwarti" and "schwaerti" all give "schwarti"; "Troccas" and "Troggas" give "trokas". Works word by word
    on any text. Applied to a skeleton, it changes nothing. Never raises.
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


MARKS_IN_A_ROW: Final = 2
"""How many combining marks a letter may carry; more would climb out of the line."""

_JOINER: Final = "\u200d"
"""The zero-width joiner: invisible, but many emoji are composed with it."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Controls, direction overrides and zero-width signs, surrogates, private and unassigned characters."""


def one_line(raw: str) -> str:
    """`raw` as one line of visible characters in NFC, with single spaces; may be empty."""
    return " ".join(_visible(raw).split())


_BREAKING: Final = re.compile(r"[ \t\n\r\f\v]+")


def unwrapped(text: str) -> str:
    """A wrapped `text` of our own on one line. No-break spaces stay, since French has them before a colon."""
    return _BREAKING.sub(" ", text).strip()


def lines(raw: str) -> str:
    """`raw` as lines of visible characters, with at most one empty line between two others; may be empty."""
    kept = [one_line(line) for line in re.split(r"\r\n|[\r\n\u2028\u2029]", raw)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip("\n")


def _visible(raw: str) -> str:
    """`raw` without invisible characters, useless joiners and heaps of marks; white space becomes a space."""
    visible: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", raw):
        category = unicodedata.category(character)
        if character.isspace() or category in ("Zl", "Zp"):
            character, category = " ", "Zs"
        elif character == _JOINER:
            if not visible or not _is_picture(visible[-1]):
                continue
        elif category in _UNSEEN:
            continue
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= MARKS_IN_A_ROW:
            visible.append(character)
    return "".join(visible).rstrip(_JOINER)


def _is_picture(character: str) -> bool:
    """Whether a joiner may follow: after a symbol, a skin tone, or the selector that makes a symbol an emoji."""
    return unicodedata.category(character) in ("So", "Sk") or character == "\ufe0f"
