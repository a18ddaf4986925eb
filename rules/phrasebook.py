"""The phrase book of the talk in the reader's language.

Which phrases exist is the engine's concern (records name them by id); here stands what they say and tell: as published in
the encyclopedia, else as the files have it. Source of the phrases: pagat, "Tschintschar".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from games.engine.phrases import phrase_book
from rules.snapshot import following
from rules.terms import SOURCE_LANGUAGE, UnknownTerm, content, names_of, published, reading_language

__all__ = ["PHRASE_LANGUAGE", "Phrase", "Theme", "by_id", "phrases", "themes"]

PHRASE_LANGUAGE: Final = "rm-sursilv"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One phrase of the talk.

    `romansh` is what is said, in Sursilvan. `literal` (word for word) and `tells` (about the speaker's hand) are in `lang`:
    the reader's language, or English where it has no translation. `theme` is a Theme's id, `strength` runs from 0 (weak) to
    5 (strong), `place` is the village or valley where the phrase was heard, empty if it is known everywhere. `draft`: no
    source attests the phrase as it stands here.
    """

    id: str
    romansh: str
    literal: str
    theme: str
    tells: str
    strength: int
    place: str
    lang: str
    draft: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """What phrases speak of, with its name in `lang`; `draft` if no source attests that name."""

    id: str
    name: str
    lang: str
    draft: bool = False


def themes(lang: str | None = None) -> tuple[Theme, ...]:
    """The themes in the order they are offered, their names in the reader's language."""
    return _themes(reading_language(lang))


def phrases(lang: str | None = None, *, theme: str = "") -> tuple[Phrase, ...]:
    """All phrases in the order of the book, or those of one theme. Raises UnknownTerm for a theme that is none."""
    book = _book(reading_language(lang)).values()
    if not theme:
        return tuple(book)
    found = tuple(phrase for phrase in book if phrase.theme == theme)
    if not found:
        raise UnknownTerm(theme)
    return found


def by_id(phrase: str, lang: str | None = None) -> Phrase:
    """The phrase with this id. Raises UnknownTerm."""
    try:
        return _book(reading_language(lang))[phrase]
    except KeyError:
        raise UnknownTerm(phrase) from None


@following
def _themes(lang: str) -> tuple[Theme, ...]:
    return tuple(_theme(key, row, lang) for key, row in content("phrases")["themes"].items())


def _theme(key: str, row: Mapping[str, Any], lang: str) -> Theme:
    """A name in the file is a plain string, or a table where its source has to be told."""
    given = lang if lang in row else SOURCE_LANGUAGE
    name = row[given]
    if isinstance(name, str):
        return Theme(key, name, given)
    return Theme(key, name["text"], given, name.get("draft", False))


@following
def _book(lang: str) -> dict[str, Phrase]:
    theme_ids = {theme.name: theme.id for theme in _themes(SOURCE_LANGUAGE)}
    translated: Mapping[str, Mapping[str, str]] = content("phrases").get(lang, {})
    book = {}
    for said in phrase_book().values():
        words = translated.get(said.id)
        book[said.id] = Phrase(
            said.id,
            said.romansh,
            words["literal"] if words else said.literal,
            theme_ids[said.theme],
            words["tells"] if words else said.tells,
            said.strength,
            said.place,
            lang if words else SOURCE_LANGUAGE,
        )
    return {key: _as_published(phrase, lang) for key, phrase in book.items()}


def _as_published(phrase: Phrase, lang: str) -> Phrase:
    """The phrase with what the encyclopedia says about it; in another language only where it says both parts."""
    document = published(f"phrases.{phrase.id}")
    if not document:
        return phrase
    literal, tells = document.get("literal", {}), document.get("tells", {})
    given = next((code for code in (lang, SOURCE_LANGUAGE) if code in literal and code in tells), "")
    said = names_of(f"phrases.{phrase.id}", PHRASE_LANGUAGE)
    return replace(
        phrase,
        romansh=said[0].text if said else phrase.romansh,
        literal=literal[given] if given else phrase.literal,
        tells=tells[given] if given else phrase.tells,
        strength=document.get("strength", phrase.strength),
        lang=given or phrase.lang,
        draft=said[0].draft if said else phrase.draft,
    )
