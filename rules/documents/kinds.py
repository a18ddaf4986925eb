"""The four kinds of documents, field by field: what an article, a concept, a source and a place hold.

`check` turns a document as submitted into the canonical one, or reports everything that is wrong with it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from domain.engine.rulesets import RULESETS
from rules.documents.shapes import (
    BadDocument,
    ByLanguage,
    Choice,
    Field,
    Flag,
    Label,
    Number,
    Problem,
    Rows,
    Shape,
    Table,
    Text,
    Texts,
    at,
)

LANGUAGES: Final[Mapping[str, Label]] = {
    "en": _("English"),
    "de": _("German"),
    "rm-sursilv": _("Sursilvan"),
    "rm-rumgr": _("Rumantsch Grischun"),
    "gsw": _("Swiss German"),
    "fr": _("French"),
    "it": _("Italian"),
}
"""The languages of words and of texts about them, in the order they are shown."""

THEMES: Final[Mapping[str, Label]] = {
    "games": _("the games"),
    "cards": _("cards"),
    "suits": _("suits"),
    "courts": _("court cards"),
    "trumps": _("trumps"),
    "deal": _("dealing"),
    "talk": _("the talk"),
    "discard": _("laying away"),
    "play": _("play"),
    "calls": _("calls"),
    "bids": _("bidding"),
    "counting": _("counting"),
    "payment": _("payment"),
    "people": _("people at the table"),
    "tournament": _("tournaments"),
}
SECTIONS: Final[Mapping[str, Label]] = {
    "games": _("the games"),
    "table": _("at the table"),
    "world": _("the cards and their world"),
}
STATUSES: Final[Mapping[str, Label]] = {
    "preferred": _("preferred"),
    "admitted": _("admitted"),
    "deprecated": _("deprecated"),
    "proposed": _("proposed"),
}
STANDINGS: Final[Mapping[str, Label]] = {
    "doubtful": _("doubtful"),
    "near": _("near equivalent"),
    "ours": _("coined by us"),
}
"""What a writer can say about a word; `rules.documents.standing` derives the rest from its sources."""
PARTS_OF_SPEECH: Final[Mapping[str, Label]] = {
    "noun": _("noun"),
    "verb": _("verb"),
    "adjective": _("adjective"),
    "adverb": _("adverb"),
    "phrase": _("phrase"),
    "other": _("other"),
}
GENDERS: Final = {"m": _("masculine"), "f": _("feminine"), "n": _("neuter"), "p": _("plural")}
KINDS_OF_SOURCES: Final[Mapping[str, Label]] = {
    "web": _("web page"),
    "book": _("book"),
    "article": _("article"),
    "pack": _("pack of cards"),
    "rules": _("rule sheet"),
}
TRUST: Final = {"primary": _("first hand"), "secondary": _("second hand"), "unreliable": _("not to be relied on")}
SORTS_OF_PLACES: Final[Mapping[str, Label]] = {
    "village": _("village"),
    "valley": _("valley"),
    "region": _("region"),
    "canton": _("canton"),
    "country": _("country"),
}
_KEY: Final = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_AT: Final = re.compile(r"-?\d{1,2}(?:\.\d{1,5})?, ?-?\d{1,3}(?:\.\d{1,5})?")
_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CITATION: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*(?:: \S.*)?")
_ADDRESS: Final = re.compile(r"https?://[^\s/?#<>\"'\\@]+(?:[/?#][^\s<>\"\\]*)?")
_DAY: Final = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_AUDIO: Final = re.compile(r"[a-z0-9]+(?:[-_/.][a-z0-9]+)*\.(?:ogg|opus|mp3)")

KEY_HINT: Final = _("Use small letters, figures, and single hyphens or full stops between them.")
SLUG_HINT: Final = _("Use small letters, figures, and single hyphens between them.")
TEXT_BYTES: Final = 60_000


_CONCEPT_KEY: Final = Text(80, pattern=_KEY, hint=KEY_HINT, refers_to="concept")
_PLACE_KEY: Final = Text(80, pattern=_SLUG, hint=SLUG_HINT, refers_to="place")
_ADDRESSED: Final = Text(80, pattern=_SLUG, hint=SLUG_HINT)
_CITED: Final = Text(
    200,
    pattern=_CITATION,
    hint=_("Name a source by its key, then the place in it: “pagat: The Deal”."),
    refers_to="source",
)
_CITATIONS: Final = Texts(_CITED, 20)


def _texts_by_language(most: int = 1000, lines: int = 20) -> ByLanguage:
    return ByLanguage(Text(most, lines=lines), LANGUAGES)


def term_title(term: Mapping[str, Any]) -> str:
    language = term.get("lang", "")
    return " › ".join(filter(None, (str(LANGUAGES.get(language, language)), str(term.get("text", "")))))


_EXAMPLE: Final = Table.of(
    Field("text", _("text"), Text(500, required=True)),
    Field("meaning", _("meaning"), _texts_by_language(500, 1)),
    Field("source", _("source"), _CITED),
    Field("speaker", _("speaker"), Text(80)),
    Field("place", _("place"), _PLACE_KEY),
)
TERM: Final = Table.of(
    Field("lang", _("language"), Choice(LANGUAGES, required=True)),
    Field("text", _("word"), Text(120, required=True)),
    Field("status", _("status"), Choice(STATUSES, default="admitted")),
    Field("standing", _("standing"), Choice(STANDINGS)),
    Field("pos", _("part of speech"), Choice(PARTS_OF_SPEECH)),
    Field("gender", _("gender"), Choice(GENDERS)),
    Field("place", _("place"), _PLACE_KEY),
    Field("register", _("register"), Text(60)),
    Field("sources", _("sources"), _CITATIONS),
    Field("look_up", _("also looked up as"), Texts(Text(120), 40)),
    Field("ipa", _("pronunciation"), Text(80)),
    Field(
        "audio",
        _("recording"),
        Table.of(
            Field(
                "file",
                _("file"),
                Text(120, required=True, pattern=_AUDIO, hint=_("Name an .ogg, .opus or .mp3 file.")),
            ),
            Field("licence", _("licence"), Text(80, required=True)),
            Field("speaker", _("speaker"), Text(80)),
        ),
    ),
    Field("note", _("note"), _texts_by_language()),
    Field("gloss", _("literal meaning"), _texts_by_language(200, 1)),
    Field(
        "examples",
        _("examples"),
        Rows(_EXAMPLE, 20, ("text", "source"), lambda row: str(row.get("text", "")), titled=("text",)),
    ),
    Field(
        "forms",
        _("forms for the table"),
        Table.of(
            Field("bare", _("without article"), Text(120)),
            Field("inflected", _("inflected"), Text(120)),
            Field("object", _("as an object"), Text(120)),
            Field("plural", _("plural"), Text(120)),
        ),
    ),
)
TERMS: Final = Rows(TERM, 60, ("lang", "text", "place"), term_title, within="lang", titled=("lang", "text"))

CONCEPT: Final = Table.of(
    Field("sort", _("sort"), Choice({"word": _("word"), "phrase": _("phrase of the talk")}, default="word")),
    Field("slug", _("address"), _ADDRESSED),
    Field("theme", _("theme"), Choice(THEMES, required=True)),
    Field("talk_theme", _("theme in the phrase book"), _ADDRESSED),
    Field("games", _("games"), Texts(Choice({"troccas": "Troccas", "troggu": "Troggu"}), 2)),
    Field("order", _("order"), Number(0, 100_000)),
    Field("strength", _("strength of the hand"), Number(0, 5, zero=True)),
    Field("place", _("place"), _PLACE_KEY),
    Field("about", _("place it speaks of"), _PLACE_KEY),
    Field("broader", _("wider word"), _CONCEPT_KEY),
    Field("related", _("related words"), Texts(_CONCEPT_KEY, 40)),
    Field("elsewhere", _("the same word elsewhere"), Text(60)),
    Field("own", _("the game’s own language"), Choice(LANGUAGES)),
    Field("title", _("title on the card"), Text(120)),
    Field("meaning", _("short meaning"), _texts_by_language(200, 1)),
    Field("literal", _("word for word"), _texts_by_language(300, 1)),
    Field("literal_ours", _("the literal sense is ours"), Flag()),
    Field("tells", _("what it tells"), _texts_by_language(300, 1)),
    Field("note", _("note"), _texts_by_language(2000, 40)),
    Field("asked", _("questions it answers"), Texts(Text(160), 60)),
    Field(
        "definitions",
        _("definition"),
        ByLanguage(
            Table.of(
                Field("text", _("text"), Text(2000, required=True, lines=40)),
                Field("sources", _("sources"), _CITATIONS),
            ),
            LANGUAGES,
        ),
    ),
    Field("terms", _("words"), TERMS),
)

SOURCE: Final = Table.of(
    Field("author", _("author"), Text(200)),
    Field("title", _("title"), Text(300, required=True)),
    Field("container", _("published in"), Text(300)),
    Field("place", _("place"), Text(120)),
    Field("year", _("year"), Text(40)),
    Field(
        "url",
        _("address"),
        Text(500, pattern=_ADDRESS, hint=_("Write an address that begins with https:// or http://.")),
    ),
    Field("seen", _("read on"), Text(10, pattern=_DAY, hint=_("Write a date as 2026-10-31, a month or a year."))),
    Field("language", _("language"), Text(60)),
    Field("kind", _("kind"), Choice(KINDS_OF_SOURCES)),
    Field("licence", _("licence"), Text(200)),
    Field("note", _("note"), _texts_by_language(2000, 40)),
    Field("trust", _("trust"), Choice(TRUST)),
)

PLACE: Final = Table.of(
    Field("names", _("name"), ByLanguage(Text(80), {"": _("all languages"), **LANGUAGES})),
    Field("sort", _("sort"), Choice(SORTS_OF_PLACES, required=True)),
    Field("parent", _("lies in"), _PLACE_KEY),
    Field("at", _("latitude and longitude"), Text(24, pattern=_AT, hint=_("Write degrees as on a map: 46.703, 8.856"))),
)

ARTICLE: Final = Table.of(
    Field("title", _("title"), Text(120, required=True)),
    Field("summary", _("summary"), Text(300)),
    Field("section", _("section"), Choice(SECTIONS, required=True)),
    Field("order", _("order"), Number(0, 10_000)),
    Field("ruleset", _("ruleset"), Choice({rules.id: rules.id for rules in RULESETS.values()})),
    Field("draft", _("draft"), Flag()),
    Field("text", _("text"), Text(TEXT_BYTES, required=True, lines=3000, most_bytes=TEXT_BYTES)),
)

KINDS: Final[Mapping[str, Table]] = {"article": ARTICLE, "concept": CONCEPT, "source": SOURCE, "place": PLACE}


Document = dict[str, Any]

_NEEDED: Final = _("This is needed.")


def check(kind: str, document: Mapping[str, Any]) -> Document:
    """The canonical form of `document`: fields in order, texts tidied, nothing empty. It is stable under `check`.

    `document` may be any JSON or TOML value. Raises BadDocument with all problems at once; KeyError for an unknown
    kind.
    """
    table = KINDS[kind]
    problems: list[Problem] = []
    canonical: Document = (table.read(document, "", problems) if document else None) or {}
    if not canonical and not problems:
        problems.append(Problem("", _("There is nothing in it.")))
    if not problems:
        problems.extend(_problems_between_fields(kind, canonical))
    if problems:
        raise BadDocument(problems)
    return canonical


def _problems_between_fields(kind: str, document: Document) -> list[Problem]:
    if kind == "place" and not document.get("names"):
        return [Problem("names", _NEEDED)]
    if kind != "concept":
        return []
    problems = []
    if not document.get("terms"):
        problems.append(Problem("terms", _("Write at least one word for it.")))
    if document["sort"] == "phrase" and "en" not in document.get("tells", {}):
        problems.append(Problem("tells.en", _("Say in English what the phrase tells.")))
    return problems


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a canonical document, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def source_of(citation: str) -> str:
    """The key of the source that a citation names: "pagat" for "pagat: The Deal"."""
    return citation.partition(":")[0]


def references(kind: str, document: Mapping[str, Any], to: str) -> dict[str, str]:
    """The keys of all entries of the kind `to` that the fields of a document name, by the paths of these fields.

    Citations in the text of an article are not included (see `rules.markup`).
    """
    return dict(_references(KINDS[kind], document, "", to))


def _references(shape: Shape, value: Any, path: str, to: str) -> Iterator[tuple[str, str]]:
    inner: Iterable[tuple[str, Shape]] = ()
    if isinstance(shape, Table):
        inner = ((field.name, field.shape) for field in shape.fields if field.name in value)
    elif isinstance(shape, ByLanguage):
        inner = ((code, shape.of) for code in value)
    elif isinstance(shape, Rows | Texts):
        for number, row in enumerate(value):
            yield from _references(shape.of, row, f"{path}.{number}", to)
    elif isinstance(shape, Text) and shape.refers_to == to:
        yield path, source_of(value) if to == "source" else value
    for name, part in inner:
        yield from _references(part, value[name], at(path, name), to)


def languages_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The languages in which two documents of a concept differ; `""` if a field without a language differs."""
    changed: set[str] = set()
    for name in {*before, *after}:
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if name == "terms":
            changed |= _terms_changed(old or [], new or [])
        elif isinstance(old or new, dict) and name != "names":
            old, new = old or {}, new or {}
            changed |= {code for code in {*old, *new} if old.get(code) != new.get(code)}
        else:
            changed.add("")
    return frozenset(changed)


def _terms_changed(before: list[Document], after: list[Document]) -> set[str]:
    """The languages whose terms, or whose order of terms, differ; the order of the languages themselves is ignored."""
    codes = {term["lang"] for term in (*before, *after)}
    return {
        code
        for code in codes
        if [term for term in before if term["lang"] == code] != [term for term in after if term["lang"] == code]
    }
