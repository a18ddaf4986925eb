"""The word list, and the phrase book.

A word list has a pair of languages, filters and an order: by letter or by theme. It is described by the query of an
address; invalid values are ignored. The database sorts and counts; only the rows of the page are read. The phrase book
has all published phrases of the talk, in chapters by subject.
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
"""Rows on one page."""
BY_THEME: Final = "theme"
BY_LETTER: Final = "letter"
_MOST_LETTERS: Final = 60
_FIELDS: Final = ("pk", "slug", "theme", "sort", "document__literal", "document__tells")
"""The fields of a concept that are read for its row."""
_OF_GAME: Final = {"troccas": "rm-sursilv", "troggu": "gsw"}


@dataclass(frozen=True, slots=True)
class ListQuery:
    """The list that a reader requests. Empty `game` and `theme` mean all."""

    source: str
    target: str
    game: str = ""
    theme: str = ""
    order: str = BY_LETTER
    containing: str = ""
    explained: bool = False
    """Whether to show what each word means."""
    page: int = 1

    @property
    def query(self) -> str:
        """The query of its address."""
        parameters = {"from": self.source, "to": self.target, "game": self.game, "theme": self.theme}
        parameters["order"] = self.order if self.order != BY_LETTER else ""
        parameters["q"] = self.containing
        parameters["explained"] = "yes" if self.explained else ""
        parameters["page"] = str(self.page) if self.page > 1 else ""
        return urlencode({name: value for name, value in parameters.items() if value})

    @property
    def swapped(self) -> ListQuery:
        return replace(self, source=self.target, target=self.source, page=1)

    def on_page(self, page: int) -> ListQuery:
        return replace(self, page=page)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list: the words of a concept in one language, and those in the other."""

    address: str
    theme: str
    names: tuple[Naming, ...]
    meanings: tuple[Naming, ...]
    literal: Said
    """For a phrase without a counterpart: what it says word for word."""
    explanation: Said


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading, with the page of the list on which it begins."""

    id: str
    name: str
    rows: tuple[Row, ...]
    page: int = 1


@dataclass(frozen=True, slots=True)
class WordList:
    """A page of a list. `groups` has the rows of this page, `contents` all groups of the whole list, without rows."""

    asked: ListQuery
    groups: tuple[Group, ...]
    contents: tuple[Group, ...]
    total: int
    pages: int
    places: Mapping[str, str]
    """The names of the places of its words, by key."""


def parse_query(query: Mapping[str, str], language: str) -> ListQuery:
    """The list that the query of an address requests; invalid values are ignored.

    By default, the pair of languages leads from the players' own words to the language of the reader.
    """
    game = _one_of(query.get("game", ""), GAMES)
    source = _one_of(query.get("from", ""), (OWN, *LANGUAGES)) or _OF_GAME.get(game, OWN)
    target = _one_of(query.get("to", ""), (OWN, *LANGUAGES))
    if not target:
        target = next((code for code in fallbacks(language) if code != source), language)
        target = OWN if source not in (OWN, *OWN_LANGUAGES) else target
    return ListQuery(
        source,
        target,
        game,
        _one_of(query.get("theme", ""), THEMES),
        _one_of(query.get("order", ""), (BY_THEME,)) or BY_LETTER,
        " ".join(query.get("q", "")[:_MOST_LETTERS].split()),
        query.get("explained") == "yes",
        whole_number(query.get("page", ""), 4) or 1,
    )


def _one_of(value: str, valid: Iterable[str]) -> str:
    return value if value in valid else ""


def language_choices() -> list[tuple[str, str | Promise]]:
    return [(OWN, _("the players’ own words")), *LANGUAGES.items()]


def choice_name(choice: str) -> str:
    return capfirst(dict(language_choices())[choice])


def languages_of(choice: str) -> tuple[str, ...]:
    return OWN_LANGUAGES if choice == OWN else (choice,)


def word_list(asked: ListQuery, language: str) -> WordList:
    """The requested page of the list. Its cost depends on the page, not on the number of words."""
    lines = _Letters(asked, language) if asked.order == BY_LETTER else _Themes(asked, language)
    contents = lines.contents()
    total = sum(count for _id, _name, count in contents)
    pages = max(1, -(-total // PAGE))
    page = min(asked.page, pages)
    rows = lines.rows((page - 1) * PAGE)
    return WordList(
        asked.on_page(page),
        tuple(lines.grouped(rows)),
        tuple(_paged(contents)),
        total,
        pages,
        _places(rows, language),
    )


class _Lines:
    """The queries of a list; the rows of a page are read by `rows`."""

    def __init__(self, asked: ListQuery, language: str) -> None:
        self.asked = asked
        self.language = language
        self.sources = languages_of(asked.source)
        self.targets = languages_of(asked.target)
        self.languages = {*self.sources, *self.targets}
        """The languages in which the words of a concept are read."""
        self.needle = fold(asked.containing)
        self.terms = Term.objects.filter(language__in=self.sources).order_by()

    @cached_property
    def concepts(self) -> QuerySet[Concept]:
        """The concepts of the requested game and theme."""
        only = Q()
        if self.asked.game:
            only &= Q(**{self.asked.game: True})
        if self.asked.theme:
            only &= Q(theme=self.asked.theme)
        return Concept.objects.filter(only).order_by()

    def meaning_it(self) -> Q:
        """A condition for terms: the concept has the needle in a name in the other language or in its literal sense."""
        condition = Q(concept__in=[key for key, literal in self._literals() if self.needle in fold(literal.text)])
        if self.sources != self.targets:
            others = Term.objects.filter(language__in=self.targets, folded__contains=self.needle)
            condition |= Q(concept__in=others.exclude(status=Term.Status.DEPRECATED).order_by().values("concept"))
        return condition

    def _literals(self) -> Iterable[tuple[int, Said]]:
        phrases = Concept.objects.filter(sort=Concept.Sort.PHRASE).exclude(terms__language__in=self.targets).order_by()
        for key, literal in phrases.values_list("pk", "document__literal"):
            yield key, self.literal(literal)

    def literal(self, texts: Mapping[str, str] | None) -> Said:
        return localised(texts or {}, self.targets[0] if self.asked.target != OWN else self.language)

    def read(self, values: Iterable[tuple[Any, ...]]) -> dict[int, Row]:
        """A row for each concept, given its values of `_FIELDS`, with all its words in `languages`."""
        values = list(values)
        concepts = [row[0] for row in values]
        names: dict[int, list[Naming]] = {}
        terms = Term.objects.filter(concept__in=concepts, language__in=self.languages).order_by("order")
        for concept, term in terms.values_list("concept_id", "document"):
            names.setdefault(concept, []).append(Naming.of(term))
        explanations = self._explanations(concepts) if self.asked.explained else {}
        links = Links(self.language)
        rows = {}
        for pk, slug, theme, sort, literal, tells in values:
            meanings = [name for code in self.targets for name in names.get(pk, ()) if name.language == code]
            is_phrase = sort == Concept.Sort.PHRASE
            texts = (tells or {}) if is_phrase else explanations.get(pk, {})
            rows[pk] = Row(
                links.to("word", slug),
                theme,
                tuple(name for code in self.sources for name in names.get(pk, ()) if name.language == code),
                tuple(name for name in meanings if name.is_usable) if self.sources != self.targets else (),
                self.literal(literal) if is_phrase and not meanings else Said(),
                localised(texts, self.language) if self.asked.explained else Said(),
            )
        return rows

    def _explanations(self, concepts: Sequence[int]) -> dict[int, dict[str, str]]:
        """The definitions of the concepts, in the reader's language and its fallbacks."""
        by_concept: dict[int, dict[str, str]] = {}
        rows = Definition.objects.filter(concept__in=concepts, language__in=fallbacks(self.language))
        for concept, code, text in rows.values_list("concept_id", "language", "text"):
            by_concept.setdefault(concept, {})[code] = text
        return by_concept


