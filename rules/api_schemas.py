"""The responses of the JSON API, shape by shape, and their values from the rows of `rules.models`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Field

from core.schemas import Paged, Schema
from rules.documents import standing
from rules.documents.kinds import LANGUAGES, THEMES
from rules.models import Article, Concept, Place, Source, Term
from rules.pronouncing import pronounced

Game = Literal["troccas", "troggu"]
Status = Literal["preferred", "admitted", "deprecated", "proposed"]
Language = Literal["en", "de", "rm-sursilv", "rm-rumgr", "gsw", "fr", "it"]
Theme = Literal[
    "games", "cards", "suits", "courts", "trumps", "deal", "talk", "discard", "play", "calls", "bids", "counting", "payment",
    "people", "tournament",
]  # fmt: skip
ByLanguage = dict[str, str]

# The API's types must name what documents may hold; a new theme that is missing here stops the program at once.
assert set(Theme.__args__) == set(THEMES)  # type: ignore[attr-defined]  # what Literal keeps its options in
assert set(Language.__args__) == set(LANGUAGES)  # type: ignore[attr-defined]  # what Literal keeps its options in


class Failure(Schema):
    """Why a request was refused."""

    detail: str
    errors: list[dict[str, str]] = Field(
        default_factory=list, description="the parameters that cannot be read, and why"
    )


class Example(Schema):
    """A word in use."""

    text: str
    meaning: ByLanguage
    source: str
    speaker: str
    place: str


class TermOut(Schema):
    """One word for a concept. `sources` are citations: a source's key, then the place in it."""

    language: str
    text: str
    status: Status
    standing: Literal["attested", "near", "doubtful", "ours", "proposed"] = Field(description="how sure the word is")
    part_of_speech: str
    gender: str = Field(description="m, f, n, p (plural only), or empty")
    place: str = Field(description="the key of the place where it is said; empty: wherever the language is spoken")
    usage: str = Field(description="its register, as jocular or historical; empty for most")
    pronunciation: str = Field(description="IPA, where it is known or follows from the spelling")
    pronunciation_derived: bool = Field(
        description="whether it only follows from the spelling, and nobody has written it"
    )
    sources: list[str]
    look_up: list[str] = Field(description="further forms that a reader may type")
    literally: ByLanguage = Field(description="what a popular name says word for word")
    note: ByLanguage
    examples: list[Example]


class TermOfConcept(TermOut):
    """A word, with the concept it stands for."""

    concept: str
    url: str


class DefinitionOut(Schema):
    """What a concept is, in one language."""

    language: str
    text: str
    sources: list[str]


class ConceptShort(Schema):
    """A concept in a list. `id` is its permanent name, `url` its page."""

    key: str
    id: str
    url: str
    sort: Literal["word", "phrase"]
    theme: Theme
    games: list[Game]
    names: dict[str, str] = Field(description="by language: the first word that is still used")


class ConceptOut(ConceptShort):
    """A concept with all that is published about it."""

    broader: str
    related: list[str]
    title: str = Field(description="what the card has printed on it")
    meaning: ByLanguage
    literal: ByLanguage = Field(description="of a phrase: word for word")
    tells: ByLanguage = Field(description="of a phrase: what it tells of the hand")
    literal_ours: bool = Field(description="whether the literal sense is our own translation, not that of a source")
    strength: int | None = Field(description="of a phrase, as we judge it: from 0 (weak) to 5 (strong)")
    place: str = Field(description="of a phrase: where it was heard")
    about: str = Field(description="of a phrase: the place it names")
    note: ByLanguage
    definitions: list[DefinitionOut]
    terms: list[TermOut]
    revision: int
    changed: datetime


class SourceOut(Schema):
    """A work that facts are taken from."""

    key: str
    url: str = Field(description="its page here")
    author: str
    title: str
    container: str
    place: str
    year: str
    address: str = Field(description="where it can be read")
    seen: str = Field(description="when it was read")
    language: str
    kind: str
    licence: str
    trust: str
    note: ByLanguage


class PlaceOut(Schema):
    """A place; `parent` is the key of the larger one it lies in."""

    key: str
    url: str
    names: ByLanguage = Field(description="by language; the empty key holds for all that are not listed")
    sort: str
    parent: str


class ArticleShort(Schema):
    """An article in a list, in one language."""

    key: str
    language: str
    url: str
    title: str
    summary: str
    section: str
    ruleset: str
    draft: bool


