"""What things are called, in which language, and who says so.

Everything that names a thing of the game goes through `names_of`: the words published in the encyclopedia come first, as
this process knows them (`rules.snapshot`), then those of `content/*.toml`. Nothing here asks the database.
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

from games.engine.phrases import phrase_book
from rules import snapshot
from rules.snapshot import Name, following

SOURCE_LANGUAGE: Final = "en"
_CONTENT: Final = Path(__file__).with_name("content")


class UnknownTerm(LookupError):
    """Nothing of this name is in the files: a mistake in the program, not of a reader."""


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


def concept_keys() -> tuple[str, ...]:
    """The keys of all concepts that the program speaks of: those of the files, in their order, and the phrases."""
    cards = content("cards")
    return (
        *(f"{kind}.{key}" for kind in ("suits", "ranks", "trumps") for key in cards[kind]),
        "fool",
        *(f"words.{key}" for key in content("words")["words"]),
        *(f"phrases.{key}" for key in phrase_book()),
    )


def published(concept: str) -> Mapping[str, Any]:
    """The published document of a concept the program speaks of; empty if none is known."""
    words = snapshot.current().concepts.get(concept)
    return words.document if words else {}


def _entry(concept: str) -> Mapping[str, Any]:
    """The table of a concept in the files: `suits.cups`, `ranks.king`, `trumps.21`, `fool`, `words.scart`.

    Phrases have none: `rules.phrasebook` reads their files. Raises UnknownTerm.
    """
    kind, _, key = concept.partition(".")
    if kind == "phrases":
        return {}
    table = content("words" if kind == "words" else "cards").get(kind)
    entry: Mapping[str, Any] | None = table.get(key) if table is not None and key else table
    if entry is None:
        raise UnknownTerm(concept)
    return entry


@following
def names_of(concept: str, lang: str) -> tuple[Name, ...]:
    """Every name of `concept` in `lang`, the preferred one first; empty if that language has none.

    The one seam of all names: published words stand before those of the file, also where all of them are deprecated (but
    something there must be in English). Raises UnknownTerm.
    """
    words = snapshot.current().concepts.get(concept)
    if words is not None and lang in words.names and (words.names[lang] or lang != SOURCE_LANGUAGE):
        return words.names[lang]
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
    meanings: Mapping[str, str] = {**_entry(concept).get("meaning", {}), **published(concept).get("meaning", {})}
    given = next((code for code in (lang, SOURCE_LANGUAGE) if code in meanings), "")
    return meanings.get(given, ""), given


def own_language(concept: str) -> str:
    """The language whose word is the game's own for this concept, or an empty string if it has none.

    The file's, whatever is published: screens count on which concepts have a word of their own.
    """
    own: str = _entry(concept).get("own", "")
    return own


def title_of(concept: str) -> str:
    """What the usual packs print at the foot of the card (French), or an empty string."""
    title: str = published(concept).get("title") or _entry(concept).get("title", "")
    return title


def source_title(source: str) -> str:
    """The work a source key stands for: "pagat.com, Troccas". Raises UnknownTerm."""
    try:
        row: Mapping[str, str] = content("sources")[source]
    except KeyError:
        raise UnknownTerm(source) from None
    return ", ".join(row[part] for part in ("container", "title") if row.get(part))
