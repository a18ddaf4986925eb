"""The word list, and the phrase book.

A word list shows which words, in which pair of languages, in which order; it is filed under letters or under themes. It is
asked for by a plain mapping (the query of an address); whatever is asked, there is an answer. Three queries make a list,
however long it is. The phrase book has all published phrases of the talk, in chapters by subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from core.http import whole_number
from core.sursilvan import capfirst
from core.text import fold
from rules.markup.page import Links
from rules.models import Concept, Definition, Place, Term
from rules.selectors import place_name
from rules.text import names
from rules.wordbook.naming import (
    GAMES,
    LANGUAGES,
    OWN_LANGUAGES,
    THEMES,
    Naming,
    Phrase,
    PlaceLink,
    Said,
    fallbacks,
    localised,
    place_links,
    theme_name,
)

OWN: Final = "own"
"""Stands for the languages of the players, whichever has a word."""
PAGE: Final = 500
"""Rows on one page; the longest list of today fits twice."""
BY_THEME: Final = "theme"
BY_LETTER: Final = "letter"
_MOST_LETTERS: Final = 60
_OF_GAME: Final = {"troccas": "rm-sursilv", "troggu": "gsw"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reader wants listed. Empty `game` and `theme` mean all."""

    source: str
    target: str
    game: str = ""
    theme: str = ""
    order: str = BY_LETTER
    containing: str = ""
    explained: bool = False
    """With what each word means."""
    page: int = 1

    @property
    def query(self) -> str:
        """As the query of an address."""
        said = {"from": self.source, "to": self.target, "game": self.game, "theme": self.theme}
        said["order"] = self.order if self.order != BY_LETTER else ""
        said["q"] = self.containing
        said["explained"] = "yes" if self.explained else ""
        said["page"] = str(self.page) if self.page > 1 else ""
        return urlencode({name: value for name, value in said.items() if value})

    @property
    def swapped(self) -> Asked:
        return replace(self, source=self.target, target=self.source, page=1)

    def on_page(self, page: int) -> Asked:
        return replace(self, page=page)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list: the words of a concept in one language, and what they are in the other."""

    address: str
    theme: str
    names: tuple[Naming, ...]
    meanings: tuple[Naming, ...]
    literal: Said
    """Of a phrase: what it says word for word, where it has no counterpart."""
    explanation: Said


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading, with the page of the list it begins on."""

    id: str
    name: str
    rows: tuple[Row, ...]
    page: int = 1


@dataclass(frozen=True, slots=True)
class WordList:
    """A page of a list. `groups` holds the rows of this page, `contents` names all groups of the whole list."""

    asked: Asked
    groups: tuple[Group, ...]
    contents: tuple[Group, ...]
    total: int
    pages: int
    places: Mapping[str, str]
    """Names of places by key, for the words that are said in one."""


def asked(query: Mapping[str, str], language: str) -> Asked:
    """What the query of an address asks for; anything that makes no sense is as if it were not there.

    Unless a pair of languages is given, it leads from the players' own words to the language of the reader.
    """
    game = _one_of(query.get("game", ""), GAMES)
    source = _one_of(query.get("from", ""), (OWN, *LANGUAGES)) or _OF_GAME.get(game, OWN)
    target = _one_of(query.get("to", ""), (OWN, *LANGUAGES))
    if not target:
        target = next((code for code in fallbacks(language) if code != source), language)
        target = OWN if source not in (OWN, *OWN_LANGUAGES) else target
    return Asked(
        source,
        target,
        game,
        _one_of(query.get("theme", ""), THEMES),
        _one_of(query.get("order", ""), (BY_THEME,)) or BY_LETTER,
        " ".join(query.get("q", "")[:_MOST_LETTERS].split()),
        query.get("explained") == "yes",
        whole_number(query.get("page", ""), 4) or 1,
    )


def _one_of(value: str, known: Iterable[str]) -> str:
    return value if value in known else ""


def language_choices() -> list[tuple[str, str | Promise]]:
    return [(OWN, _("the players’ own words")), *LANGUAGES.items()]


