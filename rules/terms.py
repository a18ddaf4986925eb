"""What things are called, in which language, and who says so.

The names come from `content/*.toml`. Everything that names a thing of the game goes through `names_of`, so that there is
one place where a reviewed term can take precedence over the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils.translation import get_language

SOURCE_LANGUAGE: Final = "en"
_CONTENT: Final = Path(__file__).with_name("content")


class UnknownTerm(LookupError):
    """Nothing of this name is in the files: a mistake in the program, not of a reader."""


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a concept in one language, as its source prints it.

    `gender` is m, f, n, p (plural only) or empty. `source` names where it is attested, empty for plain English and German.
    `draft`: no source attests it in this sense. `gloss` says in English and German what a popular name means.
    """

    text: str
    lang: str
    gender: str = ""
    source: str = ""
    draft: bool = False
    note: str = ""
    bare: str = ""
    inflected: str = ""
    object: str = ""
    gloss: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """A word to show: `lang` is the language it really is in, which may be a fallback.

    `meaning` explains it in the reader's language (`meaning_lang`, English where it has no translation), or is empty where
    the word explains itself.
    """

    text: str
    lang: str
    draft: bool = False
    meaning: str = ""
    meaning_lang: str = ""
    gender: str = ""
    source: str = ""

    def __str__(self) -> str:
        return self.text


def reading_language(lang: str | None = None) -> str:
    """The language to name things in: `lang`, else the active one; a region falls back to its language, all else to English."""
    wanted = (lang or get_language() or SOURCE_LANGUAGE).lower().replace("_", "-")
    known = {code for code, _ in settings.LANGUAGES}
    while wanted not in known and "-" in wanted:
        wanted = wanted.rpartition("-")[0]
    return wanted if wanted in known else SOURCE_LANGUAGE


@cache
def content(file: str) -> Mapping[str, Any]:
    """The parsed `content/<file>.toml`."""
    with (_CONTENT / f"{file}.toml").open("rb") as lines:
        return tomllib.load(lines)


def _entry(concept: str) -> Mapping[str, Any]:
    """The table of a concept: `suits.cups`, `ranks.king`, `trumps.21`, `fool`, `words.scart`."""
    kind, _, key = concept.partition(".")
    table = content("words" if kind == "words" else "cards").get(kind)
    entry: Mapping[str, Any] | None = table.get(key) if table is not None and key else table
    if entry is None:
        raise UnknownTerm(concept)
    return entry


@cache
def names_of(concept: str, lang: str) -> tuple[Name, ...]:
    """Every name of `concept` in `lang`, the preferred one first; empty if that language has none.

    The one seam of all names: a published term of the term base will stand before the file's names here.
    Raises UnknownTerm.
    """
    return tuple(
        Name(lang=lang, gloss=tuple(row.get("gloss", {}).items()), **{key: row[key] for key in row if key != "gloss"})
        for row in _entry(concept).get(lang, ())
    )


def best_name(concept: str, lang: str) -> Name:
    """The preferred name in `lang`, else the English one. Raises UnknownTerm."""
    return next(iter(names_of(concept, lang) or names_of(concept, SOURCE_LANGUAGE)))


def meaning_of(concept: str, lang: str) -> tuple[str, str]:
    """What a word of the game says and the language that is said in: `lang` or else English.

    Both are empty where the word explains itself.
    """
    meanings: Mapping[str, str] = _entry(concept).get("meaning", {})
    given = next((code for code in (lang, SOURCE_LANGUAGE) if code in meanings), "")
    return meanings.get(given, ""), given


def own_language(concept: str) -> str:
    """The language whose word is the game's own for this concept, or an empty string if it has none."""
    own: str = _entry(concept).get("own", "")
    return own


def title_of(concept: str) -> str:
    """What the usual packs print at the foot of the card (French), or an empty string."""
    title: str = _entry(concept).get("title", "")
    return title


def source_title(source: str) -> str:
    """The work a source key stands for. Raises UnknownTerm."""
    try:
        title: str = content("cards")["sources"][source]
    except KeyError:
        raise UnknownTerm(source) from None
    return title
