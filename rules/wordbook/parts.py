"""The parts of a word's page, ready to be shown: places and other concepts with their links, entries, examples, phrases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from rules.wordbook.naming import Naming, Said

STRENGTHS: Final[tuple[str | Promise, ...]] = (
    _("very weak"),
    _("weak"),
    _("modest"),
    _("middling"),
    _("strong"),
    _("very strong"),
)
"""What the strength of a phrase says of the hand, from 0 to 5."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong a hand a phrase tells of: 0 to 5."""

    value: int

    @property
    def name(self) -> str | Promise:
        """In words."""
        return STRENGTHS[self.value]

    @property
    def dots(self) -> list[bool]:
        """Five dots, so many of them filled."""
        return [dot < self.value for dot in range(5)]


@dataclass(frozen=True, slots=True)
class PlaceLink:
    """A place by its name, with its page; the key as it is where no such place is published."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Linked:
    """Another concept: its page, its name for the reader, and the players' own word where that is another."""

    address: str
    name: Said
    own: Said


@dataclass(frozen=True, slots=True)
class Defined:
    """What the concept is, in one language, with the numbers of its notes."""

    language: str
    language_name: str | Promise
    html: SafeString
    cited: SafeString


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence in which the word is used."""

    text: str
    language: str
    meaning: Said
    speaker: str
    place: PlaceLink | None
    cited: SafeString


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that may be played: only what has a licence, and a file that is there."""

    path: str
    licence: str
    speaker: str


@dataclass(frozen=True, slots=True)
class Entered:
    """One word of the table of words, with all that is known about it."""

    name: Naming
    part: str
    place: PlaceLink | None
    register: str | Promise
    gloss: Said
    note: Said
    note_html: SafeString
    look_up: tuple[str, ...]
    forms: tuple[str, ...]
    ipa: str
    recording: Recording | None
    examples: tuple[Example, ...]
    cited: SafeString


@dataclass(frozen=True, slots=True)
class InLanguage:
    """The words of one language."""

    language: str
    name: str | Promise
    words: tuple[Entered, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a phrase of the talk says, and tells."""

    literal: Said
    tells: Said
    strength: Strength | None
    place: PlaceLink | None
    theme: str
    theme_id: str