class ArticleOut(ArticleShort):
    """An article with its text: as it was written (CommonMark with directives), and as HTML with relative addresses."""

    languages: list[str] = Field(description="the languages in which it is published")
    text: str
    html: str
    revision: int
    changed: datetime


class FoundOut(Schema):
    """One search result. `excerpt` is HTML in which `mark` shows the matching words."""

    kind: str
    key: str
    title: str
    language: str
    url: str
    where: str
    excerpt: str
    score: float


class Concepts(Paged):
    """One page of concepts; `count` is the total number."""

    results: list[ConceptShort]


class Terms(Paged):
    """One page of words; `count` is the total number."""

    results: list[TermOfConcept]


class Phrases(Schema):
    """The phrase book."""

    count: int
    results: list[ConceptOut]


class Answers(Schema):
    """Search results; `count` is the total number."""

    count: int
    results: list[FoundOut]


class Index(Schema):
    """Where everything is."""

    title: str
    description: str
    openapi: str
    licence: str = Field(description="on what terms texts and words may be used, or that none are chosen yet")
    links: dict[str, str]


def term_of_concept(row: Term, url: str) -> dict[str, Any]:
    """The fields of `TermOfConcept`; `url` is the address of its concept's page."""
    return {**_term(row.document), "concept": row.concept.key, "url": url}


def _term(term: dict[str, Any]) -> dict[str, Any]:
    empty = {"meaning": {}, "source": "", "speaker": "", "place": ""}
    derived = "" if term.get("ipa") else pronounced(term["text"], term["lang"])
    return {
        "language": term["lang"],
        "text": term["text"],
        "status": term["status"],
        "standing": standing.of(term),
        "part_of_speech": term.get("pos", ""),
        "gender": term.get("gender", ""),
        "place": term.get("place", ""),
        "usage": term.get("register", ""),
        "pronunciation": term.get("ipa", "") or derived,
        "pronunciation_derived": bool(derived),
        "sources": term.get("sources", []),
        "look_up": term.get("look_up", []),
        "literally": term.get("gloss", {}),
        "note": term.get("note", {}),
        "examples": [{**empty, **example} for example in term.get("examples", ())],
    }


def concept_short(row: Concept, *, site: str, url: str) -> dict[str, Any]:
    names: dict[str, str] = {}
    for term in row.document["terms"]:
        if term["status"] != "deprecated":
            names.setdefault(term["lang"], term["text"])
    return {
        "key": row.key,
        "id": f"{site}/id/{row.key}",
        "url": url,
        "sort": row.sort,
        "theme": row.theme,
        "games": row.document.get("games", []),
        "names": names,
    }


def concept_whole(row: Concept, *, site: str, url: str) -> dict[str, Any]:
    """The fields of `ConceptOut`; the row must have been fetched with its revision."""
    document = row.document
    revision = row.entry.published
    assert revision is not None  # a concept has a row only while it is published
    return {
        **concept_short(row, site=site, url=url),
        **{name: document.get(name, "") for name in ("broader", "title", "place", "about")},
        "literal_ours": document.get("literal_ours", False),
        **{name: document.get(name, {}) for name in ("meaning", "literal", "tells", "note")},
        "related": document.get("related", []),
        "strength": document.get("strength"),
        "definitions": [
            {"language": code, "text": definition["text"], "sources": definition.get("sources", [])}
            for code, definition in document.get("definitions", {}).items()
        ],
        "terms": [_term(term) for term in document["terms"]],
        "revision": revision.number,
        "changed": revision.at,
    }


def source(row: Source, url: str) -> dict[str, Any]:
    """The fields of `SourceOut`."""
    names = (
        "author", "title", "container", "place", "year", "seen", "language", "kind", "licence", "trust",
    )  # fmt: skip
    document = row.document
    return {
        "key": row.key,
        "url": url,
        **{name: document.get(name, "") for name in names},
        "address": document.get("url", ""),
        "note": document.get("note", {}),
    }


def place(row: Place, url: str) -> dict[str, Any]:
    """The fields of `PlaceOut`; the row must have been fetched with its parent."""
    parent = row.parent.key if row.parent else ""
    return {"key": row.key, "url": url, "names": row.names, "sort": row.sort, "parent": parent}


def article(row: Article, url: str) -> dict[str, Any]:
    """The fields of `ArticleShort`."""
    names = ("key", "language", "title", "summary", "section", "ruleset", "draft")
    return {"url": url, **{name: getattr(row, name) for name in names}}
