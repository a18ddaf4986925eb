"""What things are called, in which language, and according to which source.

Everything that names a thing of the game goes through `names_of`: the words published in the encyclopedia come first,
as this process knows them, then those of `content/*.toml`. Looking up a name never queries the database.

`refresh` checks whether words were published since, at most every few seconds, and then reads the concepts that the
program itself names again (those of `content/cards.toml`, `words.toml` and the phrase book; everything else is read
where it is shown). The middleware and the worker call it, never a name look-up. Deprecated terms are not used as names.
"""

from __future__ import annotations

import logging
import threading
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as replace_text
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import BigIntegerField, F, Value
from django.db.models.functions import Greatest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from core.sursilvan import SURSILVAN
from domain.engine.talk import phrase_book
from rules.models import SOURCE_LANGUAGE, Catalogue, Concept

_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a concept in one language, as its source prints it.

    `gender` is m, f, n, p (plural only) or empty. `source` names where it is attested, empty for plain English and German.
    `draft`: no source attests it in this sense. `gloss` says in English and German what a popular name means.
    """

    text: str
    lang: str
    gender: str = ""
    source: str = ""
    draft: bool = False
    note: str = ""
    bare: str = ""
    inflected: str = ""
    object: str = ""
    plural: str = ""
    gloss: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """One published concept: its names by language, the preferred one first, and its document for everything else."""

    names: Mapping[str, tuple[Name, ...]]
    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The words at one moment. `memo` holds what was computed from them and from the files; it is dropped with them."""

    version: int = 0
    concepts: Mapping[str, Words] = field(default_factory=dict)
    memo: dict[tuple[object, ...], Any] = field(default_factory=dict)


_current = Snapshot()


def current() -> Snapshot:
    return _current


def replace(snapshot: Snapshot) -> None:
    global _current
    _current = snapshot