def choice_name(choice: str) -> str:
    return capfirst(dict(language_choices())[choice])


def languages_of(choice: str) -> tuple[str, ...]:
    return OWN_LANGUAGES if choice == OWN else (choice,)


def word_list(wanted: Asked, language: str) -> WordList:
    rows = _rows(wanted, language)
    by_letter = wanted.order == BY_LETTER
    rows = _by_letter(rows) if by_letter else rows
    needle = fold(wanted.containing)
    if needle:
        rows = [row for row in rows if needle in _spelled(row)]
    pages = max(1, -(-len(rows) // PAGE))
    page = min(wanted.page, pages)
    start = (page - 1) * PAGE
    grouped = _grouped(rows, by_letter=by_letter)
    return WordList(
        wanted.on_page(page),
        tuple(_grouped(rows[start : start + PAGE], by_letter=by_letter)),
        tuple(_paged(grouped)),
        len(rows),
        pages,
        _places(rows[start : start + PAGE], language),
    )


def _rows(wanted: Asked, language: str) -> list[Row]:
    """A row for each concept that has a word in the first language, by theme and the order of the themes' files."""
    sources, targets = languages_of(wanted.source), languages_of(wanted.target)
    concepts = _concepts(wanted)
    names: dict[int, list[Naming]] = {}
    terms = Term.objects.filter(concept__in=concepts, language__in={*sources, *targets}).order_by("order")
    for concept, term in terms.values_list("concept_id", "document"):
        names.setdefault(concept, []).append(Naming.of(term))
    explanations = _explanations(concepts, language) if wanted.explained else {}
    links = Links(language)
    rows = []
    known = concepts.values_list("pk", "slug", "theme", "order", "key", "sort", "document__literal")
    ranked = {theme: rank for rank, theme in enumerate(THEMES)}
    for pk, slug, theme, _order, _key, sort, literal in sorted(known, key=lambda row: (ranked[row[2]], row[3], row[4])):
        said_here = [name for code in sources for name in names.get(pk, ()) if name.language == code]
        if not said_here:
            continue
        meant = tuple(name for code in targets for name in names.get(pk, ()) if name.language == code)
        rows.append(
            Row(
                links.to("word", slug),
                theme,
                tuple(said_here),
                tuple(name for name in meant if name.is_usable) if sources != targets else (),
                localised(literal or {}, targets[0] if wanted.target != OWN else language)
                if sort == Concept.Sort.PHRASE and not meant
                else Said(),
                explanations.get(pk, Said()),
            )
        )
    if wanted.order == BY_THEME:
        # A word that is better not used is found under its letter only.
        rows = [replace(row, names=tuple(name for name in row.names if name.is_usable)) for row in rows]
    return [row for row in rows if row.names]


def _concepts(wanted: Asked) -> QuerySet[Concept]:
    only = Q()
    if wanted.game:
        only &= Q(**{wanted.game: True})
    if wanted.theme:
        only &= Q(theme=wanted.theme)
    return Concept.objects.filter(only).order_by()


def _explanations(concepts: QuerySet[Concept], language: str) -> dict[int, Said]:
    """What the concepts mean, in the reader's language or the next best; of a phrase, what it tells."""
    found: dict[int, dict[str, str]] = {}
    wanted = fallbacks(language)
    rows = Definition.objects.filter(concept__in=concepts, language__in=wanted)
    for concept, code, text in rows.values_list("concept_id", "language", "text"):
        found.setdefault(concept, {})[code] = text
    for concept, tells in concepts.filter(sort=Concept.Sort.PHRASE).values_list("pk", "document__tells"):
        found[concept] = tells or {}
    return {concept: localised(texts, language) for concept, texts in found.items()}


def _by_letter(rows: Iterable[Row]) -> list[Row]:
    """A row for each word, not only for the first of a concept, in the order of the alphabet."""
    single = [replace(row, names=(name,)) for row in rows for name in row.names]
    return sorted(single, key=lambda row: (row.names[0].letter == "#", row.names[0].filed, row.names[0].text))


def _spelled(row: Row) -> str:
    return fold(" ".join((*(name.text for name in (*row.names, *row.meanings)), row.literal.text)))


def _grouped(rows: list[Row], *, by_letter: bool) -> list[Group]:
    if not by_letter:
        themes = groupby(rows, key=lambda row: row.theme)
        return [Group(f"theme-{theme}", theme_name(theme), tuple(found)) for theme, found in themes]
    letters = groupby(rows, key=lambda row: row.names[0].letter)
    return [
        Group(f"letter-{letter.lower() if letter != '#' else 'other'}", letter, tuple(found))
        for letter, found in letters
    ]


def _paged(groups: Iterable[Group]) -> Iterable[Group]:
    """The groups of the whole list, each with the page it begins on, without their rows."""
    before = 0
    for group in groups:
        yield Group(group.id, group.name, (), before // PAGE + 1)
        before += len(group.rows)


def _places(rows: Iterable[Row], language: str) -> dict[str, str]:
    keys = {name.place for row in rows for name in (*row.names, *row.meanings) if name.place}
    return {place.key: place_name(place, language) for place in Place.objects.filter(key__in=keys)} if keys else {}


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is: concepts and phrases, words for them, languages; concepts by theme and by game."""

    concepts: int
    phrases: int
    terms: int
    languages: int
    themes: Mapping[str, int]
    games: Mapping[str, int]


def counts() -> Counts:
    """How much is published. Two queries."""
    rows: list[tuple[Any, ...]] = list(Concept.objects.order_by().values_list("sort", "theme", *GAMES))
    words = [row for row in rows if row[0] == Concept.Sort.WORD]
    languages = list(Term.objects.order_by().values_list("language", flat=True))
    return Counts(
        len(words),
        len(rows) - len(words),
        len(languages),
        len(set(languages)),
        {theme: found for theme in THEMES if (found := sum(row[1] == theme for row in words))},
        {game: sum(row[2 + at] for row in rows) for at, game in enumerate(GAMES)},
    )


def letters(language: str) -> list[str]:
    """The letters that words of a language begin with, in order; "#" last."""
    found = {
        Naming(text, language, Term.Status.PREFERRED).letter
        for text in Term.objects.filter(language=language).order_by().values_list("text", flat=True)
    }
    return sorted(found, key=lambda letter: (letter == "#", letter))


_SAMPLES: Final = 4
OTHER: Final = "other"
"""The chapter of phrases whose theme the book does not know."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """The phrases that speak of one thing; its name is empty where the book has none for it."""

    id: str
    name: Said
    is_draft: bool
    phrases: tuple[Phrase, ...]


def chapters(language: str) -> list[Chapter]:
    """The whole book for a reader of `language`. Two queries."""
    by_theme: dict[str, list[Concept]] = {}
    themes = {theme.id: theme for theme in names.themes(language)}
    rows = list(Concept.objects.filter(sort=Concept.Sort.PHRASE).order_by("order", "key"))
    for concept in rows:
        theme = concept.document.get("talk_theme", "")
        by_theme.setdefault(theme if theme in themes else OTHER, []).append(concept)
    said = (row.document.get(name, "") for row in rows for name in ("place", "about"))
    places = place_links(said, language)
    found = [
        Chapter(theme.id, Said(theme.name, theme.lang), theme.draft, _shown(by_theme[theme.id], language, places))
        for theme in themes.values()
        if theme.id in by_theme
    ]
    if OTHER in by_theme:
        found.append(Chapter(OTHER, Said(), False, _shown(by_theme[OTHER], language, places)))
    return found


def samples(language: str) -> tuple[Phrase, ...]:
    """A few phrases to give a taste: the first of each of the first chapters."""
    return tuple(chapter.phrases[0] for chapter in chapters(language)[:_SAMPLES])


def _shown(concepts: Iterable[Concept], language: str, places: dict[str, PlaceLink]) -> tuple[Phrase, ...]:
    links = Links(language)
    return tuple(Phrase(concept.document, places, language, links.to("word", concept.slug)) for concept in concepts)
