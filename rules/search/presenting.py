"""An answer as a reader sees it: what it is called, where it leads, and where the question was met."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from rules.search.asking import Question
from rules.search.indexing import HEADING_END, NAMES
from rules.search.marking import Marker, shortened
from rules.search.models import SearchEntry
from rules.search.naming import Thing, find_things, name_of
from rules.search.ranking import Near, Row

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
"""The article whose page is the contents."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that answers, with its best row."""

    row: Row
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """One answer. `title`, `own` and `excerpt` are clean HTML, `gist` is text; each has the language it is in, or none.

    `own` is the game's own word, where the title is another. `excerpt` shows where the question was met, unless one of these
    two shows it; `where` says which part of the thing this is, of an article the heading. `gist` says in short what the thing
    is, where its name was found. `language` is that of the page at `address`.
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
        """What kind of thing it is, in the reader's language."""
        return KINDS[self.kind]

    @property
    def is_section(self) -> bool:
        """Whether it is a part of an article, and `where` that part's heading, in the language of the excerpt."""
        return "#" in self.address

    @property
    def is_other_name(self) -> bool:
        """Whether the excerpt is a name of the thing that neither `title` nor `own` shows."""
        return bool(self.gist and self.excerpt)


def present(hits: Sequence[Hit], question: Question, near: Near, language: str) -> list[Found]:
    """The answers for a reader of `language`; three queries, however many hits."""
    if not hits:
        return []
    things = find_things((hit.row.kind, hit.row.key) for hit in hits)
    marker = Marker(question, near)
    texts = dict(SearchEntry.objects.filter(pk__in=[hit.row.id for hit in hits]).values_list("pk", "text"))
    # What was taken away while we looked is left out.
    return [
        _found(hit, texts[hit.row.id], things[hit.row.kind, hit.row.key], marker, language)
        for hit in hits
        if hit.row.id in texts and (hit.row.kind, hit.row.key) in things
    ]


def _found(hit: Hit, text: str, things: Mapping[str, Thing], marker: Marker, language: str) -> Found:
    row = hit.row
    # An article that the reader's language lacks is read in the language in which it was found.
    page = next((code for code in (language, row.language) if code in things), next(iter(things)))
    thing = things[page]
    named = name_of(row.kind, thing, page or language)
    with override(page or language):
        is_overview = (row.kind, row.key) == (SearchEntry.Kind.ARTICLE, _OVERVIEW)
        address = reverse("rules:contents") if is_overview else reverse(f"rules:{_PAGE[row.kind]}", args=[thing.slug])
    title, own = (marker.marked(name) for name, _language in (named.title, named.own))
    where, excerpt = _met(row, text, (named.title[0], named.own[0]), marker)
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
        # A form to be looked up may be a translation: its language is not known.
        excerpt_language=row.language if excerpt and where is not _FOUND_AS else "",
        where=where,
        gist=shortened(gist[0]),
        gist_language=gist[1],
        score=hit.score,
    )


def _met(row: Row, text: str, shown: tuple[str, str], marker: Marker) -> tuple[str | Promise | SafeString, SafeString]:
    """Where the question was met, and what stands there; both empty where one of the names that are `shown` says it."""
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