class _Letters(_Lines):
    """A row for each word, not only for the first of a concept, in alphabetical order."""

    def __init__(self, asked: ListQuery, language: str) -> None:
        super().__init__(asked, language)
        self.languages = {*self.targets}

    @cached_property
    def listed(self) -> QuerySet[Term]:
        terms = self.terms
        if self.asked.game or self.asked.theme:
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
        terms = list(
            self.listed.order_by("filed", "text", "pk").values_list("concept_id", "document")[start : start + PAGE]
        )
        rows = self.read(Concept.objects.filter(pk__in={concept for concept, _term in terms}).values_list(*_FIELDS))
        return [replace(rows[concept], names=(Naming.of(term),)) for concept, term in terms if concept in rows]

    def grouped(self, rows: list[Row]) -> list[Group]:
        letters = groupby(rows, key=lambda row: row.names[0].letter)
        return [Group(_letter_id(letter), letter, tuple(members)) for letter, members in letters]


class _Themes(_Lines):
    """A row for each concept with a usable word in the first language, ordered by theme, then as in the files."""

    @cached_property
    def listed(self) -> QuerySet[Concept]:
        usable = self.terms.exclude(status=Term.Status.DEPRECATED)
        condition = Q(pk__in=usable.values("concept"))
        if self.needle:
            usable = usable.filter(Q(folded__contains=self.needle) | self.meaning_it())
            condition &= Q(pk__in=usable.values("concept"))
        return self.concepts.filter(condition)

    def contents(self) -> list[tuple[str, str, int]]:
        """Id, name and number of rows of each theme."""
        counted = dict(self.listed.values_list("theme").annotate(Count("pk")))
        return [(f"theme-{theme}", theme_name(theme), counted[theme]) for theme in THEMES if theme in counted]

    def rows(self, start: int) -> list[Row]:
        rank = Case(*(When(theme=theme, then=number) for number, theme in enumerate(THEMES)))
        rows = self.read(self.listed.order_by(rank, "order", "key").values_list(*_FIELDS)[start : start + PAGE])
        # Deprecated words are only listed by letter.
        return [replace(row, names=tuple(name for name in row.names if name.is_usable)) for row in rows.values()]

    def grouped(self, rows: list[Row]) -> list[Group]:
        themes = groupby(rows, key=lambda row: row.theme)
        return [Group(f"theme-{theme}", theme_name(theme), tuple(members)) for theme, members in themes]


