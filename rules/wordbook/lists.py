"""The word list, and the phrase book.

A word list shows which words, in which pair of languages, in which order; it is filed under letters or under themes. It is
asked for by a plain mapping (the query of an address); whatever is asked, there is an answer. The database sorts and counts;
only what stands on the page is read. The phrase book has all published phrases of the talk, in chapters by subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from django.db.models import Case, Count, Q, QuerySet, When
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from core.http import whole_number
from core.sursilvan import capfirst
from core.text import fold
from rules.documents import sorting
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
_TOLD: Final = ("pk", "slug", "theme", "sort", "document__literal", "document__tells")
"""What is read of a concept for its row."""
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
    """A page of the list that is asked for. What it costs depends on the page, not on how many words there are."""
    lines = _Letters(wanted, language) if wanted.order == BY_LETTER else _Themes(wanted, language)
    contents = lines.contents()
    total = sum(count for _id, _name, count in contents)
    pages = max(1, -(-total // PAGE))
    page = min(wanted.page, pages)
    rows = lines.rows((page - 1) * PAGE)
    return WordList(
        wanted.on_page(page),
        tuple(lines.grouped(rows)),
        tuple(_paged(contents)),
        total,
        pages,
        _places(rows, language),
    )


class _Lines:
    """What is listed, before anything is read of it."""

    def __init__(self, wanted: Asked, language: str) -> None:
        self.wanted = wanted
        self.language = language
        self.sources = languages_of(wanted.source)
        self.targets = languages_of(wanted.target)
        self.languages = {*self.sources, *self.targets}
        """Those in which the words of a concept are read."""
        self.needle = fold(wanted.containing)
        self.terms = Term.objects.filter(language__in=self.sources).order_by()

    @cached_property
    def concepts(self) -> QuerySet[Concept]:
        """The concepts of the game and theme that are asked for."""
        only = Q()
        if self.wanted.game:
            only &= Q(**{self.wanted.game: True})
        if self.wanted.theme:
            only &= Q(theme=self.wanted.theme)
        return Concept.objects.filter(only).order_by()

    def meaning_it(self) -> Q:
        """Of terms: those whose concept has the letters asked for in what it is called in the other language, or says word for word."""
        found = Q(concept__in=[key for key, said in self._literals() if self.needle in fold(said.text)])
        if self.sources != self.targets:
            others = Term.objects.filter(language__in=self.targets, folded__contains=self.needle)
            found |= Q(concept__in=others.exclude(status=Term.Status.DEPRECATED).order_by().values("concept"))
        return found

    def _literals(self) -> Iterable[tuple[int, Said]]:
        phrases = Concept.objects.filter(sort=Concept.Sort.PHRASE).exclude(terms__language__in=self.targets).order_by()
        for key, literal in phrases.values_list("pk", "document__literal"):
            yield key, self.literal(literal)

    def literal(self, texts: Mapping[str, str] | None) -> Said:
        return localised(texts or {}, self.targets[0] if self.wanted.target != OWN else self.language)

    def read(self, told: Iterable[tuple[Any, ...]]) -> dict[int, Row]:
        """A row for each concept, told as `_TOLD`, with all its words in `languages`."""
        told = list(told)
        concepts = [row[0] for row in told]
        names: dict[int, list[Naming]] = {}
        terms = Term.objects.filter(concept__in=concepts, language__in=self.languages).order_by("order")
        for concept, term in terms.values_list("concept_id", "document"):
            names.setdefault(concept, []).append(Naming.of(term))
        explained = self._explanations(concepts) if self.wanted.explained else {}
        links = Links(self.language)
        rows = {}
        for pk, slug, theme, sort, literal, tells in told:
            meant = [name for code in self.targets for name in names.get(pk, ()) if name.language == code]
            is_phrase = sort == Concept.Sort.PHRASE
            texts = (tells or {}) if is_phrase else explained.get(pk, {})
            rows[pk] = Row(
                links.to("word", slug),
                theme,
                tuple(name for code in self.sources for name in names.get(pk, ()) if name.language == code),
                tuple(name for name in meant if name.is_usable) if self.sources != self.targets else (),
                self.literal(literal) if is_phrase and not meant else Said(),
                localised(texts, self.language) if self.wanted.explained else Said(),
            )
        return rows

    def _explanations(self, concepts: Sequence[int]) -> dict[int, dict[str, str]]:
        """What the concepts mean, in the reader's language and the next best."""
        found: dict[int, dict[str, str]] = {}
        rows = Definition.objects.filter(concept__in=concepts, language__in=fallbacks(self.language))
        for concept, code, text in rows.values_list("concept_id", "language", "text"):
            found.setdefault(concept, {})[code] = text
        return found


