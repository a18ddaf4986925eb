"""The words of the term base as texts need them: one snapshot for each language and state of the term base.

The first mention of a term in a text becomes a link to its page (`linked_terms`, `link`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from markdown_it.token import Token

from rules import terms
from rules.documents.standing import IN_ANOTHER_SENSE
from rules.markup.page import Page
from rules.models import Concept, Definition, Term
from rules.terms import fallbacks

OWN_LANGUAGES: Final = ("rm-sursilv", "gsw")
"""The languages of the players: their words stand in texts of every language, in italics."""

_OF_GAME: Final[Mapping[str, str]] = {"troccas": "rm-sursilv", "troggu": "gsw"}
"""The language that is spoken at the tables of a game."""
WORD: Final = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)*")
_SHORTEST: Final = 3

# Words of the game that every sentence uses in their everyday sense: linked where a writer asks for it, not by themselves.
# The words of a saying are joined by hyphens.
_EVERYDAY: Final[Mapping[str, str]] = {
    "en": "go-on card cards game games give go hand hands keep lead own page pages pass place play player players point points quiet round "
    "rounds rose roses side sides stand take table talk throw",
    "de": "ansagen geben gehen hand hände karte karten nehmen partie passe preis preise punkt punkte reden runde runden sagen seite spiel spiele "
    "spielen spieler still tisch weiter",
    "rm-sursilv": "carta cartas dar far gieug ir prender",
    "fr": "camp carte cartes consentir continuer couper demande distribuer donner frapper gagner jeu jeux jouer joueur joueurs libre main "
    "mains mise ordre partie parties passe passer pause phrase phrases point points prix reprendre roses résultat régler sec "
    "signe table tour tours",
    "it": "andare campione carta carte dare distribuire frase frasi gioco giocare giocatore giocatori giro libero mano mani ordine "
    "parte parti partita partite passare pausa posta premio prendere punti richiesta riprendere risultato rose secco segno serie "
    "solo tavolo turno uscire",
}


@dataclass(slots=True)
class Word:
    """A concept as a text in one language shows it: its name, the players' own word, what it means."""

    key: str
    slug: str
    games: frozenset[str]
    text: str = ""
    lang: str = ""
    draft: bool = False
    own: str = ""
    own_lang: str = ""
    meaning: str = ""
    meaning_lang: str = ""

    def is_of(self, game: str) -> bool:
        """Whether a text about a game may mean this concept; every text may that is about none."""
        return not game or not self.games or game in self.games


class Own(NamedTuple):
    """How the players of one language call a concept."""

    key: str
    language: str
    text: str


class Form(NamedTuple):
    """One way a concept may be written in a text."""

    words: tuple[str, ...]
    key: str
    capital: bool
    """Whether only a capital first letter will do: German nouns, whose small twins are other words."""
    rank: tuple[int, int]


