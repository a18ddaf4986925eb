"""A concept as exchange files carry it: its words one by one, and the texts about it in each language.

A record has only what its format can carry; empty fields say nothing. `from_document` and `extended_document` are inverse: a record
put onto the document that it was made from changes nothing. `collect` returns what is published now, as records: the
one source of every file that we export.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from rules.documents import Document, standing
from rules.documents.kinds import STANDINGS
from rules.models import Catalogue, Concept, Place, Source
from rules.pronouncing import pronounced

PHRASES: Final = "phrases."
"""The prefix of the keys of phrases; all other concepts are words."""
_TEXTS: Final = ("status", "pos", "gender", "place", "register", "ipa")
_LISTS: Final = ("sources", "look_up")
_BY_LANGUAGE: Final = ("note", "gloss")
"""Fields with the same name in a term of a document and in a word of a file."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What a concept is, in one language; for a phrase without a definition, what it tells, with its source."""

    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """One word for a concept.

    `place` is a place's key, `examples` are (text, citation); `line` is its line in a file.
    """

    language: str
    text: str
    status: str = ""
    standing: str = ""
    """Attested, near, doubtful, ours or proposed (`rules.documents.standing`); derived when a file is written."""
    reliability: int = 0
    """From 1 to 4 by the word's sources; 0 if unknown, as in a file that is read."""
    pos: str = ""
    gender: str = ""
    plural: str = ""
    place: str = ""
    register: str = ""
    ipa: str = ""
    derived_ipa: str = ""
    """Derived from the spelling if there is no `ipa`; only written to files, never read."""
    sources: tuple[str, ...] = ()
    look_up: tuple[str, ...] = ()
    note: Mapping[str, str] = field(default_factory=dict)
    gloss: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[tuple[str, str], ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """One concept of a file. `revision` is the number of the revision it was made from, 0 if the file does not say."""

    key: str
    theme: str = ""
    games: tuple[str, ...] = ()
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    note: Mapping[str, str] = field(default_factory=dict)
    words: tuple[Word, ...] = ()
    revision: int = 0
    line: int = 0

    @property
    def languages(self) -> list[str]:
        """The languages of its words, each once, in the order of the words."""
        return list(dict.fromkeys(word.language for word in self.words))


def from_document(
    key: str, document: Mapping[str, Any], revision: int = 0, trust: Callable[[str], str] = lambda _source: ""
) -> Record:
    """The record of a canonical concept document. `trust` returns how far the source with a key is trusted."""
    tells = document.get("tells", {}) if document["sort"] == "phrase" else {}
    sources = tuple(document["terms"][0].get("sources", ())[:1]) if tells else ()
    definitions = {code: Definition(text, sources) for code, text in tells.items()}
    for code, definition in document.get("definitions", {}).items():
        definitions[code] = Definition(definition["text"], tuple(definition.get("sources", ())))
    words = tuple(_word(term, trust) for term in document["terms"])
    if words and not words[0].gloss:
        words = (replace(words[0], gloss=literal_of(document)), *words[1:])
    return Record(
        key,
        document["theme"],
        tuple(document.get("games", ())),
        definitions,
        document.get("note", {}),
        words,
        revision,
    )


def literal_of(document: Mapping[str, Any]) -> Mapping[str, str]:
    """What a phrase says word for word, from its source.

    Our own translations are left out: files could not mark them.
    """
    literal: Mapping[str, str] = {} if document.get("literal_ours") else document.get("literal", {})
    return literal


def _word(term: Mapping[str, Any], trust: Callable[[str], str]) -> Word:
    fields: dict[str, Any] = {name: term[name] for name in (*_TEXTS, *_BY_LANGUAGE) if name in term}
    fields |= {name: tuple(term[name]) for name in _LISTS if name in term}
    fields["plural"] = term.get("forms", {}).get("plural", "")
    examples = tuple((row["text"], row.get("source", "")) for row in term.get("examples", ()))
    fields |= {"standing": standing.of(term), "reliability": standing.reliability(term, trust)}
    if "ipa" not in fields:
        fields["derived_ipa"] = pronounced(term["text"], term["lang"])
    return Word(term["lang"], term["text"], **fields, examples=examples)


def extended_document(record: Record, document: Mapping[str, Any] | None) -> Document:
    """A copy of the document (None: a new one), extended by the record. Nothing is ever removed.

    The result is not checked: pass it to `documents.check`.
    """
    extended: Document = deepcopy(dict(document or {}))
    extended.setdefault("sort", "phrase" if record.key.startswith(PHRASES) else "word")
    if record.theme:
        extended["theme"] = record.theme
    extended["games"] = _joined(extended.get("games", ()), record.games)
    extended["note"] = {**extended.get("note", {}), **record.note}
    for code, definition in record.definitions.items():
        _add_definition(extended, code, definition)
    terms: list[Document] = extended.setdefault("terms", [])
    for word in record.words:
        if extended.get("literal") and _same(terms, word) is terms[0] and not terms[0].get("gloss"):
            extended["literal"] = {**extended["literal"], **word.gloss}
            word = replace(word, gloss={})
        _add_word(terms, word)
    return extended


def _add_definition(document: Document, code: str, definition: Definition) -> None:
    """Add a definition to the document; for a phrase without one, it may be what the phrase tells."""
    definitions = document.setdefault("definitions", {})
    is_told = code in document.get("tells", {}) or not definition.sources
    if document["sort"] == "phrase" and code not in definitions and is_told:
        document["tells"] = {**document.get("tells", {}), code: definition.text}
        return
    before = definitions.get(code, {})
    sources = _joined(before.get("sources", ()), definition.sources)
    definitions[code] = {"text": definition.text or before.get("text", ""), "sources": sources}


def _add_word(terms: list[Document], word: Word) -> None:
    """Add a word to the terms: to the same term, or else as a new one at the end."""
    term = _same(terms, word)
    if term is None:
        # Unless the file gives a status, a new word must be reviewed.
        term = {"lang": word.language, "text": word.text, "status": "proposed"}
        terms.append(term)
    for name in _TEXTS:
        if getattr(word, name):
            term[name] = getattr(word, name)
    for name in _BY_LANGUAGE:
        if getattr(word, name):
            term[name] = {**term.get(name, {}), **getattr(word, name)}
    for name in _LISTS:
        if getattr(word, name):
            term[name] = _joined(term.get(name, ()), getattr(word, name))
    if word.standing in STANDINGS and standing.of(term) != word.standing:
        term["standing"] = word.standing
    if word.plural:
        term["forms"] = {**term.get("forms", {}), "plural": word.plural}
    existing = {(row["text"], row.get("source", "")) for row in term.get("examples", ())}
    new = [example for example in word.examples if example not in existing]
    if new:
        rows = [{"text": text, **({"source": source} if source else {})} for text, source in new]
        term["examples"] = [*term.get("examples", ()), *rows]


def _same(terms: list[Document], word: Word) -> Document | None:
    """The term for a word: with the same language, text and place, or the only such one if either has no place."""
    alike = [term for term in terms if (term["lang"], term["text"]) == (word.language, word.text)]
    exact = [term for term in alike if term.get("place", "") == word.place]
    if exact:
        return exact[0]
    if len(alike) == 1 and (not word.place or "place" not in alike[0]):
        return alike[0]
    return None


def _joined(before: Any, more: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys([*before, *more]))


GAMES: Final = ("troccas", "troggu")


@dataclass(frozen=True, slots=True)
class Published:
    """One published concept: its record, its whole document, its address and when it was published."""

    record: Record
    document: dict[str, Any]
    slug: str
    at: datetime

    @property
    def key(self) -> str:
        return self.record.key


@dataclass(frozen=True, slots=True)
class Collection:
    """All published words of one game, or of both, with the sources and places they name."""

    concepts: tuple[Published, ...]
    sources: dict[str, dict[str, Any]]
    places: dict[str, str]
    """A place's name in English, or in all languages, by its key."""


def collect(game: str = "") -> Collection:
    """The published words of `game` (of both if empty), in the order of the word lists. Three queries.

    Raises ValueError for an unknown game.
    """
    if game and game not in GAMES:
        raise ValueError(f"no such game: {game}")
    rows = Concept.objects.filter(entry__published__isnull=False)
    if game:
        rows = rows.filter(**{game: True})
    values = rows.order_by("theme", "order", "key").values_list(
        "key", "slug", "document", "entry__published__number", "entry__published__at"
    )
    sources = dict(Source.objects.order_by("key").values_list("key", "document"))

    def trust(source: str) -> str:
        return str(sources.get(source, {}).get("trust", ""))

    concepts = tuple(
        Published(from_document(key, document, number, trust), document, slug, at)
        for key, slug, document, number, at in values.iterator()
    )
    names = {key: name(by_language) for key, by_language in Place.objects.values_list("key", "names")}
    return Collection(concepts, sources, names)


def name(names: dict[str, str]) -> str:
    """The name of a place for a file without a language of its own: the one for all languages, else the English one."""
    return names.get("") or names.get("en") or next(iter(names.values()), "")


def state() -> int:
    """The version of the published words: it changes whenever something is published."""
    return Catalogue.objects.filter(pk=1).values_list("words", flat=True).first() or 0
