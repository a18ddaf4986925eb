"""Search results in the reader's language: their titles, their addresses, and the text that matched the question.

The words of the question are marked with <mark>.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from core.text import fold, skeleton
from rules.models import Entry, SearchEntry
from rules.search import parsing
from rules.search.index import HEADING_END, NAMES, inline
from rules.search.passages import Passage
from rules.terms import fallbacks

_ENTRY_KIND: Final = {SearchEntry.Kind.WORD.value: "concept", SearchEntry.Kind.PHRASE.value: "concept"}

Things = dict[tuple[str, str], dict[str, "Thing"]]


@dataclass(frozen=True, slots=True)
class Thing:
    """A published entry; for an article, `document` holds only the title and the summary."""

    slug: str
    document: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Named:
    """The title of a thing, the game's own word if it differs, and a short explanation: each with its language."""

    title: tuple[str, str]
    own: tuple[str, str] = ("", "")
    gist: tuple[str, str] = ("", "")


def find_things(kinds_and_keys: Iterable[tuple[str, str]]) -> Things:
    """What is published under these kinds and keys, by language (`""` if all are in one document). Two queries."""
    keys: dict[str, set[str]] = {}
    for kind, key in kinds_and_keys:
        keys.setdefault(kind, set()).add(key)
    things: Things = {}
    _find_articles(keys.pop(SearchEntry.Kind.ARTICLE, set()), things)
    _find_others(keys, things)
    return things


def _find_articles(keys: set[str], things: Things) -> None:
    """Add articles to `things`, read from the rows of the search, since an article's whole document is long."""
    documents: dict[tuple[str, str, str], dict[str, str]] = {}
    if not keys:
        return
    rows = SearchEntry.objects.filter(part__in=("title", "summary"), entry__kind="article", entry__key__in=keys)
    for key, slug, language, part, text in rows.values_list("entry__key", "entry__slug", "language", "part", "text"):
        documents.setdefault((key, language, slug), {})[part] = text
    for (key, language, slug), document in documents.items():
        if "title" in document:
            things.setdefault((SearchEntry.Kind.ARTICLE, key), {})[language] = Thing(slug, document)


def _find_others(keys: Mapping[str, set[str]], things: Things) -> None:
    if not keys:
        return
    condition = Q()
    for kind, some in keys.items():
        condition |= Q(kind=_ENTRY_KIND.get(kind, kind), key__in=some)
    rows = Entry.objects.filter(condition, published__isnull=False)
    for entry_kind, key, slug, document in rows.values_list("kind", "key", "slug", "published__document"):
        for kind, some in keys.items():
            if _ENTRY_KIND.get(kind, kind) == entry_kind and key in some:
                things[kind, key] = {"": Thing(slug, document)}


def _localised(texts: Mapping[str, str], language: str) -> tuple[str, str]:
    """A text in the reader's language, else in the next of its `fallbacks`, or in any; and the language it is in."""
    code = next((code for code in (*fallbacks(language), *texts) if code in texts), "")
    return texts.get(code, ""), code


def _name_article(document: Mapping[str, Any], language: str) -> Named:
    return Named((document["title"], language), gist=(document.get("summary", ""), language))


def _name_concept(document: Mapping[str, Any], language: str) -> Named:
    terms: Sequence[Mapping[str, Any]] = document.get("terms", ())
    own_language = document.get("own", "")
    own = _first_term(terms, [own_language])
    title = _first_term(terms, [*fallbacks(language), own_language, terms[0]["lang"]])
    definitions = {code: each["text"] for code, each in document.get("definitions", {}).items()}
    meanings = document.get("meaning", {})
    # A meaning in the reader's language beats a definition in a foreign one.
    prefers_meaning = language in meanings and language not in definitions
    text, code = _localised(meanings if prefers_meaning else definitions or meanings, language)
    is_other = own[0].casefold() != title[0].casefold()
    return Named(title, own if is_other else ("", ""), (inline(text, code), code))


def _first_term(terms: Sequence[Mapping[str, Any]], codes: Iterable[str]) -> tuple[str, str]:
    """The first term in the first of these languages that has one, and the language; both empty if none has."""
    for code in codes:
        for term in terms:
            if term["lang"] == code:
                return term["text"], code
    return "", ""


def _name_phrase(document: Mapping[str, Any], language: str) -> Named:
    term = document["terms"][0]
    return Named((term["text"], term["lang"]), gist=_localised(document.get("tells", {}), language))


def _name_source(document: Mapping[str, Any], language: str) -> Named:
    facts = (document.get("author"), document.get("container"), document.get("year"))
    return Named((document["title"], ""), gist=(", ".join(str(fact) for fact in facts if fact), ""))