def _letter_id(letter: str) -> str:
    return f"letter-{letter.lower() if letter != sorting.OTHER else 'other'}"


def _paged(contents: Iterable[tuple[str, str, int]]) -> Iterable[Group]:
    """The groups of the whole list, each with the page on which it begins, without their rows."""
    before = 0
    for identity, name, count in contents:
        yield Group(identity, name, (), before // PAGE + 1)
        before += count


def _places(rows: Iterable[Row], language: str) -> dict[str, str]:
    keys = {name.place for row in rows for name in (*row.names, *row.meanings) if name.place}
    return {place.key: place_name(place, language) for place in Place.objects.filter(key__in=keys)} if keys else {}


@dataclass(frozen=True, slots=True)
class Counts:
    """How many are published: concepts and phrases, words for them, languages; concepts by theme and by game."""

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
    terms = Term.objects.order_by().aggregate(count=Count("pk"), languages=Count("language", distinct=True))
    concepts = sum(row[-1] for row in words)
    return Counts(
        concepts,
        sum(row[-1] for row in rows) - concepts,
        terms["count"],
        terms["languages"],
        {theme: count for theme in THEMES if (count := sum(row[-1] for row in words if row[1] == theme))},
        {game: sum(row[-1] for row in rows if row[2 + index]) for index, game in enumerate(GAMES)},
    )


def letters(language: str) -> list[str]:
    """The letters under which words of a language are filed, in order; `sorting.OTHER` last."""
    rows = Term.objects.filter(language=language).order_by().values_list("letter", flat=True).distinct()
    return sorted(rows, key=lambda letter: (letter == sorting.OTHER, letter))


_SAMPLES: Final = 4
OTHER: Final = "other"
"""The chapter for phrases whose theme is unknown."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """The phrases about one subject; its name is empty if the book has none for it."""

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
    keys = (row.document.get(name, "") for row in rows for name in ("place", "about"))
    places = place_links(keys, language)
    book = [
        Chapter(theme.id, Said(theme.name, theme.lang), theme.draft, _shown(by_theme[theme.id], language, places))
        for theme in themes.values()
        if theme.id in by_theme
    ]
    if OTHER in by_theme:
        book.append(Chapter(OTHER, Said(), False, _shown(by_theme[OTHER], language, places)))
    return book


def samples(language: str) -> tuple[Phrase, ...]:
    """A few sample phrases: the first of each of the first chapters."""
    return tuple(chapter.phrases[0] for chapter in chapters(language)[:_SAMPLES])


def _shown(concepts: Iterable[Concept], language: str, places: dict[str, PlaceLink]) -> tuple[Phrase, ...]:
    links = Links(language)
    return tuple(
        Phrase(concept.document, places, language, links.to("word", concept.slug), concept.key) for concept in concepts
    )