@dataclass(slots=True)
class Lexicon:
    """All published concepts, and how they are written in one language."""

    language: str
    words: dict[str, Word] = field(default_factory=dict)
    _forms: dict[str, list[Form]] = field(default_factory=dict)
    _own: dict[str, list[Own]] = field(default_factory=dict)

    def own_word(self, text: str, game: str) -> tuple[Word, str] | None:
        """The concept the players themselves call `text`, and the language in which they do."""
        said = self._own.get(" ".join(folded(text)), ())
        word = self._choose((own.key for own in said), game)
        if word is None:
            return None
        ways = [own for own in said if own.key == word.key]
        usual = _OF_GAME.get(game, "")
        best = min(ways, key=lambda own: (own.language != usual, own.text != text))
        return word, best.language

    def matches(self, text: str, game: str) -> Iterable[tuple[int, int, Word]]:
        """The terms in a text, each as start, end and concept; the longest first, none inside another.

        In a text about a game, what only another game knows is not meant: it is linked by hand, where it is.
        """
        found = list(WORD.finditer(text))
        at = 0
        while at < len(found):
            length, word = self._longest(text, found, at, game)
            if word is None:
                at += 1
                continue
            yield found[at].start(), found[at + length - 1].end(), word
            at += length

    def _longest(self, text: str, found: list[re.Match[str]], at: int, game: str) -> tuple[int, Word | None]:
        forms = self._forms.get(found[at][0].casefold(), ())
        length = 0
        fitting: list[str] = []
        for form in forms:  # longest first
            if len(form.words) < length:
                break
            if self.words[form.key].is_of(game) and self._fits(form, text, found, at):
                length = len(form.words)
                fitting.append(form.key)
        return length, self._choose(fitting, game)

    def _fits(self, form: Form, text: str, found: list[re.Match[str]], at: int) -> bool:
        if at + len(form.words) > len(found) or (form.capital and not found[at][0][0].isupper()):
            return False
        for offset, word in enumerate(form.words):
            match = found[at + offset]
            if match[0].casefold() != word:
                return False
            if offset and text[found[at + offset - 1].end() : match.start()] not in (" ", "-", "\u00a0", "\u2011"):
                return False
        return True

    def _choose(self, keys: Iterable[str], game: str) -> Word | None:
        words = [self.words[key] for key in keys]
        if not words:
            return None
        return next((word for word in words if word.is_of(game)), words[0])


def folded(text: str) -> tuple[str, ...]:
    """The words of a text, for comparing."""
    return tuple(match[0].casefold() for match in WORD.finditer(text))


def lexicon(language: str) -> Lexicon:
    """The published words for texts in `language`. Read anew only when the term base has changed."""
    words = terms.current()
    if not words.version:
        return _read(language)  # this process has not looked yet which words are published: nothing may be kept
    known: Lexicon | None = words.memo.get((Lexicon, language))
    if known is None:
        known = words.memo[Lexicon, language] = _read(language)
    return known


def _read(language: str) -> Lexicon:
    made = Lexicon(language)
    concepts = Concept.objects.order_by("order", "key").values_list("key", "slug", "troccas", "troggu")
    for key, slug, troccas, troggu in concepts:
        games = frozenset(name for name, played in (("troccas", troccas), ("troggu", troggu)) if played)
        made.words[key] = Word(key, slug, games)
    for key, into in terms.merged().items():
        if into in made.words:
            made.words.setdefault(key, made.words[into])
    _name(made)
    _define(made)
    return made


def _name(made: Lexicon) -> None:
    language = made.language
    after = fallbacks(language)[1:]
    wanted = {language, *after, *OWN_LANGUAGES}
    rows = (
        Term.objects.filter(language__in=wanted)
        .order_by("concept__order", "concept__key", "order")
        .values_list(
            "concept__key",
            "language",
            "text",
            "status",
            "order",
            "document__look_up",
            "document__pos",
            "document__forms__plural",
            "document__standing",
        )
    )
    forms: dict[tuple[str, ...], list[Form]] = {}
    second: dict[tuple[str, str], tuple[str, bool]] = {}
    for key, lang, text, status, order, look_up, pos, plural, said in rows:
        word = made.words[key]
        draft = status == Term.Status.PROPOSED
        if status != Term.Status.DEPRECATED:
            if lang == language and not word.text:
                word.text, word.lang, word.draft = text, lang, draft
            if lang in OWN_LANGUAGES and not word.own and not draft and said not in IN_ANOTHER_SENSE:
                word.own, word.own_lang = text, lang
            if lang in after:
                second.setdefault((key, lang), (text, draft))
        spellings = [text, *(look_up or ()), *filter(None, (plural,))]
        if lang == language:
            for spelling in _written(spellings, lang, pos):
                capital = lang == "de" and pos in (None, "", "noun") and spelling[:1].isupper()
                rank = (_STATUS.index(status), order)
                _add(forms, Form(folded(spelling), key, capital, rank), lang)
        if lang in OWN_LANGUAGES and lang != language:
            for spelling in spellings:
                made._own.setdefault(" ".join(folded(spelling)), []).append(Own(key, lang, spelling))
    for word in made.words.values():
        if not word.text and word.own:
            word.text, word.lang = word.own, word.own_lang
        elif not word.text and (given := next((code for code in after if (word.key, code) in second), "")):
            (word.text, word.draft), word.lang = second[word.key, given], given
    for found in forms.values():
        found.sort(key=lambda form: form.rank)
        made._forms.setdefault(found[0].words[0], []).extend(found)
    for each in made._forms.values():
        each.sort(key=lambda form: -len(form.words))


