"""The same word elsewhere: what corresponds in the Surselva, in the Valais and in French tarot, side by side.

Corresponding concepts name the same row in their field `elsewhere`; they need not be the same thing. Also: the articles
that use a word, found in their source text without rendering it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import Case, IntegerField, Value, When
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.markup.lexicon import OWN_LANGUAGES, Word, lexicon
from rules.markup.page import Links
from rules.models import SOURCE_LANGUAGE, Article, Concept
from rules.search import index
from rules.selectors import OVERVIEW
from rules.terms import fallbacks
from rules.wordbook.naming import LANGUAGES, THEMES, Naming, Said, usable

PLACES: Final[Mapping[str, str | Promise]] = {
    "rm-sursilv": _("Surselva"),
    "gsw": _("Valais"),
    "fr": _("France"),
}
"""The place of the words in a column, by their language."""
PRINTED: Final = "printed on the cards"
"""The register of a title printed on a card: not a word of French players."""

# The names of rows with several concepts; a row with one concept has the name of that concept.
_ROWS: Final[Mapping[str, str | Promise]] = {
    "the game": _("the game"),
    "cards laid away": _("cards laid away"),
    "who lays cards away": _("who lays cards away"),
    "the Fool’s role": _("the Fool’s role"),
}


@dataclass(frozen=True, slots=True)
class Held:
    """The words of one concept in one cell; `concept` is its name if the row has several."""

    address: str
    names: tuple[Naming, ...]
    concept: Said


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of a row; empty if no word is known."""

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
    """The columns by language: the places, and German, which people there understand (English for German readers)."""
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
    all_lines = [line_of(name, concepts, language) for name, concepts in rows.items()]
    return [line for line in all_lines if line.says_something]


def line_of(name: str, concepts: Iterable[Concept], language: str) -> Line:
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
        row_name = _ROWS.get(name)
        title = Said(str(row_name), language) if row_name else Said(name, SOURCE_LANGUAGE)
        address = ""
    else:
        title, address = rows[0][1:]
    return Line(name.casefold().replace(" ", "-").replace("’", ""), title, address, tuple(cells), several)


def _named(concept: Concept, words: Mapping[str, Word]) -> Said:
    word = words.get(concept.key)
    return Said(word.text, word.lang) if word else Said(concept.document["terms"][0]["text"], SOURCE_LANGUAGE)


def _words(document: Mapping[str, Any], language: str, *, without_loans: bool) -> list[Naming]:
    """The words of a concept in a language; with `without_loans`, not those that only repeat the players' own."""
    names = usable([term for term in document["terms"] if term.get("register") != PRINTED], language)
    if not without_loans or language in OWN_LANGUAGES:
        return names
    own = {name.filed for name in usable(document["terms"], *OWN_LANGUAGES)}
    return [name for name in names if name.filed not in own]


