"""The same word elsewhere: what corresponds in the Surselva, in the Valais and in the tarot of France, side by side.

Concepts that correspond name the same row in their field `elsewhere`; they need not be the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Case, IntegerField, Value, When
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.markup.lexicon import OWN_LANGUAGES, Word, lexicon
from rules.markup.links import Links
from rules.models import Concept
from rules.terms import SOURCE_LANGUAGE
from rules.wordbook.naming import LANGUAGES, THEMES, Naming, Said, usable

PLACES: Final[Mapping[str, str | Promise]] = {
    "rm-sursilv": _("Surselva"),
    "gsw": _("Valais"),
    "fr": _("France"),
}
"""Where the words of a column are said, by their language."""
PRINTED: Final = "printed on the cards"
"""The register of a title that stands on a card: no word of French players."""

# What rows of several concepts are called; a row of one has the name of its concept.
_ROWS: Final[Mapping[str, str | Promise]] = {
    "the game": _("the game"),
    "cards laid away": _("cards laid away"),
    "who lays cards away": _("who lays cards away"),
    "the Fool’s role": _("the Fool’s role"),
}


@dataclass(frozen=True, slots=True)
class Held:
    """The words of one concept in one cell; `concept` names it where a row holds several."""

    address: str
    names: tuple[Naming, ...]
    concept: Said


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one column of a row; nothing, where no word is known."""

    heading: str | Promise
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One row: what it is about, a cell for each column, and whether its concepts only correspond."""

    id: str
    name: Said
    address: str
    cells: tuple[Cell, ...]
    is_loose: bool

    @property
    def says_something(self) -> bool:
        """Whether at least two places have a word."""
        return sum(bool(cell.held) for cell in self.cells[: len(PLACES)]) > 1


def columns(language: str) -> dict[str, str | Promise]:
    """The columns by language: the places, and German, which all neighbours understand (English for a German reader)."""
    other = SOURCE_LANGUAGE if language == "de" else "de"
    return {**PLACES, other: LANGUAGES[other]}


def lines(language: str) -> list[Line]:
    """All rows for a reader of `language`, in the order of the themes. One query, and the reader's words."""
    rows: dict[str, list[Concept]] = {}
    ranked = Case(
        *(When(theme=theme, then=Value(rank)) for rank, theme in enumerate(THEMES)), output_field=IntegerField()
    )
    for concept in Concept.objects.filter(document__elsewhere__isnull=False).order_by(ranked, "order", "key"):
        rows.setdefault(concept.document["elsewhere"], []).append(concept)
    found = [line_of(name, concepts, language) for name, concepts in rows.items()]
    return [line for line in found if line.says_something]


def line_of(name: str, concepts: Iterable[Concept], language: str) -> Line:
    """One row of these concepts."""
    words, links = lexicon(language).words, Links(language)
    rows = [(concept.document, _named(concept, words), links.to("word", concept.slug)) for concept in concepts]
    several = len(rows) > 1
    cells = [
        Cell(
            heading,
            tuple(
                Held(address, tuple(names), called if several else Said())
                for document, called, address in rows
                if (names := _words(document, code, without_loans=several))
            ),
        )
        for code, heading in columns(language).items()
    ]
    if several:
        known = _ROWS.get(name)
        title, address = (Said(str(known), language) if known else Said(name, SOURCE_LANGUAGE)), ""
    else:
        title, address = rows[0][1:]
    return Line(name.casefold().replace(" ", "-").replace("’", ""), title, address, tuple(cells), several)


def _named(concept: Concept, words: Mapping[str, Word]) -> Said:
    word = words.get(concept.key)
    return Said(word.text, word.lang) if word else Said(concept.document["terms"][0]["text"], SOURCE_LANGUAGE)


def _words(document: Mapping[str, Any], language: str, *, without_loans: bool) -> list[Naming]:
    """The words of a concept that are said in a language; `without_loans`: not those that only repeat the players' own."""
    names = usable([term for term in document["terms"] if term.get("register") != PRINTED], language)
    if not without_loans or language in OWN_LANGUAGES:
        return names
    own = {name.filed for name in usable(document["terms"], *OWN_LANGUAGES)}
    return [name for name in names if name.filed not in own]