def cached_by_snapshot(look: Callable[_P, _R]) -> Callable[_P, _R]:
    """Cache the results of a function of names (positional, hashable arguments) until the snapshot is replaced."""

    @wraps(look)
    def remembered(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        memo = _current.memo
        key = (look, *args)
        try:
            result: _R = memo[key]
        except KeyError:
            result = memo[key] = look(*args, **kwargs)
        return result

    return remembered


def cached_by_language(most: int) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Like `cached_by_snapshot`, for texts and pages: cache by language, too. When `most` results are cached, drop all of them.

    The function may depend on nothing but its (hashable) arguments, the language and the names. Sursilvan results are
    not cached: there, equal texts may differ in what they say in German.
    """

    def keeping(look: Callable[_P, _R]) -> Callable[_P, _R]:
        state: tuple[Snapshot, dict[tuple[object, ...], _R]] = (current(), {})

        @wraps(look)
        def remembered(*args: _P.args, **kwargs: _P.kwargs) -> _R:
            nonlocal state
            language = get_language()
            if language == SURSILVAN:
                return look(*args, **kwargs)
            words, results = state
            if words is not current():
                words, results = state = current(), {}
            key = (language, *args)
            try:
                return results[key]
            except KeyError:
                result = look(*args, **kwargs)
            if len(results) >= most:
                results.clear()
            results[key] = result
            return result

        return remembered

    return keeping


_CONTENT: Final = Path(__file__).with_name("content")


class UnknownTerm(LookupError):
    """There is no such key in the files: a mistake in the program, not by a reader."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word to show: `lang` is the language it really is in, which may be a fallback.

    `meaning` explains it in the reader's language (or else in English, see `meaning_lang`), or is empty if the word
    explains itself.
    """

    text: str
    lang: str
    draft: bool = False
    meaning: str = ""
    meaning_lang: str = ""
    gender: str = ""
    source: str = ""

    def __str__(self) -> str:
        return self.text


def reading_language(lang: str | None = None) -> str:
    """The language to name things in: `lang`, else the active one.

    A regional variant falls back to its language, anything else to English.
    """
    return _known_language(lang or get_language() or SOURCE_LANGUAGE)


@lru_cache(256)
def _known_language(code: str) -> str:
    code = code.lower().replace("_", "-")
    known = {known_code for known_code, _ in settings.LANGUAGES}
    while code not in known and "-" in code:
        code = code.rpartition("-")[0]
    return code if code in known else SOURCE_LANGUAGE


# A Romansh reader understands German before English.
_FALLBACKS: Final[Mapping[str, tuple[str, ...]]] = {"rm": ("de",), "gsw": ("de",)}


def fallbacks(language: str) -> tuple[str, ...]:
    """The languages to show something in, the reader's first.

    Romansh and Swiss German fall back to German, everything to English.
    """
    others = _FALLBACKS.get(language.partition("-")[0], ())
    return tuple(dict.fromkeys((language, *others, SOURCE_LANGUAGE)))


@cache
def content(file: str) -> Mapping[str, Any]:
    """The parsed `content/<file>.toml`."""
    with (_CONTENT / f"{file}.toml").open("rb") as lines:
        return tomllib.load(lines)


def merged() -> Mapping[str, str]:
    """Map the keys of concepts that once were separate entries to the keys of the entries they are part of now."""
    return {key: row["into"] for key, row in content("merged").items()}


def concept_keys() -> tuple[str, ...]:
    """The keys of all concepts that the program uses: those of the files, in their order, and the phrases."""
    cards = content("cards")
    return (
        *(f"{kind}.{key}" for kind in ("suits", "ranks", "trumps") for key in cards[kind]),
        "fool",
        *(f"words.{key}" for key, row in content("words")["words"].items() if "of" not in row),
        *(f"phrases.{key}" for key in phrase_book()),
    )


def published(concept: str) -> Mapping[str, Any]:
    """The published document of a concept that the program uses; empty if there is none."""
    words = current().concepts.get(concept)
    return words.document if words else {}


def _entry(concept: str) -> Mapping[str, Any]:
    """The table of a concept in the files: `suits.cups`, `ranks.king`, `trumps.21`, `fool`, `words.scart`.

    Phrases have an empty one: `rules.text.names` reads their files. Raises UnknownTerm.
    """
    kind, _, key = concept.partition(".")
    if kind == "phrases":
        return {}
    table = content("words" if kind == "words" else "cards").get(kind)
    entry: Mapping[str, Any] | None = table.get(key) if table is not None and key else table
    if entry is None:
        raise UnknownTerm(concept)
    return entry


@cached_by_snapshot
def names_of(concept: str, lang: str) -> tuple[Name, ...]:
    """Every name of `concept` in `lang`, the preferred one first; empty if that language has none.

    All names come from here. Published words replace those of the file, even if all of them are deprecated (except in
    English, where there must be a name). A word of `words.toml` that only refers to another concept (`of`) has that
    concept's names, in its own form. Raises UnknownTerm.
    """
    entry = _entry(concept)
    if "of" in entry and lang not in entry:
        return _as_formed(names_of(entry["of"], lang), entry.get("form", "bare"))
    words = current().concepts.get(concept)
    if words is not None and lang in words.names and (words.names[lang] or lang != SOURCE_LANGUAGE):
        return words.names[lang]
    return tuple(
        Name(lang=lang, gloss=tuple(row.get("gloss", {}).items()), **{key: row[key] for key in row if key != "gloss"})
        for row in entry.get(lang, ())
    )


def _as_formed(names: tuple[Name, ...], form: str) -> tuple[Name, ...]:
    """Those names that have another form, in that form. A word without an article is its own bare form."""
    formed = ((name, getattr(name, form) or (name.text if form == "bare" else "")) for name in names)
    return tuple(replace_text(name, text=text) for name, text in formed if text)


def best_name(concept: str, lang: str) -> Name:
    """The preferred name in `lang`, else in the next of its `fallbacks`. Raises UnknownTerm."""
    return next(name for code in fallbacks(lang) for name in names_of(concept, code))


def meaning_of(concept: str, lang: str) -> tuple[str, str]:
    """The meaning of a word of the game, and its language: `lang` or else the next of its `fallbacks`.

    Both are empty if the word explains itself.
    """
    entry = _entry(concept)
    explained: str = concept if "meaning" in entry else entry.get("of", concept)
    meanings: Mapping[str, str] = {**_entry(explained).get("meaning", {}), **published(explained).get("meaning", {})}
    language = next((code for code in fallbacks(lang) if code in meanings), "")
    return meanings.get(language, ""), language


def own_language(concept: str) -> str:
    """The language whose word is the game's own for this concept, or an empty string if it has none.

    The file decides, whatever is published: screens rely on which concepts have a word of their own.
    """
    entry = _entry(concept)
    own: str = entry.get("own") or (_entry(entry["of"]).get("own", "") if "of" in entry else "")
    return own


logger = logging.getLogger(__name__)

EVERY: Final = 3.0  # seconds
_NEVER: Final = float("-inf")

_looked_at = _NEVER
_reading = threading.Lock()


def version() -> int:
    """A number that changes when words are published: results of an older version are stale. 0: no published words."""
    return current().version


def names(concept: str, lang: str) -> tuple[Name, ...] | None:
    """The published names of a concept that the program uses, the preferred one first; None if `lang` has none."""
    words = current().concepts.get(concept)
    return words.names.get(lang) if words else None


def refresh(force: bool = False) -> bool:
    """Read the names again if words were published since. Returns whether there were any.

    Makes one small query, at most every three seconds. If the database cannot be reached (or has no tables yet), the
    names stay as they are.
    """
    global _looked_at
    if not force and time.monotonic() - _looked_at < EVERY:
        return False
    if not _reading.acquire(blocking=force):
        return False  # another thread is doing it
    try:
        _looked_at = time.monotonic()
        newest = Catalogue.objects.filter(pk=1).values_list("words", flat=True).first() or 0
        if newest == current().version:
            return False
        replace(Snapshot(newest, _read() if newest else {}))
        return True
    except DatabaseError:
        logger.warning("could not look for published words", exc_info=True)
        return False
    finally:
        _reading.release()


def note_change() -> None:
    """Raise the version because words are published. Call it in the same transaction.

    It locks the row until the commit. The version is the time in microseconds, so that none is used twice, not even
    after a rollback.
    """
    now = time.time_ns() // 1000
    Catalogue.objects.get_or_create(pk=1)
    Catalogue.objects.filter(pk=1).update(words=Greatest(F("words") + 1, Value(now, output_field=BigIntegerField())))
    transaction.on_commit(forget_last_look, robust=True)


def forget_last_look() -> None:
    """Make the next `refresh` in this process check at once."""
    global _looked_at
    _looked_at = _NEVER


class RefreshMiddleware:
    """Serve every request with the names as published, at most a few seconds late."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refresh()
        return self.get_response(request)


def name_of(term: Mapping[str, Any]) -> Name:
    """A term of a canonical document as a name for screens."""
    forms = term.get("forms", {})
    cited = term.get("sources", ())
    return Name(
        term["text"],
        term["lang"],
        gender=term.get("gender", ""),
        source=cited[0].partition(":")[0] if cited else "",
        draft=term["status"] == "proposed",
        note=term.get("note", {}).get("en", ""),
        bare=forms.get("bare", ""),
        inflected=forms.get("inflected", ""),
        object=forms.get("object", ""),
        plural=forms.get("plural", ""),
        gloss=tuple(term.get("gloss", {}).items()),
    )


def _read() -> dict[str, Words]:
    rows = Concept.objects.filter(key__in=concept_keys()).values_list("key", "document")
    return {key: Words(_names(document), document) for key, document in rows}


def _names(document: Mapping[str, Any]) -> dict[str, tuple[Name, ...]]:
    by_language: dict[str, tuple[Name, ...]] = {}
    for term in document["terms"]:
        usable = () if term["status"] == "deprecated" else (name_of(term),)
        by_language[term["lang"]] = by_language.get(term["lang"], ()) + usable
    return by_language