_STATUS: Final = ("preferred", "admitted", "proposed", "deprecated")
"""The best first."""


def _written(spellings: Iterable[str], language: str, pos: str | None) -> Iterable[str]:
    """The spellings, and in English the plain plural of nouns."""
    for spelling in spellings:
        if any(char.isdigit() for char in spelling):
            continue  # "Tarot No. 1" is not meant by "Tarot no"
        yield spelling
        if language == "en" and pos == "noun" and not spelling.endswith("s"):
            yield f"{spelling}s"


def _add(forms: dict[tuple[str, ...], list[Form]], form: Form, language: str) -> None:
    everyday = _EVERYDAY.get(language, "").split()
    too_short = len(form.words) == 1 and len(form.words[0]) < _SHORTEST
    too_plain = too_short or "-".join(form.words) in everyday
    known = forms.setdefault(form.words, []) if form.words and not too_plain else None
    if known is not None and form.key not in {each.key for each in known}:
        known.append(form)


def _define(made: Lexicon) -> None:
    """What each word means; of a phrase, what it tells."""
    wanted = fallbacks(made.language)
    rows = Definition.objects.filter(language__in=wanted)
    for key, lang, text in rows.values_list("concept__key", "language", "text"):
        word = made.words[key]
        if not word.meaning or wanted.index(lang) < wanted.index(word.meaning_lang):
            word.meaning, word.meaning_lang = text, lang
    phrases = Concept.objects.filter(sort=Concept.Sort.PHRASE)
    for key, tells in phrases.values_list("key", "document__tells"):
        said = next((code for code in wanted if code in (tells or {})), "")
        if said and not made.words[key].meaning:
            made.words[key].meaning, made.words[key].meaning_lang = tells[said], said


def link(page: Page, word: Word, label: str, *, language: str = "") -> SafeString:
    """A link to a word's page; plain text, with its language, on a rule sheet or where that page has no address.

    `language` is that of the label, if it is not the text's own. Notes the concept as mentioned.
    """
    if word.key not in page.terms:
        page.terms.append(word.key)
    lang = format_html(' lang="{}"', language) if language and language != page.language else SafeString("")
    address = "" if page.sheet else page.links.to("word", word.slug)
    if not address:
        return format_html("<span{}>{}</span>", lang, label) if lang else format_html("{}", label)
    return format_html('<a class="term" href="{}" data-term="{}"{}>{}</a>', address, word.key, lang, label)


def linked_terms(page: Page, words: Lexicon, text: str) -> list[Token] | None:
    """A piece of plain text with the terms in it linked that were not mentioned before; None if there are none."""
    made: list[Token] = []
    at = 0
    for start, end, word in words.matches(text, page.game):
        if word.key in page.terms:
            continue
        made += _text(text[at:start])
        made.append(html(link(page, word, text[start:end])))
        at = end
    return [*made, *_text(text[at:])] if made else None


def emphasised(page: Page, words: Lexicon, text: str) -> Token | None:
    """A word in italics that the players call something: linked at its first mention, and always in its language."""
    found = words.own_word(text, page.game)
    if found is None:
        return None
    word, language = found
    if word.key in page.terms:
        return html(format_html('<span lang="{}">{}</span>', language, text))
    return html(link(page, word, text, language=language))


def html(content: str) -> Token:
    return Token("html_inline", "", 0, content=content)


def _text(content: str) -> Iterator[Token]:
    if content:
        yield Token("text", "", 0, content=content)