def _name_place(document: Mapping[str, Any], language: str) -> Named:
    names = document["names"]
    code = next((code for code in (language, "", *names) if code in names), "")
    return Named((names[code], code))


_NAMERS: Final[Mapping[str, Callable[[Mapping[str, Any], str], Named]]] = {
    "article": _name_article,
    "word": _name_concept,
    "phrase": _name_phrase,
    "source": _name_source,
    "place": _name_place,
}


EXCERPT: Final = 180
ANSWER: Final = 320
"""The maximum length of a sentence that answers: it is shown as a whole."""
_BEFORE: Final = 60
WORD: Final = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*")


class Marker:
    """Marks the telling words of one question, or the words that may be meant by them, in any number of texts."""

    def __init__(self, question: parsing.Question, near: parsing.Near) -> None:
        self.question = question
        words = question.telling()
        self._words = {spelling for word in words for spelling in word.spellings}
        self._words.add(question.skeleton.replace(" ", ""))
        for word in words:
            self._words.update(near.typos.get(word.skeleton, ()), near.holding.get(word.skeleton, ()))
        self._beginnings = tuple(text for word in words for text in word.beginnings)
        self._cache: dict[str, bool] = {}

    def marked(self, text: str, *, most: int = EXCERPT) -> SafeString:
        """`text` with the words marked; if it is longer than `most` letters, the piece that contains most of them."""
        spots = [(match.start(), match.end()) for match in WORD.finditer(text) if self._is_meant(match[0])]
        start, end = (0, len(text)) if len(text) <= most else _piece(text, spots)
        html, at = [], start
        for first, last in spots:
            if start <= first and last <= end:
                html += [escape(text[at:first]), "<mark>", escape(text[first:last]), "</mark>"]
                at = last
        html.append(escape(text[at:end]))
        # Every piece of the text is escaped above; only the marks are ours.
        return mark_safe(f"{'… ' if start else ''}{''.join(html).strip()}{' …' if end < len(text) else ''}")  # noqa: S308  # as said above

    def _is_meant(self, piece: str) -> bool:
        is_meant = self._cache.get(piece)
        if is_meant is None:
            forms = _forms(piece)
            is_meant = self._cache[piece] = not self._words.isdisjoint(forms) or any(
                form.startswith(self._beginnings) for form in forms
            )
        return is_meant


def shortened(text: str) -> str:
    """The beginning of a text, up to a whole word, with "…" if something is left out."""
    _start, end = _piece(text, [])
    return text if end == len(text) else f"{text[:end].rstrip(' ,;:–')} …"


