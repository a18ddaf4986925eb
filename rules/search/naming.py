"""What the things that are found are called, and what they are, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q

from rules.search.models import SearchEntry
from rules.search.plain import inline

_ENTRY_KIND: Final = {SearchEntry.Kind.WORD.value: "concept", SearchEntry.Kind.PHRASE.value: "concept"}
_SOURCE_LANGUAGE: Final = "en"

Things = dict[tuple[str, str], dict[str, "Thing"]]


@dataclass(frozen=True, slots=True)
class Thing:
    """A published entry; of an article, `document` holds the title and the summary only."""

    slug: str
    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Named:
    """What a thing is called, its own word where that is another, and what it is: each with its language."""

    title: tuple[str, str]
    own: tuple[str, str] = ("", "")
    gist: tuple[str, str] = ("", "")


def find_things(wanted: Iterable[tuple[str, str]]) -> Things:
    """What is published under these kinds and keys, each by the language it is in (`""` for what is in all); two queries."""
    keys: dict[str, set[str]] = {}
    for kind, key in wanted:
        keys.setdefault(kind, set()).add(key)
    found: Things = {}
    _find_articles(keys.pop(SearchEntry.Kind.ARTICLE, set()), found)
    _find_others(keys, found)
    return found


def name_of(kind: str, thing: Thing, language: str) -> Named:
    """What a thing of this kind is called for a reader of `language`."""
    return _NAMED[kind](thing.document, language)


def _find_articles(keys: set[str], found: Things) -> None:
    """By the rows of the search itself: an article's whole document is long."""
    documents: dict[tuple[str, str, str], dict[str, str]] = {}
    if not keys:
        return
    rows = SearchEntry.objects.filter(part__in=("title", "summary"), entry__kind="article", entry__key__in=keys)
    for key, slug, language, part, text in rows.values_list("entry__key", "entry__slug", "language", "part", "text"):
        documents.setdefault((key, language, slug), {})[part] = text
    for (key, language, slug), document in documents.items():
        if "title" in document:
            found.setdefault((SearchEntry.Kind.ARTICLE, key), {})[language] = Thing(slug, document)


def _find_others(keys: Mapping[str, set[str]], found: Things) -> None:
    from rules.models import Entry  # noqa: PLC0415  # models import this room

    if not keys:
        return
    wanted = Q()
    for kind, some in keys.items():
        wanted |= Q(kind=_ENTRY_KIND.get(kind, kind), key__in=some)
    rows = Entry.objects.filter(wanted, published__isnull=False)
    for entry_kind, key, slug, document in rows.values_list("kind", "key", "slug", "published__document"):
        for kind, some in keys.items():
            if _ENTRY_KIND.get(kind, kind) == entry_kind and key in some:
                found[kind, key] = {"": Thing(slug, document)}


def _said(texts: Mapping[str, str], language: str) -> tuple[str, str]:
    """A localised text in the reader's language, else in English, else in any; with the language it is in."""
    code = next((code for code in (language, _SOURCE_LANGUAGE, *texts) if code in texts), "")
    return texts.get(code, ""), code


def _article(document: Mapping[str, Any], language: str) -> Named:
    return Named((document["title"], language), gist=(document.get("summary", ""), language))


def _concept(document: Mapping[str, Any], language: str) -> Named:
    terms: Sequence[Mapping[str, Any]] = document.get("terms", ())
    own = document.get("own", "")

    def first(code: str) -> tuple[str, str]:
        return next(((term["text"], code) for term in terms if term["lang"] == code), ("", ""))

    title = next((name for code in (language, _SOURCE_LANGUAGE, own) if (name := first(code))[0]), None)
    title = title or (terms[0]["text"], terms[0]["lang"])
    definitions = {code: each["text"] for code, each in document.get("definitions", {}).items()}
    meant = document.get("meaning", {})
    text, code = _said(meant if language in meant else definitions or meant, language)
    is_other = first(own)[0].casefold() != title[0].casefold()
    return Named(title, first(own) if is_other else ("", ""), (inline(text, code), code))


def _phrase(document: Mapping[str, Any], language: str) -> Named:
    term = document["terms"][0]
    return Named((term["text"], term["lang"]), gist=_said(document.get("tells", {}), language))


def _source(document: Mapping[str, Any], language: str) -> Named:
    facts = (document.get("author"), document.get("container"), document.get("year"))
    return Named((document["title"], ""), gist=(", ".join(str(fact) for fact in facts if fact), ""))


def _place(document: Mapping[str, Any], language: str) -> Named:
    names = document["names"]
    code = next((code for code in (language, "", *names) if code in names), "")
    return Named((names[code], code))


_NAMED: Final[Mapping[str, Callable[[Mapping[str, Any], str], Named]]] = {
    "article": _article,
    "word": _concept,
    "phrase": _phrase,
    "source": _source,
    "place": _place,
}