_SHORTEST: Final = 3
_FILLED_IN: Final = ("words", "sources")
"""Sections that the page fills in itself."""
_HEADING: Final = re.compile(r"^##[ \t]+(.+?)[ \t]*(?:\{#([a-z0-9-]+)\})?[ \t]*$", re.MULTILINE)
_NOT_TEXT: Final = re.compile(r"\[@[^\]]*\]|\{#[^}]*\}|\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Mention:
    """An article that uses the word, and the section that is most about it (empty for the beginning)."""

    address: str
    title: str
    language: str
    section: str


class _Way(NamedTuple):
    """One way to write a concept, and its beginning in lower case, which rules out most texts quickly."""

    beginning: str
    pattern: re.Pattern[str]


def mentions(document: Mapping[str, Any], key: str, slug: str, language: str) -> list[Mention]:
    """The articles, in the reader's language or else in a fallback, whose text names a concept; one query.

    `document` is the concept's. Articles about a game without this concept are left out.
    """
    links = Links(language)
    mentioning = []
    ways_by_language: dict[str, list[_Way]] = {}
    for article in _articles(language):
        if not _is_of(document.get("games", ()), article.ruleset):
            continue
        code = article.language
        ways = ways_by_language.get(code) or ways_by_language.setdefault(code, _ways(document, key, slug, code))
        revision = article.entry.published
        section = _most_used(ways, str(revision.document["text"]) if revision else "")
        if section is None:
            continue
        title, anchor = section
        address = links.to("article", article.slug) if article.key != OVERVIEW else reverse("rules:contents")
        mentioning.append(
            Mention(f"{address}#{anchor}" if anchor else address, article.title, code, index.inline(title, code))
        )
    return mentioning


def _articles(language: str) -> list[Article]:
    languages = fallbacks(language)
    rows = Article.objects.filter(language__in=languages).select_related("entry__published")
    chosen: dict[str, Article] = {}
    for row in rows:  # in the order of the contents page
        if row.key not in chosen or languages.index(row.language) < languages.index(chosen[row.key].language):
            chosen[row.key] = row
    return list(chosen.values())


def _is_of(games: Iterable[str], ruleset: str) -> bool:
    return not ruleset or not games or ruleset.partition("-")[0] in games


def _ways(document: Mapping[str, Any], key: str, slug: str, language: str) -> list[_Way]:
    """Every way to write the concept in a text of this language: by its key, or in words.

    The players' own words occur in texts of every language, but only in their main spelling.
    """
    ways = [_Way(f"[[{key}", re.compile(rf"\[\[{re.escape(key)}[|\]]"))]
    ways.append(_Way(f"(words:{slug})", re.compile(rf"\(words:{re.escape(slug)}\)")))
    for term in document["terms"]:
        if term["lang"] != language and term["lang"] not in OWN_LANGUAGES:
            continue
        noun = term.get("pos", "noun") == "noun"
        for spelling in (term["text"], *(term.get("look_up", ()) if term["lang"] == language else ())):
            words = re.findall(r"[\w’']+", spelling)
            if len("".join(words)) < _SHORTEST:
                continue
            text = r"[ \-\u00a0\u2011]".join(re.escape(word) for word in words)
            plural = "s?" if term["lang"] == "en" and noun else ""
            # A German noun in lower case is another word.
            exact = term["lang"] == "de" and noun and spelling[:1].isupper()
            pattern = re.compile(rf"(?<!\w){text}{plural}(?!\w)", 0 if exact else re.IGNORECASE)
            ways.append(_Way(words[0].casefold(), pattern))
    return ways


def _most_used(ways: Iterable[_Way], text: str) -> tuple[str, str] | None:
    """Title and id of the section that is named after it, or else names it most often; None if the text never does."""
    small = text.casefold()
    ways = [way for way in ways if way.beginning in small]
    best: tuple[bool, int, str, str] = (False, 0, "", "")
    for title, anchor, body in _sections(text) if ways else ():
        if anchor in _FILLED_IN:
            continue
        small = body.casefold()
        number = sum(1 for way in ways if way.beginning in small for _match in way.pattern.finditer(body))
        is_in_title = any(way.pattern.search(title) for way in ways)
        if (is_in_title, number) > best[:2]:
            best = (is_in_title, number, title, anchor)
    return best[2:] if any(best[:2]) else None


def _sections(source: str) -> Iterable[tuple[str, str, str]]:
    """Title, id and text of each part of an article; the part before the first heading has neither title nor id."""
    text = index.shown(source)
    title = anchor = ""
    start = 0
    for heading in _HEADING.finditer(text):
        yield title, anchor, _bare(text[start : heading.start()])
        title, anchor, start = heading[1], heading[2] or "", heading.end()
    yield title, anchor, _bare(text[start:])


def _bare(text: str) -> str:
    """The text without citations, ids and targets of links; targets that are words stay."""
    return _NOT_TEXT.sub(lambda match: match[0] if match[0].startswith("](words:") else " ", text)
