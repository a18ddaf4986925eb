"""The content of a concept's page: what it is, its names in all languages, their sources, and related concepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from core.prepared_queries import prepared
from rules.documents import references, standing
from rules.documents.kinds import PARTS_OF_SPEECH, STATUSES
from rules.documents.standing import IN_ANOTHER_SENSE
from rules.markup import inline
from rules.markup.lexicon import lexicon
from rules.markup.page import Footnotes, Links, citations
from rules.models import Concept
from rules.pronouncing import pronounced
from rules.selectors import kept_until_published
from rules.terms import content
from rules.text.names import trump_numeral
from rules.wordbook import related as corresponding
from rules.wordbook.naming import (
    GAMES,
    LANGUAGES,
    OWN_LANGUAGES,
    Naming,
    Phrase,
    PlaceLink,
    Said,
    fallbacks,
    localised,
    place_links,
    place_of,
    theme_name,
    usable,
)
from rules.wordbook.related import mentions

AUDIO: Final = "audio"
"""The folder of static files that contains recordings."""
_SUITS: Final = "COSB"
_COURTS: Final = "KQNJ"
_REGISTERS: Final[Mapping[str, str | Promise]] = {
    corresponding.PRINTED: gettext_lazy("printed on the cards"),
    "jocular": gettext_lazy("jocular"),
    "historical": gettext_lazy("historical"),
    "popular": gettext_lazy("popular"),
}


@dataclass(frozen=True, slots=True)
class Linked:
    """Another concept: its page, its name for the reader, and the players' own word if it differs."""

    address: str
    name: Said
    own: Said


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition in one language, with the numbers of its notes."""

    language: str
    language_name: str | Promise
    html: SafeString
    cited: SafeString


class Example:
    def __init__(self, row: Mapping[str, Any], language: str, page: WordPage) -> None:
        self.text: str = row["text"]
        self.language = language
        self.meaning = localised(row.get("meaning", {}), page.language)
        self.speaker: str = row.get("speaker", "")
        self.place = page.place(row.get("place", ""))
        self.cited = page.cited((row["source"],) if row.get("source") else ())


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that may be played: it has a licence, and its file exists."""

    path: str
    licence: str
    speaker: str


class Entered:
    """One word of the table of words, with all that is known about it."""

    def __init__(self, term: Mapping[str, Any], page: WordPage) -> None:
        self.name = Naming.of(term)
        self.reliability = standing.reliability(term, page.trust)
        self.reliability_means = standing.RELIABILITIES[self.reliability]
        self.part = str(PARTS_OF_SPEECH.get(term.get("pos", ""), ""))
        self.place = page.place(term.get("place", ""))
        register = term.get("register", "")
        self.register = _REGISTERS.get(register, register)
        self.gloss = localised(term.get("gloss", {}), page.language)
        self.note = localised(term.get("note", {}), page.language)
        self.note_html = inline(self.note.text, self.note.language or page.language, reader=page.language)
        self.look_up = _look_up(term)
        self.forms = tuple(dict.fromkeys(term.get("forms", {}).values()))
        self.ipa: str = term.get("ipa", "") or pronounced(term["text"], term["lang"])
        self.ipa_is_derived = not term.get("ipa")
        """Whether it is derived from the spelling, because the term has none."""
        self.recording = _recording(term.get("audio", {}))
        self.examples = [Example(row, term["lang"], page) for row in term.get("examples", ())]
        self.cited = page.cited(term.get("sources", ()))


@dataclass(frozen=True, slots=True)
class InLanguage:
    language: str
    name: str | Promise
    words: tuple[Entered, ...]


def find_concept(slug: str) -> Concept | None:
    return next(iter(_concepts_at(slug)), None)


@prepared
def _concepts_at(slug: str) -> QuerySet[Concept]:
    return Concept.objects.filter(slug=slug).select_related("entry__published__author").order_by()


def page_of(concept: Concept, language: str) -> WordPage:
    """The page of a concept for a reader of `language`, from the cache of rendered texts."""
    return kept_until_published(f"word:{concept.pk}:{language}", partial(WordPage, concept, language))


