"""A concept as exchange files carry it: its words one by one, and what is said of it in each language.

A record says only what its format can carry; what is empty in it says nothing. `from_document` and `onto` are each other's
reverse: a record put onto the document that it was made from changes nothing.

What is published just now, as records: the one source of every file we give out.
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
"""Keys of phrases of the talk begin so; all other concepts are words."""
_TEXTS: Final = ("status", "pos", "gender", "place", "register", "ipa")
_LISTS: Final = ("sources", "look_up")
_BY_LANGUAGE: Final = ("note", "gloss")
"""What a term of a document and a word of a file call alike."""


@dataclass(frozen=True, slots=True)
class Definition:
    """What a concept is, in one language; of a phrase that has no definition: what it tells, on the source of the phrase."""

    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """One word for a concept. `place` is a place's key, `examples` are (text, citation); `line` is where a file has it."""

    language: str
    text: str
    status: str = ""
    standing: str = ""
    """Attested, near, doubtful, ours or proposed (`rules.documents.standing`); worked out where it is written."""
    reliability: int = 0
    """From 1 to 4 by the word's sources; 0 where it is not known, as in a file that is read."""
    pos: str = ""
    gender: str = ""
    plural: str = ""
    place: str = ""
    register: str = ""
    ipa: str = ""
    derived_ipa: str = ""
    """Worked out from the spelling where nobody has written `ipa`; only written to files, never read."""
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
    """The record of a canonical concept document. `trust` says of a source's key how far the source is trusted."""
    told = document.get("tells", {}) if document["sort"] == "phrase" else {}
    told_by = tuple(document["terms"][0].get("sources", ())[:1]) if told else ()
    definitions = {code: Definition(text, told_by) for code, text in told.items()}
    for code, said in document.get("definitions", {}).items():
        definitions[code] = Definition(said["text"], tuple(said.get("sources", ())))
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
    """What a phrase says word for word, as its source has it. Our own translations are left out: no file could say so."""
    said: Mapping[str, str] = {} if document.get("literal_ours") else document.get("literal", {})
    return said


def _word(term: Mapping[str, Any], trust: Callable[[str], str]) -> Word:
    said: dict[str, Any] = {name: term[name] for name in (*_TEXTS, *_BY_LANGUAGE) if name in term}
    said |= {name: tuple(term[name]) for name in _LISTS if name in term}
    said["plural"] = term.get("forms", {}).get("plural", "")
    examples = tuple((row["text"], row.get("source", "")) for row in term.get("examples", ()))
    said |= {"standing": standing.of(term), "reliability": standing.reliability(term, trust)}
    if "ipa" not in said:
        said["derived_ipa"] = pronounced(term["text"], term["lang"])
    return Word(term["lang"], term["text"], **said, examples=examples)


def onto(record: Record, document: Mapping[str, Any] | None) -> Document:
    """The document with what the record says put onto it; None: a new one. Nothing is ever taken away by it.

    The result is not checked: hand it to `documents.check`.
    """
    made: Document = deepcopy(dict(document or {}))
    made.setdefault("sort", "phrase" if record.key.startswith(PHRASES) else "word")
    if record.theme:
        made["theme"] = record.theme
    made["games"] = _joined(made.get("games", ()), record.games)
    made["note"] = {**made.get("note", {}), **record.note}
    for code, definition in record.definitions.items():
        _define(made, code, definition)
    terms: list[Document] = made.setdefault("terms", [])
    for word in record.words:
        if made.get("literal") and _same(terms, word) is terms[0] and not terms[0].get("gloss"):
            made["literal"] = {**made["literal"], **word.gloss}
            word = replace(word, gloss={})
        _say(terms, word)
    return made


def _define(made: Document, code: str, definition: Definition) -> None:
    definitions = made.setdefault("definitions", {})
    told = code in made.get("tells", {}) or not definition.sources
    if made["sort"] == "phrase" and code not in definitions and told:
        made["tells"] = {**made.get("tells", {}), code: definition.text}
        return
    before = definitions.get(code, {})
    sources = _joined(before.get("sources", ()), definition.sources)
    definitions[code] = {"text": definition.text or before.get("text", ""), "sources": sources}


def _say(terms: list[Document], word: Word) -> None:
    """Put one word onto the terms: onto the one it is, or after all others."""
    term = _same(terms, word)
    if term is None:
        # A new word of which the file does not say how far it is to be used is one to be looked at.
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
    known = {(row["text"], row.get("source", "")) for row in term.get("examples", ())}
    new = [example for example in word.examples if example not in known]
    if new:
        rows = [{"text": text, **({"source": source} if source else {})} for text, source in new]
        term["examples"] = [*term.get("examples", ()), *rows]


def _same(terms: list[Document], word: Word) -> Document | None:
    """The term that a word is: same language and text, and the same place; or the only one if a place is not said."""
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
    """All published words of one game, or of both, with the works and places they name."""

    concepts: tuple[Published, ...]
    sources: dict[str, dict[str, Any]]
    places: dict[str, str]
    """A place's name in English, or in all languages, by its key."""


def collect(game: str = "") -> Collection:
    """The published words of `game` (of both if empty), in the order of the word lists. Raises ValueError for another game.

    Three queries.
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
        said: str = sources.get(source, {}).get("trust", "")
        return said

    concepts = tuple(
        Published(from_document(key, document, number, trust), document, slug, at)
        for key, slug, document, number, at in values.iterator()
    )
    names = {key: name(by_language) for key, by_language in Place.objects.values_list("key", "names")}
    return Collection(concepts, sources, names)


def name(names: dict[str, str]) -> str:
    """A place's name for a file that is in no language: the one that holds everywhere, else the English one."""
    return names.get("") or names.get("en") or next(iter(names.values()), "")


def state() -> int:
    """The number of the published state of the words: another one means that something was published since."""
    return Catalogue.objects.filter(pk=1).values_list("words", flat=True).first() or 0