def _piece(text: str, spots: list[tuple[int, int]]) -> tuple[int, int]:
    if len(text) <= EXCERPT:
        return 0, len(text)
    firsts = [first for first, _last in spots] or [0]
    best = max(firsts, key=lambda first: (sum(first <= other < first + EXCERPT - _BEFORE for other in firsts), -first))
    start = 0 if best <= _BEFORE else text.find(" ", best - _BEFORE, best) + 1 or best
    end = start + EXCERPT
    if end >= len(text):
        return start, len(text)
    space = text.rfind(" ", start + EXCERPT // 2, end)
    return start, space if space > 0 else end


@lru_cache(maxsize=16384)
def _forms(piece: str) -> tuple[str, str]:
    return fold(piece), skeleton(piece)


KINDS: Final[Mapping[str, str | Promise]] = {
    SearchEntry.Kind.ARTICLE: _("Article"),
    SearchEntry.Kind.WORD: _("Word"),
    SearchEntry.Kind.PHRASE: _("Phrase of the talk"),
    SearchEntry.Kind.PLACE: _("Place"),
    SearchEntry.Kind.SOURCE: _("Source"),
}
_WHERE: Final[Mapping[str, str | Promise]] = {
    "title": _("also"),
    "preferred": _("also"),
    "admitted": _("also"),
    "proposed": _("proposed"),
    "deprecated": _("no longer used"),
    "look-up": _("also"),
    "place": _("also"),
    "definition": _("definition"),
    "meaning": _("meaning"),
    "literal": _("word for word"),
    "tells": _("tells"),
    "gloss": _("word for word"),
    "example": _("example"),
    "note": _("note"),
}
_FOUND_AS: Final = _("found as")
_MARK: Final = "<mark>"
_PAGE: Final = {"article": "article", "word": "word", "phrase": "word", "source": "source", "place": "place"}
_OVERVIEW: Final = "overview"
"""The article that is shown on the contents page."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that answers, with its best row; or a sentence that answers, with its passage."""

    row: parsing.Row
    score: float
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """One answer. `title`, `own` and `excerpt` are safe HTML, `gist` is text; each has the language it is in, or none.

    `own` is the game's own word, if the title is another one. `excerpt` is the text that matched, unless one of these
    two shows it; `where` says which part of the thing it is (for an article, its heading). `gist` says in short what
    the thing is, if its name was found. `language` is that of the page at `address`.
    """

    kind: str
    key: str
    slug: str
    language: str
    address: str
    title: SafeString
    title_language: str
    own: SafeString
    own_language: str
    excerpt: SafeString
    excerpt_language: str
    where: str | Promise
    gist: str
    gist_language: str
    score: float

    @property
    def kind_name(self) -> str | Promise:
        return KINDS[self.kind]

    @property
    def is_section(self) -> bool:
        """Whether it is a section of an article; then `where` is its heading, in the language of the excerpt."""
        return "#" in self.address

    @property
    def is_other_name(self) -> bool:
        """Whether the excerpt is a name of the thing that neither `title` nor `own` shows."""
        return bool(self.gist and self.excerpt)


def present(hits: Sequence[Hit], question: parsing.Question, near: parsing.Near, language: str) -> list[Found]:
    """The hits as a reader of `language` sees them; three queries, however many hits."""
    if not hits:
        return []
    things = find_things((hit.row.kind, hit.row.key) for hit in hits)
    marker = Marker(question, near)
    texts = dict(SearchEntry.objects.filter(pk__in=[hit.row.id for hit in hits]).values_list("pk", "text"))
    # Leave out what was removed in the meantime.
    return [
        _found(hit, texts.get(hit.row.id, ""), things[hit.row.kind, hit.row.key], marker, language)
        for hit in hits
        if (not hit.row.id or hit.row.id in texts) and (hit.row.kind, hit.row.key) in things
    ]


def _found(hit: Hit, text: str, things: Mapping[str, Thing], marker: Marker, language: str) -> Found:
    row = hit.row
    # An article missing in the reader's language is shown in the language in which it was found.
    page = next((code for code in (language, row.language) if code in things), next(iter(things)))
    thing = things[page]
    named = _NAMERS[row.kind](thing.document, page or language)
    with override(page or language):
        is_overview = (row.kind, row.key) == (SearchEntry.Kind.ARTICLE, _OVERVIEW)
        address = reverse("rules:contents") if is_overview else reverse(f"rules:{_PAGE[row.kind]}", args=[thing.slug])
    title, own = (marker.marked(name) for name, _language in (named.title, named.own))
    if hit.passage:
        where: str | Promise = hit.passage.heading
        excerpt = marker.marked(hit.passage.text, most=ANSWER)
    else:
        where, excerpt = _match(row, text, (named.title[0], named.own[0]), marker)
    translation = _terms_in(thing.document, parsing.requested_language(marker.question)) if row.part in NAMES else ""
    if translation:
        where, excerpt = "", SafeString(escape(translation))
    gist = named.gist if row.part in NAMES and row.part != "heading" else ("", "")
    return Found(
        kind=row.kind,
        key=row.key,
        slug=thing.slug,
        language=page or language,
        address=f"{address}#{row.anchor}" if row.anchor else address,
        title=title,
        title_language=named.title[1],
        own=own,
        own_language=named.own[1],
        excerpt=excerpt,
        # A look-up form may be a translation: its language is not known.
        excerpt_language=row.language if excerpt and where is not _FOUND_AS else "",
        where=where,
        gist=shortened(gist[0]),
        gist_language=gist[1],
        score=hit.score,
    )


def _terms_in(document: Mapping[str, Any], language: str) -> str:
    """The names of a concept in a language, as one text; "" if it has none, or for documents that are not concepts."""
    terms = document.get("terms", ()) if language else ()
    return ", ".join(term["text"] for term in terms if term["lang"] == language and term.get("status") != "deprecated")


def _match(
    row: parsing.Row, text: str, shown: tuple[str, str], marker: Marker
) -> tuple[str | Promise | SafeString, SafeString]:
    """Which part of a thing matched, and its text, marked; both empty if that is one of the names already `shown`."""
    first, _end, second = text.partition(HEADING_END)
    if row.part == "look-up":
        name = marker.marked(first)
        if _MARK not in name:
            return _FOUND_AS, marker.marked(second)
        return ("", SafeString()) if first in shown else (_WHERE[row.part], name)
    if HEADING_END in text:
        return marker.marked(first), marker.marked(second)
    if row.part in NAMES and text in shown:
        return "", SafeString()
    return _WHERE.get(row.part, ""), marker.marked(text)