class WordPage:
    """The page of a concept for a reader of `language`. The number of queries does not depend on the concept."""

    def __init__(self, concept: Concept, language: str) -> None:
        document: dict[str, Any] = concept.document
        self.language, self.document = language, document
        self._links = Links(language)
        self._places = place_links(references("concept", document, "place").values(), language)
        self._notes = Footnotes()
        self._notes.look_up(references("concept", document, "source").values())
        is_phrase = concept.sort == Concept.Sort.PHRASE
        self.title, self.is_draft = self._title(is_phrase=is_phrase)
        self.numeral = _numeral(concept.key)
        self.own = self._own() if not is_phrase else []
        self.cards = cards_of(concept.key, document.get("broader", ""))
        self.meaning = localised(document.get("meaning", {}), language)
        self.games = [GAMES[game] for game in document.get("games", ())]
        self.theme = theme_name(concept.theme)
        self.phrase = Phrase(document, self._places, language) if is_phrase else None
        # Notes are numbered as they are cited: definitions come first.
        self.definitions = self._definitions()
        self.definition = self.definitions[0] if self.definitions else None
        self.note = localised(document.get("note", {}), language)
        self.note_html = inline(self.note.text, self.note.language or language, reader=language)
        self.languages = self._languages()
        self.footnotes = self._notes.html({key: self._links.to("source", key) for key in self._notes.works})
        self.used_in = mentions(document, concept.key, concept.slug, language)
        self._relate(concept)

    @property
    def standings(self) -> list[tuple[str, str | Promise, str | Promise]]:
        """The standings of the words on this page: code, name and meaning, each once."""
        by_standing = {each.name.standing: each.name for row in self.languages for each in row.words}
        return [
            (code, by_standing[code].standing_name, by_standing[code].standing_means)
            for code in standing.NAMES
            if code in by_standing
        ]

    def trust(self, source: str) -> str:
        """How far a cited source is trusted; empty if unknown."""
        return str(self._notes.works.get(source, {}).get("trust", ""))

    @property
    def statuses(self) -> list[tuple[str, str | Promise, str | Promise]]:
        """The statuses of the words on this page: code, name and meaning, each once."""
        by_status = {each.name.status: each.name for row in self.languages for each in row.words}
        return [
            (code, by_status[code].status_name, by_status[code].status_means) for code in STATUSES if code in by_status
        ]

    def _title(self, *, is_phrase: bool) -> tuple[Said, bool]:
        """The title (a phrase itself, or a concept's name in the reader's language), and whether it is a draft."""
        terms = [Naming.of(term) for term in self.document["terms"]]
        codes = (terms[0].language,) if is_phrase else (self.language, *OWN_LANGUAGES, *fallbacks(self.language))
        usable_terms = [term for term in terms if term.is_usable] or terms
        chosen = next((term for code in codes for term in usable_terms if term.language == code), usable_terms[0])
        return Said(chosen.text, chosen.language), chosen.is_draft

    def _own(self) -> list[Naming]:
        """The players' own words: the first of each of their languages that a source attests, unless it is the title."""
        found = []
        for code in OWN_LANGUAGES:
            names = usable(self.document["terms"], code)
            attested = [name for name in names if not name.is_draft and name.standing not in IN_ANOTHER_SENSE]
            found += [name for name in attested[:1] if Said(name.text, code) != self.title]
        return found

    def _definitions(self) -> list[Defined]:
        """All definitions: first in the reader's language and its fallbacks, then the others."""
        given: dict[str, dict[str, Any]] = self.document.get("definitions", {})
        ordered = dict.fromkeys(code for code in (*fallbacks(self.language), *given) if code in given)
        return [
            Defined(
                code,
                LANGUAGES.get(code, code),
                inline(given[code]["text"], code, reader=self.language),
                self.cited(given[code].get("sources", ())),
            )
            for code in ordered
        ]

    def _languages(self) -> list[InLanguage]:
        """The words by language: the reader's first, then those of the players, then the others."""
        terms: list[dict[str, Any]] = self.document["terms"]
        order = dict.fromkeys((self.language, *OWN_LANGUAGES, *LANGUAGES))
        return [
            InLanguage(code, LANGUAGES[code], tuple(Entered(term, self) for term in terms if term["lang"] == code))
            for code in order
            if any(term["lang"] == code for term in terms)
        ]

    def place(self, key: str) -> PlaceLink | None:
        return place_of(self._places, key)

    def cited(self, sources: Iterable[str]) -> SafeString:
        """The marks of these sources, with commas between them."""
        marks = SafeString("")
        for citation in chain.from_iterable(map(citations, sources)):
            marks += SafeString("<sup>,</sup>" if marks and citation.source in self._notes.works else "")
            marks += self._notes.mark(citation)
        return marks

    def _relate(self, concept: Concept) -> None:
        """Set the wider, narrower and related concepts, in either direction, and what corresponds elsewhere."""
        key, row = concept.key, self.document.get("elsewhere", "")
        near = Q(document__broader=key) | Q(written__contains=f'"{key}"')
        if row:
            near |= Q(document__elsewhere=row)
        rows = list(
            Concept.objects.annotate(written=Cast("document", TextField()))
            .filter(near)
            .exclude(pk=concept.pk)
            .order_by("theme", "order", "key")
            .defer("entry")
        )
        wider = self.document.get("broader", "")
        narrower = [each.key for each in rows if each.document.get("broader") == key]
        naming_it = [each.key for each in rows if key in each.document.get("related", ())]
        related = [
            each
            for each in dict.fromkeys((*self.document.get("related", ()), *naming_it))
            if each not in (wider, *narrower)
        ]
        self.wider = self._linked([wider])
        self.narrower = self._linked(narrower)
        self.related = self._linked(related)
        self.elsewhere: corresponding.Line | None = None
        if row:
            same = [concept, *(each for each in rows if each.document.get("elsewhere") == row)]
            line = corresponding.line_of(row, same, self.language)
            self.elsewhere = line if line.says_something else None

    def _linked(self, keys: Iterable[str]) -> list[Linked]:
        words = lexicon(self.language).words
        return [
            Linked(
                self._links.to("word", word.slug),
                Said(word.text, word.lang),
                Said(word.own, word.own_lang) if word.own.casefold() != word.text.casefold() else Said(),
            )
            for word in (words[key] for key in keys if key in words)
        ]