class _Letters(_Lines):
    """A row for each word, not only for the first of a concept, in the order of the alphabet."""

    def __init__(self, wanted: Asked, language: str) -> None:
        super().__init__(wanted, language)
        self.languages = {*self.targets}

    @cached_property
    def listed(self) -> QuerySet[Term]:
        terms = self.terms
        if self.wanted.game or self.wanted.theme:
            terms = terms.filter(concept__in=self.concepts)
        return terms.filter(Q(folded__contains=self.needle) | self.meaning_it()) if self.needle else terms

    def contents(self) -> list[tuple[str, str, int]]:
        """Id, name and number of rows of each letter."""
        counted = self.listed.values_list("letter").annotate(Count("pk"))
        return [
            (_letter_id(letter), letter, count)
            for letter, count in sorted(counted, key=lambda row: (row[0] == sorting.OTHER, row[0]))
        ]

    def rows(self, start: int) -> list[Row]:
        here = list(
            self.listed.order_by("filed", "text", "pk").values_list("concept_id", "document")[start : start + PAGE]
        )
        known = self.read(Concept.objects.filter(pk__in={concept for concept, _term in here}).values_list(*_TOLD))
        return [replace(known[concept], names=(Naming.of(term),)) for concept, term in here if concept in known]

    def grouped(self, rows: list[Row]) -> list[Group]:
        letters = groupby(rows, key=lambda row: row.names[0].letter)
        return [Group(_letter_id(letter), letter, tuple(found)) for letter, found in letters]


class _Themes(_Lines):
    """A row for each concept that has a word to be used in the first language, in the order of the themes and their files."""

    @cached_property
    def listed(self) -> QuerySet[Concept]:
        usable = self.terms.exclude(status=Term.Status.DEPRECATED)
        found = Q(pk__in=usable.values("concept"))
        if self.needle:
            usable = usable.filter(Q(folded__contains=self.needle) | self.meaning_it())
            found &= Q(pk__in=usable.values("concept"))
        return self.concepts.filter(found)

    def contents(self) -> list[tuple[str, str, int]]:
        """Id, name and number of rows of each theme."""
        counted = dict(self.listed.values_list("theme").annotate(Count("pk")))
        return [(f"theme-{theme}", theme_name(theme), counted[theme]) for theme in THEMES if theme in counted]

    def rows(self, start: int) -> list[Row]:
        rank = Case(*(When(theme=theme, then=number) for number, theme in enumerate(THEMES)))
        rows = self.read(self.listed.order_by(rank, "order", "key").values_list(*_TOLD)[start : start + PAGE])
        # A word that is better not used is found under its letter only.
        return [replace(row, names=tuple(name for name in row.names if name.is_usable)) for row in rows.values()]

    def grouped(self, rows: list[Row]) -> list[Group]:
        themes = groupby(rows, key=lambda row: row.theme)
        return [Group(f"theme-{theme}", theme_name(theme), tuple(found)) for theme, found in themes]


def _letter_id(letter: str) -> str:
    return f"letter-{letter.lower() if letter != sorting.OTHER else 'other'}"


def _paged(contents: Iterable[tuple[str, str, int]]) -> Iterable[Group]:
    """The groups of the whole list, each with the page it begins on, without their rows."""
    before = 0
    for identity, name, count in contents:
        yield Group(identity, name, (), before // PAGE + 1)
        before += count


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
    rows = list(Concept.objects.order_by().values_list("sort", "theme", *GAMES).annotate(Count("pk")))
    words = [row for row in rows if row[0] == Concept.Sort.WORD]
    terms = Term.objects.order_by().aggregate(many=Count("pk"), languages=Count("language", distinct=True))
    many = sum(row[-1] for row in words)
    return Counts(
        many,
        sum(row[-1] for row in rows) - many,
        terms["many"],
        terms["languages"],
        {theme: found for theme in THEMES if (found := sum(row[-1] for row in words if row[1] == theme))},
        {game: sum(row[-1] for row in rows if row[2 + at]) for at, game in enumerate(GAMES)},
    )


def letters(language: str) -> list[str]:
    """The letters that words of a language begin with, in order; `sorting.OTHER` last."""
    found = Term.objects.filter(language=language).order_by().values_list("letter", flat=True).distinct()
    return sorted(found, key=lambda letter: (letter == sorting.OTHER, letter))


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
    return tuple(
        Phrase(concept.document, places, language, links.to("word", concept.slug), concept.key) for concept in concepts
    )