def cards_of(key: str, wider: str = "") -> list[str]:
    """The codes of the cards that a concept is about: one trump, four kings, the courts of a suit; or none.

    A word whose wider concept (`wider`) is a single card shows that card.
    """
    cards = content("cards")
    kind, _dot, name = key.partition(".")
    entry = (cards.get(kind) or {}).get(name) if name else cards.get(kind)
    code = entry.get("code", "") if isinstance(entry, Mapping) else ""
    if kind == "suits" and code:
        return [f"{code}{rank}" for rank in _COURTS]
    if kind == "ranks" and code:
        return [f"{suit}{code}" for suit in _SUITS]
    if kind == "trumps" and name in cards["trumps"]:
        return [f"T{name}"]
    if key == "fool":
        return ["F"]
    single = wider == "fool" or wider.startswith("trumps.")
    return cards_of(wider) if kind == "words" and single else []


def _numeral(key: str) -> str:
    kind, _dot, number = key.partition(".")
    return trump_numeral(int(number)) if kind == "trumps" and number in content("cards")["trumps"] else ""


def _look_up(term: Mapping[str, Any]) -> tuple[str, ...]:
    """Further forms that a reader may type, without those that differ only in the article or in accents."""
    name = Naming.of(term)
    others = [replace(name, text=form) for form in term.get("look_up", ())]
    return tuple(other.text for other in others if other.filed != name.filed)


def _recording(audio: Mapping[str, str]) -> Recording | None:
    path = f"{AUDIO}/{audio.get('file', '')}"
    if not audio.get("licence") or not audio.get("file") or finders.find(path) is None:
        return None
    return Recording(path, audio["licence"], audio.get("speaker", ""))
